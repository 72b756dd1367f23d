"""DRF's exceptions and ours as one kind of answer."""

import logging
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.db import DataError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.defaults import server_error
from psycopg_pool import PoolTimeout
from pydantic import ValidationError
from rest_framework import exceptions

from api.rooms.kernel.refusals import Refusal
from api.surfaces import problems
from contracts.problem import ProblemCode

PUBLIC_API = "/api/"
log = logging.getLogger(__name__)

_CODES: tuple[tuple[type[Exception], ProblemCode], ...] = (
    (exceptions.NotAuthenticated, ProblemCode.UNAUTHENTICATED),
    (exceptions.AuthenticationFailed, ProblemCode.UNAUTHENTICATED),
    (exceptions.PermissionDenied, ProblemCode.FORBIDDEN),
    (PermissionDenied, ProblemCode.FORBIDDEN),
    (exceptions.NotFound, ProblemCode.NOT_FOUND),
    (Http404, ProblemCode.NOT_FOUND),
    (exceptions.MethodNotAllowed, ProblemCode.METHOD_NOT_ALLOWED),
    (exceptions.NotAcceptable, ProblemCode.NOT_ACCEPTABLE),
    (exceptions.UnsupportedMediaType, ProblemCode.UNSUPPORTED_MEDIA_TYPE),
    (exceptions.Throttled, ProblemCode.THROTTLED),
    (exceptions.ParseError, ProblemCode.INVALID_BODY),
    (RequestDataTooBig, ProblemCode.TOO_LARGE),
    (OperationalError, ProblemCode.UNAVAILABLE),
    (InterfaceError, ProblemCode.UNAVAILABLE),
    (PoolTimeout, ProblemCode.UNAVAILABLE),
    (DataError, ProblemCode.INVALID_BODY),
)


@csrf_exempt
def answer_unknown_address(request: HttpRequest) -> HttpResponse:
    """What no route of the public API matches: a problem like any other, not a page."""
    return problems.answer(ProblemCode.NOT_FOUND, "No such address: `/api/v1/schema` lists all there are.")


def answer_defect(request: HttpRequest) -> HttpResponse:
    """A fault of ours: a problem for programs, a page for people. The trace is in the log, under the same id."""
    if request.path.startswith(PUBLIC_API):
        return problems.answer(
            ProblemCode.INTERNAL_ERROR, "That was a defect of ours: the log has it by this request id."
        )
    return server_error(request)


def answer_problem(error: Exception, context: dict[str, Any]) -> HttpResponse | None:
    """None lets a fault of ours surface as a 500 with its trace in the log."""
    if isinstance(error, Refusal):
        return problems.of_refusal(error)
    if isinstance(error, ValidationError):
        return problems.of_validation(error)
    for kind, code in _CODES:
        if isinstance(error, kind):
            return problems.answer(code, _detail(code, error))
    return None


def _detail(code: ProblemCode, error: Exception) -> str:
    if code is ProblemCode.UNAVAILABLE:
        log.warning("the database is away: %s", error)
        return "The database does not answer: try again in a moment."
    if code is ProblemCode.UNAUTHENTICATED and not isinstance(error, exceptions.AuthenticationFailed):
        return "Sign in, or send `Authorization: Bearer <API token>`."
    if isinstance(error, exceptions.APIException):
        return str(error.detail)
    return code.value.replace("_", " ")
