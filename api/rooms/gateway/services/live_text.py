"""Text for the people who watch: the first piece at once, then one message each 30 ms."""

import asyncio
from datetime import datetime

from api.rooms.agent_sessions import broadcast
from api.rooms.gateway.services.opened import Opened
from contracts.failures import ErrorCode

PAUSE_S = 0.03


class LiveText:
    """One try's stream to the session's page; does nothing when the call is not for people."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened
        self._waiting: list[str] = []
        self._sent_chars = 0
        self._timer: asyncio.TimerHandle | None = None

    def add(self, text: str) -> None:
        if not self._opened.call.is_for_people:
            return
        self._waiting.append(text)
        if self._timer is None:
            self._send()

    def _send(self) -> None:
        text = "".join(self._waiting)
        self._waiting.clear()
        self._timer = None
        if text:
            self._hint({"kind": "delta", "offset": self._sent_chars, "text": text})
            self._sent_chars += len(text)
            self._timer = asyncio.get_running_loop().call_later(PAUSE_S, self._send)

    def end(self) -> None:
        """What still waits goes out before anything durable does."""
        if self._timer is not None:
            self._timer.cancel()
        self._send()
        if self._timer is not None:
            self._timer.cancel()

    def notice(self, code: ErrorCode, retry_at: datetime) -> None:
        """The provider is tried again."""
        if self._opened.call.is_for_people:
            self._hint({"kind": "notice", "code": code.value, "retry_at": retry_at.isoformat()})

    def _hint(self, message: dict[str, object]) -> None:
        opened = self._opened
        about = {
            "turn_id": str(opened.call.turn_id),
            "agent": opened.agent,
            "call": opened.call.call,
            "attempt": opened.attempt,
        }
        broadcast.hint(opened.session_id, message | about)
