"""Refusals of the backlog: what is wrong, where, and what may be said instead."""

from collections.abc import Iterable

from api.rooms.backlog.domain import titles
from api.rooms.kernel.refusals import Refusal
from contracts.problem import ProblemCode

MAX_NAMED = 40


def invalid(detail: str, **facts: str) -> Refusal:
    return Refusal(ProblemCode.INVALID_BACKLOG, detail, facts)


def unknown(what: str, codes: Iterable[str], known: Iterable[str]) -> Refusal:
    """Names what there is: who guesses once must not guess twice."""
    there = list(known)
    listed = ", ".join(there[:MAX_NAMED]) or "none yet"
    more = f" and {len(there) - MAX_NAMED} more" if len(there) > MAX_NAMED else ""
    wanted = ", ".join(codes)
    return invalid(f"There is no {what} {wanted} in this project. There are: {listed}{more}.", unknown=wanted)


def title(text: str) -> str:
    """As it may be stored. Raises Refusal."""
    cleaned = titles.cleaned(text)
    if cleaned is None:
        raise invalid(titles.NO_TITLE, field="title")
    return cleaned
