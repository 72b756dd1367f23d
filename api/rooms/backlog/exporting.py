"""The whole backlog as a document."""

from collections.abc import Callable
from uuid import UUID

from api.rooms.backlog import iteration_pages, selectors
from api.rooms.backlog.cards import FeatureCard, StoryCard, TaskCard
from api.rooms.backlog.domain.documents import (
    BacklogDocument,
    EpicRow,
    FeatureRow,
    IterationRow,
    RuleRow,
    StoryRow,
    TaskRow,
)
from api.rooms.backlog.formats import markdown, table
from api.rooms.kernel.refusals import Refusal
from api.rooms.projects.selectors import name_of
from contracts.problem import ProblemCode


def document(project_id: UUID) -> BacklogDocument:
    """In the order of codes and places; rules that became one with another are those others."""
    tree = selectors.tree(project_id)
    stories = [story for epic in tree for story in epic.stories]
    planned = [iteration_pages.iteration(project_id, each.code) for each in iteration_pages.iterations(project_id)]
    return BacklogDocument(
        project=name_of(project_id).name,
        rules=tuple(
            RuleRow(code=rule.code, title=rule.title, description=rule.description)
            for rule in selectors.rules(project_id)
        ),
        epics=tuple(EpicRow(code=epic.code, title=epic.title, description=epic.description) for epic in tree),
        features=tuple(_feature(each) for epic in tree for each in epic.features),
        stories=tuple(_story(story) for story in stories),
        tasks=tuple(_task(story, task) for story in stories for task in story.tasks),
        iterations=tuple(
            IterationRow(
                code=page.card.code,
                title=page.card.title,
                capacity=page.card.capacity,
                stories=tuple(story.code for story in page.stories),
            )
            for page in planned
        ),
    )


def _feature(feature: FeatureCard) -> FeatureRow:
    return FeatureRow(
        code=feature.code,
        title=feature.title,
        description=feature.description,
        acceptance_criteria=feature.acceptance_criteria,
        test_scenarios=feature.test_scenarios,
    )


def _story(story: StoryCard) -> StoryRow:
    return StoryRow(
        code=story.code,
        epic=story.epic,
        feature=story.feature or None,
        content=story.content,
        status=story.status,
        modules=story.modules,
    )


def _task(story: StoryCard, task: TaskCard) -> TaskRow:
    return TaskRow(
        code=task.code,
        story=story.code,
        title=task.title,
        description=task.description,
        domain=task.domain,
        status=task.status,
        is_locked=task.is_locked,
        blocked_reason=task.blocked_reason,
    )


FORMATS: dict[str, tuple[str, Callable[[BacklogDocument], str]]] = {
    "json": ("application/json", lambda found: found.model_dump_json(indent=1)),
    "csv": ("text/csv; charset=utf-8", table.write),
    "md": ("text/markdown; charset=utf-8", markdown.write),
}
"""By the ending of the file."""


def written(found: BacklogDocument, kind: str) -> tuple[str, str]:
    """Content type and text. Raises Refusal that names the formats."""
    if kind not in FORMATS:
        raise Refusal(ProblemCode.INVALID_PARAMETER, f"A backlog is exported as: {', '.join(FORMATS)}.")
    content_type, write = FORMATS[kind]
    return content_type, write(found)
