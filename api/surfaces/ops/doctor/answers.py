"""An answer of the doctor's: how it stands, what was seen, what to do."""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """`fail` keeps people from working; `warn` will."""

    OK = "ok"
    WARN = "warn"
    FAIL = "fail"


@dataclass(frozen=True)
class Answer:
    """`advice` is empty when all is well."""

    subject: str
    state: State
    seen: str
    advice: str = ""


def ok(subject: str, seen: str) -> Answer:
    return Answer(subject, State.OK, seen)


def warn(subject: str, seen: str, advice: str) -> Answer:
    return Answer(subject, State.WARN, seen, advice)


def fail(subject: str, seen: str, advice: str) -> Answer:
    return Answer(subject, State.FAIL, seen, advice)
