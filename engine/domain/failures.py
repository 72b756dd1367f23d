"""What went wrong, decided from types and codes and never from prose (law 6, RN-077)."""

from dataclasses import dataclass, field

from contracts.base import has_forbidden_character
from contracts.events import AgentError
from contracts.failures import ORIGINS, ErrorCode, FailureOrigin
from contracts.limits import MAX_DIAGNOSIS_CHARS
from contracts.problem import Problem, ProblemCode
from contracts.routes.model import ModelError

REPLACEMENT = "\ufffd"


class ApiProblem(Exception):
    """The api refused, and said why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.status} {problem.code}: {problem.detail}")
        self.problem = problem


class ServiceFailed(Exception):
    """The api answered with a status and without one of our problems."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"status {status}: {text}")
        self.status = status


class ServiceUnreachable(Exception):
    """No answer came from the api."""


class StreamIncomplete(Exception):
    """A stream ended without its final frame."""


class StreamSilent(Exception):
    """A stream said nothing for longer than a frame may take."""


@dataclass(frozen=True)
class Failure:
    """One error: its code, the raw text of that same error, and named facts."""

    code: ErrorCode
    diagnosis: str = ""
    facts: dict[str, str] = field(default_factory=dict)

    @property
    def origin(self) -> FailureOrigin:
        """Who has to act."""
        return ORIGINS[self.code]


OF_PROBLEM: dict[ProblemCode, ErrorCode] = {
    ProblemCode.INVALID_BODY: ErrorCode.REQUEST_REJECTED,
    ProblemCode.INVALID_PARAMETER: ErrorCode.REQUEST_REJECTED,
    ProblemCode.UNAUTHENTICATED: ErrorCode.REQUEST_REJECTED,
    ProblemCode.SIGNATURE_INVALID: ErrorCode.REQUEST_REJECTED,
    ProblemCode.FORBIDDEN: ErrorCode.REQUEST_REJECTED,
    ProblemCode.HANDOFF_REQUIRED: ErrorCode.HANDOFF_REFUSED,
    ProblemCode.NOT_FOUND: ErrorCode.REQUEST_REJECTED,
    ProblemCode.METHOD_NOT_ALLOWED: ErrorCode.REQUEST_REJECTED,
    ProblemCode.NOT_ACCEPTABLE: ErrorCode.REQUEST_REJECTED,
    ProblemCode.FENCED: ErrorCode.WORKER_LOST,
    ProblemCode.STOPPED: ErrorCode.CANCELLED_BY_USER,
    ProblemCode.INBOX_CHANGED: ErrorCode.REQUEST_REJECTED,
    ProblemCode.IDEMPOTENCY_CONFLICT: ErrorCode.REQUEST_REJECTED,
    ProblemCode.MESSAGE_ID_REUSED: ErrorCode.REQUEST_REJECTED,
    ProblemCode.QUEUE_FULL: ErrorCode.QUEUE_FULL,
    ProblemCode.AWAITING_DECISION: ErrorCode.AWAITING_DECISION,
    ProblemCode.ALREADY_TAKEN: ErrorCode.REQUEST_REJECTED,
    ProblemCode.ALREADY_CANCELLED: ErrorCode.REQUEST_REJECTED,
    ProblemCode.ALREADY_ANSWERED: ErrorCode.REQUEST_REJECTED,
    ProblemCode.ALREADY_DECIDED: ErrorCode.REQUEST_REJECTED,
    ProblemCode.LAST_OWNER: ErrorCode.REQUEST_REJECTED,
    ProblemCode.SESSION_ENDED: ErrorCode.REQUEST_REJECTED,
    ProblemCode.INVALID_TRANSITION: ErrorCode.REQUEST_REJECTED,
    ProblemCode.AGENT_UNAVAILABLE: ErrorCode.HANDOFF_REFUSED,
    ProblemCode.DUPLICATE_RULE: ErrorCode.DUPLICATE_RULE,
    ProblemCode.DUPLICATE_STORY: ErrorCode.DUPLICATE_STORY,
    ProblemCode.STALE_VERSION: ErrorCode.STALE_VERSION,
    ProblemCode.INVALID_BACKLOG: ErrorCode.INVALID_BACKLOG,
    ProblemCode.TASKS_EXIST: ErrorCode.TASKS_EXIST,
    ProblemCode.DUPLICATE_MODULE_MAP: ErrorCode.DUPLICATE_MODULE_MAP,
    ProblemCode.INVALID_ARCHITECTURE: ErrorCode.INVALID_ARCHITECTURE,
    ProblemCode.CONTENT_CHANGED: ErrorCode.REQUEST_REJECTED,
    ProblemCode.INVALID_ARTIFACT: ErrorCode.INVALID_ARTIFACT,
    ProblemCode.NO_BUSINESS_RULE: ErrorCode.NO_BUSINESS_RULE,
    ProblemCode.INVALID_HANDOFF: ErrorCode.HANDOFF_REFUSED,
    ProblemCode.TOO_LARGE: ErrorCode.CONTEXT_TOO_LARGE,
    ProblemCode.UNSUPPORTED_MEDIA_TYPE: ErrorCode.REQUEST_REJECTED,
    ProblemCode.THROTTLED: ErrorCode.RATE_LIMITED,
    ProblemCode.UNAVAILABLE: ErrorCode.SERVICE_UNREACHABLE,
    ProblemCode.INTERNAL_ERROR: ErrorCode.SERVICE_UNREACHABLE,
}


def of_status(status: int) -> ErrorCode:
    """A bare HTTP status of the api: its own failures are infra, what it refuses is our gap."""
    if status == 413:  # noqa: PLR2004 - the number is the protocol's name for it
        return ErrorCode.CONTEXT_TOO_LARGE
    if status == 429:  # noqa: PLR2004 - likewise
        return ErrorCode.RATE_LIMITED
    if 400 <= status < 500:  # noqa: PLR2004 - likewise
        return ErrorCode.REQUEST_REJECTED
    return ErrorCode.SERVICE_UNREACHABLE if status >= 500 else ErrorCode.UNKNOWN_FAILURE  # noqa: PLR2004 - likewise


def _code(error: BaseException) -> ErrorCode:
    match error:
        case ApiProblem():
            return OF_PROBLEM[error.problem.code]
        case ServiceFailed():
            return of_status(error.status)
        case StreamIncomplete():
            return ErrorCode.STREAM_INCOMPLETE
        case StreamSilent():
            return ErrorCode.PROVIDER_TIMEOUT
        case ServiceUnreachable() | OSError():  # OSError covers timeouts, refused connections and names not found
            return ErrorCode.SERVICE_UNREACHABLE
        case _:
            return ErrorCode.UNKNOWN_FAILURE


def of_exception(error: BaseException) -> Failure:
    """Code and diagnosis of the same error; a shape that is not known here is `unknown_failure`, so origin code."""
    facts = error.problem.facts if isinstance(error, ApiProblem) else {}
    return Failure(_code(error), str(error) or type(error).__name__, facts)


def of_model_error(error: ModelError) -> Failure:
    """The gateway has already classified what a provider did."""
    return Failure(error.code, error.diagnosis, error.facts)


def clean(text: str) -> str:
    """`text` without what a database would refuse."""
    if not has_forbidden_character(text):
        return text
    return "".join(REPLACEMENT if has_forbidden_character(character) else character for character in text)


def diagnosis(text: str) -> str:
    """Raw text, bounded; the end is kept, where a traceback says what happened."""
    return clean(text)[-MAX_DIAGNOSIS_CHARS:]


def event(failure: Failure) -> AgentError:
    """The durable event of a failure."""
    return AgentError(
        origin=failure.origin,
        code=failure.code,
        diagnosis=diagnosis(failure.diagnosis),
        facts={clean(name): clean(value) for name, value in failure.facts.items()},
    )
