"""People plan iterations: which stories, in which order, and how many fit."""

from collections.abc import Sequence
from uuid import UUID

from django.db import transaction
from django.db.models import Max

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.backlog.domain import codes
from api.rooms.backlog.models import Backlog, Epic, Iteration, Story
from api.rooms.backlog.services import numbering, refusing
from api.rooms.backlog.services.finding import story_of
from api.rooms.backlog.services.writing import Writer
from api.rooms.kernel.refusals import not_found
from contracts.detailing import ProjectKind
from contracts.events import IterationPlanned
from contracts.limits import MAX_ITERATION_STORIES
from contracts.vocabulary import StoryStatus

MAX_CAPACITY = MAX_ITERATION_STORIES


@transaction.atomic
def plan_iteration(project_id: UUID, user_id: UUID, title: str, capacity: int, description: str = "") -> str:
    """A new one, empty and after the others; told in the session in which the backlog began. Answers its code."""
    title, capacity = refusing.title(title), _capacity(capacity)
    writer = _writer(project_id, user_id)
    row = Iteration.objects.create(
        project_id=project_id,
        session_id=writer.session_id,
        number=numbering.take(project_id, "next_iteration"),
        title=title,
        description=description.strip(),
        capacity=capacity,
    )
    tell_iteration(writer, row)
    return row.code


@transaction.atomic
def change_iteration(
    project_id: UUID, user_id: UUID, code: str, version: int, title: str, capacity: int, stories: Sequence[str]
) -> None:
    """Exactly these stories in this order; each is in one iteration. Raises Refusal (`stale_version` and others)."""
    title, capacity = refusing.title(title), _capacity(capacity)
    writer = _writer(project_id, user_id)
    row = iteration_of(project_id, code)
    refusing.refuse_stale(code, row.version, version)
    wanted = [story_of(project_id, each) for each in dict.fromkeys(stories)]
    if len(wanted) > MAX_ITERATION_STORIES:
        raise refusing.invalid(f"An iteration holds at most {MAX_ITERATION_STORIES} stories.")
    row.title, row.capacity, row.version = title, capacity, row.version + 1
    row.save()
    row.stories.exclude(id__in=[story.id for story in wanted]).update(iteration=None, place=0)
    for place, story in enumerate(wanted, 1):
        Story.objects.filter(id=story.id).update(iteration=row, place=place)
    tell_iteration(writer, row)


@transaction.atomic
def schedule(project_id: UUID, user_id: UUID, code: str, story: str) -> None:
    """One more story, at the end."""
    writer = _writer(project_id, user_id)
    row, chosen = iteration_of(project_id, code), story_of(project_id, story)
    if chosen.status == StoryStatus.DONE:
        raise refusing.invalid(f"{story} is done: there is nothing to plan of it any more.", story=story)
    if row.stories.count() >= MAX_ITERATION_STORIES:
        raise refusing.invalid(f"An iteration holds at most {MAX_ITERATION_STORIES} stories.")
    last = row.stories.aggregate(last=Max("place"))["last"] or 0
    Story.objects.filter(id=chosen.id).update(iteration=row, place=last + 1)
    Iteration.objects.filter(id=row.id).update(version=row.version + 1)
    tell_iteration(writer, row)


@transaction.atomic
def set_kind(project_id: UUID, kind: ProjectKind) -> None:
    """What is being built: the prompts of those who detail it differ."""
    numbering.lock(project_id)
    Backlog.objects.filter(project_id=project_id).update(kind=kind)


def iteration_of(project_id: UUID, code: str) -> Iteration:
    rows = Iteration.objects.filter(project_id=project_id, number=codes.number_of(code, codes.ITERATION))
    found = rows.first()
    if found is None:
        raise not_found("iteration")
    return found


def _writer(project_id: UUID, user_id: UUID) -> Writer:
    """Told where the first epic was born: without one there is nothing to plan."""
    session_id = (
        Epic.objects.filter(project_id=project_id).order_by("number").values_list("session_id", flat=True).first()
    )
    if session_id is None:
        raise refusing.invalid("There is nothing to plan yet: the backlog has no epic.")
    agent_sessions.lock(session_id)
    numbering.lock(project_id)
    return Writer(session_id, project_id, user_actor(user_id))


def tell_iteration(writer: Writer, row: Iteration) -> None:
    """As it stands now."""
    numbers = row.stories.order_by("place").values_list("number", flat=True)
    stories = tuple(f"{codes.STORY}{number}" for number in numbers)
    told = IterationPlanned(iteration_id=row.id, code=row.code, title=row.title, capacity=row.capacity, stories=stories)
    writer.tell(told)


def _capacity(given: int) -> int:
    if not 1 <= given <= MAX_CAPACITY:
        raise refusing.invalid(f"A capacity is a number of stories from 1 to {MAX_CAPACITY}.", field="capacity")
    return given
