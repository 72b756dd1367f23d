"""One hostile event of every type: each free text tries to become markup."""

from datetime import UTC, datetime
from uuid import UUID

from contracts.actions import ActionType
from contracts.architecture import Module
from contracts.artifacts import BusinessRule, C4Diagram, Insight, ModuleMap, Note, ProductBrief, ProjectImage
from contracts.events import (
    ActionApproved,
    ActionDenied,
    ActionProposed,
    Actor,
    AgentActivated,
    AgentActivationOwed,
    AgentError,
    AgentResponse,
    AnyEvent,
    ArchitectureConfirmed,
    CeilingReached,
    ChatMessage,
    ChatMessageCancelled,
    ContextCompacted,
    EpicCreated,
    EpicWithoutStory,
    HandoffAccepted,
    HandoffCompleted,
    HandoffOffered,
    HandoffRejected,
    HandoffStarted,
    LogEvent,
    ModelCallRepeated,
    ModelFellBack,
    ModelNudged,
    Question,
    ReadinessConfirmed,
    RuleResembles,
    RulesMerged,
    SessionClosed,
    SessionOpened,
    StoryCreated,
    StoryDemoted,
    StoryEdited,
    StoryModulesAssigned,
    StoryOverlapWarned,
    StoryPromotionProposed,
    StoryPromotionReturned,
    StoryResembles,
    StoryReviewed,
    StoryTransitioned,
    StructuredQuestion,
    StructuredQuestionAnswered,
    TaskCreated,
    ToolCalled,
    ToolFinished,
    TurnContinued,
    TurnEnded,
    TurnStarted,
    TurnStopReceipt,
)
from contracts.events.backlog import Named, TextChange
from contracts.failures import ErrorCode, FailureOrigin
from contracts.money import Bill, Usage
from contracts.vocabulary import (
    ActorKind,
    QuestionType,
    SessionKind,
    SessionStatus,
    StoryStatus,
    TerminationReason,
    TurnStatus,
)

EVIL = '<script>alert(1)</script><img src=x onerror=alert(2)> "quoted" [a](javascript:alert(3)) ![b](https://evil.example/p.png)'
ID = UUID("01a22ec7-9720-7673-bcae-cec9caaadd81")
TURN = UUID("01a22ec7-9731-7766-ba5e-0842832b196c")
BILL = Bill(usage=Usage(uncached_input=10, output=5), cost_micros=1234, provider=EVIL, model=EVIL)

OTHER = Named(code="S-2", title=EVIL)

PAYLOADS: tuple[AnyEvent, ...] = (
    SessionOpened(kind=SessionKind.CREATIVE),
    SessionClosed(status=SessionStatus.CLOSED, reason=TerminationReason.NORMAL),
    ChatMessage(text=EVIL, client_message_id="m"),
    ChatMessageCancelled(message_seq=3),
    StructuredQuestion(
        turn_id=TURN,
        questions=(
            Question(id="q<1>", label=EVIL),
            Question(id="q2", label=EVIL, type=QuestionType.TEXTAREA),
            Question(id="q3", label=EVIL, type=QuestionType.SELECT, options=(EVIL[:200],), allow_other=True),
        ),
    ),
    StructuredQuestionAnswered(question_set_id=ID, answers={"q2": EVIL}),
    AgentActivated(agent="creative"),
    AgentActivationOwed(agent="product_owner", handoff_id=ID),
    AgentResponse(turn_id=TURN, iteration=0, content=EVIL, bill=BILL, is_partial=True),
    AgentError(
        origin=FailureOrigin.POLICY,
        code=ErrorCode.BUDGET_EXCEEDED,
        diagnosis=EVIL,
        facts={"node": EVIL, "needed_micros": "5000", "left_micros": "10"},
    ),
    ToolCalled(turn_id=TURN, iteration=0, call_id="c", tool=EVIL, arguments=EVIL),
    ToolFinished(turn_id=TURN, call_id="c", tool=EVIL, ok=False, text=EVIL),
    ContextCompacted(turn_id=TURN, through_seq=2, summary=EVIL, bytes_before=9, bytes_after=3),
    ModelNudged(turn_id=TURN, reason=ErrorCode.EMPTY_ANSWER, text=EVIL),
    ModelCallRepeated(turn_id=TURN, attempt=2),
    ModelFellBack(
        turn_id=TURN,
        agent="creative",
        provider="openai_compatible",
        model="gone",
        fallback_provider="anthropic",
        fallback_model="there",
    ),
    TurnStarted(turn_id=TURN, number=1, taken=(3,)),
    TurnEnded(turn_id=TURN, status=TurnStatus.COMPLETED),
    TurnStopReceipt(turn_id=TURN, close_ms=312, usage=Usage(output=40), cost_micros=None),
    TurnContinued(),
    ReadinessConfirmed(),
    HandoffOffered(handoff_id=ID, from_agent="creative", to_agent="product_owner"),
    HandoffAccepted(handoff_id=ID, to_agent="product_owner"),
    HandoffRejected(handoff_id=ID, to_agent="product_owner", reason=EVIL),
    HandoffCompleted(handoff_id=ID),
    HandoffStarted(handoff_id=ID, from_agent="creative", to_agent="product_owner"),
    CeilingReached(turn_id=TURN, iteration=12, max_iterations=12),
    RuleResembles(code="R-2", title=EVIL, resembles=(OTHER,), likeness=70),
    RulesMerged(kept=OTHER, merged=OTHER, stories=("S-1",)),
    EpicCreated(epic_id=ID, code="E1", title=EVIL),
    StoryCreated(story_id=ID, code="S-1", epic="E1", title=EVIL, status=StoryStatus.DRAFT, rules=("R-1",)),
    StoryOverlapWarned(story_id=ID, code="S-1", title=EVIL, overlaps=OTHER, rules=("R-1",)),
    StoryResembles(story_id=ID, code="S-1", title=EVIL, resembles=(OTHER,), likeness=70),
    StoryPromotionProposed(story_id=ID, code="S-1", epic="E1", title=EVIL),
    StoryPromotionReturned(story_id=ID, code="S-1", title=EVIL, reason=EVIL),
    StoryTransitioned(
        story_id=ID,
        code="S-1",
        title=EVIL,
        from_status=StoryStatus.READY,
        to_status=StoryStatus.DRAFT,
        reason=EVIL,
    ),
    StoryEdited(
        story_id=ID,
        code="S-1",
        title=EVIL,
        version=2,
        changes=(TextChange(field="title", before=(EVIL,), after=(EVIL, EVIL)),),
    ),
    StoryReviewed(story_id=ID, code="S-1", title=EVIL, rules=("R-1",)),
    TaskCreated(task_id=ID, code="T-1", story="S-1", title=EVIL),
    EpicWithoutStory(turn_id=TURN, epics=(OTHER,)),
    StoryModulesAssigned(story_id=ID, code="S-1", title=EVIL, modules=("loans",)),
    StoryDemoted(story_id=ID, code="S-1", title=EVIL, missing_modules=("loans",)),
    ArchitectureConfirmed(map_version=1),
    ActionProposed(action_id=ID, action_type=ActionType.OPEN_ADR_PR, title=EVIL, content_sha256="a" * 64),
    ActionApproved(action_id=ID, action_type=ActionType.OPEN_ADR_PR, title=EVIL, content_sha256="a" * 64),
    ActionDenied(action_id=ID, action_type=ActionType.OPEN_ADR_PR, title=EVIL, reason=EVIL),
    Note(title=EVIL, body=EVIL),
    BusinessRule(title=EVIL, description=EVIL, origin=(3,)),
    ProductBrief(number=1, summary=EVIL, rules=(ID,)),
    ModuleMap(version=1, modules=(Module(name="loans", stack=EVIL, responsibility=EVIL, depends_on=("people",)),)),
    ProjectImage(version=1, image=EVIL, rationale=EVIL),
    C4Diagram(version=1, map_version=1, system_name=EVIL[:120], system_description=EVIL, context=EVIL, containers=EVIL),
    Insight(title=EVIL, description=EVIL),
)

OF_PEOPLE = (
    "chat.message",
    "readiness.confirmed",
    "turn.continued",
    "handoff.rejected",
    "handoff.accepted",
    "backlog.rules_merged",
    "architecture.readiness_confirmed",
    "proposed_action.approved",
    "proposed_action.denied",
)


def event_of(payload: AnyEvent, seq: int = 9, event_id: UUID = ID) -> LogEvent:
    is_persons = payload.type in OF_PEOPLE
    actor = Actor(kind=ActorKind.USER, id=str(ID)) if is_persons else Actor(kind=ActorKind.AGENT, id="creative")
    return LogEvent(
        id=event_id,
        session_id=ID,
        seq=seq,
        actor=actor,
        to_agent=None,
        created_at=datetime(2026, 11, 30, 12, tzinfo=UTC),
        payload=payload,
    )
