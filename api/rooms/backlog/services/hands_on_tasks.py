"""What people do to tasks: change, add, remove, move on, block, unblock. What they wrote stays theirs."""

from typing import Any
from uuid import UUID

from django.db import transaction

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agent_sessions.services.sessions import user_actor
from api.rooms.backlog.domain import codes, states
from api.rooms.backlog.models import Task
from api.rooms.backlog.services import numbering, refusing, standing
from api.rooms.backlog.services.by_people import locked
from api.rooms.backlog.services.tasks import create_task
from api.rooms.backlog.services.writing import Writer
from api.rooms.kernel.clock import now
from api.rooms.kernel.refusals import not_found
from contracts.base import has_forbidden_character
from contracts.detailing import Domain
from contracts.events import TaskBlocked, TaskEdited, TaskRemoved, TaskStatusChanged, TaskUnblocked
from contracts.limits import MAX_ARTIFACT_TEXT_CHARS
from contracts.vocabulary import TaskStatus


@transaction.atomic
def add_task(project_id: UUID, user_id: UUID, story: str, title: str, description: str, domain: Domain | None) -> str:
    """Written by hand, so it is locked. Answers its code."""
    writer, _ = locked(project_id, user_id, story)
    made = create_task(writer, story, title, _text(description))
    row = _row(project_id, made.code)
    standing.save(row, is_locked=True, domain=domain or "")
    return made.code


@transaction.atomic
def edit_task(
    project_id: UUID, user_id: UUID, code: str, version: int, title: str, description: str, domain: Domain | None
) -> None:
    """Against the version that was read; from then on it stays when its story is detailed again."""
    writer, row = _locked(project_id, user_id, code)
    refusing.refuse_stale(code, row.version, version)
    _refuse_done(row)
    cleaned, text = refusing.title(title), _text(description)
    if (cleaned, text, domain or "") == (row.title, row.description, row.domain):
        return
    standing.save(row, title=cleaned, description=text, domain=domain or "", is_locked=True, version=row.version + 1)
    numbering.touch_tasks(row.story)
    writer.tell(TaskEdited(**_facts(row), domain=domain))


@transaction.atomic
def remove_task(project_id: UUID, user_id: UUID, code: str) -> None:
    """Only one that nobody began; its code is never given again."""
    writer, row = _locked(project_id, user_id, code)
    if row.status != TaskStatus.TODO:
        raise refusing.invalid(f"{code} is {row.status}: what was begun is not removed.", task=code)
    standing.save(row, removed_at=now())
    numbering.touch_tasks(row.story)
    writer.tell(TaskRemoved(**_facts(row)))


@transaction.atomic
def move_task(project_id: UUID, user_id: UUID, code: str, to: TaskStatus) -> None:
    """Guarded by the table of moves; a blocked task moves nowhere before it is unblocked."""
    writer, row = _locked(project_id, user_id, code)
    status = TaskStatus(row.status)
    if row.blocked_reason:
        raise refusing.invalid(f"{code} is blocked: {row.blocked_reason} Unblock it first.", task=code)
    if not states.may_task_move(status, to):
        allowed = ", ".join(sorted(states.TASK_MOVES[status])) or "nothing: it is over"
        raise refusing.invalid(f"{code} is {status} and cannot become {to}. It may become {allowed}.", status=status)
    standing.save(row, status=to)
    writer.tell(TaskStatusChanged(**_facts(row), from_status=status, to_status=to))


@transaction.atomic
def block_task(project_id: UUID, user_id: UUID, code: str, reason: str) -> None:
    """It is to do again, and nobody takes it (RN-047)."""
    writer, row = _locked(project_id, user_id, code)
    _refuse_done(row)
    reason = refusing.reason(reason)
    standing.save(row, status=TaskStatus.TODO, blocked_reason=reason, blocked_diagnosis="", blocked_origin="")
    writer.tell(TaskBlocked(**_facts(row), reason=reason))


@transaction.atomic
def unblock_task(project_id: UUID, user_id: UUID, code: str) -> None:
    """One that is not blocked stays as it is."""
    writer, row = _locked(project_id, user_id, code)
    if row.blocked_reason:
        standing.save(row, blocked_reason="", blocked_diagnosis="", blocked_origin="")
        writer.tell(TaskUnblocked(**_facts(row)))


def _locked(project_id: UUID, user_id: UUID, code: str) -> tuple[Writer, Task]:
    """The session in which the task's story was born, then the backlog."""
    session_id = _row(project_id, code).story.session_id
    agent_sessions.lock(session_id)
    numbering.lock(project_id)
    return Writer(session_id, project_id, user_actor(user_id)), _row(project_id, code)


def _row(project_id: UUID, code: str) -> Task:
    rows = Task.objects.select_related("story").filter(project_id=project_id, removed_at=None)
    found = rows.filter(number=codes.number_of(code, codes.TASK)).first()
    if found is None:
        raise not_found("task")
    return found


def _refuse_done(row: Task) -> None:
    if row.status == TaskStatus.DONE:
        raise refusing.invalid(f"{row.code} is done: it is not changed any more.", task=row.code)


def _facts(row: Task) -> dict[str, Any]:
    return {"task_id": row.id, "code": row.code, "story": row.story.code, "title": row.title}


def _text(given: str) -> str:
    text = given.strip()
    if len(text) > MAX_ARTIFACT_TEXT_CHARS or has_forbidden_character(text):
        raise refusing.invalid(f"A description has at most {MAX_ARTIFACT_TEXT_CHARS} characters.", field="description")
    return text
