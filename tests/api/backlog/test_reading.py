"""What is read: coverage both ways, lists that are bounded and say so, in a number of queries that does not grow."""

from django.db import connection
from django.test.utils import CaptureQueriesContext

from api.rooms.backlog import selectors
from api.rooms.backlog.models import Rule
from tests.factories.backlog import content, owner
from tests.factories.places import Place

RULES = tuple(f"{word} rule" for word in ("First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh"))


def test_coverage_names_the_rule_without_a_story_and_the_story_without_a_rule(place: Place) -> None:
    """Seven rules, six cited, one orphan (RN_011)."""
    work = owner(place, *RULES)
    work.epic()
    for number, name in enumerate(("apples", "bread", "cheese", "dates", "eggs", "figs"), 1):
        work.story(content(name, f"R-{number}"))
    work.story(content("grapes"))
    found = selectors.coverage(place.project_id)
    assert [rule.code for rule in found.rules_without_story] == ["R-7"]
    assert [story.code for story in found.stories_without_rule] == ["S-7"]
    assert (found.rules_total, found.stories_total) == (7, 7)


def test_agents_read_what_needs_work_first(place: Place) -> None:
    """RN_164."""
    work = owner(place, "First rule", "Second rule")
    work.epic("Covered")
    work.epic("Orphan")
    work.story(content("apples", "R-1"))
    work.task()
    rules = work.rules()
    assert [(rule.code, rule.stories) for rule in rules.rules] == [("R-2", ()), ("R-1", ("S-1",))]
    assert (rules.total, rules.uncovered) == (2, 1)
    epics = work.backlog()
    assert [epic.code for epic in epics.epics] == ["E2", "E1"]
    assert [task.code for task in epics.epics[1].stories[0].tasks] == ["T-1"]


def test_lists_for_agents_are_cut_and_the_true_totals_told(place: Place) -> None:
    work = owner(place, *(f"Rule number {number}" for number in range(81)))
    assert (len(work.rules().rules), work.rules().total) == (80, 81)
    work.epic()
    for number in range(21):
        work.story(content(f"Story number {number}"))
    (whole,) = work.backlog().epics
    assert (len(whole.stories), whole.stories_total) == (20, 21)
    for number in range(31):
        work.epic(f"Epic {number}")
    found = work.backlog()
    assert (len(found.epics), found.epics_total) == (30, 32)


def test_a_tree_takes_as_many_queries_for_many_as_for_one(place: Place) -> None:
    work = owner(place, "First rule")
    work.epic()
    work.story(content("apples", "R-1"))
    work.task()
    one = _queries(place)
    for name in ("bread", "cheese", "dates"):
        work.epic(name)
        made = work.story(content(name, "R-1"), epic=f"E{len(selectors.tree(place.project_id))}")
        work.task(made.story.code)
    assert _queries(place) == one


def _queries(place: Place) -> int:
    with CaptureQueriesContext(connection) as seen:
        selectors.tree(place.project_id)
        selectors.coverage(place.project_id)
    return len(seen)


def test_a_story_shows_which_of_its_rules_were_reworded_since(place: Place) -> None:
    """Exactly those: nothing has to be marked for it."""
    work = owner(place, "First rule", "Second rule")
    work.epic()
    work.story(content("apples", "R-1", "R-2"))
    work.story(content("bread", "R-1"))
    Rule.objects.filter(project_id=place.project_id, number=2).update(version=2)
    stale = {card.code: card.stale_rules for epic in selectors.tree(place.project_id) for card in epic.stories}
    assert stale == {"S-1": ("R-2",), "S-2": ()}
