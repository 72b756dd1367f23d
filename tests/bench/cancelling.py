"""How long the provider's socket outlives its consumer: before headers, in mid-stream, not streamed."""

import asyncio
import json

from tests.bench.callers import Caller
from tests.bench.lanes import connect, get_json_text
from tests.bench.load import DELTA
from tests.bench.sizes import SAMPLES

PHASES = {"hang_before": True, "hang_after": True, "whole": False}
GIVE_UP_S = 5.0
POLL_S = 0.01


async def close_ms(gateway_port: int, upstream_port: int, callers: list[Caller]) -> list[float]:
    """Milliseconds of every phase together."""
    took: list[float] = []
    for number in range(max(5, SAMPLES // 10)):
        for phase, is_streamed in PHASES.items():
            caller = callers[len(took) % len(callers)]
            took.append(await _one(gateway_port, upstream_port, caller, f"{phase}-{number}", is_streamed=is_streamed))
    return took


async def _one(gateway_port: int, upstream_port: int, caller: Caller, tag: str, *, is_streamed: bool) -> float:
    mode = "hang_after" if tag.startswith("hang_after") else "hang_before"
    lane = await connect(gateway_port)
    lane.begin(caller.request(f"@{mode} 5 0 {tag}@", is_streamed=is_streamed), DELTA)
    await _seen(upstream_port, tag, 0)
    if mode == "hang_after":
        await lane.first()
    left_at = lane.leave()
    return (await _seen(upstream_port, tag, 1) - left_at) * 1000


async def _seen(upstream_port: int, tag: str, which: int) -> float:
    """When the upstream saw the request (0) or the end of its socket (1)."""
    async with asyncio.timeout(GIVE_UP_S):
        while True:
            times = json.loads(await get_json_text(upstream_port, "/_seen")).get(tag)
            if times is not None and times[which] is not None:
                return float(times[which])
            await asyncio.sleep(POLL_S)
