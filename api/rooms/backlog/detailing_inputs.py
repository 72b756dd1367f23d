"""What a story is detailed from: at most thirteen named sections, each with a budget of its own, and its neighbours.

Nothing in it depends on the order in which stories are detailed: the same backlog gives the same inputs.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import selectors as log
from api.rooms.agents import services as agents
from api.rooms.architecture.domain import c4
from api.rooms.architecture.selectors import Architecture, architecture
from api.rooms.backlog import iteration_pages, selectors
from api.rooms.backlog.cards import EpicCard, RuleCard, StoryCard
from api.rooms.backlog.services import refusing
from api.rooms.projects.selectors import name_of
from contracts.artifacts import ProductBrief
from contracts.detailing import DetailingInputs, Neighbour, PresentTask, Section, SectionName
from contracts.events import ActionApproved
from contracts.limits import MAX_NEIGHBOURS
from contracts.routes.detailing import ReadStory


@dataclass(frozen=True)
class Known:
    """A project as it stands, read once."""

    project_id: UUID
    epics: tuple[EpicCard, ...]
    rules: tuple[RuleCard, ...]
    architecture: Architecture
    epic: EpicCard
    story: StoryCard


BUDGETS: dict[SectionName, int] = {
    SectionName.BRIEF: 4_000,
    SectionName.CITED_RULES: 6_000,
    SectionName.OTHER_RULES: 3_000,
    SectionName.EPIC: 1_500,
    SectionName.STORY_HISTORY: 1_500,
    SectionName.ITERATION: 500,
    SectionName.MODULES: 2_000,
    SectionName.MODULE_MAP: 3_000,
    SectionName.SYSTEM: 2_000,
    SectionName.IMAGE: 800,
    SectionName.DECISIONS: 2_000,
    SectionName.INSIGHTS: 2_000,
    SectionName.PROTOTYPE: 3_000,
}
"""Characters of each."""


@transaction.atomic
def for_agent(instance_id: UUID, asked: ReadStory) -> DetailingInputs:
    """Of the project that the instance works for."""
    return inputs(agents.fence(instance_id, asked.epoch, asked.turn_id).project_id, asked.story)


def inputs(project_id: UUID, code: str) -> DetailingInputs:
    """Raises Refusal that names the stories there are."""
    known = _known(project_id, code)
    story, project = known.story, name_of(project_id)
    return DetailingInputs(
        story=story.code,
        epic=story.epic,
        content=story.content,
        tasks_version=story.tasks_version,
        tasks=_tasks(story),
        sections=tuple(sections(known)),
        neighbours=_neighbours(known),
        kind=iteration_pages.kind_of(project_id),
        language=project.language,
        project_name=project.name,
    )


def _known(project_id: UUID, code: str) -> Known:
    epics = selectors.tree(project_id)
    found = {story.code: (epic, story) for epic in epics for story in epic.stories}
    if code not in found:
        raise refusing.unknown("story", [code], (f"{each} ({card.content.title})" for each, (_, card) in found.items()))
    epic, story = found[code]
    return Known(project_id, epics, selectors.rules(project_id), architecture(project_id), epic, story)


def _tasks(story: StoryCard) -> tuple[PresentTask, ...]:
    return tuple(
        PresentTask(
            code=task.code,
            title=task.title,
            description=task.description,
            domain=task.domain,
            status=task.status,
            is_locked=task.stays,
        )
        for task in story.tasks
    )


def _neighbours(known: Known) -> tuple[Neighbour, ...]:
    others = [story for story in known.epic.stories if story.code != known.story.code]
    return tuple(
        Neighbour(
            code=story.code,
            title=story.content.title,
            requirements=story.content.functional_requirements,
            tasks=tuple(task.title for task in story.tasks if task.stays),
        )
        for story in others[:MAX_NEIGHBOURS]
    )


def sections(known: Known) -> Iterable[Section]:
    """Those that say something, in their fixed order, each cut to its budget."""
    for name, write in _WRITERS.items():
        text = "\n".join(write(known)).strip()
        if text:
            yield Section(name=name, text=text[: BUDGETS[name]], is_cut=len(text) > BUDGETS[name])


def _brief(known: Known) -> Iterable[str]:
    briefs = [event.payload for event in log.project_artifacts(known.project_id, "artifact.product_brief")]
    return [brief.summary for brief in briefs[-1:] if isinstance(brief, ProductBrief)]


def _cited(known: Known) -> Iterable[str]:
    cited = known.story.content.rules
    return [f"{rule.code} {rule.title}: {rule.description}" for rule in known.rules if rule.code in cited]


def _others(known: Known) -> Iterable[str]:
    cited = known.story.content.rules
    return [f"{rule.code} {rule.title}" for rule in known.rules if rule.code not in cited]


def _epic(known: Known) -> Iterable[str]:
    return [f"{known.epic.code} {known.epic.title}", known.epic.description]


def _history(known: Known) -> Iterable[str]:
    return [f"Given back: {known.story.returned_reason}"] if known.story.returned_reason else []


def _iteration(known: Known) -> Iterable[str]:
    found = [each for each in iteration_pages.iterations(known.project_id) if each.code == known.story.iteration]
    return [f"{each.code} {each.title}" for each in found]


def _modules(known: Known) -> Iterable[str]:
    mine = [module for module in known.architecture.modules if module.name in known.story.modules]
    return [f"{module.name} ({module.stack}): {module.responsibility}" for module in mine]


def _map(known: Known) -> Iterable[str]:
    return [
        f"{module.name}: {module.responsibility} Needs: {', '.join(module.depends_on) or 'nothing'}"
        for module in known.architecture.modules
    ]


def _system(known: Known) -> Iterable[str]:
    drawn = known.architecture.c4
    return [c4.context(drawn)] if drawn else []


def _image(known: Known) -> Iterable[str]:
    image = known.architecture.image
    return [f"{image.image}, network {image.network}"] if image else []


def _decisions(known: Known) -> Iterable[str]:
    events = log.project_artifacts(known.project_id, "proposed_action.approved")
    return [event.payload.title for event in events if isinstance(event.payload, ActionApproved)]


def _insights(known: Known) -> Iterable[str]:
    return [f"{each.title}: {each.description}" for each in known.architecture.insights]


def _prototype(known: Known) -> Iterable[str]:
    return [f"{screen.name}: {screen.description}" for screen in known.architecture.screens]


_WRITERS: dict[SectionName, Callable[[Known], Iterable[str]]] = {
    SectionName.BRIEF: _brief,
    SectionName.CITED_RULES: _cited,
    SectionName.OTHER_RULES: _others,
    SectionName.EPIC: _epic,
    SectionName.STORY_HISTORY: _history,
    SectionName.ITERATION: _iteration,
    SectionName.MODULES: _modules,
    SectionName.MODULE_MAP: _map,
    SectionName.SYSTEM: _system,
    SectionName.IMAGE: _image,
    SectionName.DECISIONS: _decisions,
    SectionName.INSIGHTS: _insights,
    SectionName.PROTOTYPE: _prototype,
}
