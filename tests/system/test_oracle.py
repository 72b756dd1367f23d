"""An oracle that cannot complain proves nothing: each kind of harm is planted once and must be named."""

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from uuid import UUID, uuid4

import pytest

from contracts.events import (
    Actor,
    AgentResponse,
    AnyEvent,
    BusinessRule,
    ChatMessage,
    HandoffOffered,
    LogEvent,
    ToolCalled,
    ToolFinished,
    TurnEnded,
    TurnStarted,
)
from contracts.vocabulary import ActorKind, TurnStatus
from tests.chaos import audit, director, oracle
from tests.chaos.ledger import Row
from tests.chaos.oracle import Evidence

SESSION, TURN, INSTANCE, HOLD = uuid4(), uuid4(), uuid4(), uuid4()
TEXT = director.spoken("fruit")
SOUND: tuple[AnyEvent, ...] = (
    ChatMessage(text="fruit", client_message_id="a"),
    TurnStarted(turn_id=TURN, number=1, taken=(1,)),
    ToolCalled(iteration=1, arguments="{}", turn_id=TURN, call_id="c1", tool="emit_artifact"),
    BusinessRule(title="Late", description="Late stands pay.", origin=(1,)),
    ToolFinished(ok=True, text="Stored", turn_id=TURN, call_id="c1", tool="emit_artifact"),
    AgentResponse(turn_id=TURN, iteration=2, content=TEXT),
    TurnEnded(turn_id=TURN, status=TurnStatus.COMPLETED),
)


def log(payloads: Sequence[AnyEvent]) -> list[LogEvent]:
    """The payloads as a session's log; messages are addressed."""
    return [
        LogEvent(
            id=uuid4(),
            session_id=SESSION,
            seq=seq,
            actor=Actor(kind=ActorKind.AGENT, id="creative"),
            to_agent="creative" if isinstance(payload, ChatMessage) else None,
            created_at=datetime.now(UTC),
            payload=payload,
        )
        for seq, payload in enumerate(payloads, start=1)
    ]


def judged(payloads: Sequence[AnyEvent], sent: Sequence[str] = ("a",)) -> list[str]:
    """What the oracle says of such a log."""
    return oracle.complaints(Evidence(str(SESSION), log(payloads), sent))


def without(at: int) -> list[AnyEvent]:
    return [payload for number, payload in enumerate(SOUND) if number != at]


def doubled(at: int) -> list[AnyEvent]:
    return [*SOUND[: at + 1], SOUND[at], *SOUND[at + 1 :]]


def replaced(at: int, payload: AnyEvent) -> list[AnyEvent]:
    return [*SOUND[:at], payload, *SOUND[at + 1 :]]


def test_a_sound_log_gets_no_complaint() -> None:
    assert judged(SOUND) == []


@pytest.mark.parametrize(
    ("payloads", "sent"),
    [
        pytest.param(doubled(0), ("a",), id="message twice"),
        pytest.param(SOUND, ("a", "b"), id="message lost"),
        pytest.param([*SOUND, ChatMessage(text="x", client_message_id="b")], ("a", "b"), id="message never taken"),
        pytest.param(replaced(1, TurnStarted(turn_id=TURN, number=1, taken=(1, 1))), ("a",), id="taken twice"),
        pytest.param(replaced(1, TurnStarted(turn_id=TURN, number=2, taken=(1,))), ("a",), id="turn skipped"),
        pytest.param(without(6), ("a",), id="turn never ended"),
        pytest.param(doubled(6), ("a",), id="turn ended twice"),
        pytest.param([*SOUND, AgentResponse(turn_id=TURN, iteration=3, content="x")], ("a",), id="after the end"),
        pytest.param(without(4), ("a",), id="call without result"),
        pytest.param(doubled(4), ("a",), id="two results"),
        pytest.param(doubled(2), ("a",), id="call twice"),
        pytest.param(
            replaced(4, ToolFinished(ok=False, text="x", turn_id=TURN, call_id="c1", tool="t")),
            ("a",),
            id="failed",
        ),
        pytest.param(doubled(3), ("a",), id="rule twice"),
        pytest.param(doubled(5), ("a",), id="answer twice"),
        pytest.param(replaced(5, AgentResponse(turn_id=TURN, iteration=2, content=TEXT[:-9])), ("a",), id="cut"),
        pytest.param(
            replaced(3, HandoffOffered(handoff_id=HOLD, from_agent="creative", to_agent="po", artifact_event_id=HOLD)),
            ("a",),
            id="offer without brief",
        ),
    ],
)
def test_each_harm_to_a_log_is_named(payloads: Sequence[AnyEvent], sent: Sequence[str]) -> None:
    assert judged(payloads, sent) != []


def test_a_gap_in_seq_is_named() -> None:
    events = log(SOUND)
    events.pop(3)
    assert oracle.dense(Evidence(str(SESSION), events, ("a",))) != []


class Accounts:
    """A ledger of rows that are given."""

    def __init__(self, calls: list[Row], holds: list[Row]) -> None:
        self.calls, self.holds = calls, holds

    def ask(self, query: str, *_: object) -> list[Row]:
        return self.calls if query == audit.CALLS else self.holds


def call(call_id: UUID = HOLD, attempt: int = 1, status: str = "settled", *, is_repeated: bool = False) -> Row:
    return {
        "id": call_id,
        "instance_id": INSTANCE,
        "step": 1,
        "call": 0,
        "attempt": attempt,
        "status": status,
        "turn_id": TURN,
        "is_repeated": is_repeated,
    }


def hold(hold_id: UUID = HOLD, status: str = "settled", usages: int = 1) -> Row:
    return {"id": hold_id, "status": status, "usages": usages}


SECOND = uuid4()


@pytest.mark.parametrize(
    ("calls", "holds", "asked"),
    [
        pytest.param([call(), call(SECOND, 2)], [hold(), hold(SECOND)], 2, id="bought twice unflagged"),
        pytest.param(
            [call(status="lost"), call(SECOND, 2, is_repeated=True)],
            [hold(), hold(SECOND)],
            2,
            id="flag not told",
        ),
        pytest.param([call()], [hold()], 2, id="asked without a hold"),
        pytest.param([call()], [hold(status="open")], 1, id="hold still open"),
        pytest.param([call()], [hold(usages=0)], 1, id="no usage row"),
        pytest.param([call()], [hold(usages=2)], 1, id="two usage rows"),
        pytest.param([call(), call(SECOND)], [hold()], 1, id="call without hold"),
    ],
)
def test_each_harm_to_the_accounts_is_named(calls: list[Row], holds: list[Row], asked: int) -> None:
    of: Callable[..., list[str]] = audit.of_session
    assert of(Accounts(calls, holds), str(SESSION), log(SOUND), asked) != []


def test_sound_accounts_get_no_complaint() -> None:
    of: Callable[..., list[str]] = audit.of_session
    assert of(Accounts([call()], [hold()]), str(SESSION), log(SOUND), 1) == []
