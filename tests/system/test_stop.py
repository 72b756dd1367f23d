"""Stop, from the press of the button to the provider's socket."""

import os
import random
import statistics
import time

import pytest

from contracts.events import AgentResponse, TurnEnded
from contracts.vocabulary import TurnStatus
from tests.chaos import director
from tests.plugins.house import House
from tests.system.person import Person
from tests.system.stopping import PHASES, bound, requests_of, stop_once, wrong
from tests.system.test_story_rest import settle

STOPS = int(os.environ.get("STOPS") or 4)
"""Of each phase; the long form is `STOPS=100`."""
EARLY_STOPS = int(os.environ.get("STOPS") or 4)
ACKNOWLEDGED_SECONDS = 0.3
MAX_JITTER_SECONDS = 0.2


@pytest.mark.timeout(900)
@pytest.mark.parametrize("phase", list(PHASES))
def test_stop_closes_the_provider_keeps_the_partial_and_meters_once(house: House, phase: str) -> None:
    """F4, U2, R10: closed within two seconds, nothing after it, still so when read again, idempotent."""
    stops = [stop_once(house, phase, random.random() * MAX_JITTER_SECONDS) for _ in range(STOPS)]
    late = [len(requests_of(house, stopped.talk)) for stopped in stops]
    assert [word for stopped in stops for word in wrong(stopped, phase)] == []
    assert late == [1] * len(stops)
    assert statistics.median(stopped.acknowledged_s for stopped in stops) <= ACKNOWLEDGED_SECONDS
    closed = sorted(stopped.closed_s for stopped in stops)
    print(f"{phase}: closed p50 {statistics.median(closed):.3f} s, max {closed[-1]:.3f} s of {len(closed)}")  # noqa: T201


@pytest.mark.timeout(900)
def test_a_stop_at_once_keeps_the_prompt_and_continue_answers_it(house: House, person: Person) -> None:
    """U4: before the first delta, and even before the turn began."""
    for _ in range(EARLY_STOPS):
        house.models.otherwise = director.answer
        talk = bound(house, person)
        prompt = talk.say("we want a street market")
        time.sleep(random.random() * MAX_JITTER_SECONDS)
        talk.stop()
        talk.read()
        assert talk.of_type("chat.message") == [prompt]
        person.act("POST", f"{talk.path}/continue", {})
        settle(talk)
        last = talk.of_type("turn.ended")[-1].payload
        answers = [e.payload.content for e in talk.events if isinstance(e.payload, AgentResponse)]
        assert isinstance(last, TurnEnded)
        assert last.status is TurnStatus.COMPLETED
        assert answers[-1].endswith(director.END)
        assert "we want a street market" in str(requests_of(house, talk)[-1].body["messages"])
