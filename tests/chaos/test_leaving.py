"""Who asked for a stream leaves after its first token: the provider is left too, and next to nothing more is bought."""

import asyncio
import json
from uuid import UUID, uuid4

import pytest

from contracts.routes.model import STREAM, Delta
from tests.chaos import audit, director, summary
from tests.chaos.ledger import Ledger
from tests.fakes.model_server import Recorded, Reply
from tests.plugins.house import BEFORE_CLAIM, House
from tests.plugins.stack import wait_until
from tests.system.person import Talk
from tests.system.standin import Standin, instance_of, run
from tests.system.stopping import asked, requests_of
from tests.system.test_story_rest import judge, settle

MAX_MORE = 3
TOKEN_MS = 300
"""So long between two tokens that a slow machine has the time to say goodbye, too."""
AT_ONCE = 8
USAGE = "SELECT outcome, is_estimated FROM budgets_tokenusage WHERE session_id = %s"


@pytest.mark.timeout(0)
def test_a_client_that_leaves_after_one_token_buys_at_most_three_more(
    house: House, waiting: None, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    """Law of the gateway: a stream lives no longer than who reads it. Afterwards the turns are taken up and end."""
    house.models.otherwise = lambda _: Reply(text=director.spoken("rain"), delay_ms=TOKEN_MS)
    talks = [asked(house) for _ in range(request.config.getoption("--rounds"))]
    bought = [_bought_after_leaving(house, talks[at : at + AT_ONCE]) for at in range(0, len(talks), AT_ONCE)]
    more = [count for counts in bought for count in counts]
    ledger = Ledger(house.plan.addresses.migration_database_url)
    house.models.otherwise = director.answer
    house.let_go(BEFORE_CLAIM)
    for talk in talks:
        settle(talk)
    wait_until(lambda: not ledger.busy(), 100, lambda: str(ledger.busy()))
    summary.RESULTS["leaving"] = {"left": len(more), "tokens_bought_after": summary.spread(more)}
    with capsys.disabled():
        print(f"\n{json.dumps(summary.RESULTS['leaving'])}", flush=True)  # noqa: T201
    assert max(more) <= MAX_MORE
    assert [word for talk in talks for word in _wrong(house, ledger, talk)] + audit.of_house(ledger) == []


def _bought_after_leaving(house: House, talks: list[Talk]) -> list[int]:
    """Tokens that the provider sent after the reader of each had gone."""

    async def leave_all() -> list[int]:
        return list(await asyncio.gather(*(_leave(house, talk) for talk in talks)))

    heard = run(leave_all())
    requests = [_only(requests_of(house, talk)) for talk in talks]
    wait_until(lambda: all(each.closed_at for each in requests), 15)
    return [each.pieces_sent - count for each, count in zip(requests, heard, strict=True)]


async def _leave(house: House, talk: Talk) -> int:
    """Take the turn, ask, hear one token, and close the connection; the pieces that had been sent by then."""
    instance_id: UUID = await asyncio.to_thread(instance_of, house, talk.session_id)
    standin = Standin(house)
    lease = await standin.claim(instance_id)
    assert lease is not None
    turn_id = await standin.take(lease)
    call = standin.model_call(lease, turn_id)
    async with standin.api() as api:
        stream = api.stream(STREAM, call, key=f"model:{uuid4()}", instance_id=instance_id)
        async for frame in stream:
            if isinstance(frame.frame, Delta):
                break
        sent = _only(requests_of(house, talk)).pieces_sent
        await stream.aclose()
    return sent


def _only(requests: list[Recorded]) -> Recorded:
    (request,) = requests
    return request


def _wrong(house: House, ledger: Ledger, talk: Talk) -> list[str]:
    """What was left is metered as an estimate, and bought again under a flag by the worker that took the turn up."""
    rows = [(row["outcome"], row["is_estimated"]) for row in ledger.ask(USAGE, talk.session_id)]
    found = [] if ("cancelled", True) in rows else [f"{talk.session_id} was metered as {rows}"]
    asked = len(requests_of(house, talk))
    return [*found, *judge(house, talk), *audit.of_session(ledger, talk.session_id, talk.events, asked)]
