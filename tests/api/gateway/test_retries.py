"""Only the gateway retries, only before the first relayed byte, and people see when (F28)."""

from datetime import UTC, datetime, timedelta

import pytest

from api.rooms.budgets.models import Hold, TokenUsage
from api.rooms.gateway.domain import retries
from api.rooms.gateway.services import flights
from contracts.failures import ErrorCode
from tests.api.gateway.scene import Scene, db, hear
from tests.fakes.model_server import ModelServer, Reply


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Waits are noted and not waited."""
    waits: list[float] = []

    async def wait(self: flights.Flight, seconds: float) -> None:
        waits.append(seconds)

    monkeypatch.setattr(flights.Flight, "_wait", wait)
    return waits


async def test_a_provider_that_recovers_is_tried_again_and_each_try_is_an_attempt(
    served: Scene, server: ModelServer, hurried: list[float]
) -> None:
    server.play(Reply(status=503, body="down"), Reply(is_dropped=True), Reply(text="up again"))
    heard = await hear(served, served.call())
    assert heard.text == "up again"
    assert [notice.code for notice in heard.notices] == [
        ErrorCode.PROVIDER_UNAVAILABLE,
        ErrorCode.PROVIDER_UNREACHABLE,
    ]
    assert (heard.final.attempt, heard.final.is_repeated) == (3, False)
    assert await db(Hold.objects.count)() == len(server.requests) == 3
    outcomes = await db(list)(TokenUsage.objects.order_by("created_at").values_list("outcome", "error_code"))
    assert outcomes == [("failed", "provider_unavailable"), ("failed", "provider_unreachable"), ("completed", "")]


async def test_it_ends_after_the_last_try_as_infra(served: Scene, server: ModelServer, hurried: list[float]) -> None:
    server.play(*[Reply(status=429, body="{}")] * 9)
    heard = await hear(served, served.call())
    assert heard.final.error is not None
    assert heard.final.error.code is ErrorCode.RATE_LIMITED
    assert len(server.requests) == retries.MAX_ATTEMPTS
    assert sorted(hurried) == hurried


@pytest.mark.parametrize("header", ["seconds", "date", "milliseconds", "instant"])
async def test_retry_after_is_honoured_in_every_form_capped_and_shown(
    served: Scene, server: ModelServer, hurried: list[float], header: str
) -> None:
    at = datetime.now(UTC) + timedelta(seconds=8)
    headers = {
        "seconds": {"retry-after": "8"},
        "date": {"retry-after": at.strftime("%a, %d %b %Y %H:%M:%S GMT")},
        "milliseconds": {"retry-after-ms": "8000"},
        "instant": {"retry-after": str(int(at.timestamp() * 1000))},
    }[header]
    server.play(Reply(status=429, body="{}", headers=headers), Reply(text="ok"))
    heard = await hear(served, served.call())
    assert 5 < hurried[0] <= 8.1
    assert heard.notices[0].attempt == 2
    assert heard.notices[0].retry_at > datetime.now(UTC)


async def test_a_wait_of_years_is_capped(served: Scene, server: ModelServer, hurried: list[float]) -> None:
    server.play(Reply(status=429, body="{}", headers={"retry-after": "1767225600"}), Reply(text="ok"))
    await hear(served, served.call())
    assert hurried[0] <= retries.MAX_WAIT_S


async def test_nothing_is_tried_again_after_the_first_relayed_byte(
    served: Scene, server: ModelServer, hurried: list[float]
) -> None:
    server.play(Reply(text="one two three", cut="close", after=3, delay_ms=10), Reply(text="never asked"))
    heard = await hear(served, served.call())
    assert heard.final.error is not None
    assert heard.notices == ()
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 402, 403, 404, 413, 422])
async def test_a_refusal_is_not_tried_again(
    served: Scene, server: ModelServer, hurried: list[float], status: int
) -> None:
    server.play(Reply(status=status, body="{}"))
    await hear(served, served.call())
    assert len(server.requests) == 1


async def test_a_worker_that_lost_its_lease_meanwhile_gets_no_further_try(
    served: Scene, server: ModelServer, hurried: list[float]
) -> None:
    server.play(Reply(status=503, body="down", first_delay_ms=300))
    import asyncio

    task = asyncio.ensure_future(hear(served, served.call()))
    await asyncio.to_thread(server.wait_for, bool)
    await db(served.claimed_again)()
    heard = await task
    assert heard.final.error is not None
    assert len(server.requests) == 1
    assert await db(list)(Hold.objects.values_list("status", flat=True)) == ["settled"]
