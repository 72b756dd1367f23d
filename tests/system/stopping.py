"""One Stop of a call that the model's server keeps open, in whatever phase, as it looked from all sides."""

import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from uuid import UUID

from contracts.events import AgentError, AgentResponse, LogEvent, TurnEnded, TurnStopReceipt
from contracts.failures import ErrorCode, FailureOrigin
from contracts.vocabulary import TurnStatus
from tests.chaos.ledger import Ledger, Row
from tests.fakes.model_server import Recorded, Reply
from tests.plugins.house import House
from tests.system.person import Person, Talk

TEXT = "one two three four five six seven eight nine ten"
SPOKEN = 4
PHASES: dict[str, Reply] = {
    "before headers": Reply(hang="before_headers"),
    "before the first delta": Reply(hang="before_body"),
    "in mid-stream": Reply(text=TEXT, hang="after", after=1 + SPOKEN),
}
START_SECONDS = 15.0
CLOSE_SECONDS = 2.0
USAGE = """
SELECT h.status, u.is_estimated, u.outcome FROM budgets_hold h LEFT JOIN budgets_tokenusage u ON u.hold_id = h.id
WHERE h.session_id = %s
"""
HELD = "SELECT held_micros FROM budgets_node WHERE id = %s"


@dataclass(frozen=True)
class Stopped:
    """What a Stop did. `closed_s` is from the press of the button to the end of the provider's socket."""

    acknowledged_s: float
    closed_s: float
    turns: list[UUID]
    talk: Talk
    requests: list[Recorded]
    usage: list[Row]
    held_micros: int


def stop_once(house: House, phase: str, jitter_s: float, presses: int = 5, at_once: int = 1) -> Stopped:
    """A new session, a call in `phase`, Stop pressed five times: the first `at_once` of them at the same moment."""
    house.models.otherwise = lambda _: PHASES[phase]
    talk = asked(house)
    house.models.wait_for(lambda _: is_there(requests_of(house, talk), phase), START_SECONDS)
    time.sleep(jitter_s)
    pressed = time.monotonic()
    with ThreadPoolExecutor(at_once) as hands:
        turns = [turn for named in hands.map(lambda _: talk.stop(), range(at_once)) for turn in named]
    acknowledged = time.monotonic() - pressed
    house.models.wait_for(lambda _: requests_of(house, talk)[0].closed_at is not None, CLOSE_SECONDS + 3)
    talk.until(has("turn.stop_receipt"), 15)
    for _ in range(presses - at_once):
        assert talk.stop() == []
    talk.events.clear()
    talk.read()
    ledger = Ledger(house.plan.addresses.migration_database_url)
    requests = requests_of(house, talk)
    return Stopped(
        acknowledged,
        (requests[0].closed_at or 0) - pressed,
        turns,
        talk,
        requests,
        ledger.ask(USAGE, talk.session_id),
        ledger.ask(HELD, talk.session_id)[0]["held_micros"],
    )


def wrong(stopped: Stopped, phase: str) -> list[str]:
    """Everything that a Stop promises and this one did not keep (F4, R10)."""
    talk, said = stopped.talk, TEXT.split(" ", SPOKEN)
    receipts = [e.payload for e in talk.events if isinstance(e.payload, TurnStopReceipt)]
    errors = [(e.payload.origin, e.payload.code) for e in talk.events if isinstance(e.payload, AgentError)]
    ends = [(e.payload.turn_id, e.payload.status) for e in talk.events if isinstance(e.payload, TurnEnded)]
    answers = [(e.payload.is_partial, e.payload.content) for e in talk.events if isinstance(e.payload, AgentResponse)]
    partial = [(True, " ".join(said[:SPOKEN]) + " ")] if phase == "in mid-stream" else []
    claims = {
        f"closed after {stopped.closed_s:.2f} s": stopped.closed_s <= CLOSE_SECONDS,
        f"receipts {receipts}": [receipt.calls_after for receipt in receipts] == [0],
        f"errors {errors}": errors == [(FailureOrigin.POLICY, ErrorCode.CANCELLED_BY_USER)],
        f"{len(stopped.turns)} presses ended a turn": len(stopped.turns) == 1,
        f"ends {ends}": ends == [(turn, TurnStatus.STOPPED) for turn in stopped.turns],
        f"answers {answers}": answers == partial,
        f"usage {stopped.usage}": [row["status"] for row in stopped.usage] == ["settled"],
        f"held {stopped.held_micros}": stopped.held_micros == 0,
        f"requests {len(stopped.requests)}": len(stopped.requests) == 1,
        "the prompt is gone": len(talk.of_type("chat.message")) == 1,
    }
    return [f"{phase}: {claim}" for claim, holds in claims.items() if not holds]


def bound(house: House, person: Person) -> Talk:
    """A new session whose model is the house's server, under a name of its own."""
    talk = person.open_session(person.create_project())
    talk.bind(house.models.url, f"model-{talk.session_id}")
    return talk


def asked(house: House) -> Talk:
    """The same of a new person, with a first message."""
    talk = bound(house, Person(house.stack))
    talk.say("we want a street market")
    return talk


def requests_of(house: House, talk: Talk) -> list[Recorded]:
    """What this session's model was asked."""
    return [each for each in house.models.requests if each.body["model"] == f"model-{talk.session_id}"]


def is_there(requests: list[Recorded], phase: str) -> bool:
    """Whether the call has come to where it will be stopped."""
    return bool(requests) and (phase != "in mid-stream" or requests[0].pieces_sent > SPOKEN)


def has(event_type: str) -> Callable[[list[LogEvent]], bool]:
    """Whether such an event is in a log."""
    return lambda events: any(event.payload.type == event_type for event in events)
