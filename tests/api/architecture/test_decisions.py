"""Image, C4, decision records and the confirmation: looked at before anything is written, decided by a person once."""

import pytest
from pydantic import ValidationError

from api.rooms.actions import selectors as reading
from api.rooms.actions import services as actions
from api.rooms.architecture.selectors import architecture
from api.rooms.backlog import services as backlog
from contracts.actions import ActionStatus, Adr
from contracts.architecture import ActorType, Image, Resources, SystemActor
from contracts.artifacts import Insight
from contracts.events import ActionApproved, ActionDenied, ArchitectureConfirmed
from contracts.problem import ProblemCode
from tests.api.rooms.refused import refusal_of
from tests.factories.architecture import ADR, Architect, architect, module
from tests.factories.backlog import COMPLETE, content, owner
from tests.factories.conversation import events_of
from tests.factories.places import Place
from tests.factories.races import together


def at_work(place: Place) -> Architect:
    """S-1 waits for a person; nothing is ready."""
    product_owner = owner(place, "Stalls open on Sundays")
    product_owner.epic()
    product_owner.story(content("Borrow a book", "R-1", **COMPLETE))
    return architect(place, product_owner)


@pytest.fixture
def work(place: Place) -> Architect:
    return at_work(place)


def test_the_highest_version_of_the_image_holds(place: Place, work: Architect) -> None:
    assert work.image().version == 1
    assert work.image("ghcr.io/feira/base@sha256:" + "a" * 64).version == 2
    chosen = architecture(place.project_id).image
    assert chosen is not None
    assert chosen.image.startswith("ghcr.io/feira/base@sha256:")


@pytest.mark.parametrize(
    "image", ["python", "python:latest", "python:LATEST", "a b:1", "x:1;rm -rf /", "$(id):1", "A:1"]
)
def test_an_image_that_does_not_name_one_for_good_is_refused(work: Architect, image: str) -> None:
    assert refusal_of(lambda: work.image(image)).code is ProblemCode.INVALID_ARCHITECTURE


@pytest.mark.parametrize("resources", [{"cpus": 9}, {"memory_mb": 16_385}, {"pids": 4_097}, {"cpus": 0}])
def test_more_than_the_most_is_an_error_and_not_less(resources: dict[str, int]) -> None:
    with pytest.raises(ValidationError):
        Resources(**resources)
    with pytest.raises(ValidationError):
        Image(image="python:3", rationale="short")


def test_c4_is_drawn_from_the_current_map(place: Place, work: Architect) -> None:
    assert "first" in refusal_of(work.c4).detail
    work.map()
    work.map(module("loans"), replaces=1)
    people = SystemActor(name='Ana "quick"\n<b>', type=ActorType.PERSON)
    drawn = work.c4("Books; #1", actors=(people, people))
    assert (drawn.map_version, "people" in drawn.containers) == (2, False)
    assert drawn.context.count("Person(a_") == 2
    assert not {'"quick"', "<b>", "; #"} & {
        drawn.context[at : at + size] for size in (3, 7) for at in range(len(drawn.context))
    }


def test_an_insight_is_kept_with_where_it_was_said(place: Place, work: Architect) -> None:
    work.worker.save(work.worker.next_step())
    work.worker.emit(Insight(title="Two rules pull apart", description="R-1 and R-2."))
    (kept,) = architecture(place.project_id).insights
    assert (kept.title, kept.session_id) == ("Two rules pull apart", place.session_id)


def proposed(place: Place, work: Architect) -> reading.ActionCard:
    work.map()
    work.adr()
    (card,) = reading.of_project(place.project_id)
    return card


def test_a_decision_record_waits_and_its_outcome_is_addressed_to_the_architect(place: Place, work: Architect) -> None:
    card = proposed(place, work)
    assert (card.status, card.content["path"], card.content["branch"]) == (
        ActionStatus.PENDING,
        "docs/adr/one-database.md",
        "feature/adr-one-database",
    )
    done = actions.approve(card.id, place.user_id, card.content_sha256)
    told = events_of(place.session_id)[-1]
    assert isinstance(told.payload, ActionApproved)
    assert (done.status, told.to_agent, told.payload.content_sha256) == (
        ActionStatus.APPROVED,
        "architect",
        card.content_sha256,
    )


def test_an_approval_is_bound_to_what_was_shown(place: Place, work: Architect) -> None:
    card = proposed(place, work)
    refused = refusal_of(lambda: actions.approve(card.id, place.user_id, "0" * 64))
    assert (refused.code, reading.action(card.id).status) == (ProblemCode.CONTENT_CHANGED, ActionStatus.PENDING)


def test_a_denial_needs_a_reason_that_the_architect_reads(place: Place, work: Architect) -> None:
    card = proposed(place, work)
    assert refusal_of(lambda: actions.deny(card.id, place.user_id, "  ")).code is ProblemCode.INVALID_BODY
    actions.deny(card.id, place.user_id, "Too early.")
    told = events_of(place.session_id)[-1].payload
    assert isinstance(told, ActionDenied)
    assert told.reason == "Too early."
    refused = refusal_of(lambda: actions.approve(card.id, place.user_id, card.content_sha256))
    assert refused.code is ProblemCode.ALREADY_DECIDED


def test_what_is_decided_twice_at_once_is_decided_once(lasting: Place) -> None:
    card = proposed(lasting, at_work(lasting))
    together([lambda: actions.approve(card.id, lasting.user_id, card.content_sha256)] * 4)
    told = [event for event in events_of(lasting.session_id) if isinstance(event.payload, ActionApproved)]
    assert len(told) == 1


def test_a_record_about_a_module_that_is_not_there_is_refused(place: Place, work: Architect) -> None:
    refused = refusal_of(lambda: work.adr(Adr(title="x", slug="x", content="y", modules=("ghost",))))
    assert refused.code is ProblemCode.INVALID_ARCHITECTURE
    assert reading.of_project(place.project_id) == ()


def test_a_record_that_is_asked_again_is_proposed_once(place: Place, work: Architect) -> None:
    work.map()
    first = work.adr(ADR)
    assert work.adr(ADR, step=work.worker.step) == first
    assert len(reading.of_project(place.project_id)) == 1


def confirmations(place: Place) -> list[str | None]:
    return [event.to_agent for event in events_of(place.session_id) if isinstance(event.payload, ArchitectureConfirmed)]


def test_the_architecture_is_confirmed_once_and_only_when_it_can_be(place: Place, work: Architect) -> None:
    def confirm(version: int = 1) -> None:
        backlog.confirm_architecture(place.project_id, place.user_id, version)

    assert "first" in refusal_of(confirm).detail
    work.map()
    assert "Promote at least one" in refusal_of(confirm).detail
    backlog.promote(place.project_id, place.user_id, ["S-1"])
    work.map(module("loans"), replaces=1)
    assert refusal_of(confirm).code is ProblemCode.STALE_VERSION
    assert confirmations(place) == []
    confirm(2)
    confirm(2)
    assert confirmations(place) == ["architect"]
