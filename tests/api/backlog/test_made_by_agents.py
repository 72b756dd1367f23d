"""What the Product Owner makes: coded, told in its log, fenced, and made once however often it is asked."""

import pytest

from api.rooms.backlog import selectors
from contracts.events import EpicCreated, StoryCreated, TaskCreated
from contracts.problem import ProblemCode
from contracts.vocabulary import StoryStatus
from tests.api.rooms.refused import refusal_of
from tests.factories.backlog import Owner, content, owner, recorded
from tests.factories.conversation import events_of, head, types_of
from tests.factories.places import Place, new_place
from tests.factories.races import together
from tests.factories.workers import expire_lease


def test_an_epic_a_story_and_a_task_are_coded_and_told(place: Place) -> None:
    work = owner(place, "Feira aos domingos")
    before = head(place.session_id)
    assert work.epic("Stalls").code == "E1"
    made = work.story(content("See the stalls", "R-1", functional_requirements=("Stalls are seen.",)))
    assert (made.story.code, made.story.status, made.story.version) == ("S-1", StoryStatus.DRAFT, 1)
    assert made.story.missing == ("definition_of_ready", "definition_of_done")
    assert (work.task().code, work.task(title="A map").code) == ("T-1", "T-2")
    told = [event.payload for event in events_of(place.session_id)[before:]]
    assert [each.type for each in told] == [
        "backlog.epic_created", "backlog.story_created", "backlog.task_created", "backlog.task_created"
    ]  # fmt: skip
    epic, story, task = told[:3]
    assert isinstance(epic, EpicCreated)
    assert isinstance(story, StoryCreated)
    assert isinstance(task, TaskCreated)
    assert (epic.code, story.epic, story.rules, task.story) == ("E1", "E1", ("R-1",), "S-1")
    assert {event.actor.id for event in events_of(place.session_id)[before:]} == {"product_owner"}


def test_what_is_asked_again_is_answered_and_not_made_again(place: Place) -> None:
    """A worker that died between the effect and its step is replaced by one that asks the same."""
    work = owner(place, "Feira aos domingos")
    epic = work.epic()
    assert work.epic(step=work.worker.step) == epic
    story = work.story(content("See the stalls", "R-1"))
    assert work.story(content("See the stalls", "R-1"), step=work.worker.step) == story
    assert [card.title for card in selectors.tree(place.project_id)] == ["Stalls"]
    again = refusal_of(lambda: work.story(content("Another", "R-1"), step=work.worker.step))
    assert again.code is ProblemCode.IDEMPOTENCY_CONFLICT


def test_a_worker_that_was_replaced_writes_nothing(place: Place) -> None:
    work = owner(place, "Feira aos domingos")
    work.worker.save(work.worker.next_step())
    step = work.worker.step
    expire_lease(work.instance_id)
    other = Owner(type(work.worker)(work.instance_id))
    assert other.worker.claim() is not None
    assert refusal_of(lambda: work.epic(step=step)).code is ProblemCode.FENCED
    assert selectors.tree(place.project_id) == ()


def test_an_agent_writes_what_its_card_allows(place: Place) -> None:
    """The Creative records rules; a backlog is not its work."""
    creative = Owner(recorded(place, "Feira aos domingos"))
    assert refusal_of(creative.epic).code is ProblemCode.FORBIDDEN


@pytest.mark.parametrize(
    ("epic", "rules", "named"),
    [
        ("E2", ("R-1",), "E1 (Stalls)"),
        ("E1", ("R-1", "R-9"), "There is no business rule R-9 in this project. There are: R-1."),
    ],
)
def test_what_is_not_there_is_named_with_what_is(place: Place, epic: str, rules: tuple[str, ...], named: str) -> None:
    work = owner(place, "Feira aos domingos")
    work.epic()
    before = head(place.session_id)
    refused = refusal_of(lambda: work.story(content("See the stalls", *rules), epic=epic))
    assert refused.code is ProblemCode.INVALID_BACKLOG
    assert named in refused.detail
    assert types_of(place.session_id, before) == []


def test_rules_and_epics_of_another_project_do_not_exist_here(place: Place) -> None:
    """D_48: a code means something of this project or nothing."""
    other = owner(new_place(), "Feira aos domingos", "Sem plástico")
    other.epic("Theirs")
    work = owner(place, "Feira aos domingos")
    assert refusal_of(lambda: work.story(content("See", "R-1"))).code is ProblemCode.INVALID_BACKLOG
    work.epic("Ours")
    assert refusal_of(lambda: work.story(content("See", "R-2"))).facts == {"unknown": "R-2"}
    assert refusal_of(lambda: work.task("S-1")).code is ProblemCode.INVALID_BACKLOG


@pytest.mark.parametrize("title", ["See the stalls", "SEE  THE STALLS", "Sée the stálls "])
def test_two_stories_never_have_one_title(place: Place, title: str) -> None:
    """RN_081: as people read it."""
    work = owner(place, "Feira aos domingos")
    work.epic()
    work.story(content("See the stalls", "R-1"))
    refused = refusal_of(lambda: work.story(content(title, "R-1")))
    assert (refused.code, refused.facts) == (
        ProblemCode.DUPLICATE_STORY,
        {"existing": "S-1", "title": "See the stalls"},
    )


def test_a_story_whose_rules_are_all_covered_is_made_with_a_warning(place: Place) -> None:
    """RN_081: contained, not crossed; no rule at all is covered by nothing."""
    work = owner(place, "Feira aos domingos", "Sem plástico")
    work.epic()
    work.story(content("Both together", "R-1", "R-2"))
    assert work.story(content("Fairs", "R-1")).overlaps is not None
    crossing = work.story(content("Nothing wrapped", "R-2"))
    assert crossing.overlaps is not None
    assert (crossing.overlaps.code, work.story(content("Something vague")).overlaps) == ("S-1", None)


def test_a_title_that_is_much_alike_is_made_with_a_warning(place: Place) -> None:
    """D_49."""
    work = owner(place, "Feira aos domingos")
    work.epic()
    work.story(content("Login with e-mail", "R-1"))
    found = work.story(content("Login by e-mail"))
    assert [each.code for each in found.resembles] == ["S-1"]
    assert work.story(content("Water the plants")).resembles == ()
    assert "backlog.story_resembles" in types_of(place.session_id)


def test_twenty_writers_at_once_get_twenty_codes(lasting: Place) -> None:
    workers = [owner(lasting.another_session(), f"Rule {number}") for number in range(20)]
    made = together([work.epic for work in workers])
    assert sorted(each.code for each in made) == sorted(f"E{number}" for number in range(1, 21))


def test_a_feature_is_coded_within_its_epic_and_its_stories_say_it(place: Place) -> None:
    work = owner(place, "Feira aos domingos")
    work.epic("Stalls")
    work.epic("Prices")
    assert [work.feature(epic, title).code for epic, title in (("E1", "See"), ("E1", "Book"), ("E2", "See"))] == [
        "E1.F1", "E1.F2", "E2.F1"
    ]  # fmt: skip
    work.story(content("See the stalls", "R-1"), feature="E1.F2")
    (first, _) = selectors.tree(place.project_id)
    assert ([each.code for each in first.features], first.stories[0].feature) == (["E1.F1", "E1.F2"], "E1.F2")
    told = [event.payload for event in events_of(place.session_id) if isinstance(event.payload, StoryCreated)]
    assert told[-1].feature == "E1.F2"


def test_a_feature_of_another_epic_is_refused_with_those_there_are(place: Place) -> None:
    work = owner(place, "Feira aos domingos")
    work.epic("Stalls")
    work.epic("Prices")
    work.feature("E2", "See")
    refused = refusal_of(lambda: work.story(content("See the stalls", "R-1"), feature="E2.F1"))
    assert refused.code is ProblemCode.INVALID_BACKLOG
    assert "already" in refusal_of(lambda: work.feature("E2", "SEE")).detail
