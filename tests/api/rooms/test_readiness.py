"""I'm ready to produce: the click is a fact, the brief is the server's, the rules are the project's (RN_142)."""

from collections.abc import Callable

import pytest

from api.rooms.handoffs import services as handoffs
from api.rooms.kernel.refusals import Refusal
from api.rooms.turns import services as turns
from api.rooms.turns.domain.readiness import ReadinessBlock
from api.rooms.turns.selectors import is_readiness_turn, readiness_of
from contracts.artifacts import Note, ProductBrief
from contracts.events import LogEvent
from contracts.problem import ProblemCode
from contracts.routes.effects import EventWritten
from tests.factories.conversation import events_of, head, rule, say, types_of, with_rule
from tests.factories.places import Place, new_place
from tests.factories.races import together
from tests.factories.workers import Worker, claimed, running


def refusal_of(act: Callable[[], object]) -> Refusal:
    with pytest.raises(Refusal) as refused:
        act()
    return refused.value


def ready(place: Place) -> LogEvent:
    return handoffs.confirm_readiness(place.session_id, place.user_id)


def rested(place: Place, title: str = "Feira aos domingos") -> None:
    """One rule is recorded and no turn runs."""
    worker = with_rule(place, title)
    worker.answer()
    worker.release()


def in_readiness_turn(place: Place) -> Worker:
    rested(place)
    ready(place)
    return running(place.session_id)


def produced(place: Place) -> LogEvent:
    """The whole run: click, brief, offer, end."""
    ready(place)
    worker = running(place.session_id)
    brief = worker.brief().event
    worker.offer(artifact=brief.id)
    worker.answer()
    worker.release()
    return brief


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


SAME_TITLES = ["Feira aos domingos", "FEIRA AOS DOMINGOS", "  feira   aos\tdomingos ", "Feirá aos domíngos"]


@pytest.mark.parametrize("title", SAME_TITLES)
def test_a_rule_is_the_same_by_accent_case_and_space_over_the_whole_project(place: Place, title: str) -> None:
    """RN_080."""
    with_rule(place, SAME_TITLES[0])
    other = place.another_session()
    message = say(other)
    worker = running(other.session_id)
    refused = refusal_of(lambda: worker.emit(rule(title, message.seq)))
    assert (refused.code, refused.facts) == (ProblemCode.DUPLICATE_RULE, {"existing": SAME_TITLES[0]})


def test_a_rule_is_another_by_its_punctuation(place: Place) -> None:
    worker = with_rule(place)
    assert worker.emit(rule("Feira aos domingos!", 3), step=2).event.payload.type == "artifact.business_rule"


def test_another_project_may_have_the_same_rule(place: Place) -> None:
    with_rule(place)
    elsewhere = new_place()
    with_rule(elsewhere)
    assert types_of(elsewhere.session_id)[-1] == "artifact.business_rule"


def test_two_sessions_that_write_the_same_rule_at_once_leave_one(lasting: Place) -> None:
    places = [lasting, *(lasting.another_session() for _ in range(5))]
    messages = [say(place) for place in places]
    workers = [running(place.session_id) for place in places]
    results = together(
        [
            lambda worker=worker, seq=message.seq: worker.emit(rule("Feira aos domingos", seq))  # type: ignore[misc]
            for worker, message in zip(workers, messages, strict=True)
        ]
    )
    assert sum(isinstance(result, EventWritten) for result in results) == 1
    assert [result.code for result in results if isinstance(result, Refusal)] == [ProblemCode.DUPLICATE_RULE] * 5


@pytest.mark.parametrize("origin", [(1,), (2,), (3, 4), (99,)])
def test_a_rule_comes_from_messages_of_its_session(place: Place, origin: tuple[int, ...]) -> None:
    """RN_061: every line can be asked "why?"; 1 is the opening, 2 the activation, 3 the message, 4 the turn."""
    say(place)
    worker, before = running(place.session_id), head(place.session_id)
    assert refusal_of(lambda: worker.emit(rule("From nowhere", *origin))).code is ProblemCode.INVALID_ARTIFACT
    assert head(place.session_id) == before


def test_an_agent_emits_only_what_is_its_own(place: Place) -> None:
    message = say(place, to_agent="assistant")
    worker = running(place.session_id, "assistant")
    for artifact in (rule("Not mine", message.seq), Note(title="Not mine", body="either")):
        refused = refusal_of(lambda artifact=artifact: worker.emit(artifact))  # type: ignore[misc]
        assert refused.code is ProblemCode.INVALID_ARTIFACT


def test_the_same_artifact_again_is_one_artifact(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    note = Note(title="Remember", body="the rain")
    assert worker.emit(note) == worker.emit(note)
    assert types_of(place.session_id).count("artifact.note") == 1
    other = refusal_of(lambda: worker.emit(Note(title="Remember", body="the sun")))
    assert other.code is ProblemCode.IDEMPOTENCY_CONFLICT


def test_going_on_with_a_stopped_readiness_turn_is_still_a_readiness_turn(place: Place) -> None:
    """The person's word to continue does not make them click again."""
    in_readiness_turn(place).release()
    turns.stop(place.session_id, place.user_id)
    turns.continue_turn(place.session_id, place.user_id)
    worker = running(place.session_id)
    assert is_readiness_turn(worker.turn_id)
    assert isinstance(worker.brief().event.payload, ProductBrief)
