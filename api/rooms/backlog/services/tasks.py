"""Tasks of a story; a task inherits what its story traces back to."""

from api.rooms.backlog.models import Task
from api.rooms.backlog.services import numbering, refusing
from api.rooms.backlog.services.finding import story_of
from api.rooms.backlog.services.writing import Writer
from contracts.events import TaskCreated
from contracts.routes.backlog import TaskMade
from contracts.vocabulary import StoryStatus


def create_task(writer: Writer, code: str, title: str, description: str = "") -> TaskMade:
    """In the caller's transaction. A story that is done takes no more tasks."""
    title = refusing.title(title)
    numbering.lock(writer.project_id)
    story = story_of(writer.project_id, code)
    if story.status == StoryStatus.DONE:
        raise refusing.invalid(f"{story.code} is done: make another story for what is left to do.", story=story.code)
    task = Task.objects.create(
        project_id=writer.project_id,
        session_id=writer.session_id,
        story=story,
        number=numbering.take(writer.project_id, "next_task"),
        title=title,
        description=description.strip(),
        position=story.tasks.count() + 1,
    )
    numbering.touch_tasks(story)
    told = TaskCreated(
        task_id=task.id, code=task.code, story=story.code, title=task.title, description=task.description
    )
    writer.tell(told)
    return TaskMade(code=task.code, story=story.code, title=task.title)
