"""An instance while this worker holds its lease: what it knows, and the three calls that change its life."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from contracts.base import Message
from contracts.events import LogEvent
from contracts.routes.instances import RELEASE, STEP, AgentContext, Fence, Lease, StepAnswer, Take
from contracts.routes.instances import Step as SavedStep
from engine.clients.api import ApiClient
from engine.domain.agent import Agent
from engine.domain.behaviour import Step
from engine.domain.failures import ApiProblem
from engine.runtime import saved
from engine.runtime.endings import raise_ending
from engine.runtime.history import History
from engine.runtime.saved import AnyEffect


@dataclass
class HeldInstance:
    """`step` is the last one saved: the effect that it names is performed under that number."""

    api: ApiClient
    agent: Agent[Any]
    context: AgentContext
    epoch: int
    step: int
    inbox: tuple[LogEvent, ...]
    history: History
    state: Message
    turn_id: UUID | None
    effect: AnyEffect | None
    take: Take | None = None
    """What the next step that is saved begins its turn with."""

    @classmethod
    def of(cls, api: ApiClient, agent: Agent[Any], lease: Lease, resumed: saved.Resumed[Any]) -> "HeldInstance":
        """What a claim gave."""
        history = History(api, lease.context.instance_id)
        turn_id = lease.turn.turn_id if lease.turn else None
        return cls(
            api=api,
            agent=agent,
            context=lease.context,
            epoch=lease.epoch,
            step=lease.step,
            inbox=lease.inbox,
            history=history,
            state=resumed.state,
            turn_id=turn_id,
            effect=resumed.effect,
        )

    @property
    def instance_id(self) -> UUID:
        """Whose life this is."""
        return self.context.instance_id

    @property
    def running_turn(self) -> UUID:
        """The running turn's id; there is one whenever an effect is performed."""
        if self.turn_id is None:
            raise ValueError("no turn is running")
        return self.turn_id

    def forget_turn(self) -> None:
        """The turn is over and nothing more is done for it; what waits is asked for again."""
        self.turn_id, self.take, self.effect, self.inbox = None, None, None, ()

    def begin(self, turn_id: UUID, seqs: tuple[int, ...]) -> None:
        """A new turn that answers `seqs`; it begins when its first step is saved, and not before."""
        self.turn_id, self.take = turn_id, Take(seqs=seqs)

    def following(self, step: Step) -> SavedStep:
        """What a behaviour decided, as the wire has it; raises when it cannot be written."""
        return SavedStep(
            epoch=self.epoch,
            step=self.step + 1,
            turn_id=self.running_turn,
            take=self.take,
            state=saved.write(step.state, None if step.end else self.running_turn, step.effect),
            events=step.events,
            end=step.end,
        )

    async def save(self, body: SavedStep, state: Message, effect: AnyEffect | None, *, cause: str = "") -> None:
        """One transaction of the api; afterwards this is where the instance stands."""
        begins = f":{body.turn_id}" if body.take else ""
        key = f"step:{self.instance_id}:{self.epoch}:{body.step}{begins}{cause}"
        answer = await self._saved(body, key)
        self.history.add(answer.events)
        self.step, self.state, self.effect = body.step, state, effect
        self.turn_id, self.take = None if body.end else body.turn_id, None
        self.inbox = answer.inbox if body.end else ()

    async def _saved(self, body: SavedStep, key: str) -> StepAnswer:
        try:
            return await self.api.call(STEP, body, key=key, instance_id=self.instance_id)
        except ApiProblem as error:
            raise_ending(error)
            raise

    async def release(self) -> bool:
        """Give the lease back; false when something new is wanted, which is then in the inbox."""
        try:
            answer = await self.api.call(RELEASE, Fence(epoch=self.epoch), instance_id=self.instance_id)
        except ApiProblem as error:
            raise_ending(error)
            raise
        self.inbox = answer.inbox
        self.history.add(answer.inbox)
        return answer.released
