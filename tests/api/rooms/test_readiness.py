"""I'm ready to produce: the click is a fact, and the brief is the server's (RN_142)."""

from collections.abc import Callable

import pytest

from api.rooms.turns import services as turns
from api.rooms.turns.domain.readiness import ReadinessBlock
from api.rooms.turns.selectors import is_readiness_turn, readiness_of
from contracts.artifacts import ProductBrief
from contracts.problem import ProblemCode
from tests.api.rooms.producing import in_readiness_turn, produced, ready, rested
from tests.api.rooms.refused import refusal_of
from tests.factories.conversation import events_of, head, say, types_of, with_rule
from tests.factories.places import Place
from tests.factories.races import together
from tests.factories.workers import claimed, running


def test_the_click_is_written_and_wakes_the_creative(place: Place) -> None:
    rested(place)
    click = ready(place)
    assert (click.payload.type, click.to_agent) == ("readiness.confirmed", "creative")
    assert claimed(place.session_id).inbox == (click,)


def test_the_same_click_while_it_waits(place: Place) -> None:
    rested(place)
    assert ready(place) == ready(place)


def test_the_same_click_while_its_run_is_open(place: Place) -> None:
    rested(place)
    click = ready(place)
    running(place.session_id)
    assert ready(place) == click
    assert types_of(place.session_id).count("readiness.confirmed") == 1


def test_twenty_clicks_at_once_are_one(lasting: Place) -> None:
    rested(lasting)
    clicks = together([lambda: ready(lasting)] * 20)
    assert clicks == [clicks[0]] * 20
    assert types_of(lasting.session_id).count("readiness.confirmed") == 1


def test_the_same_click_when_nothing_was_added_since_the_brief(place: Place) -> None:
    rested(place)
    produced(place)
    before = head(place.session_id)
    assert ready(place).payload.type == "readiness.confirmed"
    assert head(place.session_id) == before


def test_a_new_message_since_the_brief_makes_brief_two(place: Place) -> None:
    rested(place)
    produced(place)
    say(place, "One thing more")
    worker = running(place.session_id)
    worker.answer()
    worker.release()
    second = produced(place).payload
    assert isinstance(second, ProductBrief)
    assert second.number == 2
    assert types_of(place.session_id)[-4:] == ["handoff.rejected", "handoff.offered", "agent.response", "turn.ended"]


def test_a_click_during_a_turn_waits_behind_its_messages(place: Place) -> None:
    worker = with_rule(place)
    queued = say(place, "while you work")
    click = ready(place)
    assert worker.answer().inbox == (queued, click)


def test_a_click_without_a_rule_is_written_all_the_same(place: Place) -> None:
    """The Creative answers it with a durable refusal."""
    say(place)
    click = ready(place)
    assert events_of(place.session_id)[-1] == click


def test_a_click_held_by_stop_goes_on_when_it_is_clicked_again(place: Place) -> None:
    """Held until the person acts; clicking is acting."""
    rested(place)
    click = ready(place)
    turns.stop(place.session_id, place.user_id)
    assert ready(place) == click
    assert claimed(place.session_id).inbox == (click,)


def test_an_ended_session_takes_no_click(place: Place) -> None:
    turns.close_session(place.session_id, place.user_id)
    assert refusal_of(lambda: ready(place)).code is ProblemCode.SESSION_ENDED


def clicked(place: Place) -> None:
    rested(place)
    ready(place)


def briefed(place: Place) -> None:
    rested(place)
    produced(place)


@pytest.mark.parametrize(
    ("reach", "block"),
    [
        (lambda _place: None, ReadinessBlock.NO_ACTIVE_CREATIVE),
        (say, ReadinessBlock.NO_BUSINESS_RULE),
        (rested, None),
        (clicked, ReadinessBlock.ALREADY_RUNNING),
        (briefed, ReadinessBlock.NOTHING_NEW),
        (lambda place: turns.close_session(place.session_id, place.user_id), ReadinessBlock.SESSION_ENDED),
    ],
    ids=["silent", "no rule", "ready", "clicked", "produced", "closed"],
)
def test_why_the_button_is_off(place: Place, reach: Callable[[Place], object], block: ReadinessBlock | None) -> None:
    reach(place)
    assert readiness_of(place.session_id).reason is block


def test_going_on_with_a_stopped_readiness_turn_is_still_a_readiness_turn(place: Place) -> None:
    """The person's word to continue does not make them click again."""
    in_readiness_turn(place).release()
    turns.stop(place.session_id, place.user_id)
    turns.continue_turn(place.session_id, place.user_id)
    worker = running(place.session_id)
    assert is_readiness_turn(worker.turn_id)
    assert isinstance(worker.brief().event.payload, ProductBrief)
