"""Which earlier entries look different because of new events, and must be shown again. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID

from contracts.artifacts import BusinessRule
from contracts.events import (
    ChatMessageCancelled,
    HandoffAccepted,
    HandoffCompleted,
    HandoffOffered,
    HandoffRejected,
    LogEvent,
    StructuredQuestionAnswered,
    TurnStarted,
)

MUTABLE_TYPES = ("chat.message", "chat.structured_question", "handoff.offered")


@dataclass(frozen=True)
class Touched:
    """By seq, by event id (question sets), by handoff id."""

    seqs: frozenset[int]
    questions: frozenset[UUID]
    handoffs: frozenset[UUID]

    @property
    def after(self) -> int | None:
        """Where a reading of the mutable types must begin; none when nothing earlier is touched."""
        if self.questions or self.handoffs:
            return 0
        return min(self.seqs) - 1 if self.seqs else None

    def includes(self, event: LogEvent) -> bool:
        payload = event.payload
        is_offer = isinstance(payload, HandoffOffered) and payload.handoff_id in self.handoffs
        return event.seq in self.seqs or event.id in self.questions or is_offer


def touched_by(events: Iterable[LogEvent]) -> Touched:
    seqs: set[int] = set()
    questions: set[UUID] = set()
    handoffs: set[UUID] = set()
    for event in events:
        match event.payload:
            case TurnStarted(taken=taken):
                seqs.update(taken)
            case BusinessRule(origin=origin):
                seqs.update(origin)
            case ChatMessageCancelled(message_seq=seq):
                seqs.add(seq)
            case StructuredQuestionAnswered(question_set_id=question_set):
                questions.add(question_set)
            case (
                HandoffAccepted(handoff_id=handoff)
                | HandoffRejected(handoff_id=handoff)
                | HandoffCompleted(handoff_id=handoff)
            ):
                handoffs.add(handoff)
            case _:
                pass
    return Touched(frozenset(seqs), frozenset(questions), frozenset(handoffs))
