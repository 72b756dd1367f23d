"""One activation of one instance: from a claim to a release, a message at a time."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from contracts.events import TurnStarted
from contracts.limits import MAX_MESSAGES_PER_ACTIVATION
from engine.domain.effects import BeginTurn
from engine.domain.failures import ApiProblem, ServiceFailed, ServiceUnreachable, of_exception
from engine.runtime import pauses
from engine.runtime.decide import Decision, begin, crashed, decide, failed
from engine.runtime.endings import HandOver, InboxChanged, LeaseLost, TurnStopped
from engine.runtime.held import HeldInstance
from engine.runtime.inbox import pick
from engine.runtime.performer import perform

QUIET = (LeaseLost, TurnStopped, InboxChanged, HandOver, ServiceUnreachable, ServiceFailed, ApiProblem)
"""What ends or turns an activation without being anybody's defect."""


@dataclass
class Activation:
    """`is_draining` is asked at each step border; `tell_turn` lets the heartbeat name the running turn."""

    held: HeldInstance
    now: Callable[[], datetime]
    new_id: Callable[[], UUID]
    is_draining: Callable[[], bool]
    tell_turn: Callable[[UUID | None], None]
    unreadable: str = ""
    taken: int = 0

    async def run(self) -> None:
        """Work until there is nothing left to do; returns only when the lease was given back."""
        await self.held.history.load()
        await self._resume()
        while True:
            try:
                if self.held.effect is not None:
                    await self._go_on()
                elif await self._begin_or_release():
                    return
            except TurnStopped:
                self.held.forget_turn()
            self.tell_turn(self.held.turn_id)

    async def _resume(self) -> None:
        """A running turn without a usable effect begins anew; one whose state cannot be read ends with that word."""
        held = self.held
        if held.turn_id is None or held.effect is not None:
            return
        if self.unreadable:
            await self._save(crashed(held, f"the saved state cannot be read: {self.unreadable}"))
            return
        started = (event.payload for event in held.history.events if isinstance(event.payload, TurnStarted))
        taken = next((each.taken for each in started if each.turn_id == held.turn_id), ())
        held.effect = BeginTurn(seqs=taken)

    async def _begin_or_release(self) -> bool:
        held = self.held
        picked = pick(held.inbox)
        if picked:
            await self._take(tuple(event.seq for event in picked))
            return False
        await pauses.at("before_release")
        if await held.release():
            return True
        if not held.inbox:
            raise HandOver  # something is wanted that this worker was not told of: a new claim will see it
        return False

    async def _take(self, seqs: tuple[int, ...]) -> None:
        """Begin a turn that answers `seqs`: its taking and the first decision are one step, nothing lies between."""
        held = self.held
        self.taken += len(seqs)
        held.history.add(held.inbox)
        await held.history.fill()
        held.begin(self.new_id(), seqs)
        try:
            await self._save(begin(held, seqs, self.now(), is_left_to_others=self._is_spent()))
        except InboxChanged:
            held.forget_turn()  # the refused release brings what is there now

    async def _go_on(self) -> None:
        """Perform what was saved, let the behaviour decide, save its decision."""
        if self.is_draining() or (self._is_spent() and isinstance(self.held.effect, BeginTurn)):
            raise HandOver
        await pauses.at("after_save_before_perform")
        await self._save(await self._decision())

    def _is_spent(self) -> bool:
        """Others wait for this slot. The turn was taken first: a running turn is handed over at once."""
        return self.taken > MAX_MESSAGES_PER_ACTIVATION

    async def _decision(self) -> Decision:
        try:
            received = await perform(self.held)
        except QUIET:
            raise
        except Exception:  # noqa: BLE001 - a defect of the runtime or a tool ends the turn, not the worker
            return crashed(self.held, traceback.format_exc())
        return decide(self.held, received, self.now())

    async def _save(self, decision: Decision) -> None:
        """A step that the api refuses for its content ends the turn instead of being tried for ever."""
        step = decision.step
        if step.end:
            self.tell_turn(None)  # before it ends: a heartbeat under way must not take the end for a Stop
        try:
            await self.held.save(decision.body, step.state, step.effect)
        except (ApiProblem, ServiceFailed) as error:
            if isinstance(error, ServiceFailed) and error.status >= 500:  # noqa: PLR2004 - the api's own failure
                raise
            instead = failed(self.held, of_exception(error))
            await self.held.save(instead.body, instead.step.state, None, cause=":instead")
