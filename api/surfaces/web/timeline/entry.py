"""One event as the timeline shows it. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING
from uuid import UUID

from contracts.artifacts import CitedRule
from contracts.events import LogEvent, Question, StructuredQuestion, TurnEnded
from contracts.vocabulary import ActorKind, TurnStatus

if TYPE_CHECKING:
    from api.rooms.handoffs.selectors import HandoffCard

BACKSTAGE = frozenset(
    (
        "chat.message_cancelled",
        "chat.structured_question_answered",
        "handoff.completed",
        "handoff.started",
        "tool.call",
        "tool.result",
        "turn.ended",
        "turn.started",
    )
)
"""Types that other entries already tell in a person's words; they are shown on demand."""


SAID = frozenset(
    (
        "agent.response",
        "artifact.business_rule",
        "artifact.c4_diagram",
        "artifact.insight",
        "artifact.module_map",
        "artifact.navigable_prototype",
        "artifact.note",
        "artifact.project_image",
        "chat.structured_question",
    )
)
"""Types that an agent says under its own name."""


@dataclass(frozen=True)
class RuleLink:
    """A business rule by its place in the session's list, and where in the timeline it stands."""

    number: int
    title: str
    seq: int
    description: str = ""
    origin: tuple[int, ...] = ()
    cites: CitedRule | None = None


@dataclass(frozen=True)
class Offer:
    """A handoff that waits for a decision."""

    card: "HandoffCard"
    seq: int


@dataclass(frozen=True)
class Asked:
    """A question with the answer that was given, if any; an answer beyond the options was a free one."""

    question: Question
    answer: str | None


@dataclass(frozen=True)
class Entry:
    """`state` is about a person's message: waiting, cancelled or nothing special."""

    event: LogEvent
    author: str
    is_mine: bool
    may_act: bool
    state: str = ""
    rules: tuple[RuleLink, ...] = ()
    number: int = 0
    answers: Mapping[str, str] | None = None
    handoff: "HandoffCard | None" = None

    @property
    def seq(self) -> int:
        return self.event.seq

    @property
    def type(self) -> str:
        return self.event.payload.type

    @property
    def template(self) -> str:
        return f"events/{self.type.replace('.', '_')}.html"

    @property
    def agent(self) -> str:
        """The slug of the agent that acted; empty for people and components."""
        return self.event.actor.id if self.event.actor.kind is ActorKind.AGENT else ""

    @property
    def at(self) -> datetime:
        return self.event.created_at

    @property
    def turn_id(self) -> UUID | None:
        return getattr(self.event.payload, "turn_id", None)

    @property
    def has_head(self) -> bool:
        """Whether it is shown under its agent's name."""
        return bool(self.agent) and self.type in SAID

    @property
    def is_backstage(self) -> bool:
        payload = self.event.payload
        if isinstance(payload, TurnEnded) and payload.status is TurnStatus.INTERRUPTED:
            return False
        return payload.type in BACKSTAGE

    @property
    def asked(self) -> tuple[Asked, ...]:
        if not isinstance(self.event.payload, StructuredQuestion):
            return ()
        given = self.answers or {}
        return tuple(Asked(question, given.get(question.id)) for question in self.event.payload.questions)
