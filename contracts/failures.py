"""Every failure has one code, and the code alone decides its origin (law 6): never prose, never a default."""

from enum import StrEnum


class FailureOrigin(StrEnum):
    INFRA = "infra"
    MODEL = "model"
    CODE = "code"
    POLICY = "policy"


class ErrorCode(StrEnum):
    """What went wrong in a turn, a tool or a model call."""

    # infra
    PROVIDER_UNREACHABLE = "provider_unreachable"
    PROVIDER_TIMEOUT = "provider_timeout"
    PROVIDER_UNAVAILABLE = "provider_unavailable"
    RATE_LIMITED = "rate_limited"
    STREAM_INCOMPLETE = "stream_incomplete"
    NOT_A_MODEL_ANSWER = "not_a_model_answer"
    INTERRUPTED = "interrupted"
    WORKER_LOST = "worker_lost"
    SERVICE_UNREACHABLE = "service_unreachable"
    # model
    INVALID_TOOL_ARGUMENTS = "invalid_tool_arguments"
    UNKNOWN_TOOL = "unknown_tool"
    INVALID_ARTIFACT = "invalid_artifact"
    DUPLICATE_RULE = "duplicate_rule"
    DUPLICATE_STORY = "duplicate_story"
    STALE_VERSION = "stale_version"
    INVALID_BACKLOG = "invalid_backlog"
    TASKS_EXIST = "tasks_exist"
    INVALID_TASKS = "invalid_tasks"
    DUPLICATE_MODULE_MAP = "duplicate_module_map"
    INVALID_ARCHITECTURE = "invalid_architecture"
    OUTPUT_TRUNCATED = "output_truncated"
    EMPTY_ANSWER = "empty_answer"
    REFUSAL = "refusal"
    ITERATION_LIMIT = "iteration_limit"
    STUCK = "stuck"
    # code
    REQUEST_REJECTED = "request_rejected"
    MODEL_NOT_FOUND = "model_not_found"
    CONTEXT_TOO_LARGE = "context_too_large"
    AGENT_CRASHED = "agent_crashed"
    UNKNOWN_FAILURE = "unknown_failure"
    # policy
    BUDGET_EXCEEDED = "budget_exceeded"
    MODEL_UNPRICED = "model_unpriced"
    NO_BINDING = "no_binding"
    NO_CREDENTIAL = "no_credential"
    CREDENTIAL_REJECTED = "credential_rejected"
    CREDENTIAL_UNREADABLE = "credential_unreadable"
    PAYMENT_REQUIRED = "payment_required"
    MODEL_NOT_ALLOWED = "model_not_allowed"
    CONTENT_FILTERED = "content_filtered"
    CANCELLED_BY_USER = "cancelled_by_user"
    NO_BUSINESS_RULE = "no_business_rule"
    HANDOFF_REFUSED = "handoff_refused"
    QUEUE_FULL = "queue_full"
    AWAITING_DECISION = "awaiting_decision"


ORIGINS: dict[ErrorCode, FailureOrigin] = {
    ErrorCode.PROVIDER_UNREACHABLE: FailureOrigin.INFRA,
    ErrorCode.PROVIDER_TIMEOUT: FailureOrigin.INFRA,
    ErrorCode.PROVIDER_UNAVAILABLE: FailureOrigin.INFRA,
    ErrorCode.RATE_LIMITED: FailureOrigin.INFRA,
    ErrorCode.STREAM_INCOMPLETE: FailureOrigin.INFRA,
    ErrorCode.NOT_A_MODEL_ANSWER: FailureOrigin.INFRA,
    ErrorCode.INTERRUPTED: FailureOrigin.INFRA,
    ErrorCode.WORKER_LOST: FailureOrigin.INFRA,
    ErrorCode.SERVICE_UNREACHABLE: FailureOrigin.INFRA,
    ErrorCode.INVALID_TOOL_ARGUMENTS: FailureOrigin.MODEL,
    ErrorCode.UNKNOWN_TOOL: FailureOrigin.MODEL,
    ErrorCode.INVALID_ARTIFACT: FailureOrigin.MODEL,
    ErrorCode.DUPLICATE_RULE: FailureOrigin.MODEL,
    ErrorCode.DUPLICATE_STORY: FailureOrigin.MODEL,
    ErrorCode.STALE_VERSION: FailureOrigin.MODEL,
    ErrorCode.INVALID_BACKLOG: FailureOrigin.MODEL,
    ErrorCode.TASKS_EXIST: FailureOrigin.MODEL,
    ErrorCode.INVALID_TASKS: FailureOrigin.MODEL,
    ErrorCode.DUPLICATE_MODULE_MAP: FailureOrigin.MODEL,
    ErrorCode.INVALID_ARCHITECTURE: FailureOrigin.MODEL,
    ErrorCode.OUTPUT_TRUNCATED: FailureOrigin.MODEL,
    ErrorCode.EMPTY_ANSWER: FailureOrigin.MODEL,
    ErrorCode.REFUSAL: FailureOrigin.MODEL,
    ErrorCode.ITERATION_LIMIT: FailureOrigin.MODEL,
    ErrorCode.STUCK: FailureOrigin.MODEL,
    ErrorCode.REQUEST_REJECTED: FailureOrigin.CODE,
    ErrorCode.MODEL_NOT_FOUND: FailureOrigin.CODE,
    ErrorCode.CONTEXT_TOO_LARGE: FailureOrigin.CODE,
    ErrorCode.AGENT_CRASHED: FailureOrigin.CODE,
    ErrorCode.UNKNOWN_FAILURE: FailureOrigin.CODE,
    ErrorCode.BUDGET_EXCEEDED: FailureOrigin.POLICY,
    ErrorCode.MODEL_UNPRICED: FailureOrigin.POLICY,
    ErrorCode.NO_BINDING: FailureOrigin.POLICY,
    ErrorCode.NO_CREDENTIAL: FailureOrigin.POLICY,
    ErrorCode.CREDENTIAL_REJECTED: FailureOrigin.POLICY,
    ErrorCode.CREDENTIAL_UNREADABLE: FailureOrigin.POLICY,
    ErrorCode.PAYMENT_REQUIRED: FailureOrigin.POLICY,
    ErrorCode.MODEL_NOT_ALLOWED: FailureOrigin.POLICY,
    ErrorCode.CONTENT_FILTERED: FailureOrigin.POLICY,
    ErrorCode.CANCELLED_BY_USER: FailureOrigin.POLICY,
    ErrorCode.NO_BUSINESS_RULE: FailureOrigin.POLICY,
    ErrorCode.HANDOFF_REFUSED: FailureOrigin.POLICY,
    ErrorCode.QUEUE_FULL: FailureOrigin.POLICY,
    ErrorCode.AWAITING_DECISION: FailureOrigin.POLICY,
}
