"""The one generator of tasks: what the model is asked, and what its answer means. The same inputs, the same request.

The conversation and the batch both go through here, so that they cannot drift apart.
"""

import json
from dataclasses import dataclass

from pydantic import ValidationError

from contracts.detailing import DetailedTask, DetailedTasks, DetailingInputs, Domain, ProjectKind
from contracts.limits import MAX_DETAILED_TASKS
from contracts.routes.model import Final, ModelMessage, ToolSpec
from contracts.text import fold
from contracts.vocabulary import MessageRole
from engine.domain.prompts import LANGUAGES
from engine.domain.words import what_is_wrong

WRITE = "write_tasks"
SPEC = ToolSpec(
    name=WRITE,
    description="Write down all tasks of the story, in the order in which the work is done. Call it once.",
    parameters={
        "type": "object",
        "properties": {
            "tasks": {
                "type": "array",
                "minItems": 1,
                "maxItems": MAX_DETAILED_TASKS,
                "items": {
                    "type": "object",
                    "properties": {
                        "domain": {"type": "string", "enum": [each.value for each in Domain]},
                        "title": {"type": "string"},
                        "description": {"type": "string"},
                    },
                    "required": ["domain", "title", "description"],
                },
            }
        },
        "required": ["tasks"],
    },
)
SYSTEM = """You are the technical lead who breaks one story into tasks. You talk to nobody: you call write_tasks once.

Rules:
- Each task is one piece of work that one developer can finish and have reviewed. Between them they do the whole story
  and nothing beyond it.
- Each task has exactly one domain, of: {domains}.
- The order is the order of the work: what others need comes first.
- No duplicates. Before you write a task, compare it with the tasks that stay and with the neighbour stories. What a
  neighbour story asks for is that story's work: leave it there, and use it.
- Say in the description what is done when the task is done, with the names of modules where there are some.
- {kind}
- Write in {language}."""
KINDS = {
    ProjectKind.NEW: "The product is new: there is no code yet, so first tasks create what a module stands on.",
    ProjectKind.ONGOING: "The product exists: tasks change what is there, and say what must not break.",
    ProjectKind.MIGRATION: (
        "An old system is replaced: tasks keep old and new side by side until the new one is proven, move data with a "
        "way back, and end with switching the old part off."
    ),
}
AGAIN = "[harness] That could not be kept: {problem}. Call write_tasks once more, with all tasks of the story."


@dataclass(frozen=True)
class Wrong:
    """Why an answer is no list of tasks."""

    problem: str


def request(inputs: DetailingInputs) -> tuple[ModelMessage, ...]:
    """The conversation that is sent."""
    domains = ", ".join(each.value for each in Domain)
    system = SYSTEM.format(domains=domains, kind=KINDS[inputs.kind], language=LANGUAGES[inputs.language])
    return (
        ModelMessage(role=MessageRole.SYSTEM, content=system),
        ModelMessage(role=MessageRole.USER, content="\n\n".join(_parts(inputs))),
    )


def _parts(inputs: DetailingInputs) -> list[str]:
    content = inputs.content
    lists = (
        ("Functional requirements", content.functional_requirements),
        ("Non-functional requirements", content.nonfunctional_requirements),
        ("Acceptance criteria", content.acceptance_criteria),
        ("Test scenarios", content.test_scenarios),
        ("Definition of done", content.definition_of_done),
    )
    story = [f"# Story {inputs.story} “{content.title}” of {inputs.project_name}", content.description]
    story += [f"{name}:\n" + "\n".join(f"- {line}" for line in lines) for name, lines in lists if lines]
    parts = ["\n\n".join(part for part in story if part)]
    staying = [f"- {task.code} {task.title}" for task in inputs.tasks if task.is_locked]
    if staying:
        parts.append("# Tasks that stay as they are\n" + "\n".join(staying))
    parts += [f"# {section.name.value}\n{section.text}" for section in inputs.sections]
    if inputs.neighbours:
        told = "\n".join(
            f"- {each.code} {each.title}: {'; '.join((*each.requirements, *each.tasks)) or 'nothing said yet'}"
            for each in inputs.neighbours
        )
        parts.append(f"# Neighbour stories\n{told}")
    return parts


def again(messages: tuple[ModelMessage, ...], final: Final, wrong: Wrong) -> tuple[ModelMessage, ...]:
    """Asked once more, with what was wrong."""
    said = ModelMessage(role=MessageRole.ASSISTANT, content=final.message.content or "(a call that could not be kept)")
    return (*messages, said, ModelMessage(role=MessageRole.USER, content=AGAIN.format(problem=wrong.problem)))


def tasks_of(final: Final) -> tuple[DetailedTask, ...] | Wrong:
    """Exactly what the schema says, with each title once; from the call, or from a text that is the same JSON."""
    calls = [call for call in final.message.tool_calls if call.name == WRITE]
    text = calls[0].arguments if calls else final.message.content
    try:
        found = DetailedTasks.model_validate_json(_json_in(text))
    except ValidationError as error:
        return Wrong(what_is_wrong(error))
    except ValueError as error:
        return Wrong(f"it is no JSON ({error})")
    titles = [fold(task.title) for task in found.tasks]
    doubled = sorted({task.title for task in found.tasks if titles.count(fold(task.title)) > 1})
    return Wrong(f"two tasks are called {', '.join(doubled)}") if doubled else found.tasks


def _json_in(text: str) -> str:
    """Without the fence that some models put around it. Raises ValueError."""
    bare = text.strip().removeprefix("```json").removeprefix("```").removesuffix("```")
    return json.dumps(json.loads(bare))
