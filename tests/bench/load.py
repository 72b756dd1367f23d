"""Load on the gateway: closed loops of sixteen lanes, and an open loop at a fixed rate."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass

import psutil

from tests.bench.callers import CHUNKS, Caller
from tests.bench.clocks import MB, cpu_seconds, rss_bytes
from tests.bench.lanes import Lane, connect
from tests.bench.sizes import SECONDS

LANES = 16
PLAIN, SLOW = f"@plain {CHUNKS} 0 @", f"@plain {CHUNKS} 10 @"
WHOLE, DELTA = b'"finish":"stop"', b'"delta"'
OFFERED_PER_S = 32
MAX_BEHIND = 64


@dataclass(frozen=True)
class Load:
    """Answers a second, and the CPU that each cost the gateway."""

    per_s: float
    cpu_ms: float
    rss_mb: float


class Failed(Exception):
    """An answer that was not whole: figures of failures are worth nothing."""


async def closed(
    port: int, processes: Sequence[psutil.Process], callers: Sequence[Caller], *, is_streamed: bool
) -> Load:
    """Sixteen at once for some seconds, after a warm-up."""
    lanes = [await connect(port) for _ in range(LANES)]
    await _loop(lanes, callers, time.monotonic() + 1, is_streamed=is_streamed)
    before, began = cpu_seconds(processes), time.monotonic()
    answered = await _loop(lanes, callers, began + SECONDS, is_streamed=is_streamed)
    took, cpu = time.monotonic() - began, cpu_seconds(processes) - before
    for lane in lanes:
        lane.leave()
    return Load(answered / took, cpu / answered * 1000, rss_bytes(processes) / MB)


async def _loop(lanes: Sequence[Lane], callers: Sequence[Caller], until: float, *, is_streamed: bool) -> int:
    async def one(lane: Lane, caller: Caller) -> int:
        answered = 0
        while time.monotonic() < until:
            check((await lane.ask(caller.request(PLAIN, is_streamed=is_streamed), DELTA)).body)
            answered += 1
        return answered

    return sum(await asyncio.gather(*(one(lane, caller) for lane, caller in zip(lanes, callers, strict=False))))


def check(body: bytes) -> None:
    if WHOLE not in body:
        raise Failed(body[-600:].decode(errors="replace"))


async def offered_share(port: int, callers: Sequence[Caller]) -> float:
    """Half-second streams begun 32 times a second, so sixteen at once; the share that is finished at that rate too."""
    free = [(await connect(port), caller) for caller in callers[:MAX_BEHIND]]
    finished: list[float] = []
    running: set[asyncio.Task[None]] = set()

    async def one(lane: Lane, caller: Caller) -> None:
        check((await lane.ask(caller.request(SLOW), DELTA)).body)
        finished.append(time.monotonic())
        free.append((lane, caller))

    began = time.monotonic()
    for number in range(int(OFFERED_PER_S * (SECONDS + 2))):
        await asyncio.sleep(max(0.0, began + number / OFFERED_PER_S - time.monotonic()))
        if free:
            running.add(asyncio.create_task(one(*free.pop(0))))
    await asyncio.gather(*running)
    window = [at for at in finished if began + 1.5 <= at < began + 1.5 + SECONDS]
    return min(1.0, len(window) / (OFFERED_PER_S * SECONDS))
