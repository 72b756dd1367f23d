"""A page as the law has it: hints by a socket that comes back with `after`, silence noticed, the log as the truth."""

import json
import random
import threading
import time
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from contracts.events import LogEvent
from tests.fakes.proxy import Proxy
from tests.fakes.raw_socket import ClosedError, RawSocket
from tests.system.person import Talk

SILENCE_SECONDS = 12.0
"""Three pings; the page itself waits for 25 s."""
LONGEST_PAUSE_SECONDS = 0.5
Call = tuple[str, int, int]


@dataclass
class Watcher:
    """Reads one session through `proxy` until `over`."""

    talk: Talk
    proxy: Proxy
    dice: random.Random
    events: dict[int, LogEvent] = field(default_factory=dict)
    """By seq, as they were heard."""
    doubled: list[int] = field(default_factory=list)
    live: dict[Call, str] = field(default_factory=dict)
    """What a person saw of each call before its answer was in the log."""
    joins: int = 0
    noticed_seconds: list[float] = field(default_factory=list)
    """From the last word of a connection that died in silence to the next try."""
    over: threading.Event = field(default_factory=threading.Event)

    @property
    def last(self) -> int:
        """The last seq without a gap before it."""
        seq = 0
        while seq + 1 in self.events:
            seq += 1
        return seq

    def watch(self) -> None:
        """Full jitter between tries."""
        while not self.over.is_set():
            heard_at = time.monotonic()
            try:
                socket = self._open()
                while not self.over.is_set():
                    self._hear(json.loads(socket.text()))
                    heard_at = time.monotonic()
            except TimeoutError:
                self.noticed_seconds.append(time.monotonic() - heard_at)
            except (ClosedError, OSError):
                pass
            self.over.wait(self.dice.random() * LONGEST_PAUSE_SECONDS)

    def _open(self) -> RawSocket:
        self.joins += 1
        token = self.talk.person.stack.run["token"]
        path = f"/ws/sessions/{self.talk.session_id}/?after={self.last}"
        return RawSocket.open(self.proxy.port, path, {"Authorization": f"Bearer {token}"}, timeout_s=SILENCE_SECONDS)

    def _hear(self, message: dict[str, Any]) -> None:
        match message["kind"]:
            case "event":
                self._log(message["event"])
            case "live":
                call = _call(message)
                if len(message["text"]) > len(self.live.get(call, "")):
                    self.live[call] = message["text"]
            case "delta":
                self._add(_call(message), message["offset"], message["text"])

    def _log(self, event: dict[str, Any]) -> None:
        seq = event["seq"]
        if seq in self.events:
            self.doubled.append(seq)
        self.events[seq] = LogEvent.model_validate_json(json.dumps(event))

    def _add(self, call: Call, offset: int, text: str) -> None:
        """A piece that begins beyond what is there waits for the next join, as the page does."""
        so_far = self.live.get(call, "")
        if offset <= len(so_far):
            self.live[call] = so_far + text[len(so_far) - offset :]


def _call(message: dict[str, Any]) -> Call:
    return str(UUID(message["turn_id"])), message["call"], message["attempt"]
