"""A person at the public API. Acts are repeated until the service answers: all of them may be."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from uuid import UUID, uuid4

import httpx

from contracts.base import Message
from contracts.events import LogEvent
from tests.plugins.stack import Stack

POLL_SECONDS = 0.2
AWAY = frozenset({502, 503, 504})
Found = TypeVar("Found")


class Page(Message):
    """What `GET …/events` answers."""

    events: tuple[LogEvent, ...]
    has_more: bool
    head_seq: int


@dataclass
class Person:
    """`failures` are answers of 500: none may ever be given, whatever dies."""

    stack: Stack
    patience_seconds: float = 120.0
    failures: list[str] = field(default_factory=list)
    http: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        """Signed in by the token of the demonstration person."""
        self.workspace_id = str(self.stack.run["workspace"])
        self.http = self.stack.client()

    def ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> httpx.Response:
        """The first answer that is not "away"."""
        deadline = time.monotonic() + self.patience_seconds
        while True:
            try:
                response = self.http.request(method, f"/api/v1/{path}", json=body)
            except httpx.TransportError as error:
                away = f"{method} {path}: {error!r}"
            else:
                if response.status_code not in AWAY and response.status_code != httpx.codes.INTERNAL_SERVER_ERROR:
                    return response
                away = f"{method} {path}: {response.status_code} {response.text[:300]}"
                if response.status_code == httpx.codes.INTERNAL_SERVER_ERROR:
                    self.failures.append(away)
            if time.monotonic() > deadline:
                raise AssertionError(f"no answer within {self.patience_seconds} s: {away}\n{self.stack.words()}")
            time.sleep(POLL_SECONDS)

    def act(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """The answer of an act that is not refused."""
        response = self.ask(method, path, body)
        if response.is_error:
            raise AssertionError(f"{method} {path}: {response.status_code} {response.text}")
        return response.json()

    def create_project(self, language: str = "en") -> str:
        """A project of its own, so that its rules meet no other's."""
        body = {"workspace_id": self.workspace_id, "name": f"Market {uuid4().hex[:8]}", "language": language}
        return str(self.act("POST", "projects", body)["id"])

    def open_session(self, project_id: str, kind: str = "creative") -> "Talk":
        """A new conversation."""
        return Talk(self, project_id, str(self.act("POST", f"projects/{project_id}/sessions", {"kind": kind})["id"]))


@dataclass
class Talk:
    """One session as the person sees it; `events` is what was read so far."""

    person: Person
    project_id: str
    session_id: str
    events: list[LogEvent] = field(default_factory=list)

    @property
    def path(self) -> str:
        """Below `/api/v1`."""
        return f"sessions/{self.session_id}"

    def read(self) -> list[LogEvent]:
        """Everything up to the head."""
        has_more = True
        while has_more:
            after = self.events[-1].seq if self.events else 0
            response = self.person.ask("GET", f"{self.path}/events?after={after}&limit=200")
            page = Page.model_validate_json(response.content)
            self.events.extend(page.events)
            has_more = page.has_more
        return self.events

    def until(self, find: Callable[[list[LogEvent]], Found | None], seconds: float = 30.0) -> Found:
        """What `find` finds in the log, as soon as it is there."""
        deadline = time.monotonic() + seconds
        while True:
            found = find(self.read())
            if found:
                return found
            if time.monotonic() > deadline:
                raise AssertionError(f"not within {seconds} s: {self.told()}\n{self.person.stack.words()}")
            time.sleep(POLL_SECONDS)

    def told(self) -> str:
        """The log for a person who looks for a fault."""
        return "\n".join(f"{event.seq} {event.actor.id[:12]} {event.payload!r:.200}" for event in self.events)

    def say(self, text: str, client_message_id: str | None = None) -> LogEvent:
        """Send a message; its event."""
        body = {"text": text, "client_message_id": client_message_id or uuid4().hex}
        return _event(self.person.act("POST", f"{self.path}/messages", body))

    def stop(self) -> list[UUID]:
        """The turns that this ended."""
        return [UUID(turn) for turn in self.person.act("POST", f"{self.path}/stop", {})["turns"]]

    def bind(self, url: str, model: str, input_micros: int = 1_000_000, output_micros: int = 4_000_000) -> None:
        """Use a model of an OpenAI-compatible server from now on; prices are for a million tokens."""
        price = {"input_micros": input_micros, "output_micros": output_micros}
        body = {"provider": "openai_compatible", "base_url": url, "model": model, "price": price}
        self.person.act("PUT", f"{self.path}/model-binding", {**body, "context_tokens": 200_000})

    def of_type(self, event_type: str) -> list[LogEvent]:
        """Events of one type among those that were read."""
        return [event for event in self.events if event.payload.type == event_type]


def _event(body: Mapping[str, Any]) -> LogEvent:
    return LogEvent.model_validate_json(httpx.Request("POST", "http://x", json=body["event"]).content)
