"""What agents read of a backlog: bounded, what needs work first, and every cut declared (RN-164)."""

from uuid import UUID

from django.db import transaction

from api.rooms.agents import services as agents
from api.rooms.backlog import selectors
from api.rooms.backlog.cards import EpicCard, RuleCard, StoryCard
from contracts.events.backlog import Named
from contracts.limits import MAX_EPICS_LISTED, MAX_RULES_LISTED, MAX_STORIES_LISTED
from contracts.routes.backlog import (
    BacklogAnswer,
    EpicLine,
    ReadBacklog,
    RuleLine,
    RulesAnswer,
    StoryLine,
    StoryState,
    TaskLine,
)


@transaction.atomic
def project_of(instance_id: UUID, asked: ReadBacklog) -> UUID:
    """Of a worker that is still the one."""
    return agents.fence(instance_id, asked.epoch, asked.turn_id).project_id


def rules(instance_id: UUID, asked: ReadBacklog) -> RulesAnswer:
    """Rules without a story first."""
    known = selectors.rules(project_of(instance_id, asked))
    ordered = sorted(known, key=lambda rule: rule.is_covered)
    uncovered = sum(not rule.is_covered for rule in known)
    return RulesAnswer(
        rules=tuple(_rule(rule) for rule in ordered[:MAX_RULES_LISTED]), total=len(known), uncovered=uncovered
    )


def _rule(rule: RuleCard) -> RuleLine:
    return RuleLine(code=rule.code, title=rule.title, description=rule.description, stories=rule.stories)


def backlog(instance_id: UUID, asked: ReadBacklog) -> BacklogAnswer:
    """Epics without a story first."""
    epics = sorted(selectors.tree(project_of(instance_id, asked)), key=lambda epic: bool(epic.stories))
    return BacklogAnswer(epics=tuple(_epic(epic) for epic in epics[:MAX_EPICS_LISTED]), epics_total=len(epics))


def _epic(epic: EpicCard) -> EpicLine:
    stories = tuple(_story(card) for card in epic.stories[:MAX_STORIES_LISTED])
    return EpicLine(
        code=epic.code,
        title=epic.title,
        features=tuple(Named(code=each.code, title=each.title) for each in epic.features),
        stories=stories,
        stories_total=len(epic.stories),
    )


def _story(card: StoryCard) -> StoryLine:
    state = StoryState(
        code=card.code,
        title=card.content.title,
        version=card.version,
        status=card.status,
        is_proposed=card.is_proposed,
        missing=card.missing,
    )
    tasks = tuple(TaskLine(code=task.code, title=task.title, status=task.status) for task in card.tasks)
    return StoryLine(
        state=state,
        rules=card.content.rules,
        tasks=tasks,
        returned_reason=card.returned_reason,
        feature=card.feature or None,
    )
