"""Bodies in and out: raw JSON in, one pydantic validator, JSON out."""

from collections.abc import Mapping
from typing import IO, Any, TypeVar
from uuid import UUID

from django.http import HttpResponse
from pydantic import TypeAdapter
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from api.rooms.kernel.refusals import Refusal
from contracts.base import Message
from contracts.limits import MAX_PUBLIC_BODY_BYTES
from contracts.problem import ProblemCode

Body = TypeVar("Body", bound=Message)


class RawJsonParser(BaseParser):
    """Hands the bytes on: parsing happens once, strictly, in the contract."""

    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        body = stream.read(MAX_PUBLIC_BODY_BYTES + 1)
        if len(body) > MAX_PUBLIC_BODY_BYTES:
            raise Refusal(ProblemCode.TOO_LARGE, f"A body has at most {MAX_PUBLIC_BODY_BYTES} bytes.")
        return body


def read(request: Request, model: type[Body]) -> Body:
    """The request's body as `model`; an empty body counts as `{}`."""
    data: Any = request.data
    return model.model_validate_json(data if isinstance(data, bytes) and data.strip() else b"{}")


def write(body: object, kind: Any = None, status: int = 200) -> HttpResponse:
    """Any dataclass, message, or tuple of them as JSON."""
    text = TypeAdapter(kind or type(body)).dump_json(body)
    return HttpResponse(text, status=status, content_type="application/json")


def whole_number(request: Request, name: str, default: int, lowest: int, highest: int) -> int:
    """A query parameter in its bounds, refused by name otherwise."""
    text = request.query_params.get(name)
    if text is None:
        return default
    if not (text.isascii() and text.isdigit() and len(text) <= len(str(highest)) and lowest <= int(text) <= highest):
        raise Refusal(
            ProblemCode.INVALID_PARAMETER, f"`{name}` is a whole number from {lowest} to {highest}.", {"field": name}
        )
    return int(text)


def uuid_in(request: Request, name: str) -> UUID:
    """A query parameter that is an id, refused by name otherwise."""
    try:
        return UUID(request.query_params.get(name, ""))
    except ValueError:
        raise Refusal(ProblemCode.INVALID_PARAMETER, f"`{name}` is an id.", {"field": name}) from None
