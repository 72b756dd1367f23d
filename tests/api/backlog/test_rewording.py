"""Living impact: a reworded rule makes exactly its descendants stale, until somebody has looked at each (D_49)."""

import pytest

from api.rooms.backlog import impact, rule_pages, selectors
from api.rooms.backlog import services as backlog
from api.rooms.backlog.cards import Looker
from api.rooms.handoffs.services.artifacts import present_wordings
from contracts.artifacts import BusinessRule
from contracts.events import RuleResembles, RulesMerged, StoryReviewed
from contracts.problem import ProblemCode
from contracts.vocabulary import StoryStatus
from tests.api.rooms.refused import refusal_of
from tests.factories.backlog import COMPLETE, Owner, content, owner, recorded
from tests.factories.conversation import events_of, head, rule
from tests.factories.places import Place
from tests.factories.races import together

TITLES = (
    "Stalls open on Sundays",
    "Nobody books twice",
    "Bread sells out",
    "Rain closes",
    "A fee is paid",
    "Music",
    "No dogs",
)


@pytest.fixture
def work(place: Place) -> Owner:
    """Seven rules; S-1 … S-6 cite R-1 … R-6, S-7 cites R-1 too, S-8 cites none, and R-7 is cited by nobody."""
    found = owner(place, *TITLES)
    found.epic()
    for number in range(1, 7):
        found.story(content(f"Story number {number} of {TITLES[number]}", f"R-{number}", **COMPLETE))
    found.story(content("Another look at Sundays", "R-1", "R-2", **COMPLETE))
    found.story(content("Nobody asked for it"))
    return found


def edit(place: Place, code: str = "R-1", version: int = 1, title: str = "Stalls open at weekends") -> None:
    backlog.edit_rule(place.project_id, place.user_id, code, version, title, "On Saturdays too.")


def stale(place: Place) -> dict[str, tuple[str, ...]]:
    return {each.story.code: tuple(rule.code for rule in each.rules) for each in impact.to_look_at(place.project_id)}


def test_coverage_names_the_rule_and_the_story_that_stand_alone(place: Place, work: Owner) -> None:
    """RN_011."""
    found = selectors.coverage(place.project_id)
    assert [each.code for each in found.rules_without_story] == ["R-7"]
    assert [each.code for each in found.stories_without_rule] == ["S-8"]


def test_one_reworded_rule_of_seven_makes_exactly_its_descendants_stale(place: Place, work: Owner) -> None:
    assert stale(place) == {}
    edit(place)
    assert stale(place) == {"S-1": ("R-1",), "S-7": ("R-1",)}


def test_a_new_wording_supersedes_the_one_before_which_can_still_be_read(place: Place, work: Owner) -> None:
    before = rule_pages.rule_page(place.project_id, "R-1")
    edit(place)
    page = rule_pages.rule_page(place.project_id, "R-1")
    old, new = (event.payload for event in page.wordings)
    assert isinstance(old, BusinessRule)
    assert isinstance(new, BusinessRule)
    assert (old.title, new.title, new.supersedes) == (TITLES[0], "Stalls open at weekends", page.wordings[0].id)
    assert (page.rule.version, page.rule.title, page.rule.event_id) == (2, new.title, page.wordings[1].id)
    assert page.quotes == before.quotes != ()


def test_a_rule_may_have_its_own_title_back_and_never_anothers(place: Place, work: Owner) -> None:
    """RN_080: exempt only within its own lineage."""
    edit(place)
    edit(place, version=2, title=TITLES[0].upper())
    refused = refusal_of(lambda: edit(place, version=3, title=" nobody  books TWICE"))
    assert (refused.code, refused.facts["code"]) == (ProblemCode.DUPLICATE_RULE, "R-2")


def test_who_read_an_older_wording_is_told_and_nothing_is_written(place: Place, work: Owner) -> None:
    edit(place)
    before = head(place.session_id)
    refused = refusal_of(lambda: edit(place, title="Stalls never open"))
    assert (refused.code, refused.facts) == (ProblemCode.STALE_VERSION, {"code": "R-1", "current": "2", "read": "1"})
    assert refusal_of(lambda: edit(place, version=2)).code is ProblemCode.INVALID_ARTIFACT
    assert head(place.session_id) == before


@pytest.mark.parametrize("title", ["", " ", "\u200b", "a\x07b", "x" * 201])
def test_a_title_that_nobody_can_read_is_refused(place: Place, work: Owner, title: str) -> None:
    assert refusal_of(lambda: edit(place, title=title)).code is ProblemCode.INVALID_BACKLOG


def test_two_people_at_once_and_one_is_told_of_the_other(lasting: Place) -> None:
    recorded(lasting, *TITLES)
    acts = [lambda title=title: edit(lasting, title=title) for title in ("Open at weekends", "Open every day")]
    outcomes = together(acts)
    refused = [each for each in outcomes if isinstance(each, Exception)]
    assert [getattr(each, "code", None) for each in refused] == [ProblemCode.STALE_VERSION]
    assert rule_pages.rule_page(lasting.project_id, "R-1").rule.version == 2


def test_each_story_is_looked_at_by_who_has_it_in_hand(place: Place, work: Owner) -> None:
    backlog.promote(place.project_id, place.user_id, ["S-1"])
    work.edit("S-7", 1, definition_of_done=())
    edit(place)
    edit(place, "R-2", 1, "Nobody books thrice")
    lookers = {each.story.code: each.looker for each in impact.to_look_at(place.project_id)}
    assert lookers == {"S-1": Looker.PERSON, "S-2": Looker.PERSON, "S-7": Looker.PRODUCT_OWNER}
    assert set(impact.LOOKER_OF) == set(StoryStatus)


def test_a_story_that_was_looked_at_is_stale_no_more_and_the_others_are(place: Place, work: Owner) -> None:
    edit(place)
    backlog.review_story(place.project_id, place.user_id, "S-1", {"R-1": 2})
    assert stale(place) == {"S-7": ("R-1",)}
    told = events_of(place.session_id)[-1].payload
    assert isinstance(told, StoryReviewed)
    assert (told.code, told.rules) == ("S-1", ("R-1",))


def test_a_look_at_old_words_proves_nothing_of_newer_ones(place: Place, work: Owner) -> None:
    edit(place)
    edit(place, version=2, title="Stalls open every day")
    refused = refusal_of(lambda: backlog.review_story(place.project_id, place.user_id, "S-1", {"R-1": 2}))
    assert refused.code is ProblemCode.STALE_VERSION
    assert "S-1" in stale(place)


def test_there_is_nothing_to_look_at_where_nothing_was_reworded(place: Place, work: Owner) -> None:
    before = head(place.session_id)
    refused = refusal_of(lambda: backlog.review_story(place.project_id, place.user_id, "S-1", {"R-1": 1}))
    assert (refused.code, head(place.session_id)) == (ProblemCode.INVALID_BACKLOG, before)


def test_what_cited_a_merged_rule_cites_the_other_and_has_to_be_looked_at(place: Place, work: Owner) -> None:
    """D_49: only a person merges."""
    backlog.merge_rules(place.project_id, place.user_id, "R-2", "R-1")
    assert stale(place) == {"S-2": ("R-1",), "S-7": ("R-1",)}
    assert selectors.story(place.project_id, "S-7").content.rules == ("R-1",)
    told = events_of(place.session_id)[-1].payload
    assert isinstance(told, RulesMerged)
    assert (told.kept.code, told.merged.code, told.stories) == ("R-1", "R-2", ("S-2", "S-7"))
    merged = rule_pages.rule_page(place.project_id, "R-2")
    assert (merged.merged_into, merged.rule.title) == ("R-1", TITLES[1])
    assert "R-2" not in [each.code for each in selectors.rules(place.project_id)]


def test_a_merged_rule_is_cited_reworded_and_merged_no_more(place: Place, work: Owner) -> None:
    backlog.merge_rules(place.project_id, place.user_id, "R-2", "R-1")
    cited = refusal_of(lambda: work.story(content("Late booking", "R-2")))
    assert (cited.code, "R-2" in cited.detail.split("There are")[0]) == (ProblemCode.INVALID_BACKLOG, True)
    reworded = refusal_of(lambda: edit(place, "R-2"))
    again = refusal_of(lambda: backlog.merge_rules(place.project_id, place.user_id, "R-3", "R-2"))
    assert {reworded.facts["merged_into"], again.facts["merged_into"]} == {"R-1"}
    itself = refusal_of(lambda: backlog.merge_rules(place.project_id, place.user_id, "R-1", "R-1"))
    assert itself.code is ProblemCode.INVALID_BACKLOG


def test_merged_again_everything_leads_to_the_last(place: Place, work: Owner) -> None:
    backlog.merge_rules(place.project_id, place.user_id, "R-2", "R-1")
    backlog.merge_rules(place.project_id, place.user_id, "R-1", "R-3")
    merged = [rule_pages.rule_page(place.project_id, code).merged_into for code in ("R-1", "R-2")]
    assert merged == ["R-3", "R-3"]
    assert [each.code for each in selectors.stories_citing(selectors.rules(place.project_id)[0].id)] == [
        "S-1", "S-2", "S-3", "S-7",
    ]  # fmt: skip


def test_an_agent_rewords_what_the_person_changed_their_mind_about(place: Place) -> None:
    creative = recorded(place, *TITLES[:2])
    seq = next(event.seq for event in events_of(place.session_id) if event.payload.type == "chat.message")
    event = creative.emit(rule("Stalls open daily", seq), step=9, supersedes="R-1").event
    assert isinstance(event.payload, BusinessRule)
    assert (event.payload.code, event.payload.supersedes is None) == ("R-1", False)
    held = [each for each in events_of(place.session_id) if isinstance(each.payload, BusinessRule)]
    assert present_wordings(held) == (held[1], event)
    unknown = refusal_of(lambda: creative.emit(rule("Stalls open rarely", seq), step=10, supersedes="R-9"))
    assert unknown.code is ProblemCode.INVALID_BACKLOG


def test_rules_that_are_much_alike_are_warned_of_and_made_all_the_same(place: Place) -> None:
    recorded(place, "Login with e-mail", "Login by e-mail")
    told = [event.payload for event in events_of(place.session_id) if isinstance(event.payload, RuleResembles)]
    assert [(each.code, [other.code for other in each.resembles]) for each in told] == [("R-2", ["R-1"])]
