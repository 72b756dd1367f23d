"""Filters for what stands in a backlog."""

from django import template
from django.utils.functional import Promise

from api.rooms.backlog.cards import Looker
from api.rooms.backlog.domain import states
from api.rooms.backlog.filters import Need
from api.rooms.backlog.iteration_pages import Progress
from api.surfaces.web.sentences import FAILURES
from api.surfaces.web.sentences.backlog import (
    DOCUMENT_KINDS,
    DOMAINS,
    IMPORT_NAMES,
    LACKS,
    LOOKERS,
    NEEDS,
    PROGRESS,
    PROJECT_KINDS,
    RESOLUTIONS,
    STORY_PARTS,
    STORY_STATUS,
    TASK_STATUS,
)
from contracts.detailing import Domain, ProjectKind
from contracts.failures import ErrorCode
from contracts.routes.detailing import Resolution
from contracts.vocabulary import StoryStatus, TaskStatus

register = template.Library()


@register.filter
def story_status(status: str) -> Promise:
    return STORY_STATUS[StoryStatus(status)]


@register.filter
def task_status(status: str) -> Promise:
    return TASK_STATUS[TaskStatus(status)]


@register.filter
def story_part(name: str) -> str | Promise:
    return STORY_PARTS.get(name, name)


@register.filter
def story_need(need: str) -> Promise:
    return NEEDS[Need(need)]


@register.filter
def task_moves(status: str) -> tuple[TaskStatus, ...]:
    """Where a person may move it, in the order of the work."""
    return tuple(to for to in TaskStatus if states.may_task_move(TaskStatus(status), to))


@register.filter
def domain(name: str) -> Promise:
    return DOMAINS[Domain(name)]


@register.filter
def progress(state: str) -> Promise:
    """How far the detailing of a story is."""
    return PROGRESS[Progress(state)]


@register.filter
def project_kind(kind: str) -> Promise:
    return PROJECT_KINDS[ProjectKind(kind)][1]


@register.filter
def project_kind_short(kind: str) -> Promise:
    return PROJECT_KINDS[ProjectKind(kind)][0]


@register.filter
def resolution(how: str) -> Promise:
    """How a story was found."""
    return RESOLUTIONS[Resolution(how)]


@register.filter
def import_name(kind: str) -> Promise:
    return IMPORT_NAMES[kind]


@register.filter
def document_kind(kind: str) -> Promise:
    return DOCUMENT_KINDS[kind]


@register.filter
def failure_words(code: str) -> Promise:
    """Why a story could not be detailed."""
    return FAILURES[ErrorCode(code)]


@register.filter
def looker(who: str) -> Promise:
    """Who looks at a story whose rules were reworded."""
    return LOOKERS[Looker(who)]


@register.filter
def lack(name: str) -> str | Promise:
    """What a story has none of, in words."""
    return LACKS.get(name, name)


@register.filter
def story_reason(reason: str) -> str:
    """A person's own words, or what the story lacks now when the workspace made it a draft again."""
    names = reason.split(", ")
    return ", ".join(str(LACKS[name]) for name in names) if all(name in LACKS for name in names) else reason
