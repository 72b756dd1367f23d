"""RN_001: the session's state machine, every pair of it."""

from itertools import product

import pytest

from api.rooms.agent_sessions.domain.states import is_ended, may_move, takes_messages
from contracts.vocabulary import SessionStatus

CREATED, ACTIVE, CLOSING, CLOSED, ABNORMAL = SessionStatus
ALLOWED = {
    (CREATED, ACTIVE),
    (CREATED, ABNORMAL),
    (ACTIVE, CLOSING),
    (ACTIVE, ABNORMAL),
    (CLOSING, CLOSED),
    (CLOSING, ABNORMAL),
}


@pytest.mark.parametrize(("current", "wanted"), list(product(SessionStatus, SessionStatus)))
def test_a_session_moves_only_forward(current: SessionStatus, wanted: SessionStatus) -> None:
    assert may_move(current, wanted) is ((current, wanted) in ALLOWED)


@pytest.mark.parametrize("status", SessionStatus)
def test_only_closed_sessions_are_ended(status: SessionStatus) -> None:
    assert is_ended(status) is (status in (CLOSED, ABNORMAL))


@pytest.mark.parametrize("status", SessionStatus)
def test_only_an_active_session_takes_messages(status: SessionStatus) -> None:
    assert takes_messages(status) is (status is ACTIVE)
