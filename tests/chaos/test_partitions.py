"""Api and engine lose each other in the middle of an answer, one way or both: the turn goes on by itself, once."""

import threading
import time
from functools import partial

import pytest

from contracts.events import AgentError, LogEvent, TurnEnded
from contracts.vocabulary import TurnStatus
from tests.chaos import audit, director, wires
from tests.chaos.ledger import Ledger
from tests.fakes.model_server import Reply
from tests.plugins.house import House
from tests.plugins.stack import wait_until
from tests.system.person import Person, Talk
from tests.system.stopping import bound, is_there, requests_of
from tests.system.test_story_rest import judge, settle

SLOW = Reply(text=director.spoken("rain"), delay_ms=60)
AWAY = {"refused": wires.refused, "deaf": wires.deaf, "dumb": wires.dumb, "gone": wires.gone}


@pytest.fixture(autouse=True)
def healed(wired_house: House) -> None:
    assert wired_house.network is not None
    wired_house.network.heal()


@pytest.mark.timeout(0)
@pytest.mark.parametrize("how", AWAY)
def test_a_partition_in_the_middle_of_an_answer_needs_no_hand_and_doubles_nothing(wired_house: House, how: str) -> None:
    network = wired_house.network
    assert network is not None
    talk = in_mid_stream(wired_house)
    wires.hurt(network, "api", AWAY[how], wires.BEYOND_LEASE_SECONDS)
    whole(wired_house, talk)


def in_mid_stream(house: House) -> Talk:
    """A turn whose answer has begun to arrive."""
    house.models.otherwise = lambda _: SLOW
    talk = bound(house, Person(house.stack))
    talk.say("we want a street market")
    house.models.wait_for(lambda _: is_there(requests_of(house, talk), "in mid-stream"), 15)
    return talk


def whole(house: House, talk: Talk) -> None:
    """Completed without a Continue, and nothing in it twice."""
    settle(talk)
    errors = [event.payload for event in talk.events if isinstance(event.payload, AgentError)]
    ends = [event.payload.status for event in talk.events if isinstance(event.payload, TurnEnded)]
    assert (errors, ends) == ([], [TurnStatus.COMPLETED])
    ledger = Ledger(house.plan.addresses.migration_database_url)
    wait_until(lambda: not ledger.busy(), 100, lambda: str(ledger.busy()))
    asked = len(requests_of(house, talk))
    assert judge(house, talk) + audit.of_session(ledger, talk.session_id, talk.events, asked) == []


def have_started(count: int, events: list[LogEvent]) -> bool:
    """Whether so many turns have."""
    return sum(event.payload.type == "turn.started" for event in events) == count


@pytest.mark.timeout(0)
def test_the_api_away_for_long_costs_a_wait_and_nothing_else(
    wired_house: House, request: pytest.FixtureRequest
) -> None:
    """R5: `make chaos OUTAGES=5,30,900`."""
    network = wired_house.network
    assert network is not None
    for seconds in request.config.getoption("--outages").split(","):
        talk = in_mid_stream(wired_house)
        wires.hurt(network, "api", wires.refused, float(seconds))
        whole(wired_house, talk)


@pytest.mark.timeout(0)
def test_a_broker_that_is_away_delays_a_turn_and_nobody_who_sends(wired_house: House) -> None:
    """Five times refused or swallowing: the message is taken within 1.5 s, the turn starts within 10 s after."""
    network = wired_house.network
    assert network is not None
    wired_house.models.otherwise = director.answer
    talk = bound(wired_house, Person(wired_house.stack))
    for number in range(5):
        how = wires.gone if number % 2 else wires.refused
        hurting = threading.Thread(target=wires.hurt, args=(network, "broker", how, wires.SHORT_SECONDS))
        hurting.start()
        time.sleep(0.2)
        began = time.monotonic()
        talk.say(f"thought {number}")
        assert time.monotonic() - began <= 1.5
        hurting.join()
        talk.until(partial(have_started, number + 1), 10)
        settle(talk)
    assert judge(wired_house, talk) == []
