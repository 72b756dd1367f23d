"""The one generator: same inputs, same request; its answer is kept whole or not at all; chat and batch agree."""

import asyncio
import json
import random

import pytest

from contracts.backlog import StoryContent
from contracts.detailing import DetailedTask, DetailingInputs, Domain, PresentTask, ProjectKind
from contracts.events import DetailingRequested
from contracts.events.backlog import Named
from contracts.failures import ErrorCode
from contracts.problem import ProblemCode
from contracts.routes.detailing import READ_STORY, REPLACE_TASKS, TasksWritten
from contracts.routes.model import Final, ModelError, ModelMessage, ModelToolCall
from contracts.vocabulary import FinishReason, Language, MessageRole, TaskStatus, TurnStatus
from engine.agents.task_detailing import behaviour
from engine.domain import detailing
from engine.domain.behaviour import ToolRan
from engine.domain.detailing import Wrong
from engine.domain.effects import RunTool
from engine.domain.tools import ToolOutcome
from engine.tools import refine_story_tasks
from tests.unit.engine.asking import Api, problem
from tests.unit.engine.told import NOW, Told


def inputs(story: str = "S-1", *tasks: PresentTask, kind: ProjectKind = ProjectKind.NEW) -> DetailingInputs:
    return DetailingInputs(
        story=story,
        epic="E1",
        content=StoryContent(title=f"Title of {story}", functional_requirements=("It holds.",)),
        tasks_version=3,
        tasks=tasks,
        sections=(),
        neighbours=(),
        kind=kind,
        language=Language.PORTUGUESE,
        project_name="Feira",
    )


def present(code: str, title: str, *, is_locked: bool = False) -> PresentTask:
    return PresentTask(code=code, title=title, description="", domain=None, status=TaskStatus.TODO, is_locked=is_locked)


def final(arguments: str, *, as_text: bool = False) -> Final:
    call = ModelToolCall(id="a", name=detailing.WRITE, arguments=arguments)
    message = ModelMessage(
        role=MessageRole.ASSISTANT, content=arguments if as_text else "", tool_calls=() if as_text else (call,)
    )
    return Final(attempt=1, message=message, finish=FinishReason.TOOL_CALLS, bill=None)


def written(*titles: str) -> str:
    tasks = [{"domain": "backend", "title": title, "description": "Done."} for title in titles]
    return json.dumps({"tasks": tasks})


def api(asked: DetailingInputs, *thoughts: Final) -> Api:
    answer = TasksWritten(
        story=Named(code=asked.story, title="T"),
        tasks_version=4,
        previous=len(asked.tasks),
        removed=(),
        kept=(),
        added=(Named(code="T-9", title="A"),),
    )
    return Api({READ_STORY: asked, REPLACE_TASKS: answer}, thoughts=thoughts)


def run(world: Api, **arguments: object) -> ToolOutcome:
    return asyncio.run(refine_story_tasks.run({"story": "S-1", **arguments}, world.scope()))


def test_fifty_stories_in_any_order_are_asked_for_byte_for_byte_alike() -> None:
    stories = [inputs(f"S-{number}") for number in range(1, 51)]
    shuffled = random.Random(7).sample(stories, len(stories))
    batch = {each.story: [m.model_dump_json() for m in detailing.request(each)] for each in shuffled}
    chat = {each.story: [m.model_dump_json() for m in detailing.request(each)] for each in stories}
    assert batch == chat


def test_the_kind_of_project_changes_the_prompt_and_nothing_else() -> None:
    systems = {kind: detailing.request(inputs(kind=kind))[0].content for kind in ProjectKind}
    assert len(set(systems.values())) == len(ProjectKind)
    assert all("Brazilian Portuguese" in each for each in systems.values())


@pytest.mark.parametrize("as_text", [False, True])
def test_an_answer_is_read_from_the_call_or_from_the_same_json_as_text(as_text: bool) -> None:
    assert detailing.tasks_of(final(written("A", "B"), as_text=as_text)) == (
        DetailedTask(domain=Domain.BACKEND, title="A", description="Done."),
        DetailedTask(domain=Domain.BACKEND, title="B", description="Done."),
    )


@pytest.mark.parametrize(
    "arguments",
    ["", "{}", '{"tasks": []}', "no json", '{"tasks": [{"title": "A", "description": "B"}]}', written("A", "a"), "[1]"],
    ids=["nothing", "no tasks", "none", "prose", "no domain", "twice", "a list"],
)
def test_what_is_no_list_of_tasks_is_wrong(arguments: str) -> None:
    assert isinstance(detailing.tasks_of(final(arguments)), Wrong)


def test_tasks_are_written_against_the_version_that_was_read() -> None:
    world = api(inputs(), final(written("A")))
    assert run(world).facts == {"story": "S-1", "tasks": "1"}
    assert world.asked[-1]["tasks_version"] == 3
    assert world.asked[-1]["replace_existing"] is False


def test_an_answer_that_cannot_be_kept_is_asked_for_once_more() -> None:
    world = api(inputs(), final("nonsense"), final(written("A")))
    assert run(world).ok
    assert "could not be kept" in world.thought[1][-1].content
    assert run(api(inputs(), final("nonsense"), final("{}"))).code is ErrorCode.INVALID_TASKS


def test_tasks_that_are_there_are_shown_as_a_difference_and_nothing_is_written() -> None:
    there = (present("T-1", "Old"), present("T-2", "By hand", is_locked=True))
    world = api(inputs("S-1", *there), final(written("New", "By hand")))
    told = run(world)
    assert told.ok
    for words in ("goes: T-1 Old", "stays: T-2 By hand", "comes: (backend) New", "Nothing was written"):
        assert words in told.text
    assert "comes: (backend) By hand" not in told.text
    assert "tasks" not in told.facts
    assert len(world.asked) == 1
    assert run(world, replace_existing=True).facts["tasks"] == "1"


def test_a_provider_that_fails_is_told_with_its_code() -> None:
    world = api(inputs(), final("").model_copy(update={"error": ModelError(code=ErrorCode.RATE_LIMITED)}))
    assert run(world).code is ErrorCode.RATE_LIMITED


def test_a_refusal_of_the_api_keeps_its_words() -> None:
    world = api(inputs(), final(written("A")))
    world.answers[REPLACE_TASKS] = problem(ProblemCode.STALE_VERSION, "task_detailing-1 wrote it.")
    with pytest.raises(Exception, match="task_detailing-1"):
        run(world)


def test_a_batch_runs_the_generator_once_and_ends_with_its_outcome() -> None:
    log = Told("task_detailing-1")
    asked = log.add(
        DetailingRequested(iteration="I-1", story_id=log.session_id, code="S-1", title="T"), "task_detailing-1"
    )
    step = behaviour.handle(behaviour.start(), log.began(asked), NOW)
    assert isinstance(step.effect, RunTool)
    assert json.loads(step.effect.call.arguments) == {"story": "S-1"}
    again = behaviour.handle(behaviour.start(), log.began(asked), NOW)
    assert again.effect is not None
    for outcome, status, reason in (
        (ToolOutcome("Made.", facts={"tasks": "2"}), TurnStatus.COMPLETED, None),
        (ToolOutcome("There are some.", facts={}), TurnStatus.FAILED, ErrorCode.TASKS_EXIST),
        (ToolOutcome("No.", ErrorCode.INVALID_TASKS, facts={}), TurnStatus.FAILED, ErrorCode.INVALID_TASKS),
    ):
        state = type(step.state).model_validate_json(step.state.model_dump_json())
        ended = behaviour.handle(state, ToolRan(outcome), NOW)  # type: ignore[arg-type]
        assert ended.end is not None
        assert (ended.end.status, ended.end.reason) == (status, reason)
