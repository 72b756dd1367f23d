"""A model call from its opening to its final frame, over as many tries as it takes; never cancelled itself.

Its database work runs to its end whatever happens to the consumer: a cut only ends the reading of the provider's
stream or the wait between tries. A process that dies leaves what is unsettled to the sweep.
"""

import asyncio
import logging
import random
import time
from datetime import timedelta
from uuid import UUID

from django.db import InterfaceError, OperationalError
from psycopg_pool import PoolTimeout

from api.rooms.gateway.domain.endings import CutReason, Ending
from api.rooms.gateway.domain.retries import wait_before
from api.rooms.gateway.providers import ProviderFailure
from api.rooms.gateway.services import marks, opening, registry, settling
from api.rooms.gateway.services.fallbacks import fallback_of
from api.rooms.gateway.services.live_text import LiveText
from api.rooms.gateway.services.marks import Progress
from api.rooms.gateway.services.opened import Opened
from api.rooms.gateway.services.tries import Try
from api.rooms.gateway.services.waits import Wait
from api.rooms.kernel import pauses
from api.rooms.kernel.clock import now
from api.rooms.kernel.db import in_thread
from api.rooms.kernel.ids import new_id
from contracts.failures import ErrorCode
from contracts.routes.model import Delta, Final, ModelCall, Notice

Frame = Delta | Notice | Final
AWAY = (OperationalError, InterfaceError, PoolTimeout)
SETTLE_PAUSES_S = (0.2, 0.5, 1.0, 2.0, 4.0, 4.0, 4.0)
log = logging.getLogger(__name__)


class Flight:
    """`frames` gets deltas and notices, then one final frame or the exception that took its place."""

    def __init__(self, instance_id: UUID, call: ModelCall, *, is_streamed: bool) -> None:
        self.frames: asyncio.Queue[Frame | BaseException] = asyncio.Queue()
        self.loop = asyncio.get_running_loop()
        self.call_id = new_id()
        self.current: Try | None = None
        self._instance_id = instance_id
        self._call = call
        self._is_streamed = is_streamed
        self._cut: CutReason | None = None
        self._is_cut = asyncio.Event()
        self._saved_chars = 0
        self._renewed_at = time.monotonic()

    def cut(self, reason: CutReason) -> None:
        """On the flight's own loop; the first reason stands."""
        if self._cut is None:
            self._cut = reason
            self._is_cut.set()
            if self.current is not None:
                self.current.cut()

    async def run(self) -> None:
        try:
            self.frames.put_nowait(await self._fly())
        except Exception as error:  # noqa: BLE001 - whatever it is, the consumer must hear it
            self.frames.put_nowait(error)
        finally:
            registry.remove(self)

    async def _fly(self) -> Final:
        prepared = await in_thread(opening.prepare)(self.call_id, self._instance_id, self._call)
        if isinstance(prepared, Final):
            return prepared
        opened, secret = prepared
        tried = 1
        while True:
            landed = await self._try(opened, secret, tried)
            if isinstance(landed, Final):
                return landed
            if landed.target != opened.target:
                secret = await in_thread(opening.secret_for)(landed)
            opened, tried = landed, tried + 1

    async def _try(self, opened: Opened, secret: str | ProviderFailure, tried: int) -> Opened | Final:
        """One try; the next one's facts when it is worth it, else the final frame."""
        current = Try(opened, secret, self._relay, LiveText(opened), is_streamed=self._is_streamed)
        self.current, self._saved_chars = current, 0
        if self._cut is None:
            await current.run()
        current.live.end()
        ending = current.ending(self._cut)
        failure = current.failure
        if failure is not None and self._cut is None:
            wait_s = wait_before(
                failure.code,
                tried,
                failure.retry_after_s,
                random.random(),  # noqa: S311 - spreads retries, protects nothing
                has_relayed=current.has_relayed,
            )
            if wait_s is not None:
                return await self._again(opened, ending, failure.code, wait_s)
            if failure.code is ErrorCode.MODEL_NOT_FOUND and not current.has_relayed:
                instead = await in_thread(fallback_of)(opened)
                if instead is not None:
                    return await self._again(opened, ending, failure.code, 0.0, instead)
        await pauses.at_async("api_reply_before_commit")
        return await _settled(opened, ending)

    async def _again(
        self, opened: Opened, ending: Ending, code: ErrorCode, wait_s: float, instead: Opened | None = None
    ) -> Opened | Final:
        """Settle this try, open the next, tell everybody when it comes, wait for it; Stop ends the wait."""
        next_id = new_id()
        registry.add(self, next_id)
        wait = Wait(code, now() + timedelta(seconds=wait_s))
        following = await in_thread(settling.settle_and_reopen)(opened, ending, next_id, wait, instead=instead)
        if isinstance(following, Opened):
            self.current, self.call_id = None, next_id
            self.frames.put_nowait(Notice(attempt=following.attempt, code=code, retry_at=wait.until))
            LiveText(following).notice(code, wait.until)
            await self._wait(wait_s)
        return following

    async def _wait(self, seconds: float) -> None:
        try:
            async with asyncio.timeout(seconds):
                await self._is_cut.wait()
        except TimeoutError:
            return

    def _relay(self, current: Try, text: str) -> None:
        if self._cut is None:
            self.frames.put_nowait(Delta(attempt=current.opened.attempt, offset=current.relayed_chars, text=text))
            current.live.add(text)

    def progress(self, at: float) -> Progress:
        """What the tick saves; the text is null when nothing came since the last tick."""
        is_due = marks.is_due(self._renewed_at, at)
        if is_due:
            self._renewed_at = at
        text = None
        if self.current is not None and self.current.relayed_chars > self._saved_chars:
            text = self.current.reception.text
            self._saved_chars = self.current.relayed_chars
        return Progress(self.call_id, text, is_due)

    def text_of(self, call_id: UUID) -> str | None:
        """From any thread: what one of its tries has received so far, if that try is under way."""
        current = self.current
        return current.reception.text if current is not None and current.opened.call_id == call_id else None


async def _settled(opened: Opened, ending: Ending) -> Final:
    """The answer was bought: a database that restarts is waited for. Settling again after a lost answer is harmless."""
    for pause_s in SETTLE_PAUSES_S:
        try:
            return await in_thread(settling.settle)(opened, ending)
        except AWAY as error:
            log.warning("a call is not settled yet, the database is away: %s", error)
            await asyncio.sleep(pause_s)
    return await in_thread(settling.settle)(opened, ending)
