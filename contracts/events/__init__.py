"""Every durable event: the union of payloads, told apart by `type`, and the envelope they travel in."""

from datetime import datetime
from typing import Annotated, get_args
from uuid import UUID

from pydantic import Field, TypeAdapter

from contracts.artifacts import (
    BusinessRule,
    C4Diagram,
    Insight,
    ModuleMap,
    NavigablePrototype,
    Note,
    ProductBrief,
    ProjectImage,
)
from contracts.base import Message, Seq, Slug
from contracts.events.actions import ActionApproved, ActionDenied, ActionProposed
from contracts.events.agents import (
    AgentActivated,
    AgentActivationOwed,
    AgentError,
    AgentResponse,
    CeilingReached,
    ContextCompacted,
    ModelCallRepeated,
    ModelFellBack,
    ModelNudged,
    ToolCalled,
    ToolFinished,
)
from contracts.events.architecture import ArchitectureConfirmed, StoryDemoted, StoryModulesAssigned
from contracts.events.backlog import (
    EpicCreated,
    EpicWithoutStory,
    FeatureCreated,
    RuleResembles,
    RulesMerged,
    StoryCreated,
    StoryEdited,
    StoryOverlapWarned,
    StoryPromotionProposed,
    StoryPromotionReturned,
    StoryResembles,
    StoryReviewed,
    StoryTransitioned,
    TaskCreated,
)
from contracts.events.chat import (
    ChatMessage,
    ChatMessageCancelled,
    Question,
    StructuredQuestion,
    StructuredQuestionAnswered,
)
from contracts.events.detailing import (
    DetailingRequested,
    IterationPlanned,
    TaskBlocked,
    TaskEdited,
    TaskRemoved,
    TasksReplaced,
    TaskStatusChanged,
    TaskUnblocked,
)
from contracts.events.handoffs import (
    HandoffAccepted,
    HandoffCompleted,
    HandoffOffered,
    HandoffRejected,
    HandoffStarted,
    ReadinessConfirmed,
)
from contracts.events.session import SessionClosed, SessionOpened
from contracts.events.turns import TurnContinued, TurnEnded, TurnStarted, TurnStopReceipt
from contracts.vocabulary import ActorKind

AnyEvent = (
    SessionOpened
    | SessionClosed
    | ChatMessage
    | ChatMessageCancelled
    | StructuredQuestion
    | StructuredQuestionAnswered
    | AgentActivated
    | AgentActivationOwed
    | AgentResponse
    | AgentError
    | ToolCalled
    | ToolFinished
    | CeilingReached
    | ContextCompacted
    | ModelNudged
    | ModelCallRepeated
    | ModelFellBack
    | TurnStarted
    | TurnEnded
    | TurnStopReceipt
    | TurnContinued
    | ReadinessConfirmed
    | HandoffOffered
    | HandoffAccepted
    | HandoffStarted
    | HandoffRejected
    | HandoffCompleted
    | RuleResembles
    | RulesMerged
    | EpicCreated
    | FeatureCreated
    | StoryCreated
    | StoryOverlapWarned
    | StoryResembles
    | StoryPromotionProposed
    | StoryPromotionReturned
    | StoryTransitioned
    | StoryEdited
    | StoryReviewed
    | TaskCreated
    | EpicWithoutStory
    | StoryModulesAssigned
    | StoryDemoted
    | ArchitectureConfirmed
    | IterationPlanned
    | DetailingRequested
    | TasksReplaced
    | TaskEdited
    | TaskRemoved
    | TaskStatusChanged
    | TaskBlocked
    | TaskUnblocked
    | ActionProposed
    | ActionApproved
    | ActionDenied
    | Note
    | BusinessRule
    | ProductBrief
    | ModuleMap
    | ProjectImage
    | C4Diagram
    | Insight
    | NavigablePrototype
)

EventPayload = Annotated[AnyEvent, Field(discriminator="type")]

AgentWritten = Annotated[
    AgentResponse
    | AgentError
    | ToolCalled
    | ToolFinished
    | ContextCompacted
    | CeilingReached
    | ModelNudged
    | StructuredQuestion
    | EpicWithoutStory,
    Field(discriminator="type"),
]
"""What an engine step may write; everything else is written by the api's own rules."""

ADDRESSED = (
    "chat.message",
    "turn.continued",
    "readiness.confirmed",
    "handoff.started",
    "handoff.rejected",
    "backlog.story_promotion_returned",
    "backlog.detailing_requested",
    "architecture.readiness_confirmed",
    "proposed_action.approved",
    "proposed_action.denied",
)
"""Types that are addressed to an agent and wake it; only `agents.deliver` may append these with an addressee."""

EVENT_TYPES: dict[str, type[Message]] = {model.model_fields["type"].default: model for model in get_args(AnyEvent)}

PAYLOAD: TypeAdapter[AnyEvent] = TypeAdapter(EventPayload)


class Actor(Message):
    """A person's id, an agent's slug, or a component's name."""

    kind: ActorKind
    id: str


class LogEvent(Message):
    """One row of a session's log, exactly as its canonical text says."""

    id: UUID
    session_id: UUID
    seq: Seq
    actor: Actor
    to_agent: Slug | None
    created_at: datetime
    payload: EventPayload


__all__ = [
    "ADDRESSED",
    "EVENT_TYPES",
    "PAYLOAD",
    "ActionApproved",
    "ActionDenied",
    "ActionProposed",
    "Actor",
    "AgentActivated",
    "AgentActivationOwed",
    "AgentError",
    "AgentResponse",
    "AgentWritten",
    "AnyEvent",
    "ArchitectureConfirmed",
    "BusinessRule",
    "C4Diagram",
    "CeilingReached",
    "ChatMessage",
    "ChatMessageCancelled",
    "ContextCompacted",
    "DetailingRequested",
    "EpicCreated",
    "EpicWithoutStory",
    "EventPayload",
    "FeatureCreated",
    "HandoffAccepted",
    "HandoffCompleted",
    "HandoffOffered",
    "HandoffRejected",
    "HandoffStarted",
    "Insight",
    "IterationPlanned",
    "LogEvent",
    "ModelCallRepeated",
    "ModelFellBack",
    "ModelNudged",
    "ModuleMap",
    "NavigablePrototype",
    "Note",
    "ProductBrief",
    "ProjectImage",
    "Question",
    "ReadinessConfirmed",
    "RuleResembles",
    "RulesMerged",
    "SessionClosed",
    "SessionOpened",
    "StoryCreated",
    "StoryDemoted",
    "StoryEdited",
    "StoryModulesAssigned",
    "StoryOverlapWarned",
    "StoryPromotionProposed",
    "StoryPromotionReturned",
    "StoryResembles",
    "StoryReviewed",
    "StoryTransitioned",
    "StructuredQuestion",
    "StructuredQuestionAnswered",
    "TaskBlocked",
    "TaskCreated",
    "TaskEdited",
    "TaskRemoved",
    "TaskStatusChanged",
    "TaskUnblocked",
    "TasksReplaced",
    "ToolCalled",
    "ToolFinished",
    "TurnContinued",
    "TurnEnded",
    "TurnStarted",
    "TurnStopReceipt",
]
