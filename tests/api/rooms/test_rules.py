"""Rules of a project: each title once, cited where other sessions come to it, each from messages (RN_061, RN_080)."""

import pytest

from api.rooms.kernel.ids import new_id
from api.rooms.turns.selectors import readiness_of
from contracts.artifacts import BusinessRule, CitedRule, Note, ProductBrief
from contracts.problem import ProblemCode
from contracts.routes.effects import EventWritten
from tests.api.rooms.producing import produced, rested
from tests.api.rooms.refused import refusal_of
from tests.factories.conversation import events_of, head, rule, say, types_of, with_rule
from tests.factories.places import Place, new_place
from tests.factories.races import together
from tests.factories.workers import Worker, claimed, expire_lease, instance_of, running

SAME_TITLES = ["Feira aos domingos", "FEIRA AOS DOMINGOS", "  feira   aos\tdomingos ", "Feirá aos domíngos"]


@pytest.mark.parametrize("title", SAME_TITLES)
def test_a_rule_is_the_same_by_accent_case_and_space_over_the_whole_project(place: Place, title: str) -> None:
    """RN_080."""
    first = with_rule(place, SAME_TITLES[0])
    refused = refusal_of(lambda: first.emit(rule(title, 3), step=2))
    assert (refused.code, refused.facts) == (ProblemCode.DUPLICATE_RULE, {"existing": SAME_TITLES[0], "code": "R-1"})
    original = events_of(place.session_id)[-1]
    cited = cites(place.another_session(), title)
    assert cited.title == SAME_TITLES[0]
    assert cited.cites == CitedRule(event_id=original.id, session_id=place.session_id, seq=original.seq)


def cites(place: Place, title: str) -> BusinessRule:
    """What a session holds that comes to a rule by its own way; its own words for it are not kept."""
    message = say(place)
    other = rule(title, message.seq).model_copy(update={"description": "Em outras palavras."})
    found = running(place.session_id).emit(other).event.payload
    assert isinstance(found, BusinessRule)
    assert (found.description, found.origin) == (rule(title, 1).description, (message.seq,))
    return found


def test_a_cited_rule_is_cited_once_and_always_from_where_it_began(place: Place) -> None:
    with_rule(place)
    second, third = place.another_session(), place.another_session()
    assert cites(second, "Feira aos domingos").cites == cites(third, "Feira aos domingos").cites
    again = claimed_again(third)
    assert refusal_of(lambda: again.emit(rule("Feira aos domingos", 3), step=2)).code is ProblemCode.DUPLICATE_RULE


def claimed_again(place: Place) -> Worker:
    """The worker of the turn that runs, after its lease was lost."""
    expire_lease(instance_of(place.session_id).id)
    return claimed(place.session_id)


def test_a_session_whose_rules_are_all_cited_is_ready_and_its_brief_holds_them(place: Place) -> None:
    """Who says in a second session what the first agreed on is not told that there is no rule."""
    with_rule(place)
    other = place.another_session()
    rested(other)
    assert readiness_of(other.session_id).reason is None
    held = [event.id for event in events_of(other.session_id) if event.payload.type == "artifact.business_rule"]
    brief = produced(other).payload
    assert (isinstance(brief, ProductBrief) and list(brief.rules), len(held)) == (held, 1)


def test_only_the_workspace_says_what_a_rule_cites(place: Place) -> None:
    worker = with_rule(place)
    forged = CitedRule(event_id=new_id(), session_id=new_id(), seq=1)
    asked = rule("Outra regra", 3).model_copy(update={"cites": forged})
    assert refusal_of(lambda: worker.emit(asked, step=2)).code is ProblemCode.INVALID_ARTIFACT


def test_a_rule_is_another_by_its_punctuation(place: Place) -> None:
    worker = with_rule(place)
    assert worker.emit(rule("Feira aos domingos!", 3), step=2).event.payload.type == "artifact.business_rule"


def test_another_project_may_have_the_same_rule(place: Place) -> None:
    with_rule(place)
    elsewhere = new_place()
    with_rule(elsewhere)
    assert types_of(elsewhere.session_id)[-1] == "artifact.business_rule"


def test_sessions_that_write_the_same_rule_at_once_leave_one_and_cite_it(lasting: Place) -> None:
    places = [lasting, *(lasting.another_session() for _ in range(5))]
    messages = [say(place) for place in places]
    workers = [running(place.session_id) for place in places]
    results = together(
        [
            lambda worker=worker, seq=message.seq: worker.emit(rule("Feira aos domingos", seq))  # type: ignore[misc]
            for worker, message in zip(workers, messages, strict=True)
        ]
    )
    rules = [result.event.payload for result in results if isinstance(result, EventWritten)]
    cited = [rule.cites for rule in rules if isinstance(rule, BusinessRule) and rule.cites is not None]
    assert (len(rules), len(cited), len({each.event_id for each in cited})) == (6, 5, 1)


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
