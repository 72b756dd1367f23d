"""Any rule, story or task can be asked "why?" back to the sentence it came from; what is missing is named (RN_061)."""

from hashlib import sha256

import pytest

from api.rooms.backlog import services as backlog
from api.rooms.backlog import tracing
from api.rooms.backlog.tracing import Hop
from contracts.artifacts import BusinessRule, Quoted
from contracts.problem import ProblemCode
from tests.api.rooms.refused import refusal_of
from tests.factories.backlog import COMPLETE, Owner, content, owner
from tests.factories.conversation import rule, say
from tests.factories.places import Place, new_place
from tests.factories.workers import running

SAID = "Good morning. Bread is sold on Sundays only, and nobody pays twice."


def quoting(place: Place, *texts: str) -> BusinessRule:
    """What the log holds of a rule that rests on these words of one message."""
    message = say(place, SAID)
    quoted = tuple(Quoted(message=message.seq, text=text) for text in texts)
    payload = running(place.session_id).emit(rule("Bread", message.seq), quoted=quoted).event.payload
    assert isinstance(payload, BusinessRule)
    return payload


def test_a_quote_is_kept_as_a_span_and_the_hash_of_its_text(place: Place) -> None:
    (quote,) = quoting(place, "bread is sold on Sundays only").quotes
    text = SAID[quote.start : quote.end]
    assert (text, quote.sha256) == ("Bread is sold on Sundays only", sha256(text.encode()).hexdigest())


def test_a_message_that_is_not_quoted_counts_whole(place: Place) -> None:
    (quote,) = quoting(place).quotes
    assert (quote.start, quote.end) == (0, len(SAID))


def test_what_nobody_said_is_not_quoted(place: Place) -> None:
    assert refusal_of(lambda: quoting(place, "Bread is free")).code is ProblemCode.INVALID_ARTIFACT


def test_only_messages_of_the_origin_are_quoted(place: Place) -> None:
    first, second = say(place, SAID), say(place, "And cheese.")
    worker = running(place.session_id)
    quoted = (Quoted(message=second.seq, text="cheese"),)
    refused = refusal_of(lambda: worker.emit(rule("Bread", first.seq), quoted=quoted))
    assert refused.code is ProblemCode.INVALID_ARTIFACT


@pytest.fixture
def work(place: Place) -> Owner:
    """S-1 cites R-1 and has T-1 and T-2; S-2 cites nothing and has no task; R-2 is cited by nobody."""
    found = owner(place, "Stalls open on Sundays", "Nobody books twice")
    found.epic()
    found.story(content("See the stalls", "R-1", **COMPLETE))
    found.task("S-1", "A page")
    found.task("S-1", "A test")
    found.story(content("Nobody asked for it"))
    return found


def missing(trace: tracing.Trace) -> list[tuple[str, Hop]]:
    return [(each.code, each.hop) for each in trace.missing]


def test_a_task_leads_back_to_the_words_it_came_from(place: Place, work: Owner) -> None:
    found = tracing.trace(place.project_id, "T-2")
    assert [task.code for task in found.stories[0].tasks] == ["T-2"]
    assert [page.rule.code for page in found.rules] == ["R-1"]
    assert [(quote.text, quote.is_intact) for quote in found.rules[0].quotes] == [("Bom dia", True)]
    assert found.missing == ()


def test_a_rule_leads_to_what_came_of_it(place: Place, work: Owner) -> None:
    found = tracing.trace(place.project_id, "R-1")
    assert [(story.code, [task.code for task in story.tasks]) for story in found.stories] == [("S-1", ["T-1", "T-2"])]


def test_a_hop_that_is_not_there_is_named(place: Place, work: Owner) -> None:
    assert missing(tracing.trace(place.project_id, "R-2")) == [("R-2", Hop.STORY)]
    assert missing(tracing.trace(place.project_id, "S-2")) == [("S-2", Hop.RULE), ("S-2", Hop.TASK)]


def test_a_merged_rule_says_where_its_stories_went(place: Place, work: Owner) -> None:
    backlog.merge_rules(place.project_id, place.user_id, "R-1", "R-2")
    (lack,) = tracing.trace(place.project_id, "R-1").missing
    assert (lack.hop, lack.why) == (Hop.STORY, "It was merged into R-2.")


@pytest.mark.parametrize(
    ("of", "code"),
    [
        ("R-9", ProblemCode.NOT_FOUND),
        ("S-9", ProblemCode.NOT_FOUND),
        ("T-9", ProblemCode.NOT_FOUND),
        ("E1", ProblemCode.INVALID_PARAMETER),
        ("", ProblemCode.INVALID_PARAMETER),
        ("R-01", ProblemCode.INVALID_PARAMETER),
    ],
)
def test_what_is_no_code_or_not_there_is_refused_by_name(place: Place, work: Owner, of: str, code: ProblemCode) -> None:
    assert refusal_of(lambda: tracing.trace(place.project_id, of)).code is code


def test_another_project_is_not_traced(place: Place, work: Owner) -> None:
    """D_48."""
    other = new_place()
    assert refusal_of(lambda: tracing.trace(other.project_id, "R-1")).code is ProblemCode.NOT_FOUND
