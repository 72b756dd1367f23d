"""The Product Owner's decisions: a conversation with tools, and its debts.

- RN-165: an epic that a turn made and gave no story is charged once, in the step that ends the turn. The debt lives in
  the state, so a worker that dies loses none; a refused story settles nothing; it is never computed from the backlog.
- RN-166: the ceiling speaks.
- RN-162: questions do not end the turn; the loop goes on with their answer pending.
"""

from datetime import datetime

from contracts.agents import ROSTER
from contracts.base import Message
from contracts.events import EpicWithoutStory
from contracts.events.backlog import Named
from engine.domain import turn
from engine.domain.behaviour import Received, Step, ToolRan, TurnBegan
from engine.domain.loop import advance
from engine.domain.tools import ToolOutcome
from engine.domain.turn import TurnRules, TurnState, began, turn_of

RULES = TurnRules(
    card=ROSTER["product_owner"],
    tools=(
        "list_business_rules",
        "list_backlog",
        "create_epic",
        "create_feature",
        "create_story",
        "edit_story",
        "create_task",
        "ask_structured_questions",
        "offer_handoff",
    ),
)


class Debt(Message):
    """An epic that was made in this turn and has no story from it yet."""

    epic: str
    title: str


class State(TurnState):
    """A turn, and the epics that it owes a story."""

    debts: tuple[Debt, ...] = ()


def start() -> State:
    """Nothing has happened yet."""
    return State()


def handle(state: State, message: Received, now: datetime) -> Step:
    """Pure: the same state and message give the same step."""
    del now
    if isinstance(message, TurnBegan):
        return turn.call_again(RULES, began(state, message))
    if isinstance(message, ToolRan):
        state = turn.with_(state, debts=after(state.debts, message.outcome))
    return charged(advance(RULES, state, message))


def after(debts: tuple[Debt, ...], outcome: ToolOutcome) -> tuple[Debt, ...]:
    """An epic that was made is owed a story; a story that was made settles its epic."""
    if not outcome.ok:
        return debts
    facts = outcome.facts
    if "epic" in facts:
        return (*debts, Debt(epic=facts["epic"], title=facts["title"]))
    return tuple(debt for debt in debts if debt.epic != facts.get("of_epic"))


def charged(step: Step) -> Step:
    """The end of a turn charges what is still owed, and empties it."""
    state = step.state
    if step.end is None or not isinstance(state, State) or not state.debts:
        return step
    epics = tuple(Named(code=debt.epic, title=debt.title) for debt in state.debts)
    told = EpicWithoutStory(turn_id=turn_of(state), epics=epics)
    return Step(turn.with_(state, debts=()), (*step.events, told), end=step.end)
