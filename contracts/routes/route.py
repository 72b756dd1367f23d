"""A route as a value: both services build their side from the same declaration."""

from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import quote

from contracts.base import Message
from contracts.problem import ProblemCode
from contracts.version import INTERNAL_PREFIX

Asked = TypeVar("Asked", bound=Message)
Answered = TypeVar("Answered", bound=Message)


@dataclass(frozen=True)
class Route(Generic[Asked, Answered]):
    """`path` has `{name}` slots; `errors` are the problem codes a caller must expect beside the common ones."""

    name: str
    method: str
    path: str
    request: type[Asked]
    response: type[Answered]
    errors: tuple[ProblemCode, ...] = ()

    def target(self, **slots: str) -> str:
        """The path with its slots filled, each quoted whole."""
        return INTERNAL_PREFIX + self.path.format(**{name: quote(value, safe="") for name, value in slots.items()})


AnyRoute = Route[Any, Any]
