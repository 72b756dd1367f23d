"""Closed sets that both services and the wire agree on."""

from enum import StrEnum


class ActorKind(StrEnum):
    USER = "user"
    AGENT = "agent"
    SYSTEM = "system"


class Role(StrEnum):
    """What a person may do in a workspace, weakest first."""

    VIEWER = "viewer"
    DEVELOPER = "developer"
    MAINTAINER = "maintainer"
    OWNER = "owner"

    @property
    def rank(self) -> int:
        return list(Role).index(self)

    def covers(self, needed: "Role") -> bool:
        return self.rank >= needed.rank


class Language(StrEnum):
    """Languages in which people are spoken to; a project has one for its agents."""

    ENGLISH = "en"
    PORTUGUESE = "pt-br"


class SessionKind(StrEnum):
    """Intent, chosen at creation and never inferred (RN-097)."""

    CONSULTATIVE = "consultative"
    CREATIVE = "creative"


class SessionStatus(StrEnum):
    CREATED = "created"
    ACTIVE = "active"
    CLOSING = "closing"
    CLOSED = "closed"
    CLOSED_ABNORMALLY = "closed_abnormally"


class TerminationReason(StrEnum):
    """Why a session ended; the cause is a table over this code (RN-023)."""

    NORMAL = "normal"
    HEARTBEAT_TIMEOUT = "heartbeat_timeout"
    KILLED = "killed"
    CRASH = "crash"
    NODE_SHUTDOWN = "node_shutdown"


class TurnStatus(StrEnum):
    RUNNING = "running"
    COMPLETED = "completed"
    STOPPED = "stopped"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


class HandoffStatus(StrEnum):
    OFFERED = "offered"
    ACCEPTED = "accepted"
    REJECTED = "rejected"
    COMPLETED = "completed"


class StoryStatus(StrEnum):
    """draft → ready; ready → in_progress or draft; in_progress → done or ready (RN-009)."""

    DRAFT = "draft"
    READY = "ready"
    IN_PROGRESS = "in_progress"
    DONE = "done"


class TaskStatus(StrEnum):
    TODO = "todo"
    IN_PROGRESS = "in_progress"
    IN_REVIEW = "in_review"
    DONE = "done"


class Promotion(StrEnum):
    """Who makes a complete story ready: a person, or the workspace at once (RN-048)."""

    MANUAL = "manual"
    AUTOMATIC = "automatic"


class Queue(StrEnum):
    """Celery queues of the engine."""

    CONVERSATION = "conversation"
    DELIVERY = "delivery"
    GATES = "gates"
    ANALYSIS = "analysis"
    HOUSEKEEPING = "housekeeping"


class QuestionType(StrEnum):
    TEXT = "text"
    TEXTAREA = "textarea"
    SELECT = "select"


class MessageRole(StrEnum):
    """Who speaks in a conversation sent to a model."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


class FinishReason(StrEnum):
    STOP = "stop"
    LENGTH = "length"
    TOOL_CALLS = "tool_calls"
    CONTENT_FILTER = "content_filter"
    CUT = "cut"
    """Stop, a fenced epoch or a vanished consumer closed the stream."""
    ERROR = "error"
