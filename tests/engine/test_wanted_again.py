"""A wake that comes while an activation ends is not left to the sweep."""

import asyncio

from contracts.routes.instances import Fence, ReleaseAnswer
from engine.runtime.worker import Worker
from tests.engine.fake_api import FakeApi


async def test_a_message_that_comes_just_after_the_release_is_answered_by_its_own_wake(
    api: FakeApi, worker: Worker
) -> None:
    """The wake finds the first activation still cleaning up, and would find nobody later."""
    api.say("um")
    release = api.release
    wakes: list[asyncio.Task[None]] = []

    def released_then_told(body: Fence) -> ReleaseAnswer:
        answer = release(body)
        if not wakes:
            api.say("dois")
            wakes.append(asyncio.create_task(worker.look(api.instance_id)))
        return answer

    api.release = released_then_told  # type: ignore[method-assign]
    await worker.look(api.instance_id)
    await asyncio.gather(*wakes)
    assert [started.taken for started in api.of_type("turn.started")] == [(1,), (5,)]
