"""The public bodies of iterations and tasks."""

from typing import Annotated, Self
from uuid import UUID

from pydantic import Field, RootModel

from api.rooms.backlog.iteration_pages import IterationCard, IterationPage, Progress
from contracts.backlog import Text, Title
from contracts.base import Message
from contracts.codes import IterationCode, StoryCode
from contracts.detailing import Domain, ProjectKind
from contracts.events.backlog import Version
from contracts.limits import MAX_ITERATION_STORIES
from contracts.vocabulary import TaskStatus

Capacity = Annotated[int, Field(ge=1, le=MAX_ITERATION_STORIES)]


class IterationBody(Message):
    """`capacity` says how many stories fit; `stories` counts those in it, which may be more."""

    id: UUID
    code: IterationCode
    title: str
    capacity: int
    version: int
    stories: int

    @classmethod
    def of(cls, card: IterationCard) -> Self:
        return cls(
            id=card.id,
            code=card.code,
            title=card.title,
            capacity=card.capacity,
            version=card.version,
            stories=card.stories,
        )


class IterationList(RootModel[list[IterationBody]]):
    """By their numbers."""


class StoryProgressBody(Message):
    """`reason` is an error code, empty unless it failed."""

    code: StoryCode
    title: str
    state: Progress
    reason: str


class BatchBody(Message):
    """The last batch; the log of `session_id` tells what happened."""

    session_id: UUID
    is_at_work: bool
    is_finished: bool
    stories: tuple[StoryProgressBody, ...]


class IterationPageBody(Message):
    iteration: IterationBody
    stories: tuple[StoryCode, ...]
    batch: BatchBody | None


class NewIteration(Message):
    title: Title
    capacity: Capacity


class IterationChange(Message):
    """`version` is the one that you read: 409 `stale_version` when the iteration has another by now."""

    version: Version
    title: Title
    capacity: Capacity
    stories: Annotated[tuple[StoryCode, ...], Field(max_length=MAX_ITERATION_STORIES)]


class KindBody(Message):
    kind: ProjectKind


class NewTask(Message):
    title: Title
    description: Text = ""
    domain: Domain | None = None


class TaskChange(NewTask):
    """`version` is the one that you read. What you wrote stays when the story is detailed again."""

    version: Version


class TaskMove(Message):
    status: TaskStatus


class ResolutionsBody(Message):
    """How often a story that somebody named was found by its code, by its title, only after asking, or corrected."""

    code: int
    resolved: int
    asked: int
    corrected: int


def page_of(page: IterationPage) -> IterationPageBody:
    batch = page.batch
    return IterationPageBody(
        iteration=IterationBody.of(page.card),
        stories=tuple(story.code for story in page.stories),
        batch=BatchBody(
            session_id=batch.session_id,
            is_at_work=batch.is_at_work,
            is_finished=batch.is_finished,
            stories=tuple(
                StoryProgressBody(code=each.code, title=each.title, state=each.state, reason=each.reason)
                for each in batch.stories
            ),
        )
        if batch
        else None,
    )
