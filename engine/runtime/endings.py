"""Why an activation ends or changes course; each is decided by the api, a person or the process."""

from enum import StrEnum

from contracts.problem import ProblemCode
from engine.domain.failures import ApiProblem


class CancelReason(StrEnum):
    """Why an activation was cancelled from outside; in no case does the worker write anything more."""

    LOST = "lost"
    USER = "user"
    DRAIN = "drain"


class LeaseLost(Exception):
    """Somebody else owns the instance now, or it is gone."""


class TurnStopped(Exception):
    """A person ended the turn; its stream's owner has written all there is to write."""


class InboxChanged(Exception):
    """A message was taken back before it was taken."""


class HandOver(Exception):
    """The worker stops with its turn still running; whoever claims next performs the saved effect."""


def raise_ending(error: ApiProblem) -> None:
    """Turn a refusal that concerns the whole activation into its ending; any other returns."""
    match error.problem.code:
        case ProblemCode.FENCED | ProblemCode.NOT_FOUND:
            raise LeaseLost(error.problem.detail) from error
        case ProblemCode.STOPPED:
            raise TurnStopped(error.problem.detail) from error
        case ProblemCode.INBOX_CHANGED:
            raise InboxChanged(error.problem.detail) from error
        case _:
            return
