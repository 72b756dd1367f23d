"""The Story Editor and the UX Designer: scopes, tools that answer in words, ceilings, and how they are kicked off."""

import asyncio
from typing import Any
from uuid import uuid4

import pytest

from contracts.agents import ROSTER
from contracts.artifacts import ProductBrief
from contracts.backlog import StoryContent
from contracts.events import CeilingReached, HandoffStarted
from contracts.events.backlog import Named
from contracts.failures import ErrorCode
from contracts.routes.backlog import StoryState
from contracts.routes.detailing import RESOLVE_STORY, Candidate, Resolution, StoryResolved
from contracts.routes.work_items import (
    GET_WORK_ITEMS,
    PROPOSE_PROTOTYPE,
    UPDATE_WORK_ITEMS,
    NotOffered,
    PrototypeMade,
    WorkItems,
    WorkStory,
    WorkUpdated,
)
from contracts.vocabulary import StoryStatus, TurnStatus
from engine.agents.story_editor import behaviour as editing
from engine.agents.story_editor import context as editor_context
from engine.agents.story_editor.agent import STORY_EDITOR
from engine.agents.ux_designer import behaviour as drawing
from engine.agents.ux_designer import context as designer_context
from engine.agents.ux_designer.agent import UX_DESIGNER
from engine.domain.scopes import epic_in
from engine.tools import find_story, get_work_items, propose_prototype, update_work_items
from tests.unit.engine.asking import Api
from tests.unit.engine.told import NOW, Told, answer, call, ran

PROTOTYPE: dict[str, Any] = {
    "summary": "Lend.",
    "personas": [{"name": "Ana", "goal": "Borrow"}],
    "journeys": [{"title": "Borrow", "steps": ["Search"]}],
    "screens": [{"name": "Search", "description": "Books.", "elements": [{"kind": "button", "label": "Go"}]}],
}


def told_of(epic: str | None = "E1", agent: str = "story_editor") -> Told:
    log = Told(agent)
    log.add(HandoffStarted(handoff_id=uuid4(), from_agent="person", to_agent=agent, epic=epic), agent)
    return log


def test_the_epic_is_the_last_that_a_handoff_named() -> None:
    log = told_of("E1")
    assert epic_in(log.events) == "E1"
    log.add(HandoffStarted(handoff_id=uuid4(), from_agent="person", to_agent="x", epic="E2"), "x")
    log.add(HandoffStarted(handoff_id=uuid4(), from_agent="a", to_agent="y"), "y")
    assert epic_in(log.events) == "E2"
    assert epic_in([]) is None


@pytest.mark.parametrize("tool", [get_work_items, update_work_items])
def test_without_an_epic_a_tool_says_so(tool: Any) -> None:
    arguments = {"operations": [{"op": "remove_task", "task": "T-1"}]}
    outcome = asyncio.run(tool.run(arguments, Api({}).scope()))
    assert (outcome.code, "epic" in outcome.text) == (ErrorCode.INVALID_TOOL_ARGUMENTS, True)


def test_work_items_are_told_with_what_stays() -> None:
    state = StoryState(code="S-1", title="See", version=2, status=StoryStatus.DRAFT, is_proposed=False)
    story = WorkStory(
        state=state,
        content=StoryContent(title="See", functional_requirements=("It is seen.",)),
        tasks_version=1,
        tasks=(),
        task_versions=(),
        locked=("description",),
    )
    api = Api({GET_WORK_ITEMS: WorkItems(epic=Named(code="E1", title="Stalls"), stories=(story,))})
    text = asyncio.run(get_work_items.run({}, api.scope(*told_of().events))).text
    for words in ("E1 “Stalls”", "S-1 “See” version 2", "by hand, stays: description", "It is seen."):
        assert words in text


def test_operations_are_sent_with_the_contracts_names() -> None:
    api = Api({UPDATE_WORK_ITEMS: WorkUpdated(done=("Made.",))})
    operations = [{"op": "add_story", "content": {"title": "A", "business_rules": ["R-1"]}}]
    outcome = asyncio.run(update_work_items.run({"operations": operations}, api.scope(*told_of().events)))
    assert (outcome.ok, outcome.text) == (True, "Made.")
    assert api.asked[0]["operations"][0].content.rules == ("R-1",)


@pytest.mark.parametrize("operations", [None, [], "x", [{"op": "burn"}], [{}], [{"op": "remove_task"}], [1]])
def test_operations_that_are_none_are_refused(operations: Any) -> None:
    outcome = asyncio.run(update_work_items.run({"operations": operations}, Api({}).scope(*told_of().events)))
    assert outcome.code is ErrorCode.INVALID_TOOL_ARGUMENTS


def test_a_story_that_is_not_clear_is_asked_about() -> None:
    candidates = (
        Candidate(code="S-1", title="Login with e-mail", likeness=82),
        Candidate(code="S-2", title="Login by e-mail", likeness=80),
    )
    api = Api({RESOLVE_STORY: StoryResolved(how=Resolution.ASKED, story=None, candidates=candidates)})
    text = asyncio.run(find_story.run({"said": "login e-mail"}, api.scope(*told_of().events))).text
    assert ("S-1" in text, "S-2" in text, "Ask the person" in text) == (True, True, True)
    assert api.asked[0]["epic"] == "E1"


def test_a_prototype_tells_what_was_not_offered() -> None:
    failed = (NotOffered(agent="dev_lead", why="Five times."),)
    api = Api({PROPOSE_PROTOTYPE: PrototypeMade(version=2, offered=("product_owner",), failed=failed)})
    outcome = asyncio.run(propose_prototype.run(PROTOTYPE, api.scope()))
    assert (outcome.ok, "Five times." in outcome.text) == (True, True)


@pytest.mark.parametrize("broken", [{}, {**PROTOTYPE, "screens": []}, {**PROTOTYPE, "personas": []}])
def test_half_a_prototype_is_refused(broken: dict[str, Any]) -> None:
    outcome = asyncio.run(propose_prototype.run(broken, Api({}).scope()))
    assert outcome.code is ErrorCode.INVALID_TOOL_ARGUMENTS


def test_a_prototype_that_was_made_ends_the_turn() -> None:
    log = told_of(None, "ux_designer")
    step = drawing.handle(drawing.start(), log.began(log.events[0]), NOW)
    step = drawing.handle(step.state, answer("", call("propose_prototype", "{}", "a")), NOW)  # type: ignore[arg-type]
    step = drawing.handle(step.state, ran("The prototype is version 1."), NOW)  # type: ignore[arg-type]
    assert step.end is not None
    assert step.end.status is TurnStatus.COMPLETED


@pytest.mark.parametrize(("behaviour", "slug"), [(editing, "story_editor"), (drawing, "ux_designer")])
def test_rn_166_the_ceiling_speaks(behaviour: Any, slug: str) -> None:
    log = told_of("E1", slug)
    step = behaviour.handle(behaviour.start(), log.began(log.events[0]), NOW)
    for number in range(ROSTER[slug].ceiling):
        assert step.end is None
        step = behaviour.handle(step.state, answer("", call(behaviour.RULES.tools[0], "{}", str(number))), NOW)
        step = behaviour.handle(step.state, ran(f"Answer {number}"), NOW)
    assert [type(each) for each in step.events if isinstance(each, CeilingReached)] == [CeilingReached]


def test_kickoffs_name_the_epic_and_bring_the_brief() -> None:
    log = told_of("E7")
    assert "E7" in editor_context.say(log.events[0], log.events)
    log = told_of(None, "ux_designer")
    assert "no brief" in designer_context.say(log.events[0], log.events)
    log.add(ProductBrief(number=1, summary="A market.", rules=(uuid4(),)))
    assert "A market." in designer_context.say(log.events[0], log.events)


def test_every_tool_of_the_rules_is_wired() -> None:
    assert set(editing.RULES.tools) == set(STORY_EDITOR.tools)
    assert set(drawing.RULES.tools) == set(UX_DESIGNER.tools)
