"""A heartbeat releases what it does not list, so no claim may be under way while one is."""

import asyncio

from engine.runtime.gate import Gate


async def test_a_heartbeat_waits_for_claims_under_way_and_new_claims_wait_for_it() -> None:
    gate, seen = Gate(), list[str]()

    async def beat() -> None:
        async with gate.beating():
            seen.append("beat")
            await asyncio.sleep(0.01)
            seen.append("beaten")

    async def claim(name: str) -> None:
        async with gate.claiming():
            seen.append(name)
            await asyncio.sleep(0.01)
            seen.append(f"{name} done")

    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(claim("first"))
        await asyncio.sleep(0)
        tasks.create_task(beat())
        await asyncio.sleep(0)
        tasks.create_task(claim("second"))
    assert seen == ["first", "first done", "beat", "beaten", "second", "second done"]


async def test_a_cancelled_claim_lets_the_heartbeat_go() -> None:
    gate, never = Gate(), asyncio.Event()

    async def claim() -> None:
        async with gate.claiming():
            await never.wait()

    task = asyncio.create_task(claim())
    await asyncio.sleep(0)
    task.cancel()
    async with asyncio.timeout(1), gate.beating():
        pass
