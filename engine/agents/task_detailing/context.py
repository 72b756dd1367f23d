"""Task Detailing talks to no model of its own: what it is told is for the log's readers."""

from collections.abc import Sequence

from contracts.events import LogEvent
from engine.domain.saying import plainly


def say(event: LogEvent, log: Sequence[LogEvent]) -> str:
    del log
    return plainly(event.payload)
