"""What watchers get while an answer is written: hints that are coalesced, and a text to join in on."""

import asyncio
from contextlib import aclosing
from typing import Any
from uuid import UUID

import pytest

from api.rooms.agent_sessions import broadcast
from api.rooms.gateway import selectors
from api.rooms.gateway import services as gateway
from api.rooms.gateway.domain.scripts import Entry, Script
from api.rooms.gateway.models import Call
from api.rooms.gateway.selectors import LiveCall
from api.rooms.gateway.services.waits import Wait
from api.surfaces.live import join
from contracts.failures import ErrorCode
from contracts.routes.model import Notice
from tests.api.gateway.scene import Scene, db, hear

Hints = list[dict[str, Any]]


@pytest.fixture
def hints(monkeypatch: pytest.MonkeyPatch) -> Hints:
    """Everything that would go to the session's sockets, committed events apart."""
    seen: Hints = []

    def hint(session_id: UUID, message: dict[str, Any]) -> None:
        seen.append(message)

    monkeypatch.setattr(broadcast, "hint", hint)
    return seen


async def test_deltas_are_coalesced_and_add_up_to_the_text(rehearsing: Scene, hints: Hints) -> None:
    text = " ".join(f"word{number}" for number in range(100))
    await db(gateway.set_script)(rehearsing.session_id, Script(entries=(Entry(text=text, delay_ms=3),)))
    heard = await hear(rehearsing, rehearsing.call())
    assert "".join(hint["text"] for hint in hints) == text
    assert [hint["offset"] for hint in hints] == [
        sum(len(earlier["text"]) for earlier in hints[:at]) for at in range(len(hints))
    ]
    assert len(heard.deltas) == 100
    assert 1 < len(hints) < 60
    assert set(hints[0]) == {"kind", "turn_id", "agent", "call", "attempt", "offset", "text"}


async def test_a_call_that_is_not_for_people_is_shown_to_nobody(rehearsing: Scene, hints: Hints) -> None:
    await hear(rehearsing, rehearsing.call(is_for_people=False))
    assert hints == []


async def test_a_retry_is_shown(rehearsing: Scene, hints: Hints) -> None:
    failing = Entry(fails_with=ErrorCode.RATE_LIMITED, failing_attempts=1, text="")
    await db(gateway.set_script)(rehearsing.session_id, Script(entries=(failing,)))
    heard = await hear(rehearsing, rehearsing.call())
    assert heard.final.error is None
    assert [hint["kind"] for hint in hints if hint["kind"] == "notice"] == ["notice"]


async def test_a_joiner_starts_from_the_text_so_far_which_is_saved_each_second(rehearsing: Scene) -> None:
    script = Script(entries=(Entry(text="one two three", delay_ms=10, hangs=True),))
    await db(gateway.set_script)(rehearsing.session_id, script)
    task = asyncio.ensure_future(hear(rehearsing, rehearsing.call()))
    try:
        await asyncio.sleep(2.0)
        (live,) = await db(selectors.live_texts)(rehearsing.session_id)
        assert (live.text, live.agent, live.attempt) == ("one two three", "creative", 1)
        assert (await db(Call.objects.get)()).text == "one two three"
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_a_joiner_is_told_what_is_waited_for_until_something_arrives(rehearsing: Scene) -> None:
    """F28: the wait is kept with the try that it comes before, and Stop forgets it."""
    failing = Entry(fails_with=ErrorCode.RATE_LIMITED, failing_attempts=1, text="")
    await db(gateway.set_script)(rehearsing.session_id, Script(entries=(failing,)))
    heard: list[Notice] = []
    seen: list[LiveCall] = []
    joined: list[dict[str, object]] = []
    async with aclosing(gateway.stream(rehearsing.instance_id, rehearsing.call())) as frames:
        async for frame in frames:
            if isinstance(frame, Notice):
                heard.append(frame)
                seen += await db(selectors.live_texts)(rehearsing.session_id)
                joined += await db(join.live)(rehearsing.session_id)
    wait = Wait(ErrorCode.RATE_LIMITED, heard[0].retry_at)
    assert [(live.attempt, live.text, live.wait) for live in seen] == [(2, "", wait)]
    said = {"kind": "notice", "code": "rate_limited", "retry_at": wait.until.isoformat()}
    assert [message | said for message in joined] == joined
    assert len(joined) == 1
    assert await db(selectors.live_texts)(rehearsing.session_id) == ()


async def test_the_same_call_plays_the_same_entry_and_the_next_call_the_next(rehearsing: Scene) -> None:
    script = Script(entries=(Entry(text="first"), Entry(text="second")))
    await db(gateway.set_script)(rehearsing.session_id, script)
    assert (await hear(rehearsing, rehearsing.call())).final.message.content == "first"
    assert (await hear(rehearsing, rehearsing.call())).final.message.content == "first"
    assert (await hear(rehearsing, rehearsing.call(step=2))).final.message.content == "second"
