"""Iterations and the progress of their detailing, as values; how far a story is follows from its agent's last turn."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from api.rooms.agents.models import Instance
from api.rooms.backlog import selectors
from api.rooms.backlog.cards import StoryCard
from api.rooms.backlog.models import Backlog, Iteration, Story, StoryDetailing
from api.rooms.backlog.services.batches import agent_of
from api.rooms.backlog.services.iterations import iteration_of
from api.rooms.turns.models import Turn
from contracts.detailing import ProjectKind
from contracts.vocabulary import TurnStatus


@dataclass(frozen=True)
class IterationCard:
    id: UUID
    code: str
    title: str
    capacity: int
    version: int
    stories: int

    @property
    def is_over(self) -> bool:
        """More stories than fit: shown, and not refused."""
        return self.stories > self.capacity


class Progress(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class StoryProgress:
    """`reason` is an error code, empty unless it failed."""

    code: str
    title: str
    state: Progress
    reason: str


@dataclass(frozen=True)
class Batch:
    session_id: UUID
    begun_at: datetime
    stories: tuple[StoryProgress, ...]

    def count(self, state: Progress) -> int:
        return sum(each.state is state for each in self.stories)

    @property
    def done(self) -> int:
        return self.count(Progress.DONE)

    @property
    def is_at_work(self) -> bool:
        return any(each.state in (Progress.WAITING, Progress.RUNNING) for each in self.stories)

    @property
    def is_finished(self) -> bool:
        return self.done == len(self.stories)


@dataclass(frozen=True)
class IterationPage:
    card: IterationCard
    stories: tuple[StoryCard, ...]
    batch: Batch | None


def kind_of(project_id: UUID) -> ProjectKind:
    found = Backlog.objects.filter(project_id=project_id).values_list("kind", flat=True).first()
    return ProjectKind(found or ProjectKind.NEW)


def iterations(project_id: UUID) -> tuple[IterationCard, ...]:
    """By their numbers."""
    counts: dict[UUID, int] = {}
    for (iteration_id,) in (
        Story.objects.filter(project_id=project_id).exclude(iteration=None).values_list("iteration_id")
    ):
        counts[iteration_id] = counts.get(iteration_id, 0) + 1
    rows = Iteration.objects.filter(project_id=project_id).order_by("number")
    return tuple(_card(row, counts.get(row.id, 0)) for row in rows)


def iteration(project_id: UUID, code: str) -> IterationPage:
    """Raises Refusal (`not_found`)."""
    row = iteration_of(project_id, code)
    places = dict(row.stories.values_list("id", "place"))
    stories = sorted(selectors.stories_of(row), key=lambda story: places[story.id])
    return IterationPage(_card(row, len(stories)), tuple(stories), batch(row))


def batch(row: Iteration) -> Batch | None:
    """The last one that a person asked for."""
    last = row.detailings.filter(session__deleted_at=None).order_by("-created_at").first()
    if last is None:
        return None
    found = StoryDetailing.objects.select_related("story").filter(session_id=last.session_id).order_by("place")
    turns = {turn.agent: turn for turn in Turn.objects.filter(session_id=last.session_id).order_by("started_at")}
    instances = {each.agent: each for each in Instance.objects.filter(session_id=last.session_id)}
    stories = tuple(
        _progress(each, instances.get(agent_of(each.story.number)), turns.get(agent_of(each.story.number)))
        for each in found
    )
    return Batch(last.session_id, last.created_at, stories)


def _progress(row: StoryDetailing, instance: Instance | None, turn: Turn | None) -> StoryProgress:
    state, reason = _state(row, instance, turn)
    return StoryProgress(row.story.code, row.story.title, state, reason)


def _state(row: StoryDetailing, instance: Instance | None, turn: Turn | None) -> tuple[Progress, str]:
    if row.event_id is not None:
        return Progress.DONE, ""
    if turn is not None and turn.status == TurnStatus.RUNNING:
        return Progress.RUNNING, ""
    if instance is not None and instance.is_held:
        return Progress.CANCELLED, ""
    if instance is not None and instance.wanted_seq > instance.cursor_seq:
        return Progress.WAITING, ""
    if turn is not None and turn.status == TurnStatus.STOPPED:
        return Progress.CANCELLED, ""
    return (Progress.FAILED, turn.reason or "") if turn is not None else (Progress.WAITING, "")


def _card(row: Iteration, stories: int) -> IterationCard:
    return IterationCard(row.id, row.code, row.title, row.capacity, row.version, stories)
