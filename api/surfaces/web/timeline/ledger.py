"""What a page must know beyond the events it shows: who spoke, what waits, what was decided since. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING
from uuid import UUID

from api.surfaces.web.timeline.entry import Entry, Offer, RuleLink
from contracts.artifacts import BusinessRule, ProductBrief
from contracts.events import (
    ChatMessage,
    ChatMessageCancelled,
    HandoffAccepted,
    HandoffCompleted,
    HandoffOffered,
    HandoffRejected,
    LogEvent,
    StructuredQuestionAnswered,
)
from contracts.vocabulary import ActorKind, HandoffStatus

if TYPE_CHECKING:
    from api.rooms.handoffs.selectors import HandoffCard

LATER_TYPES = (
    "artifact.business_rule",
    "chat.message_cancelled",
    "chat.structured_question_answered",
    "handoff.offered",
)
"""Types whose events change how others look, or are shown beside the timeline."""

AnyHandoff = HandoffOffered | HandoffAccepted | HandoffRejected | HandoffCompleted


@dataclass(frozen=True)
class Ledger:
    """`later` are all of the session's events of LATER_TYPES; `waiting` the seqs of queued messages."""

    me: str
    may_act: bool
    later: tuple[LogEvent, ...] = ()
    names: Mapping[str, str] = field(default_factory=dict)
    waiting: frozenset[int] = frozenset()
    handoffs: Mapping[UUID, "HandoffCard"] = field(default_factory=dict)

    @property
    def rules(self) -> tuple[RuleLink, ...]:
        """As they are worded now, by their numbers."""
        past = {event.payload.supersedes for event in self.later if isinstance(event.payload, BusinessRule)}
        present = [link for event_id, link in self._numbered.items() if event_id not in past]
        return tuple(sorted(present, key=lambda link: link.number))

    @cached_property
    def _numbered(self) -> dict[UUID, RuleLink]:
        """Every wording; a rule keeps its number when it is reworded."""
        numbered: dict[UUID, RuleLink] = {}
        last = 0
        for event in self.later:
            if isinstance(event.payload, BusinessRule):
                rule = event.payload
                before = numbered.get(rule.supersedes) if rule.supersedes else None
                number = before.number if before else last + 1
                last = max(last, number)
                numbered[event.id] = RuleLink(number, rule.title, event.seq, rule.description, rule.origin, rule.cites)
        return numbered

    def entries(self, events: tuple[LogEvent, ...]) -> tuple[Entry, ...]:
        """The events as the timeline shows them, in the order they came in."""
        return tuple(self._entry(event) for event in events)

    def _entry(self, event: LogEvent) -> Entry:
        payload = event.payload
        own = self._numbered.get(event.id)
        return Entry(
            event=event,
            author=self.names.get(event.actor.id, ""),
            is_mine=event.actor.kind is ActorKind.USER and event.actor.id == self.me,
            may_act=self.may_act,
            state=self._state(event),
            rules=self._rules(event),
            number=own.number if own else 0,
            answers=self._answers.get(event.id),
            handoff=self.handoffs.get(payload.handoff_id) if isinstance(payload, AnyHandoff) else None,
        )

    def _state(self, event: LogEvent) -> str:
        if not isinstance(event.payload, ChatMessage):
            return ""
        if event.seq in self.waiting:
            return "waiting"
        return "cancelled" if event.seq in self._cancelled else ""

    @property
    def offers(self) -> tuple[Offer, ...]:
        """What waits for a decision, and where in the timeline it stands."""
        return tuple(
            Offer(card, event.seq)
            for event in self.later
            if isinstance(event.payload, HandoffOffered)
            and (card := self.handoffs.get(event.payload.handoff_id)) is not None
            and card.status is HandoffStatus.OFFERED
        )

    @cached_property
    def _cancelled(self) -> set[int]:
        return {event.payload.message_seq for event in self.later if isinstance(event.payload, ChatMessageCancelled)}

    @cached_property
    def _answers(self) -> Mapping[UUID, Mapping[str, str]]:
        given = (event.payload for event in self.later if isinstance(event.payload, StructuredQuestionAnswered))
        return {answered.question_set_id: answered.answers for answered in given}

    def _rules(self, event: LogEvent) -> tuple[RuleLink, ...]:
        """The rules that came from a message, or that a brief holds."""
        if isinstance(event.payload, ProductBrief):
            return tuple(self._numbered[rule] for rule in event.payload.rules if rule in self._numbered)
        if isinstance(event.payload, ChatMessage):
            return tuple(rule for rule in self.rules if event.seq in rule.origin)
        return ()
