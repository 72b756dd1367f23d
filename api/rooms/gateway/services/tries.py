"""One try at a provider: read it in a task that can be cut, and say how it ended."""

import asyncio
import time
from collections.abc import Callable
from contextlib import aclosing

from api.rooms.budgets.domain.metering import Outcome
from api.rooms.gateway.domain import redaction
from api.rooms.gateway.domain.endings import CutReason, Ending, error_of_finish, status_of, usage_of
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.providers import PROVIDERS, ProviderFailure, Target
from api.rooms.gateway.services.live_text import LiveText
from api.rooms.gateway.services.opened import Opened
from api.rooms.kernel import pauses
from contracts.failures import ErrorCode
from contracts.routes.model import ModelError
from contracts.vocabulary import FinishReason


async def _let_it_out() -> None:
    """The first words wait for nothing that came with them: one turn for their consumer, one for its socket."""
    for _ in range(2):
        await asyncio.sleep(0)


class Try:
    """Owns the provider's stream. `cut` closes its socket at once, in whatever phase it is."""

    def __init__(
        self,
        opened: Opened,
        secret: str | ProviderFailure,
        relay: Callable[["Try", str], None],
        live: LiveText,
        *,
        is_streamed: bool,
    ) -> None:
        self.opened, self.live = opened, live
        self.reception = Reception()
        self.failure = secret if isinstance(secret, ProviderFailure) else None
        self.relayed_chars = 0
        self._secret = secret if isinstance(secret, str) else ""
        self._relay = relay
        self._is_streamed = is_streamed
        self._began = time.monotonic()
        self._first_token_ms: int | None = None
        self._task: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Returns when the stream has ended, however it did; without a key there is no stream."""
        if self.failure is not None:
            return
        self._task = asyncio.create_task(self._read())
        await asyncio.wait({self._task})
        error = None if self._task.cancelled() else self._task.exception()
        if isinstance(error, ProviderFailure):
            self.failure = error
        elif error is not None:
            self.failure = ProviderFailure(ErrorCode.UNKNOWN_FAILURE, f"{type(error).__name__}: {error}")

    def cut(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _read(self) -> None:
        opened, provider = self.opened, PROVIDERS[self.opened.provider]
        target = Target(opened.target.base_url, opened.target.model, self._secret, opened.target.entry)
        pieces = provider.stream(opened.call, target, self.reception, opened.attempt, is_streamed=self._is_streamed)
        async with aclosing(pieces):
            async for text in pieces:
                is_first = self._first_token_ms is None
                if is_first:
                    self._first_token_ms = self._elapsed_ms()
                self._relay(self, text)
                self.relayed_chars += len(text)
                if is_first:
                    await _let_it_out()
                await pauses.at_async("api_mid_stream")

    def _elapsed_ms(self) -> int:
        return round((time.monotonic() - self._began) * 1000)

    @property
    def has_relayed(self) -> bool:
        return self._first_token_ms is not None

    @property
    def _was_sent(self) -> bool:
        return self._task is not None and (self.failure is None or self.failure.was_sent)

    def ending(self, wanted_cut: CutReason | None) -> Ending:
        """What is settled. A cut that came after the whole answer cut nothing."""
        is_over = self._task is not None and self._task.done() and not self._task.cancelled()
        cut = None if is_over else wanted_cut
        error = self._error(cut)
        return Ending(
            message=self.reception.message(self.opened.seed),
            finish=self._finish(cut),
            usage=usage_of(
                self.reception.usage,
                self.opened.body_bytes,
                self.reception.received_bytes,
                is_whole=cut is None and self.failure is None,
                is_rejected=self.reception.is_rejected,
                was_sent=self._was_sent,
            ),
            status=status_of(was_sent=self._was_sent, cut=cut),
            outcome=Outcome.CANCELLED if cut else Outcome.FAILED if error else Outcome.COMPLETED,
            is_kept=cut in (None, CutReason.STOPPED),
            error=error,
            wire_ids=tuple(self.reception.calls.wire_ids()),
            upstream=self.reception.upstream,
            latency_ms=self._elapsed_ms(),
            first_token_ms=self._first_token_ms,
        )

    def _finish(self, cut: CutReason | None) -> FinishReason:
        if cut is not None:
            return FinishReason.CUT
        if self.failure is not None:
            return FinishReason.ERROR
        if self.reception.finish is not None:
            return self.reception.finish
        return FinishReason.TOOL_CALLS if self.reception.calls.drafts else FinishReason.STOP

    def _error(self, cut: CutReason | None) -> ModelError | None:
        if cut is not None:
            code = ErrorCode.CANCELLED_BY_USER if cut is CutReason.STOPPED else ErrorCode.INTERRUPTED
            error = ModelError(code=code, diagnosis=cut.value)
        elif self.failure is not None:
            words = redaction.diagnosis(self.failure.diagnosis, [self._secret])
            error = ModelError(code=self.failure.code, diagnosis=words)
        else:
            found = error_of_finish(self._finish(None), redaction.diagnosis(self.reception.refusal, [self._secret]))
            if found is None:
                return None
            error = found
        about = {"agent": self.opened.agent, "provider": self.opened.provider, "model": self.opened.target.model}
        return error.model_copy(update={"facts": about})
