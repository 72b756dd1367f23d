"""Write the tasks of a story anew: against the set that was read, and never over what a person wrote or began."""

from collections.abc import Sequence
from uuid import UUID, uuid5

from api.rooms.agent_sessions import selectors as log
from api.rooms.backlog import selectors
from api.rooms.backlog.models import Story, StoryDetailing, StoryEvent, Task
from api.rooms.backlog.services import numbering, refusing
from api.rooms.backlog.services.by_agents import write_once
from api.rooms.backlog.services.finding import story_of
from api.rooms.backlog.services.writing import Writer
from api.rooms.kernel.clock import now
from api.rooms.kernel.refusals import Refusal
from contracts.detailing import DetailedTask
from contracts.events import TasksReplaced
from contracts.events.backlog import Named
from contracts.problem import ProblemCode
from contracts.routes.detailing import ReplaceTasks, TasksWritten
from contracts.text import fold
from contracts.vocabulary import StoryStatus


def by_agent(instance_id: UUID, asked: ReplaceTasks, body_hash: str) -> TasksWritten:
    def act(writer: Writer) -> TasksWritten:
        return replace_tasks(writer, asked)

    return write_once(instance_id, asked, body_hash, "tasks", TasksWritten, act)


def replace_tasks(writer: Writer, asked: ReplaceTasks) -> TasksWritten:
    """In the caller's transaction. What was before, what stays, what goes and what comes is answered and logged."""
    numbering.lock(writer.project_id)
    story = story_of(writer.project_id, asked.story)
    _refuse_unless_open(story)
    _refuse_other_run(story, asked.tasks_version)
    present = list(story.tasks.filter(removed_at=None).order_by("position", "number"))
    if present and not asked.replace_existing:
        raise _exist(story, present)
    kept = [task for task in present if selectors.task_card(task).stays]
    removed = [task for task in present if task not in kept]
    Task.objects.filter(id__in=[task.id for task in removed]).update(removed_at=now())
    version = numbering.touch_tasks(story)
    added = _add(writer, story, _new(asked.tasks, kept), len(kept))
    _order(kept)
    written = TasksWritten(
        story=_named(story),
        tasks_version=version,
        previous=len(present),
        removed=tuple(map(_named, removed)),
        kept=tuple(map(_named, kept)),
        added=tuple(map(_named, added)),
    )
    _tell(writer, story, written)
    return written


def _tell(writer: Writer, story: Story, written: TasksWritten) -> None:
    told = TasksReplaced(
        story_id=story.id,
        code=story.code,
        title=story.title,
        tasks_version=written.tasks_version,
        previous=written.previous,
        removed=written.removed,
        kept=written.kept,
        added=written.added,
    )
    event = writer.tell(told)
    StoryDetailing.objects.filter(session_id=writer.session_id, story=story).update(event_id=event.id)


def _refuse_unless_open(story: Story) -> None:
    if story.status == StoryStatus.DONE:
        raise refusing.invalid(f"{story.code} is done: it gets no other tasks.", story=story.code)


def _refuse_other_run(story: Story, read: int) -> None:
    """Names who wrote the set that stands there now."""
    if story.tasks_version == read:
        return
    told = StoryEvent.objects.filter(story=story).values_list("event_id", flat=True)
    last = [event for event in log.events_by_id(told) if isinstance(event.payload, TasksReplaced)][-1:]
    by = f" {last[0].actor.id} wrote it in session {last[0].session_id}." if last else ""
    raise Refusal(
        ProblemCode.STALE_VERSION,
        f"The tasks of {story.code} are at version {story.tasks_version}, and you read version {read}.{by}"
        " Read them again.",
        {"code": story.code, "current": str(story.tasks_version), "read": str(read), "by": last[0].actor.id}
        if last
        else {"code": story.code, "current": str(story.tasks_version), "read": str(read)},
    )


def _exist(story: Story, present: Sequence[Task]) -> Refusal:
    listed = ", ".join(f"{task.code} ({task.title})" for task in present[: refusing.MAX_NAMED])
    return Refusal(
        ProblemCode.TASKS_EXIST,
        f"{story.code} has {len(present)} tasks already: {listed}. Ask the person whether all of them may be replaced.",
        {"code": story.code, "previous": str(len(present))},
    )


def _new(tasks: Sequence[DetailedTask], kept: Sequence[Task]) -> list[DetailedTask]:
    """Without what a task that stays says already, and without a title twice."""
    known, new = {fold(task.title) for task in kept}, []
    for task in tasks:
        title = refusing.title(task.title)
        if fold(title) not in known:
            known.add(fold(title))
            new.append(task.model_copy(update={"title": title}))
    return new


def _add(writer: Writer, story: Story, tasks: Sequence[DetailedTask], after: int) -> list[Task]:
    """Ids follow from what is written, so that the same tasks of the same set have the same ids."""
    return [
        Task.objects.create(
            id=uuid5(story.id, f"{story.tasks_version}:{place}:{task.domain}:{task.title}"),
            project_id=writer.project_id,
            session_id=writer.session_id,
            story=story,
            number=numbering.take(writer.project_id, "next_task"),
            title=task.title,
            description=task.description.strip(),
            domain=task.domain,
            position=place,
        )
        for place, task in enumerate(tasks, after + 1)
    ]


def _order(kept: Sequence[Task]) -> None:
    """What stays comes first, in its order."""
    for place, task in enumerate(kept, 1):
        Task.objects.filter(id=task.id).update(position=place)


def _named(row: Story | Task) -> Named:
    return Named(code=row.code, title=row.title)
