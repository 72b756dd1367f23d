"""The module map: canonical, versioned, replaced only knowingly; stories that it displaces become drafts by event."""

import pytest

from api.rooms.architecture.selectors import architecture
from api.rooms.backlog import pendencies, selectors
from api.rooms.backlog import services as backlog
from contracts.events import ModuleMap, StoryDemoted, StoryModulesAssigned
from contracts.problem import ProblemCode
from contracts.vocabulary import StoryStatus
from tests.api.rooms.refused import refusal_of
from tests.factories.architecture import LOANS, Architect, architect, module
from tests.factories.backlog import COMPLETE, content, owner
from tests.factories.conversation import events_of, head
from tests.factories.places import Place


@pytest.fixture
def work(place: Place) -> Architect:
    """S-1 is ready, S-2 waits for a person, S-3 is incomplete."""
    product_owner = owner(place, "Stalls open on Sundays")
    product_owner.epic()
    product_owner.story(content("Borrow a book", "R-1", **COMPLETE))
    product_owner.story(content("Give it back", "R-1", **COMPLETE))
    product_owner.story(content("Somebody's wish"))
    backlog.promote(place.project_id, place.user_id, ["S-1"])
    return architect(place, product_owner)


def test_names_are_kept_canonical_and_answered_so(place: Place, work: Architect) -> None:
    made = work.map(module("Livros & Empréstimos", "People"), module("People"))
    assert [(each.name, each.depends_on) for each in made.modules] == [
        ("livros-emprestimos", ("people",)),
        ("people", ()),
    ]
    assert architecture(place.project_id).names == ("livros-emprestimos", "people")


def test_a_second_map_of_the_session_is_refused_with_the_names_there_are(place: Place, work: Architect) -> None:
    work.map()
    refused = refusal_of(work.map)
    assert (refused.code, "loans, people" in refused.detail) == (ProblemCode.DUPLICATE_MODULE_MAP, True)
    assert refusal_of(lambda: work.map(replaces=7)).code is ProblemCode.STALE_VERSION
    assert work.map(*LOANS, module("Mail"), replaces=1).version == 2
    assert architecture(place.project_id).names == ("loans", "people", "mail")


def test_what_is_asked_again_is_made_once(place: Place, work: Architect) -> None:
    made = work.map()
    assert work.map(step=work.worker.step) == made
    assert [event.payload.type for event in events_of(place.session_id)].count("artifact.module_map") == 1


@pytest.mark.parametrize(
    ("modules", "told"),
    [
        ((module("a", "b"), module("b", "a")), "a → b → a"),
        ((module("a", "a"),), "a → a"),
        ((module("a", "ghost"),), "ghost"),
        ((module("Loans"), module("loans!")), "Two modules would be called loans"),
        ((module("???"),), "'???'"),
    ],
    ids=["circle", "itself", "unknown", "twice", "no letter"],
)
def test_a_map_that_cannot_be_is_refused_by_name(
    place: Place, work: Architect, modules: tuple[object, ...], told: str
) -> None:
    before = head(place.session_id)
    refused = refusal_of(lambda: work.map(*modules))  # type: ignore[arg-type]
    assert (refused.code, told in refused.detail) == (ProblemCode.INVALID_ARCHITECTURE, True)
    assert [event for event in events_of(place.session_id)[before:] if isinstance(event.payload, ModuleMap)] == []


def test_modules_are_assigned_by_the_names_of_the_map(place: Place, work: Architect) -> None:
    assert "first" in refusal_of(lambda: work.assign("S-1", "loans")).detail
    work.map()
    refused = refusal_of(lambda: work.assign("S-1", "billing"))
    assert (refused.code, "loans, people" in refused.detail) == (ProblemCode.INVALID_ARCHITECTURE, True)
    assert work.assign("S-1", "Loans").modules == ("loans",)
    assert selectors.story(place.project_id, "S-1").modules == ("loans",)
    told = [event.payload for event in events_of(place.session_id) if isinstance(event.payload, StoryModulesAssigned)]
    assert [(each.code, each.modules) for each in told] == [("S-1", ("loans",))]


def test_a_new_map_demotes_exactly_the_ready_stories_that_it_displaces(place: Place, work: Architect) -> None:
    work.map()
    work.assign("S-1", "loans")
    work.assign("S-2", "loans", "people")
    made = work.map(module("people"), replaces=1)
    assert [each.code for each in made.demoted] == ["S-1"]
    (told,) = [event.payload for event in events_of(place.session_id) if isinstance(event.payload, StoryDemoted)]
    assert (told.code, told.missing_modules) == ("S-1", ("loans",))
    one, two = (selectors.story(place.project_id, code) for code in ("S-1", "S-2"))
    assert (one.status, one.missing, two.is_proposed) == (StoryStatus.DRAFT, ("known_module",), False)
    refused = backlog.promote(place.project_id, place.user_id, ["S-1"]).failed
    assert "known_module" in refused[0].reason


def test_a_module_that_comes_back_lets_the_drafts_wait_again(place: Place, work: Architect) -> None:
    work.map()
    work.assign("S-2", "loans")
    work.map(module("people"), replaces=1)
    work.map(*LOANS, replaces=2)
    assert selectors.story(place.project_id, "S-2").is_proposed


def test_what_is_open_is_named_with_its_reason(place: Place, work: Architect) -> None:
    work.map()
    work.assign("S-1", "loans")
    work.assign("S-2", "people")
    work.map(module("people"), replaces=1)
    found = [(each.story.code, each.reason.value) for each in pendencies.pendencies(place.project_id)]
    assert found == [("S-1", "missing_module"), ("S-3", "no_module")]
    read = work.read()
    assert (read.map_version, [each.code for each in read.pendencies]) == (2, ["S-1", "S-3"])
