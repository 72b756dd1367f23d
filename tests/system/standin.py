"""A worker of our own that speaks the internal wire: to race the real ones, and to come too late on purpose."""

import asyncio
from collections.abc import Coroutine
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar
from uuid import UUID, uuid4

from contracts import auth
from contracts.artifacts import Note
from contracts.problem import ProblemCode
from contracts.routes.effects import EMIT_ARTIFACT, EmitArtifact
from contracts.routes.instances import CLAIM, RELEASE, STEP, Claim, ClaimAnswer, Fence, Lease, Step, Take
from contracts.routes.model import COMPLETE, STREAM, ModelCall, ModelMessage
from contracts.vocabulary import MessageRole
from engine.clients.api import ApiClient, Patience
from engine.domain.effects import BeginTurn
from engine.domain.failures import ApiProblem
from engine.domain.turn import TurnState
from engine.runtime import saved
from tests.chaos.ledger import Ledger
from tests.plugins.house import House

ONCE = Patience(answer_seconds=30.0, retry_seconds=0)
PATIENT = Patience(answer_seconds=30.0, retry_seconds=30.0)
CALL = ModelMessage(role=MessageRole.USER, content="[3] a call of the stand-in")
Result = TypeVar("Result")


@dataclass
class Standin:
    """One worker process, as the api sees it."""

    house: House
    boot_id: UUID = field(default_factory=uuid4)

    def api(self) -> ApiClient:
        """Signed as the engine signs."""
        return ApiClient(self.house.stack.url, auth.parse_keys(self.house.plan.keyring.engine_to_api_keys))

    async def claim(self, instance_id: UUID) -> Lease | None:
        """One claim of its own."""
        async with self.api() as api:
            body = Claim(worker=self.boot_id, claim_id=uuid4())
            answer: ClaimAnswer = await api.call(CLAIM, body, patience=PATIENT, instance_id=instance_id)
            return answer.lease

    async def take(self, lease: Lease) -> UUID:
        """Begin a turn on everything in the inbox; its id."""
        turn_id = uuid4()
        seqs = tuple(event.seq for event in lease.inbox)
        state = saved.write(TurnState(), turn_id, BeginTurn(seqs=seqs))
        body = Step(epoch=lease.epoch, step=lease.step + 1, turn_id=turn_id, take=Take(seqs=seqs), state=state)
        async with self.api() as api:
            await api.call(STEP, body, patience=ONCE, instance_id=lease.context.instance_id)
        return turn_id

    def model_call(self, lease: Lease, turn_id: UUID) -> ModelCall:
        """The call of the step after the take."""
        return ModelCall(
            epoch=lease.epoch, turn_id=turn_id, step=lease.step + 1, messages=(CALL,), max_output_tokens=200
        )

    async def complete(self, lease: Lease, turn_id: UUID) -> Any:
        """A model call that is answered as one result."""
        async with self.api() as api:
            body = self.model_call(lease, turn_id)
            return await api.call(COMPLETE, body, patience=ONCE, instance_id=lease.context.instance_id)

    async def late_writes(self, lease: Lease, turn_id: UUID) -> list[ProblemCode | None]:
        """Everything that a worker may write, by the lease that it once had; null where it was let in."""
        instance_id, epoch, step = lease.context.instance_id, lease.epoch, lease.step + 1
        note = Note(title="Too late", body="Written by a zombie.")
        call = self.model_call(lease, turn_id)
        async with self.api() as api:
            ask = partial(api.call, patience=ONCE, instance_id=instance_id)
            writes: list[Coroutine[Any, Any, object]] = [
                ask(STEP, Step(epoch=epoch, step=step + 1, turn_id=turn_id, state="{}")),
                ask(EMIT_ARTIFACT, EmitArtifact(epoch=epoch, turn_id=turn_id, step=step, artifact=note)),
                ask(COMPLETE, call),
                ask(RELEASE, Fence(epoch=epoch)),
                _first_frame(api, instance_id, call),
            ]
            return [await _refusal(write) for write in writes]


async def _first_frame(api: ApiClient, instance_id: UUID, body: ModelCall) -> object:
    async for frame in api.stream(STREAM, body, key=f"model:{uuid4()}", instance_id=instance_id):
        return frame
    return None


async def _refusal(call: Coroutine[Any, Any, object]) -> ProblemCode | None:
    try:
        await call
    except ApiProblem as error:
        return error.problem.code
    return None


def instance_of(house: House, session_id: str) -> UUID:
    """The session's one instance."""
    ledger = Ledger(house.plan.addresses.migration_database_url)
    instance_id: UUID = ledger.ask("SELECT id FROM agents_instance WHERE session_id = %s", session_id)[0]["id"]
    return instance_id


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """To its end, on a loop of its own."""
    return asyncio.run(work)
