"""Every refusal and every bad body as one RFC 9457 document."""

from django.http import HttpResponse
from pydantic import ValidationError

from api.rooms.kernel.refusals import Refusal
from contracts import story
from contracts.problem import PROBLEM_MEDIA_TYPE, STATUS_OF, FieldProblem, Problem, ProblemCode

MAX_FIELDS = 20
MAX_WHERE_CHARS = 200


def _answer(problem: Problem) -> HttpResponse:
    response = HttpResponse(problem.model_dump_json(), status=problem.status, content_type=PROBLEM_MEDIA_TYPE)
    if problem.code is ProblemCode.UNAUTHENTICATED:
        response["WWW-Authenticate"] = "Bearer"
    return response


def answer(
    code: ProblemCode, detail: str, facts: dict[str, str] | None = None, fields: tuple[FieldProblem, ...] = ()
) -> HttpResponse:
    title = code.value.replace("_", " ").capitalize()
    return _answer(
        Problem(
            title=title,
            status=STATUS_OF[code],
            code=code,
            detail=detail,
            facts=facts or {},
            fields=fields,
            request_id=story.current_request(),
        )
    )


def of_refusal(refusal: Refusal) -> HttpResponse:
    return answer(refusal.code, refusal.detail, refusal.facts)


def of_validation(error: ValidationError) -> HttpResponse:
    """Where the body is wrong; the values themselves are never echoed (they may be secrets)."""
    fields = tuple(
        FieldProblem(where=_where(item["loc"]), what=_storable(item["msg"]))
        for item in error.errors(include_input=False, include_url=False)[:MAX_FIELDS]
    )
    return answer(ProblemCode.INVALID_BODY, f"{fields[0].where}: {fields[0].what}.", fields=fields)


def _where(location: tuple[int | str, ...]) -> str:
    """A key of the caller's may be hostile: not too many characters of it."""
    return _storable(".".join(str(part) for part in location) or "body")[:MAX_WHERE_CHARS]


def _storable(text: str) -> str:
    """Without what no contract may hold; pydantic quotes a character that it stumbled over."""
    return text.encode(errors="replace").decode().replace("\x00", "\\0")
