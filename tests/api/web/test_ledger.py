"""What entries show of what happened later, decided without a database."""

from uuid import UUID

from api.surfaces.web.timeline.entry import RuleLink
from api.surfaces.web.timeline.ledger import Ledger
from api.surfaces.web.timeline.touched import touched_by
from contracts.artifacts import BusinessRule, ProductBrief
from contracts.events import (
    ChatMessage,
    ChatMessageCancelled,
    HandoffAccepted,
    LogEvent,
    Question,
    StructuredQuestion,
    StructuredQuestionAnswered,
    TurnStarted,
)
from tests.api.web.samples import ID, TURN, event_of

RULE = event_of(BusinessRule(title="Três livros", description="No máximo três.", origin=(3,)), 5, UUID(int=5))
LINK = RuleLink(1, "Três livros", 5, "No máximo três.", (3,))


def ledger(*later: LogEvent, waiting: frozenset[int] = frozenset()) -> Ledger:
    return Ledger(me=str(ID), may_act=True, later=later, waiting=waiting)


def said(seq: int = 3) -> LogEvent:
    return event_of(ChatMessage(text="Oi", client_message_id="m"), seq)


def test_a_message_links_to_the_rules_that_came_from_it() -> None:
    assert ledger(RULE).entries((said(),))[0].rules == (LINK,)


def test_a_brief_holds_the_rules_that_it_names() -> None:
    brief = event_of(ProductBrief(number=1, summary="S", rules=(RULE.id,)))
    assert ledger(RULE).entries((brief,))[0].rules == (LINK,)


def test_a_queued_message_says_so_until_it_is_taken() -> None:
    assert ledger(waiting=frozenset({3})).entries((said(),))[0].state == "waiting"
    assert ledger().entries((said(),))[0].state == ""


def test_a_cancelled_message_says_so() -> None:
    cancelled = event_of(ChatMessageCancelled(message_seq=3), 4)
    assert ledger(cancelled).entries((said(),))[0].state == "cancelled"


def test_answered_questions_show_their_answers() -> None:
    asked = event_of(StructuredQuestion(turn_id=TURN, questions=(Question(id="a", label="A?"),)), event_id=UUID(int=8))
    answered = event_of(StructuredQuestionAnswered(question_set_id=asked.id, answers={"a": "sim"}), 10)
    assert [pair.answer for pair in ledger(answered).entries((asked,))[0].asked] == ["sim"]


def test_what_new_events_change_is_known_from_them_alone() -> None:
    new = (
        event_of(TurnStarted(turn_id=TURN, number=1, taken=(3, 4)), 5),
        event_of(ChatMessageCancelled(message_seq=6), 7),
        event_of(StructuredQuestionAnswered(question_set_id=UUID(int=8), answers={}), 9),
        event_of(HandoffAccepted(handoff_id=UUID(int=1), to_agent="product_owner"), 10),
        RULE,
    )
    touched = touched_by(new)
    assert touched.seqs == {3, 4, 6}
    assert touched.questions == {UUID(int=8)}
    assert touched.handoffs == {UUID(int=1)}


def test_nothing_new_changes_nothing() -> None:
    assert touched_by((said(),)).after is None
