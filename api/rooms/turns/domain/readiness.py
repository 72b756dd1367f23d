"""When a person may say "I'm ready to produce" (RN-142), decided from the log alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from contracts.events import LogEvent
from contracts.vocabulary import SessionStatus


class ReadinessBlock(StrEnum):
    NO_ACTIVE_CREATIVE = "no_active_creative"
    NO_BUSINESS_RULE = "no_business_rule"
    NOTHING_NEW = "nothing_new"
    ALREADY_RUNNING = "already_running"
    SESSION_ENDED = "session_ended"


@dataclass(frozen=True)
class Readiness:
    """`click` is the earlier click that a new one would only repeat."""

    reason: ReadinessBlock | None
    click: LogEvent | None = None

    @property
    def is_enabled(self) -> bool:
        return self.reason is None


def _last(events: Sequence[LogEvent], event_type: str) -> LogEvent | None:
    return next((event for event in reversed(events) if event.payload.type == event_type), None)


def readiness(
    status: SessionStatus,
    events: Sequence[LogEvent],
    *,
    is_creative_here: bool,
    has_open_run: bool,
    cursor_seq: int,
) -> Readiness:
    """`events` are the session's clicks, briefs, rules and messages in seq order; the last of each kind is enough."""
    click = _last(events, "readiness.confirmed")
    brief = _last(events, "artifact.product_brief")
    if status is not SessionStatus.ACTIVE:
        return Readiness(ReadinessBlock.SESSION_ENDED)
    if not is_creative_here:
        return Readiness(ReadinessBlock.NO_ACTIVE_CREATIVE)
    if click and (has_open_run or click.seq > cursor_seq):
        return Readiness(ReadinessBlock.ALREADY_RUNNING, click)
    if not any(event.payload.type == "artifact.business_rule" for event in events):
        return Readiness(ReadinessBlock.NO_BUSINESS_RULE)
    if brief and not any(
        event.seq > brief.seq and event.payload.type in ("artifact.business_rule", "chat.message") for event in events
    ):
        return Readiness(ReadinessBlock.NOTHING_NEW, click)
    return Readiness(None)
