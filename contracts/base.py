"""The message every contract is made of: frozen, strict, nothing extra, no character a database would refuse."""

from collections.abc import Iterable
from typing import Annotated, Any, Self

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

FORBIDDEN_CHARACTER = "text may not contain NUL or lone surrogates"


def has_forbidden_character(text: str) -> bool:
    """NUL cannot be stored by PostgreSQL and a lone surrogate cannot be encoded as UTF-8."""
    try:
        return b"\x00" in text.encode()
    except UnicodeEncodeError:
        return True


def _texts(value: Any) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _texts(key)
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


class Message(BaseModel):
    """Base of all contracts. Parse with `model_validate_json`: strict mode refuses text for ids and times otherwise."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    @model_validator(mode="after")
    def _refuse_forbidden_characters(self) -> Self:
        for name in type(self).model_fields:
            if any(has_forbidden_character(text) for text in _texts(getattr(self, name))):
                raise ValueError(FORBIDDEN_CHARACTER)
        return self


Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,63}$")]
"""An agent's, tool's or provider's name, safe to interpolate into a path (RN-128)."""

Micros = Annotated[int, Field(ge=0)]
"""Money: millionths of one US dollar."""

Seq = Annotated[int, Field(ge=1)]
"""Place of an event in its session's log, dense from 1 (RN-002)."""
