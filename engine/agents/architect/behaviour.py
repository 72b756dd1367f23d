"""The Architect's decisions: a conversation with tools, and a confirmed architecture that is handed over.

- RN-145: a person's confirmation begins a turn that sums the architecture up and ends in an offer to the Infra Lead; a
  summary that failed offers nothing.
- RN-166: the ceiling speaks.
"""

from datetime import datetime
from uuid import UUID

from contracts.agents import ROSTER
from contracts.events import ArchitectureConfirmed, LogEvent, ModuleMap
from contracts.vocabulary import TurnStatus
from engine.domain import turn
from engine.domain.behaviour import EffectFailed, Received, Step, TurnBegan, WorkOffered
from engine.domain.continuing import answers
from engine.domain.effects import OfferWork
from engine.domain.failures import Failure
from engine.domain.loop import advance
from engine.domain.turn import TurnRules, TurnState, began

RECEIVER = "infra_lead"
RULES = TurnRules(
    card=ROSTER["architect"],
    tools=(
        "list_business_rules",
        "list_backlog",
        "read_architecture",
        "create_module_map",
        "assign_story_modules",
        "choose_project_image",
        "create_c4_diagram",
        "propose_adr",
        "emit_insight",
        "ask_structured_questions",
        "offer_handoff",
    ),
)
# A tool stays on offer: some providers refuse a conversation with tool calls in it and no tools beside it.
SUMMARY = TurnRules(card=ROSTER["architect"], tools=("read_architecture",))


class State(TurnState):
    """A turn, and the module map that a confirmed architecture is handed over with, if this session made it."""

    map_event: UUID | None = None


def start() -> State:
    """Nothing has happened yet."""
    return State()


def handle(state: State, message: Received, now: datetime) -> Step:
    """Pure: the same state and message give the same step."""
    del now
    rules = SUMMARY if state.is_consolidation else RULES
    match message:
        case TurnBegan():
            return _begin(state, message)
        case WorkOffered():
            return turn.complete(state)
        case EffectFailed(effect=OfferWork()):
            failure = message.failure
            facts = {**failure.facts, "saved": "module_map"}
            return turn.fail(state, Failure(failure.code, failure.diagnosis, facts), tool=None)
        case _:
            return _then_offer(advance(rules, state, message))


def _begin(state: State, message: TurnBegan) -> Step:
    is_confirmed = answers(ArchitectureConfirmed, message.taken, message.history)
    state = began(state, message, is_consolidation=is_confirmed)
    if not is_confirmed:
        return turn.call_again(RULES, state)
    return turn.call_again(SUMMARY, turn.with_(state, map_event=_last_map(message.history)))


def _last_map(history: tuple[LogEvent, ...]) -> UUID | None:
    maps = [event.id for event in history if isinstance(event.payload, ModuleMap)]
    return maps[-1] if maps else None


def _then_offer(step: Step) -> Step:
    """A summary that went well is followed by the offer."""
    state = step.state
    is_done = step.end is not None and step.end.status is TurnStatus.COMPLETED
    if not (isinstance(state, State) and state.is_consolidation and is_done):
        return step
    return Step(state, step.events, effect=OfferWork(to_agent=RECEIVER, artifact_event_id=state.map_event))
