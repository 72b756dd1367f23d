"""What a person does to the tasks of a story on its page."""

from uuid import UUID

from django.http import QueryDict

from api.rooms.backlog import services as backlog
from api.rooms.kernel.refusals import Refusal
from api.surfaces.web import story_form
from contracts.detailing import Domain
from contracts.problem import ProblemCode
from contracts.vocabulary import TaskStatus

WRONG = (
    "The field `do` is `edit`, `promote`, `return`, `demote`, `review`, `task-add`, `task-edit`, `task-remove`, "
    "`task-block` or `task-unblock`; or `to` is a status of a task."
)


def act(posted: QueryDict, user_id: UUID, project_id: UUID, story: str) -> None:
    """Raises Refusal."""
    task, reason = posted.get("task", ""), posted.get("reason", "")
    words = posted.get("title", ""), posted.get("description", "").replace("\r\n", "\n")
    match posted.get("do", ""):
        case "task-add":
            backlog.add_task(project_id, user_id, story, *words, _domain(posted))
        case "task-edit":
            version = story_form.version_in(posted)
            backlog.edit_task(project_id, user_id, task, version, *words, _domain(posted))
        case "task-remove":
            backlog.remove_task(project_id, user_id, task)
        case "task-block":
            backlog.block_task(project_id, user_id, task, reason)
        case "task-unblock":
            backlog.unblock_task(project_id, user_id, task)
        case "" if "to" in posted:
            backlog.move_task(project_id, user_id, task, _status(posted.get("to", "")))
        case _:
            raise Refusal(ProblemCode.INVALID_BODY, WRONG)


def _domain(posted: QueryDict) -> Domain | None:
    given = posted.get("domain", "")
    try:
        return Domain(given) if given else None
    except ValueError:
        raise Refusal(ProblemCode.INVALID_BODY, f"`domain` is one of: {', '.join(Domain)}.") from None


def _status(given: str) -> TaskStatus:
    try:
        return TaskStatus(given)
    except ValueError:
        raise Refusal(ProblemCode.INVALID_BODY, f"`to` is one of: {', '.join(TaskStatus)}.") from None
