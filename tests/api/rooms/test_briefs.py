"""The brief is the server's own: only after a click, only with rules, and one for each step (RN_142)."""

from api.rooms.turns.selectors import is_readiness_turn
from contracts.artifacts import ProductBrief
from contracts.problem import ProblemCode
from tests.api.rooms.producing import in_readiness_turn, ready
from tests.api.rooms.refused import refusal_of
from tests.factories.conversation import events_of, head, say, types_of, with_rule
from tests.factories.places import Place
from tests.factories.workers import running


def test_a_brief_lists_the_sessions_rules_and_is_the_servers(place: Place) -> None:
    worker = in_readiness_turn(place)
    rules = tuple(event.id for event in events_of(place.session_id) if event.payload.type == "artifact.business_rule")
    assert worker.brief("Uma feira.").event.payload == ProductBrief(number=1, summary="Uma feira.", rules=rules)


def test_a_brief_needs_a_turn_that_a_click_began(place: Place) -> None:
    worker, before = with_rule(place), head(place.session_id)
    assert not is_readiness_turn(worker.turn_id)
    assert refusal_of(worker.brief).code is ProblemCode.INVALID_ARTIFACT
    assert head(place.session_id) == before


def test_a_brief_needs_a_rule(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    worker.answer()
    worker.release()
    ready(place)
    assert refusal_of(running(place.session_id).brief).code is ProblemCode.NO_BUSINESS_RULE


def test_the_same_brief_again_is_one_brief(place: Place) -> None:
    worker = in_readiness_turn(place)
    assert worker.brief() == worker.brief()
    assert types_of(place.session_id).count("artifact.product_brief") == 1
