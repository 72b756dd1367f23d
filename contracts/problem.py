"""The one error body of both services (RFC 9457, media type application/problem+json)."""

from enum import StrEnum

from contracts.base import Message

PROBLEM_MEDIA_TYPE = "application/problem+json"


class ProblemCode(StrEnum):
    """Why a request was refused; each has one HTTP status."""

    INVALID_BODY = "invalid_body"
    INVALID_PARAMETER = "invalid_parameter"
    UNAUTHENTICATED = "unauthenticated"
    SIGNATURE_INVALID = "signature_invalid"
    FORBIDDEN = "forbidden"
    HANDOFF_REQUIRED = "handoff_required"
    NOT_FOUND = "not_found"
    METHOD_NOT_ALLOWED = "method_not_allowed"
    NOT_ACCEPTABLE = "not_acceptable"
    FENCED = "fenced"
    STOPPED = "stopped"
    INBOX_CHANGED = "inbox_changed"
    IDEMPOTENCY_CONFLICT = "idempotency_conflict"
    MESSAGE_ID_REUSED = "message_id_reused"
    QUEUE_FULL = "queue_full"
    AWAITING_DECISION = "awaiting_decision"
    ALREADY_TAKEN = "already_taken"
    ALREADY_CANCELLED = "already_cancelled"
    ALREADY_ANSWERED = "already_answered"
    ALREADY_DECIDED = "already_decided"
    SESSION_ENDED = "session_ended"
    INVALID_TRANSITION = "invalid_transition"
    LAST_OWNER = "last_owner"
    AGENT_UNAVAILABLE = "agent_unavailable"
    DUPLICATE_RULE = "duplicate_rule"
    DUPLICATE_STORY = "duplicate_story"
    STALE_VERSION = "stale_version"
    INVALID_BACKLOG = "invalid_backlog"
    TASKS_EXIST = "tasks_exist"
    DUPLICATE_MODULE_MAP = "duplicate_module_map"
    INVALID_ARCHITECTURE = "invalid_architecture"
    CONTENT_CHANGED = "content_changed"
    INVALID_ARTIFACT = "invalid_artifact"
    NO_BUSINESS_RULE = "no_business_rule"
    INVALID_HANDOFF = "invalid_handoff"
    TOO_LARGE = "too_large"
    UNSUPPORTED_MEDIA_TYPE = "unsupported_media_type"
    THROTTLED = "throttled"
    UNAVAILABLE = "unavailable"
    INTERNAL_ERROR = "internal_error"


STATUS_OF: dict[ProblemCode, int] = {
    ProblemCode.INVALID_BODY: 400,
    ProblemCode.INVALID_PARAMETER: 400,
    ProblemCode.UNAUTHENTICATED: 401,
    ProblemCode.SIGNATURE_INVALID: 401,
    ProblemCode.FORBIDDEN: 403,
    ProblemCode.HANDOFF_REQUIRED: 403,
    ProblemCode.NOT_FOUND: 404,
    ProblemCode.METHOD_NOT_ALLOWED: 405,
    ProblemCode.NOT_ACCEPTABLE: 406,
    ProblemCode.FENCED: 409,
    ProblemCode.STOPPED: 409,
    ProblemCode.INBOX_CHANGED: 409,
    ProblemCode.IDEMPOTENCY_CONFLICT: 409,
    ProblemCode.MESSAGE_ID_REUSED: 409,
    ProblemCode.QUEUE_FULL: 409,
    ProblemCode.AWAITING_DECISION: 409,
    ProblemCode.ALREADY_TAKEN: 409,
    ProblemCode.ALREADY_CANCELLED: 409,
    ProblemCode.ALREADY_ANSWERED: 409,
    ProblemCode.ALREADY_DECIDED: 409,
    ProblemCode.SESSION_ENDED: 409,
    ProblemCode.INVALID_TRANSITION: 409,
    ProblemCode.LAST_OWNER: 409,
    ProblemCode.AGENT_UNAVAILABLE: 409,
    ProblemCode.DUPLICATE_RULE: 409,
    ProblemCode.DUPLICATE_STORY: 409,
    ProblemCode.STALE_VERSION: 409,
    ProblemCode.INVALID_BACKLOG: 422,
    ProblemCode.TASKS_EXIST: 409,
    ProblemCode.DUPLICATE_MODULE_MAP: 409,
    ProblemCode.INVALID_ARCHITECTURE: 422,
    ProblemCode.CONTENT_CHANGED: 409,
    ProblemCode.INVALID_ARTIFACT: 422,
    ProblemCode.NO_BUSINESS_RULE: 409,
    ProblemCode.INVALID_HANDOFF: 422,
    ProblemCode.TOO_LARGE: 413,
    ProblemCode.UNSUPPORTED_MEDIA_TYPE: 415,
    ProblemCode.THROTTLED: 429,
    ProblemCode.UNAVAILABLE: 503,
    ProblemCode.INTERNAL_ERROR: 500,
}


class FieldProblem(Message):
    """Where a body is wrong: `where` is a dotted path into it."""

    where: str
    what: str


class Problem(Message):
    """`detail` says what, where and what to do; `code` is what programs act on."""

    type: str = "about:blank"
    title: str
    status: int
    code: ProblemCode
    detail: str
    fields: tuple[FieldProblem, ...] = ()
    facts: dict[str, str] = {}
    """Named facts of this refusal, such as who decided and when."""
    request_id: str = ""
    """The answer's `X-Request-ID`: what the logs of both services know this request by."""
