"""The Product Owner's tools: what they ask of the api, and what the model reads of its answer."""

import json
from typing import Any

import pytest

from contracts.agents import ROSTER
from contracts.backlog import StoryChanges, StoryContent
from contracts.events.backlog import Named, TextChange
from contracts.failures import ErrorCode
from contracts.problem import ProblemCode
from contracts.routes.backlog import (
    CREATE_EPIC,
    CREATE_STORY,
    CREATE_TASK,
    EDIT_STORY,
    LIST_BACKLOG,
    LIST_RULES,
    BacklogAnswer,
    EpicLine,
    EpicMade,
    RuleLine,
    RulesAnswer,
    StoryChanged,
    StoryLine,
    StoryMade,
    StoryState,
    TaskLine,
    TaskMade,
)
from contracts.vocabulary import StoryStatus, TaskStatus
from engine.domain.failures import ApiProblem
from engine.domain.tool_names import fitting, registered
from engine.tools import create_epic, create_story, create_task, edit_story, list_backlog, list_business_rules
from engine.tools.offer_handoff import spec_for
from tests.unit.engine.asking import Api, problem

TOOLS = (create_epic, create_story, edit_story, create_task)


def state(**changes: Any) -> StoryState:
    fields: dict[str, Any] = {
        "code": "S-3",
        "title": "Borrow",
        "version": 1,
        "status": StoryStatus.DRAFT,
        "is_proposed": False,
    }
    return StoryState(**(fields | changes))


async def test_an_epic_is_asked_for_and_told_to_the_behaviour() -> None:
    api = Api({CREATE_EPIC: EpicMade(code="E2", title="Loans")})
    outcome = await create_epic.run({"title": " Loans ", "description": None}, api.scope())
    assert api.asked == [{"title": "Loans", "description": ""}]
    assert (outcome.ok, outcome.facts) == (True, {"epic": "E2", "title": "Loans"})


async def test_a_story_is_asked_for_with_all_its_parts() -> None:
    api = Api({CREATE_STORY: StoryMade(story=state(is_proposed=True))})
    arguments = {"epic": "E1", "title": "Borrow", "business_rules": ["R-1"], "test_scenarios": [" Late. "]}
    outcome = await create_story.run(arguments, api.scope())
    content = StoryContent(title="Borrow", rules=("R-1",), test_scenarios=("Late.",))
    assert api.asked == [{"epic": "E1", "feature": None, "content": content}]
    assert outcome.facts == {"story": "S-3", "of_epic": "E1"}
    assert "waits for a person to promote it. That is no error" in outcome.text


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (StoryMade(story=state(status=StoryStatus.READY)), "It is ready."),
        (
            StoryMade(story=state(missing=("definition_of_done", "business_rule"))),
            "It is a draft: it lacks definition_of_done, business_rule. Complete it with edit_story.",
        ),
        (
            StoryMade(story=state(is_proposed=True), overlaps=Named(code="S-1", title="Lend")),
            "Warning: S-1 “Lend” covers all of its rules already.",
        ),
        (
            StoryMade(story=state(is_proposed=True), resembles=(Named(code="S-2", title="Borrows"),)),
            "Warning: its title is much like S-2 “Borrows”. If they are one story, tell the person.",
        ),
    ],
)
async def test_where_a_story_stands_is_said_plainly(made: StoryMade, words: str) -> None:
    outcome = await create_story.run({"epic": "E1", "title": "Borrow"}, Api({CREATE_STORY: made}).scope())
    assert words in outcome.text


@pytest.mark.parametrize(
    "wrong",
    [
        {"title": "Borrow"},
        {"epic": "epic 1", "title": "Borrow"},
        {"epic": "E1", "title": "Borrow", "business_rules": "R-1"},
        {"epic": "E1", "title": "Borrow", "business_rules": ["rule one"]},
        {"epic": "E1", "title": "Borrow", "acceptance_criteria": [1]},
        {"epic": "E1", "title": "Borrow", "acceptance_criteria": [" "]},
        {"epic": "E1", "title": "Borrow", "priority": "high"},
        {"epic": "E1", "title": "x" * 201},
    ],
)
async def test_what_is_wrong_is_named_and_asks_nothing(wrong: dict[str, Any]) -> None:
    """No list is emptied in silence."""
    api = Api({})
    outcome = await create_story.run(wrong, api.scope())
    assert (outcome.code, api.asked) == (ErrorCode.INVALID_TOOL_ARGUMENTS, [])
    assert outcome.text.startswith("Not done: ")


async def test_an_edit_says_what_changed() -> None:
    change = TextChange(field="title", before=("Borrow",), after=("Lend",))
    api = Api({EDIT_STORY: StoryChanged(story=state(title="Lend", version=2, is_proposed=True), changes=(change,))})
    outcome = await edit_story.run({"story": "S-3", "version": 1, "title": "Lend"}, api.scope())
    assert api.asked == [{"story": "S-3", "version": 1, "changes": StoryChanges(title="Lend")}]
    assert outcome.text.startswith("Changed title of S-3 “Lend”; it is at version 2.")


async def test_an_edit_that_changes_nothing_says_so() -> None:
    api = Api({EDIT_STORY: StoryChanged(story=state(), changes=())})
    outcome = await edit_story.run({"story": "S-3", "version": 1, "title": "Borrow"}, api.scope())
    assert "says all of that already; it stays at version 1" in outcome.text


async def test_a_refusal_of_the_api_goes_on_to_whoever_performs() -> None:
    api = Api({EDIT_STORY: problem(ProblemCode.STALE_VERSION, "S-3 is at version 2.")})
    with pytest.raises(ApiProblem, match="S-3 is at version 2"):
        await edit_story.run({"story": "S-3", "version": 1, "title": "Lend"}, api.scope())


async def test_a_task_belongs_to_a_story() -> None:
    api = Api({CREATE_TASK: TaskMade(code="T-1", story="S-3", title="A form")})
    outcome = await create_task.run({"story": "S-3", "title": "A form"}, api.scope())
    assert outcome.text == "Added the task T-1 “A form” to S-3."


async def test_rn_164_rules_are_listed_with_the_true_total() -> None:
    lines = (
        RuleLine(code="R-2", title="Late", description="Blocks.", stories=()),
        RuleLine(code="R-1", title="One", description="Each.", stories=("S-1", "S-2")),
    )
    api = Api({LIST_RULES: RulesAnswer(rules=lines, total=90, uncovered=1)})
    outcome = await list_business_rules.run({"query": "ignored"}, api.scope())
    assert outcome.text == (
        "90 business rules, 1 of them without a story.\nR-2 “Late” [NO STORY]: Blocks.\nR-1 “One” [S-1, S-2]: Each.\n"
        "88 more rules are not shown, all after these."
    )


async def test_rn_164_the_backlog_is_listed_with_what_was_cut() -> None:
    story = StoryLine(
        state=state(missing=("business_rule",)),
        rules=(),
        tasks=(TaskLine(code="T-1", title="A form", status=TaskStatus.TODO),),
        returned_reason="And late?",
    )
    epics = (
        EpicLine(code="E2", title="Fines", stories=(), stories_total=0),
        EpicLine(code="E1", title="Loans", stories=(story,), stories_total=3),
    )
    api = Api({LIST_BACKLOG: BacklogAnswer(epics=epics, epics_total=31)})
    assert (await list_backlog.run({}, api.scope())).text.splitlines() == [
        "31 epics.",
        "E2 “Fines” — NO STORY: this blocks the work",
        "E1 “Loans”",
        "  S-3 “Borrow” version 1, draft; no rule; lacks business_rule; given back: And late?",
        "    T-1 “A form” todo",
        "  2 more stories of E1 are not shown.",
        "29 more epics are not shown.",
    ]


@pytest.mark.parametrize("tool", TOOLS)
async def test_the_example_of_each_description_is_valid(tool: Any) -> None:
    text = tool.SPEC.description
    example = json.loads(text[text.index('{"') :])
    api = Api(
        {
            CREATE_EPIC: EpicMade(code="E1", title="x"),
            CREATE_STORY: StoryMade(story=state()),
            EDIT_STORY: StoryChanged(story=state(), changes=()),
            CREATE_TASK: TaskMade(code="T-1", story="S-3", title="x"),
        }
    )
    assert (await tool.run(example, api.scope())).ok
    assert set(example) <= set(tool.SPEC.parameters["properties"])


def test_d_52_the_receivers_of_a_handoff_are_in_the_schema() -> None:
    parameters: Any = spec_for(ROSTER["ux_designer"]).parameters
    assert parameters["properties"]["to_agent"]["enum"] == ["product_owner", "dev_lead"]


@pytest.mark.parametrize(
    ("name", "sent"),
    [("create_epic", "create_epic"), ("team.worker", "team_worker"), ("", "_"), ("é" * 200, "_" * 128)],
)
def test_a_name_is_sent_as_every_provider_takes_it(name: str, sent: str) -> None:
    assert fitting(name) == sent


def test_two_tools_that_would_be_one_are_refused() -> None:
    with pytest.raises(ValueError, match=r"team\.worker"):
        registered([("team_worker", 1), ("team.worker", 2)])
