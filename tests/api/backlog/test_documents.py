"""Out and in again: nothing is lost, a dry run makes nothing, links lead somewhere, and other tools' files are read."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.rooms.backlog import exporting, selectors
from api.rooms.backlog import services as backlog
from api.rooms.backlog.domain.documents import BacklogDocument, EpicRow, StoryRow, TaskRow
from api.rooms.backlog.formats import table
from contracts.backlog import StoryContent
from contracts.detailing import Domain
from contracts.problem import ProblemCode
from contracts.vocabulary import StoryStatus, TaskStatus
from tests.api.rooms.refused import refusal_of
from tests.factories.backlog import COMPLETE, content, owner
from tests.factories.places import Place, new_place
from tests.factories.rows import count_rows

HERE = Path(__file__).with_name("foreign")


@pytest.fixture
def full(place: Place) -> Place:
    """Rules, epics, stories in three states, tasks by hand and blocked, an iteration; T-2 was removed."""
    work = owner(place, "Stalls open on Sundays", "Nobody books twice")
    work.epic("Stalls")
    work.epic("Prices")
    work.feature("E1", "Look around")
    work.story(
        content("See the stalls", "R-1", "R-2", description='With "quotes", commas;\nand lines.', **COMPLETE),
        feature="E1.F1",
    )
    work.story(content("=SUM(A1)", "R-1", **COMPLETE))
    work.story(StoryContent(title="Árvore de preços"), epic="E2")
    for title in ("A page", "Gone", "A map"):
        work.task("S-1", title)
    backlog.remove_task(place.project_id, place.user_id, "T-2")
    backlog.edit_task(place.project_id, place.user_id, "T-1", 1, "A page of mine", "'quoted", Domain.FRONTEND)
    backlog.move_task(place.project_id, place.user_id, "T-1", TaskStatus.IN_PROGRESS)
    backlog.block_task(place.project_id, place.user_id, "T-3", "No address.")
    backlog.promote(place.project_id, place.user_id, ["S-2"])
    backlog.plan_iteration(place.project_id, place.user_id, "First fair", 2)
    for code in ("S-2", "S-1"):
        backlog.schedule(place.project_id, place.user_id, "I-1", code)
    return place


def bare(document: BacklogDocument) -> dict[str, Any]:
    return document.model_dump(exclude={"project"})


@pytest.mark.parametrize("kind", ["json", "csv"])
def test_a_round_trip_loses_nothing(full: Place, kind: str) -> None:
    _, text = exporting.written(exporting.document(full.project_id), kind)
    other = new_place()
    found = backlog.read_document(kind, text)
    backlog.bring_in(other.project_id, other.user_id, found)
    assert bare(exporting.document(other.project_id)) == bare(exporting.document(full.project_id))


def test_a_second_import_makes_nothing(full: Place) -> None:
    document = exporting.document(full.project_id).model_copy(update={"iterations": ()})
    found = backlog.bring_in(full.project_id, full.user_id, document)
    assert (found.made, len(found.skipped)) == ((), 2 + 2 + 1 + 3 + 2)
    assert bare(exporting.document(full.project_id))["stories"] == bare(document)["stories"]


def test_a_dry_run_says_what_would_be_made_and_makes_nothing(full: Place) -> None:
    other = new_place()
    document = exporting.document(full.project_id)
    before = count_rows()
    found = backlog.dry_run(other.project_id, other.user_id, document)
    assert count_rows() == before
    assert [(item.kind, item.code, item.made) for item in found.made[:3]] == [
        ("rule", "R-1", "R-1"), ("rule", "R-2", "R-2"), ("epic", "E1", "E1")
    ]  # fmt: skip
    assert found.session_id is None


def test_codes_that_were_given_out_are_never_given_again(full: Place) -> None:
    rows = BacklogDocument(epics=(EpicRow(code="E1", title="Another epic"), EpicRow(code="E9", title="Far away")))
    found = backlog.bring_in(full.project_id, full.user_id, rows)
    assert [(item.code, item.made) for item in found.made] == [("E1", "E3"), ("E9", "E9")]


@pytest.mark.parametrize(
    "document",
    [
        BacklogDocument(stories=(StoryRow(code="S-1", epic="E1", content=StoryContent(title="x")),)),
        BacklogDocument(tasks=(TaskRow(code="T-1", story="S-1", title="x"),)),
        BacklogDocument(
            epics=(EpicRow(code="E1", title="x"),),
            stories=(StoryRow(code="S-1", epic="E1", content=StoryContent(title="x", rules=("R-7",))),),
        ),
        BacklogDocument(epics=(EpicRow(code="E1", title="\u0007"),)),
    ],
    ids=["no epic", "no story", "no rule", "bell"],
)
def test_a_link_that_leads_nowhere_imports_nothing(place: Place, document: BacklogDocument) -> None:
    before = count_rows()
    refused = refusal_of(lambda: backlog.bring_in(place.project_id, place.user_id, document))
    assert refused.code is ProblemCode.INVALID_BACKLOG
    assert count_rows() == before


def test_a_story_that_is_not_complete_stays_a_draft(place: Place) -> None:
    rows = BacklogDocument(
        epics=(EpicRow(code="E1", title="x"),),
        stories=(StoryRow(code="S-1", epic="E1", content=StoryContent(title="y"), status=StoryStatus.DONE),),
    )
    found = backlog.bring_in(place.project_id, place.user_id, rows)
    assert selectors.story(place.project_id, "S-1").status is StoryStatus.DRAFT
    assert "stays a draft" in found.skipped[0]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("json", "no json"),
        ("json", '{"format": "other"}'),
        ("json", '{"epics": [{"code": "X1", "title": "a"}]}'),
        ("json", "[" * 100_000),
        ("csv", 'type,code\n"'),
        ("csv", "type,code\nmoon,E1"),
        ("csv", "type,code\nstory,S-1"),
        ("jira", "a,b\n1,2"),
        ("plane", ""),
        ("task_master", "[]"),
        ("task_master", '{"a": 1}'),
        ("word", "x"),
        ("json", "\x00"),
    ],
)
def test_what_is_no_document_is_refused_in_words(kind: str, text: str) -> None:
    refused = refusal_of(lambda: backlog.read_document(kind, text))
    assert refused.code is ProblemCode.INVALID_BODY
    assert refused.detail


def test_a_document_that_is_too_large_is_refused() -> None:
    assert refusal_of(lambda: backlog.read_document("json", "x" * 2_000_001)).code is ProblemCode.TOO_LARGE


@pytest.mark.parametrize(
    ("kind", "file", "epics", "stories", "tasks", "iterations"),
    [
        ("jira", "jira.csv", ["Lending", "Imported"], 3, 2, ["Sprint 1"]),
        ("plane", "plane.csv", ["Loans", "Feira"], 3, 0, ["Cycle 1"]),
        ("task_master", "tasks.json", ["master", "later"], 3, 2, []),
    ],
)
def test_files_of_other_tools_become_a_backlog(
    place: Place, kind: str, file: str, epics: list[str], stories: int, tasks: int, iterations: list[str]
) -> None:
    document = backlog.read_document(kind, (HERE / file).read_text(encoding="utf-8"))
    backlog.bring_in(place.project_id, place.user_id, document)
    made = exporting.document(place.project_id)
    assert [epic.title for epic in made.epics] == epics
    assert (len(made.stories), len(made.tasks)) == (stories, tasks)
    assert [each.title for each in made.iterations] == iterations
    assert all(task.story in {story.code for story in made.stories} for task in made.tasks)


def test_markdown_is_for_people(full: Place) -> None:
    _, text = exporting.written(exporting.document(full.project_id), "md")
    for words in (
        "# ",
        "**R-1 Stalls open on Sundays**",
        "### S-1 See the stalls",
        "- [ ] T-1 (frontend) A page of mine",
    ):
        assert words in text


def test_another_ending_is_refused(full: Place) -> None:
    document = exporting.document(full.project_id)
    assert refusal_of(lambda: exporting.written(document, "docx")).code is ProblemCode.INVALID_PARAMETER


TITLES = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=20)
TEXTS = st.text(st.characters(categories=("L", "N", "P", "S", "Zs"), include_characters="\n"), max_size=60).map(
    str.strip
)


@given(TITLES, TEXTS, st.lists(TITLES, max_size=3))
def test_whatever_is_written_comes_back_from_a_table(title: str, text: str, lines: list[str]) -> None:
    story = StoryContent(title=title, description=text, functional_requirements=tuple(lines))
    document = BacklogDocument(
        epics=(EpicRow(code="E1", title=title, description=text),),
        stories=(StoryRow(code="S-1", epic="E1", content=story),),
        tasks=(TaskRow(code="T-1", story="S-1", title=title, description=text),),
    )
    assert BacklogDocument.model_validate_json(json.dumps(table.read(table.write(document)))) == document
