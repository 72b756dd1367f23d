"""From a provider's status, type and code to one ErrorCode; prose is never read, and nothing has a default origin."""

from collections.abc import Mapping
from dataclasses import dataclass

from contracts.failures import ErrorCode


@dataclass(frozen=True)
class Signs:
    """What a provider's refusal can be told by."""

    status: int | None = None
    type: str = ""
    code: str = ""


BY_NAME: dict[str, ErrorCode] = {
    "insufficient_quota": ErrorCode.PAYMENT_REQUIRED,
    "billing_hard_limit_reached": ErrorCode.PAYMENT_REQUIRED,
    "billing_not_active": ErrorCode.PAYMENT_REQUIRED,
    "insufficient_balance": ErrorCode.PAYMENT_REQUIRED,
    "payment_required": ErrorCode.PAYMENT_REQUIRED,
    "context_length_exceeded": ErrorCode.CONTEXT_TOO_LARGE,
    "string_above_max_length": ErrorCode.CONTEXT_TOO_LARGE,
    "request_too_large": ErrorCode.CONTEXT_TOO_LARGE,
    "content_filter": ErrorCode.CONTENT_FILTERED,
    "content_policy_violation": ErrorCode.CONTENT_FILTERED,
    "responsibleaipolicyviolation": ErrorCode.CONTENT_FILTERED,
    "moderation_blocked": ErrorCode.CONTENT_FILTERED,
    "invalid_api_key": ErrorCode.CREDENTIAL_REJECTED,
    "authentication_error": ErrorCode.CREDENTIAL_REJECTED,
    "account_deactivated": ErrorCode.CREDENTIAL_REJECTED,
    "permission_error": ErrorCode.CREDENTIAL_REJECTED,
    "permission_denied": ErrorCode.CREDENTIAL_REJECTED,
    "model_not_allowed": ErrorCode.MODEL_NOT_ALLOWED,
    "rate_limit_error": ErrorCode.RATE_LIMITED,
    "rate_limit_exceeded": ErrorCode.RATE_LIMITED,
    "too_many_requests": ErrorCode.RATE_LIMITED,
    "tokens": ErrorCode.RATE_LIMITED,
    "requests": ErrorCode.RATE_LIMITED,
    "overloaded_error": ErrorCode.PROVIDER_UNAVAILABLE,
    "server_error": ErrorCode.PROVIDER_UNAVAILABLE,
    "internal_server_error": ErrorCode.PROVIDER_UNAVAILABLE,
    "api_error": ErrorCode.PROVIDER_UNAVAILABLE,
    "service_unavailable": ErrorCode.PROVIDER_UNAVAILABLE,
    "engine_overloaded": ErrorCode.PROVIDER_UNAVAILABLE,
    "timeout_error": ErrorCode.PROVIDER_TIMEOUT,
    "invalid_request_error": ErrorCode.REQUEST_REJECTED,
    "not_found_error": ErrorCode.MODEL_NOT_FOUND,
    "model_not_found": ErrorCode.MODEL_NOT_FOUND,
    "unsupported_parameter": ErrorCode.REQUEST_REJECTED,
    "billing_error": ErrorCode.PAYMENT_REQUIRED,
    "api_key_invalid": ErrorCode.CREDENTIAL_REJECTED,
    "unauthenticated": ErrorCode.CREDENTIAL_REJECTED,
    "resource_exhausted": ErrorCode.RATE_LIMITED,
    "unavailable": ErrorCode.PROVIDER_UNAVAILABLE,
    "internal": ErrorCode.PROVIDER_UNAVAILABLE,
    "deadline_exceeded": ErrorCode.PROVIDER_TIMEOUT,
    "invalid_argument": ErrorCode.REQUEST_REJECTED,
    "failed_precondition": ErrorCode.REQUEST_REJECTED,
    "not_found": ErrorCode.MODEL_NOT_FOUND,
}

BY_STATUS: dict[int, ErrorCode] = {
    400: ErrorCode.REQUEST_REJECTED,
    401: ErrorCode.CREDENTIAL_REJECTED,
    402: ErrorCode.PAYMENT_REQUIRED,
    403: ErrorCode.CREDENTIAL_REJECTED,
    404: ErrorCode.MODEL_NOT_FOUND,
    405: ErrorCode.REQUEST_REJECTED,
    408: ErrorCode.PROVIDER_TIMEOUT,
    410: ErrorCode.MODEL_NOT_FOUND,
    413: ErrorCode.CONTEXT_TOO_LARGE,
    415: ErrorCode.REQUEST_REJECTED,
    422: ErrorCode.REQUEST_REJECTED,
    429: ErrorCode.RATE_LIMITED,
}
SHARPER_THAN_STATUS = frozenset(
    {
        ErrorCode.PAYMENT_REQUIRED,
        ErrorCode.CONTEXT_TOO_LARGE,
        ErrorCode.CONTENT_FILTERED,
        ErrorCode.MODEL_NOT_ALLOWED,
        ErrorCode.CREDENTIAL_REJECTED,
    }
)
"""Names that say more than a status does; all others give way to it."""
FIRST_SERVER_ERROR, LAST_STATUS = 500, 599


def classify(signs: Signs) -> ErrorCode:
    """The code of a refusal; a shape that is not known is a gap of ours."""
    named = BY_NAME.get(signs.code.lower()) or BY_NAME.get(signs.type.lower())
    if named in SHARPER_THAN_STATUS:
        return named
    if signs.status is not None:
        if FIRST_SERVER_ERROR <= signs.status <= LAST_STATUS:
            return ErrorCode.PROVIDER_UNAVAILABLE
        if signs.status in BY_STATUS:
            return BY_STATUS[signs.status]
    return named or ErrorCode.UNKNOWN_FAILURE


def signs_of(body: object, status: int | None = None) -> Signs:
    """Read an error body of any of the shapes, with its envelope or without; a numeric code is a status."""
    error = body.get("error", body) if isinstance(body, Mapping) else None
    if not isinstance(error, Mapping):
        return Signs(status)
    code = _inner_code(error) or error.get("code")
    number = _as_status(code) or _as_status(error.get("code")) or _as_status(error.get("status"))
    kind = error.get("type") or ("" if _as_status(error.get("status")) else error.get("status"))
    return Signs(status or number, str(kind or ""), "" if _as_status(code) else str(code or ""))


def _inner_code(error: Mapping[str, object]) -> object:
    """Azure's inner error, or the reason among Google's details: both say more than the code beside them."""
    inner = error.get("innererror")
    if isinstance(inner, Mapping) and inner.get("code"):
        return inner["code"]
    details = error.get("details")
    reasons = [each.get("reason") for each in details if isinstance(each, Mapping)] if isinstance(details, list) else []
    return next((reason for reason in reasons if reason), None)


def _as_status(value: object) -> int | None:
    text = str(value)
    is_status = text.isascii() and text.isdigit() and 400 <= int(text[:9]) <= LAST_STATUS  # noqa: PLR2004 - first error
    return int(text) if is_status else None
