"""What the Story Editor reads and changes of the epic that its conversation is about."""

from contracts.artifacts.prototype import NewPrototype
from contracts.backlog import StoryContent
from contracts.base import Message, Slug
from contracts.codes import EpicCode
from contracts.detailing import PresentTask, Version
from contracts.events.backlog import Named
from contracts.problem import ProblemCode
from contracts.routes.backlog import ReadBacklog, StoryState
from contracts.routes.effects import Effect
from contracts.routes.route import Route
from contracts.work_items import Operations


class ReadWorkItems(ReadBacklog):
    epic: EpicCode


class WorkStory(Message):
    """`locked` names the parts that a person wrote by hand."""

    state: StoryState
    content: StoryContent
    tasks_version: Version
    tasks: tuple[PresentTask, ...]
    task_versions: tuple[Version, ...]
    locked: tuple[str, ...]


class WorkItems(Message):
    epic: Named
    stories: tuple[WorkStory, ...]


class UpdateWorkItems(Effect):
    """Everything in the epic, in one transaction: one operation that is refused keeps all of them from happening."""

    epic: EpicCode
    operations: Operations


class WorkUpdated(Message):
    """A sentence for each operation, in their order."""

    done: tuple[str, ...]


class ProposePrototype(Effect):
    prototype: NewPrototype


class NotOffered(Message):
    agent: Slug
    why: str


class PrototypeMade(Message):
    """One artifact, and an offer to each agent that takes it up; one that failed undoes nothing."""

    version: Version
    offered: tuple[Slug, ...]
    failed: tuple[NotOffered, ...]


_COMMON = (ProblemCode.NOT_FOUND, ProblemCode.FENCED, ProblemCode.STOPPED, ProblemCode.INVALID_BACKLOG)
GET_WORK_ITEMS = Route(
    "get_work_items", "POST", "/instances/{instance_id}/work-items:read", ReadWorkItems, WorkItems, _COMMON
)
UPDATE_WORK_ITEMS = Route(
    "update_work_items",
    "POST",
    "/instances/{instance_id}/work-items",
    UpdateWorkItems,
    WorkUpdated,
    (
        *_COMMON,
        ProblemCode.IDEMPOTENCY_CONFLICT,
        ProblemCode.FORBIDDEN,
        ProblemCode.STALE_VERSION,
        ProblemCode.DUPLICATE_STORY,
    ),
)
PROPOSE_PROTOTYPE = Route(
    "propose_prototype",
    "POST",
    "/instances/{instance_id}/prototypes",
    ProposePrototype,
    PrototypeMade,
    (
        ProblemCode.NOT_FOUND,
        ProblemCode.FENCED,
        ProblemCode.STOPPED,
        ProblemCode.IDEMPOTENCY_CONFLICT,
        ProblemCode.FORBIDDEN,
        ProblemCode.INVALID_ARCHITECTURE,
    ),
)
ROUTES = (GET_WORK_ITEMS, UPDATE_WORK_ITEMS, PROPOSE_PROTOTYPE)
