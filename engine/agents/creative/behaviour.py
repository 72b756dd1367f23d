"""The Creative's decisions: a conversation that records rules, and the readiness turn that ends in a handoff.

- RN-061: a failed tool is told to the model and to the person, and the model is called again in the same turn; a turn
  that had failures does not end on an error that was mended.
- RN-163: twelve model calls a turn; at the ceiling `agent.error` (model, `iteration_limit`, max_iterations 12).
- RN-162: questions that were put to the person end the turn, unless another call of the same answer can be mended.
- RN-142: the brief and the handoff follow a click of the person, and only a consolidation that went well.
- RN-116: without a business rule the readiness turn is refused, as policy and without a model call.
"""

from datetime import datetime

from contracts.agents import ROSTER
from contracts.events import BusinessRule, ReadinessConfirmed
from contracts.failures import ErrorCode
from contracts.limits import MAX_ARTIFACT_TEXT_CHARS
from contracts.vocabulary import Language, TurnStatus
from engine.domain import turn
from engine.domain.behaviour import BriefWritten, EffectFailed, Received, Step, TurnBegan, WorkOffered
from engine.domain.continuing import answers
from engine.domain.effects import OfferWork, WriteBrief
from engine.domain.failures import Failure
from engine.domain.loop import advance
from engine.domain.turn import TurnRules, TurnState, began

RECEIVER = "product_owner"
CONVERSATION = TurnRules(
    card=ROSTER["creative"],
    tools=("emit_artifact", "ask_structured_questions"),
    ends_turn=frozenset({"ask_structured_questions"}),
    closing={
        Language.ENGLISH: "I mended what had failed. The questions above are for you.",
        Language.PORTUGUESE: "Corrigi o que havia falhado. As perguntas acima são para você.",
    },
    is_ceiling_an_error=True,
)
# A tool stays on offer: some providers refuse a conversation with tool calls in it and no tools beside it.
CONSOLIDATION = TurnRules(card=ROSTER["creative"], tools=("emit_artifact",), is_ceiling_an_error=True)


def start() -> TurnState:
    """Nothing has happened yet."""
    return TurnState()


def handle(state: TurnState, message: Received, now: datetime) -> Step:
    """Pure: the same state and message give the same step."""
    del now
    rules = CONSOLIDATION if state.is_consolidation else CONVERSATION
    match message:
        case TurnBegan():
            return _begin(state, message)
        case BriefWritten():
            return _offer(state, message)
        case WorkOffered():
            return turn.complete(state)
        case EffectFailed(effect=OfferWork() as offer):
            return _handoff_failed(state, offer, message.failure)
        case _:
            return _then_brief(advance(rules, state, message))


def _begin(state: TurnState, message: TurnBegan) -> Step:
    is_ready = answers(ReadinessConfirmed, message.taken, message.history)
    state = began(state, message, is_consolidation=is_ready)
    if not is_ready:
        return turn.call_again(CONVERSATION, state)
    if not any(isinstance(event.payload, BusinessRule) for event in message.history):
        return turn.fail(state, Failure(ErrorCode.NO_BUSINESS_RULE, "the session holds no business rule"))
    return turn.call_again(CONSOLIDATION, state)


def _then_brief(step: Step) -> Step:
    """A consolidation that went well goes on to the brief; its summary is the last text of the turn."""
    state = step.state
    is_done = step.end is not None and step.end.status is TurnStatus.COMPLETED
    if not (isinstance(state, TurnState) and state.is_consolidation and is_done):
        return step
    summary = state.text.strip()[:MAX_ARTIFACT_TEXT_CHARS]
    if not summary:
        return turn.fail(state, Failure(ErrorCode.EMPTY_ANSWER, "the consolidation has no text"), *step.events)
    return Step(state, step.events, effect=WriteBrief(summary=summary))


def _offer(state: TurnState, message: BriefWritten) -> Step:
    return Step(state, effect=OfferWork(to_agent=RECEIVER, artifact_event_id=message.event.id))


def _handoff_failed(state: TurnState, offer: OfferWork, failure: Failure) -> Step:
    """The error says what is saved: the brief stays, and the person may click again."""
    facts = {**failure.facts, "saved": "product_brief", "artifact_event_id": str(offer.artifact_event_id)}
    return turn.fail(state, Failure(failure.code, failure.diagnosis, facts), tool=None)
