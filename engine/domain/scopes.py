"""What a conversation is about, as the log says."""

from collections.abc import Sequence

from contracts.events import HandoffStarted, LogEvent


def epic_in(history: Sequence[LogEvent]) -> str | None:
    """The epic of the last handoff that named one."""
    named = [event.payload.epic for event in history if isinstance(event.payload, HandoffStarted)]
    return next((epic for epic in reversed(named) if epic), None)
