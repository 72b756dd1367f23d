"""The UX Designer's decisions: a conversation with tools; a prototype that was made ends the turn."""

from datetime import datetime

from contracts.agents import ROSTER
from contracts.vocabulary import Language
from engine.domain import turn
from engine.domain.behaviour import Received, Step, TurnBegan
from engine.domain.loop import advance
from engine.domain.turn import TurnRules, TurnState, began

RULES = TurnRules(
    card=ROSTER["ux_designer"],
    tools=("list_business_rules", "list_backlog", "propose_prototype", "ask_structured_questions"),
    ends_turn=frozenset({"propose_prototype"}),
    closing={
        Language.ENGLISH: "I mended what had failed; the prototype above is the result.",
        Language.PORTUGUESE: "Corrigi o que havia falhado; o protótipo acima é o resultado.",
    },
)


def start() -> TurnState:
    """Nothing has happened yet."""
    return TurnState()


def handle(state: TurnState, message: Received, now: datetime) -> Step:
    """Pure: the same state and message give the same step."""
    del now
    if isinstance(message, TurnBegan):
        return turn.call_again(RULES, began(state, message))
    return advance(RULES, state, message)
