"""A tool's arguments as one of our messages, or what is wrong with them; nothing is mended in silence."""

import json
from typing import Any, TypeVar

from pydantic import ValidationError

from contracts.base import Message
from contracts.failures import ErrorCode
from engine.domain.tools import ToolOutcome, failed
from engine.domain.words import what_is_wrong

Asked = TypeVar("Asked", bound=Message)


def read(model: type[Asked], arguments: dict[str, Any]) -> Asked | ToolOutcome:
    """Texts without the space around them, and null as if it were left out; read as JSON is, strictly."""
    given = {name: _value(value) for name, value in arguments.items() if value is not None}
    try:
        return model.model_validate_json(json.dumps(given))
    except ValidationError as error:
        names = ", ".join(model.model_fields)
        text = f"Not done: {what_is_wrong(error)}. The arguments are: {names}."
        return failed(ErrorCode.INVALID_TOOL_ARGUMENTS, text)


def _value(value: Any) -> Any:
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, list):
        return [_value(each) for each in value]
    if isinstance(value, dict):
        return {name: _value(each) for name, each in value.items() if each is not None}
    return value
