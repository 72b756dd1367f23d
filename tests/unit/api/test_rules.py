"""Small pure rules: addressees, inbox, answers, decisions, retries."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.rooms.agents.domain.inbox import may_take
from api.rooms.handoffs.domain.decisions import Outcome, outcome
from api.rooms.outbox.domain import MAX_ATTEMPTS, MAX_DELAY_S, delay_s, is_dead
from api.rooms.turns.domain.addressee import Addressee, Nobody, addressee
from api.rooms.turns.domain.answers import Incomplete, as_message, check
from contracts.events import ChatMessage, LogEvent, Question
from contracts.text import fold
from contracts.vocabulary import HandoffStatus, QuestionType, SessionKind

CREATIVE, CONSULTATIVE = SessionKind.CREATIVE, SessionKind.CONSULTATIVE


@pytest.mark.parametrize(
    ("kind", "active", "asked_for", "answers"),
    [
        (CREATIVE, None, None, Addressee("creative", activates=True)),
        (CREATIVE, "creative", None, Addressee("creative")),
        (CREATIVE, "product_owner", None, Addressee("product_owner")),
        (CREATIVE, None, "assistant", Addressee("assistant")),
        (CREATIVE, "creative", "assistant", Addressee("assistant")),
        (CREATIVE, "product_owner", "creative", Nobody("creative")),
        (CONSULTATIVE, None, None, Addressee("assistant")),
        (CONSULTATIVE, "creative", None, Addressee("creative")),
        (CONSULTATIVE, None, "creative", Nobody("creative")),
        (CONSULTATIVE, None, "stranger", Nobody("stranger")),
    ],
)
def test_who_answers_a_message(
    kind: SessionKind, active: str | None, asked_for: str | None, answers: Addressee | Nobody
) -> None:
    """RN_119, RN_123."""
    assert addressee(kind, active, asked_for) == answers


def message(seq: int) -> LogEvent:
    return LogEvent.model_validate_json(
        f'{{"id":"{"0" * 32}","session_id":"{"0" * 32}","seq":{seq},"actor":{{"kind":"user","id":"u"}},'
        f'"to_agent":"creative","created_at":"2026-01-01T00:00:00Z",'
        f'"payload":{ChatMessage(text="x", client_message_id="c").model_dump_json()}}}'
    )


@given(st.lists(st.integers(1, 30), unique=True, max_size=6), st.lists(st.integers(1, 30), min_size=1, max_size=6))
def test_a_turn_takes_a_prefix_of_the_inbox_in_order(waiting: list[int], seqs: list[int]) -> None:
    inbox = [message(seq) for seq in sorted(waiting)]
    assert may_take(inbox, seqs) is (sorted(waiting)[: len(seqs)] == seqs)


OFFERED, ACCEPTED, REJECTED, COMPLETED = HandoffStatus
DECISIONS = {
    (OFFERED, ACCEPTED): Outcome.DECIDE,
    (OFFERED, REJECTED): Outcome.DECIDE,
    (ACCEPTED, ACCEPTED): Outcome.SAME_AGAIN,
    (ACCEPTED, REJECTED): Outcome.OPPOSITE,
    (REJECTED, ACCEPTED): Outcome.OPPOSITE,
    (REJECTED, REJECTED): Outcome.SAME_AGAIN,
    (COMPLETED, ACCEPTED): Outcome.SAME_AGAIN,
    (COMPLETED, REJECTED): Outcome.OPPOSITE,
}


@pytest.mark.parametrize(("current", "wanted"), list(product(HandoffStatus, [ACCEPTED, REJECTED])))
def test_a_decision_against_the_handoffs_state(current: HandoffStatus, wanted: HandoffStatus) -> None:
    assert outcome(current, wanted, is_superseded=False) is DECISIONS[current, wanted]


@pytest.mark.parametrize("wanted", [ACCEPTED, REJECTED])
def test_a_superseded_offer_was_decided_by_nobodys_click(wanted: HandoffStatus) -> None:
    assert outcome(REJECTED, wanted, is_superseded=True) is Outcome.OPPOSITE


OPEN = Question(id="o", label="Open", type=QuestionType.SELECT, options=("a",), allow_other=True)
CLOSED = Question(id="c", label="Closed", type=QuestionType.SELECT, options=("a", "b"))
FREE = Question(id="f", label="Free", type=QuestionType.TEXTAREA)


@pytest.mark.parametrize(
    ("answers", "problem"),
    [
        ({"o": "a", "c": "b", "f": "x"}, None),
        ({"o": "else", "c": "b", "f": "x", "stranger": ""}, None),
        ({}, Incomplete(("o", "c", "f"), ())),
        ({"o": " ", "c": "z", "f": "x"}, Incomplete(("o",), ("c",))),
    ],
)
def test_answers_are_complete_and_within_closed_lists(answers: dict[str, str], problem: Incomplete | None) -> None:
    """RN_162."""
    assert check((OPEN, CLOSED, FREE), answers) == problem


def test_answers_read_as_one_numbered_line_each() -> None:
    assert as_message((OPEN, FREE), {"o": " a ", "f": "because"}) == "1. Open: a\n2. Free: because"


@given(st.integers(0, 10_000))
def test_a_retry_waits_longer_each_time_and_never_more_than_a_minute(attempts: int) -> None:
    assert delay_s(attempts) <= delay_s(attempts + 1) <= MAX_DELAY_S


def test_the_twelfth_failure_is_the_last() -> None:
    assert [is_dead(attempts) for attempts in (MAX_ATTEMPTS - 1, MAX_ATTEMPTS)] == [False, True]


@given(st.text())
def test_folding_a_title_again_changes_nothing(title: str) -> None:
    """RN_080."""
    assert fold(fold(title)) == fold(title)
