"""A worker process: looks at an instance when told to, and leaves it in order when it must."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from contracts import story
from contracts.agents import entry_of
from contracts.limits import LEASE_MS, SELF_FENCE_MS
from contracts.routes.instances import CLAIM, RELEASE, Claim, Fence, Lease
from engine.clients.api import ApiClient, Patience
from engine.domain.agent import Agent
from engine.domain.failures import ApiProblem, ServiceFailed, ServiceUnreachable
from engine.runtime import pauses, saved
from engine.runtime.activation import QUIET, Activation
from engine.runtime.asking import asking
from engine.runtime.endings import CancelReason, LeaseLost
from engine.runtime.gate import Gate
from engine.runtime.heart import Heart
from engine.runtime.held import HeldInstance
from engine.runtime.running import Running

CLAIM_PATIENCE = Patience(answer_seconds=2.0, retry_seconds=0)
RELEASE_PATIENCE = Patience(answer_seconds=1.0, retry_seconds=0)
DRAIN_SECONDS = 3.0
"""How long a model call in flight may still take when the process must go: it is gone within 5 s."""
log = logging.getLogger(__name__)


@dataclass
class Worker:
    """`boot_id` is new at each start, so a process that comes back is another worker."""

    agents: Mapping[str, Agent[Any]]
    open_api: Callable[[], ApiClient]
    now: Callable[[], datetime]
    monotonic: Callable[[], float]
    new_id: Callable[[], UUID]
    boot_id: UUID = field(default_factory=uuid4)
    is_draining: bool = False
    draining: asyncio.Task[None] | None = None
    running: dict[UUID, Running] = field(default_factory=dict)
    gate: Gate = field(default_factory=Gate)
    heart: Heart = field(init=False)

    def __post_init__(self) -> None:
        """One heart a process."""
        self.heart = Heart(self.open_api(), self.boot_id, self.running, self.gate, self.monotonic)

    async def look(self, instance_id: UUID) -> None:
        """Run the instance if there is anything to do here; never raises for what happens to it."""
        self.heart.start()
        if (known := self.running.get(instance_id)) is not None:
            known.is_wanted_again = True
            return
        while await self._look_once(instance_id):
            pass

    async def _look_once(self, instance_id: UUID) -> bool:
        """Whether a wake came while this ran, of something that its release may not have seen."""
        task = asyncio.current_task()
        if task is None or self.is_draining:
            return False
        running = self.running[instance_id] = Running(instance_id, task, self.monotonic())
        try:
            await self._activate(running)
        except asyncio.CancelledError:
            if running.reason is None:
                raise
            log.info("activation of %s cancelled: %s", instance_id, running.reason)
        except LeaseLost as ending:
            running.epoch = None
            log.info("activation of %s lost: %s", instance_id, ending)
        except QUIET as ending:
            log.info("activation of %s ended: %s %s", instance_id, type(ending).__name__, ending)
        except Exception:  # a defect must not end the worker; the sweep brings the instance back
            log.exception("activation of %s crashed", instance_id)
        finally:
            del self.running[instance_id]
        if running.epoch is not None and running.reason is not CancelReason.LOST:
            await self._let_go(instance_id, running.epoch)
        return running.is_wanted_again and running.reason is None

    async def _let_go(self, instance_id: UUID, epoch: int) -> None:
        """Give back a lease that an ending left behind, so that nobody has to wait until it runs out."""
        async with self.open_api() as api:
            try:
                await api.call(RELEASE, Fence(epoch=epoch), patience=RELEASE_PATIENCE, instance_id=instance_id)
            except (ApiProblem, ServiceFailed, ServiceUnreachable) as error:
                log.info("lease of %s not given back: %s", instance_id, error)

    async def _activate(self, running: Running) -> None:
        """Claim, work, release; `epoch` is forgotten when nothing is left to give back."""
        await pauses.at("before_claim")
        async with self.open_api() as api:
            lease = await self._claim(api, running)
            if lease is None:
                return
            story.note(session_id=lease.context.session_id)
            log.info("claimed %s at epoch %d", lease.context.agent, lease.epoch)
            await pauses.at("after_claim")
            agent = self.agents.get(entry_of(lease.context.agent))
            if agent is None:
                log.error("no agent %r is wired here", lease.context.agent)
                return
            await self._activation(api, agent, lease, running).run()
            running.epoch = None

    def _activation(self, api: ApiClient, agent: Agent[Any], lease: Lease, running: Running) -> Activation:
        resumed = saved.read(agent, lease)
        held = HeldInstance.of(api, agent, lease, resumed)
        return Activation(held, self.now, self.new_id, lambda: self.is_draining, running.tell_turn, resumed.unreadable)

    async def _claim(self, api: ApiClient, running: Running) -> Lease | None:
        """The lease, listed for the heartbeat before another heartbeat can go out."""
        body = Claim(worker=self.boot_id, claim_id=self.new_id())
        async for attempt in asking():
            with attempt:
                async with self.gate.claiming():
                    return await self._claim_once(api, body, running)
        raise AssertionError("unreachable")

    async def _claim_once(self, api: ApiClient, body: Claim, running: Running) -> Lease | None:
        sent_at, key = self.monotonic(), f"claim:{body.claim_id}"
        answer = await api.call(CLAIM, body, key=key, patience=CLAIM_PATIENCE, instance_id=running.instance_id)
        lease = answer.lease
        if lease is not None:
            running.renewed_at = sent_at
            running.fence_seconds = lease.lease_ms / 1_000 * SELF_FENCE_MS / LEASE_MS
            running.epoch = lease.epoch
            running.turn_id = lease.turn.turn_id if lease.turn else None
        return lease

    def drain(self) -> asyncio.Task[None]:
        """Claim nothing more; hand over at the next step border, or after a grace that a model call may use."""
        self.is_draining = True
        self.draining = self.draining or asyncio.create_task(self._drained())
        return self.draining

    async def _drained(self) -> None:
        tasks = [running.task for running in self.running.values()]
        if tasks:
            await asyncio.wait(tasks, timeout=DRAIN_SECONDS)
        for running in tuple(self.running.values()):
            running.cancel(CancelReason.DRAIN)
