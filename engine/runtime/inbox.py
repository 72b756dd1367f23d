"""What the next turn answers."""

from collections.abc import Sequence
from itertools import takewhile

from contracts.events import ChatMessage, LogEvent


def pick(inbox: Sequence[LogEvent]) -> tuple[LogEvent, ...]:
    """All leading messages of people together; a click, a continue or a rejection each alone."""
    messages = tuple(takewhile(lambda event: isinstance(event.payload, ChatMessage), inbox))
    return messages or tuple(inbox[:1])
