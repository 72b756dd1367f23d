"""What a worker of the engine does with an instance, at the doors of the rooms."""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from api.rooms.agents.models import Instance
from api.rooms.handoffs import services as handoffs
from api.rooms.kernel.ids import new_id
from api.rooms.outbox.models import Wake
from api.rooms.turns import services as turns
from contracts.artifacts import BusinessRule, Insight, Note
from contracts.auth import body_hash
from contracts.events import AgentResponse, LogEvent
from contracts.routes.effects import EmitArtifact, EmitBrief, EventWritten, HandoffAnswer, OfferHandoff
from contracts.routes.instances import Claim, Lease, Step, StepAnswer, Take, TurnEnding
from contracts.vocabulary import TurnStatus

COMPLETED = TurnEnding(status=TurnStatus.COMPLETED)


def hash_of(message: Step | EmitArtifact | EmitBrief | OfferHandoff) -> str:
    """What a key is bound to: the meaning, not the epoch of who repeats it."""
    return body_hash(message.model_dump_json(exclude={"epoch"}).encode())


def instance_of(session_id: UUID, agent: str = "creative") -> Instance:
    """The row as it is now."""
    return Instance.objects.get(session_id=session_id, agent=agent)


def expire_lease(instance_id: UUID) -> None:
    """As if the worker had died and its lease had run out."""
    Instance.objects.filter(id=instance_id).update(lease_expires_at="2020-01-01T00:00:00Z")


def lose_wakes() -> None:
    """All of them went astray, long ago."""
    Wake.objects.all().delete()
    Instance.objects.update(swept_at="2020-01-01T00:00:00Z")


@dataclass
class Worker:
    """Holds what a lease told it and what it did since."""

    instance_id: UUID
    id: UUID = field(default_factory=new_id)
    epoch: int = 0
    step: int = 0
    turn_id: UUID = field(default_factory=new_id)
    inbox: tuple[LogEvent, ...] = ()

    def claim(self, claim_id: UUID | None = None) -> Lease | None:
        lease = turns.claim(self.instance_id, Claim(worker=self.id, claim_id=claim_id or new_id())).lease
        if lease is not None:
            self.epoch, self.step, self.inbox = lease.epoch, lease.step, lease.inbox
            self.turn_id = lease.turn.turn_id if lease.turn else new_id()
        return lease

    def next_step(self, **changes: Any) -> Step:
        fields: dict[str, Any] = {
            "epoch": self.epoch,
            "step": self.step + 1,
            "turn_id": self.turn_id,
            "state": f'{{"after":{self.step + 1}}}',
        }
        return Step(**(fields | changes))

    def save(self, step: Step) -> StepAnswer:
        answer = turns.step(self.instance_id, step, hash_of(step))
        self.step = max(self.step, step.step)
        return answer

    def take(self, *seqs: int) -> StepAnswer:
        """Begin a turn with these, or with the whole inbox."""
        taken = seqs or tuple(event.seq for event in self.inbox)
        return self.save(self.next_step(take=Take(seqs=taken)))

    def answer(self, text: str = "Bom dia") -> StepAnswer:
        """The step that completes the turn."""
        return self.save(self.answering(text))

    def answering(self, text: str = "Bom dia") -> Step:
        response = AgentResponse(turn_id=self.turn_id, iteration=0, content=text)
        return self.next_step(events=(response,), end=COMPLETED)

    def release(self) -> bool:
        return turns.release(self.instance_id, self.epoch).released

    def emit(self, artifact: BusinessRule | Note | Insight, step: int | None = None, **beside: Any) -> EventWritten:
        """`beside`: what it quotes, and which rule it supersedes."""
        fence: dict[str, Any] = {"epoch": self.epoch, "turn_id": self.turn_id, "step": step or self.step}
        asked = EmitArtifact(artifact=artifact, **fence, **beside)
        return handoffs.emit_artifact(self.instance_id, asked, hash_of(asked))

    def brief(self, summary: str = "Uma feira.", step: int | None = None) -> EventWritten:
        asked = EmitBrief(epoch=self.epoch, turn_id=self.turn_id, step=step or self.step, summary=summary)
        return handoffs.emit_brief(self.instance_id, asked, hash_of(asked))

    def offer(
        self, to_agent: str = "product_owner", artifact: UUID | None = None, step: int | None = None
    ) -> HandoffAnswer:
        asked = OfferHandoff(
            epoch=self.epoch,
            turn_id=self.turn_id,
            step=step or self.step,
            to_agent=to_agent,
            artifact_event_id=artifact,
        )
        return handoffs.offer(self.instance_id, asked, hash_of(asked))


def claimed(session_id: UUID, agent: str = "creative") -> Worker:
    """A worker that holds the lease; something must be wanted."""
    worker = Worker(instance_of(session_id, agent).id)
    assert worker.claim() is not None
    return worker


def running(session_id: UUID, agent: str = "creative") -> Worker:
    """A worker in a turn that took the whole inbox."""
    worker = claimed(session_id, agent)
    worker.take()
    return worker
