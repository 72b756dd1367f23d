"""What must be true of a session whatever died: each check returns its complaints."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from uuid import UUID

from api.rooms.agent_sessions.domain.chain import Link, Start, genesis, verify
from contracts.events import (
    AgentResponse,
    BusinessRule,
    ChatMessage,
    ChatMessageCancelled,
    HandoffOffered,
    LogEvent,
    ModelCallRepeated,
    StoryCreated,
    TaskCreated,
    ToolCalled,
    ToolFinished,
    TurnEnded,
    TurnStarted,
    TurnStopReceipt,
)
from contracts.vocabulary import TurnStatus
from tests.chaos import director
from tests.chaos.ledger import Ledger

LINKS = "SELECT seq, canonical, hash FROM session_events WHERE session_id = %s ORDER BY seq"
HEAD = "SELECT next_seq, head_hash FROM agent_sessions_session WHERE id = %s"


@dataclass(frozen=True)
class Evidence:
    """A session's log as a person reads it, and the client ids that were accepted, in order."""

    session_id: str
    events: Sequence[LogEvent]
    sent: Sequence[str]


def complaints(evidence: Evidence) -> list[str]:
    """All that the log alone shows."""
    return [f"{evidence.session_id}: {word}" for check in CHECKS for word in check(evidence)]


def dense(evidence: Evidence) -> list[str]:
    """R1: no gap, no double, in order."""
    seqs = [event.seq for event in evidence.events]
    ids = Counter(event.id for event in evidence.events)
    found = [] if seqs == list(range(1, len(seqs) + 1)) else [f"seq is not dense: {seqs}"]
    return found + [f"event {event_id} is there {count} times" for event_id, count in ids.items() if count > 1]


def all_said(evidence: Evidence) -> list[str]:
    """Every accepted message is in the log once, in the order of sending."""
    logged = [e.payload.client_message_id for e in evidence.events if isinstance(e.payload, ChatMessage)]
    return [] if logged == list(evidence.sent) else [f"sent {evidence.sent}, logged {logged}"]


def taken_once(evidence: Evidence) -> list[str]:
    """Every addressed event is in exactly one turn, in order, unless it was taken back."""
    taken = [seq for e in evidence.events if isinstance(e.payload, TurnStarted) for seq in e.payload.taken]
    back = {e.payload.message_seq for e in evidence.events if isinstance(e.payload, ChatMessageCancelled)}
    addressed = [event.seq for event in evidence.events if event.to_agent and event.seq not in back]
    return [] if taken == addressed else [f"addressed {addressed}, taken {taken}"]


def ended_once(evidence: Evidence) -> list[str]:
    """The turns of an agent are numbered densely and never overlap, and each ends exactly once."""
    found: list[str] = []
    running: dict[str, UUID] = {}
    numbers: dict[str, list[int]] = defaultdict(list)
    for event in evidence.events:
        agent = event.actor.id
        if isinstance(event.payload, TurnStarted):
            found += [f"turn {event.payload.turn_id} began within {running[agent]}"] if agent in running else []
            running[agent] = event.payload.turn_id
            numbers[agent].append(event.payload.number)
        elif isinstance(event.payload, TurnEnded):
            ended = [name for name, turn_id in running.items() if turn_id == event.payload.turn_id]
            found += [] if ended else [f"seq {event.seq} ends a turn that does not run"]
            running = {name: turn_id for name, turn_id in running.items() if name not in ended}
        elif _of_a_dead_turn(event, running.values()):
            found.append(f"seq {event.seq} {event.payload.type} belongs to no running turn")
    found += [f"turn {turn_id} never ended" for turn_id in running.values()]
    dense = all(each == list(range(1, len(each) + 1)) for each in numbers.values())
    return found + ([] if dense else [f"turns are numbered {dict(numbers)}"])


def _of_a_dead_turn(event: LogEvent, running: Collection[UUID]) -> bool:
    """A Stop's papers alone follow the end of their turn."""
    payload = event.payload
    if isinstance(payload, TurnStopReceipt) or (isinstance(payload, AgentResponse) and payload.is_partial):
        return False
    turn_id: UUID | None = getattr(payload, "turn_id", None)
    return turn_id is not None and turn_id not in running


def tools_answered(evidence: Evidence) -> list[str]:
    """Each tool.call has exactly one tool.result; none only where the turn was broken off."""
    calls = Counter(e.payload.call_id for e in evidence.events if isinstance(e.payload, ToolCalled))
    results = Counter(e.payload.call_id for e in evidence.events if isinstance(e.payload, ToolFinished))
    broken = {
        e.payload.turn_id
        for e in evidence.events
        if isinstance(e.payload, TurnEnded) and e.payload.status is not TurnStatus.COMPLETED
    }
    excused = {
        e.payload.call_id for e in evidence.events if isinstance(e.payload, ToolCalled) and e.payload.turn_id in broken
    }
    found = [f"call {call_id} is there {count} times" for call_id, count in calls.items() if count > 1]
    found += [f"call {call_id} has {results[call_id]} results" for call_id in calls if results[call_id] > 1]
    found += [f"call {call_id} has no result" for call_id in calls if not results[call_id] and call_id not in excused]
    return found + [f"result {call_id} has no call" for call_id in results if call_id not in calls]


def tools_went_well(evidence: Evidence) -> list[str]:
    """A call that was in order is not answered with a failure because somebody died."""
    return [
        f"seq {e.seq} {e.payload.tool} failed: {e.payload.text[:200]}"
        for e in evidence.events
        if isinstance(e.payload, ToolFinished) and not e.payload.ok
    ]


def nothing_twice(evidence: Evidence) -> list[str]:
    """One answer for each (turn, iteration); one rule and one story for each title; one offer for each brief."""
    answers = Counter(
        (e.payload.turn_id, e.payload.iteration)
        for e in evidence.events
        if isinstance(e.payload, AgentResponse) and not e.payload.is_partial
    )
    titles = Counter(e.payload.title for e in evidence.events if isinstance(e.payload, BusinessRule))
    stories = Counter(e.payload.title for e in evidence.events if isinstance(e.payload, StoryCreated))
    tasks = Counter((e.payload.story, e.payload.title) for e in evidence.events if isinstance(e.payload, TaskCreated))
    offered = [e.payload for e in evidence.events if isinstance(e.payload, HandoffOffered)]
    offers = Counter(offer.artifact_event_id for offer in offered if offer.from_agent == "creative")
    briefs = [e.id for e in evidence.events if e.payload.type == "artifact.product_brief"]
    found = [f"answer {key} is there {count} times" for key, count in answers.items() if count > 1]
    found += [f"rule {title!r} is there {count} times" for title, count in titles.items() if count > 1]
    found += [f"story {title!r} is there {count} times" for title, count in stories.items() if count > 1]
    found += [f"task {task} is there {count} times" for task, count in tasks.items() if count > 1]
    found += [f"brief {brief} was offered {count} times" for brief, count in offers.items() if count > 1]
    return found + ([f"{len(briefs)} briefs, {len(offers)} offered"] if len(briefs) != len(offers) else [])


def answers_whole(evidence: Evidence) -> list[str]:
    """What is not marked partial is all that the model said."""
    return [
        f"seq {e.seq} is cut: {e.payload.content[-60:]!r}"
        for e in evidence.events
        if isinstance(e.payload, AgentResponse)
        and not e.payload.is_partial
        and e.payload.content.startswith("About")
        and (not e.payload.content.endswith(director.END) or e.payload.content.count(director.END) != 1)
    ]


def chain_whole(ledger: Ledger, evidence: Evidence) -> list[str]:
    """The hashes hold, and what people read is what was hashed."""
    links = [Link(row["seq"], row["canonical"], bytes(row["hash"])) for row in ledger.ask(LINKS, evidence.session_id)]
    head = ledger.ask(HEAD, evidence.session_id)[0]
    start = Start(genesis(UUID(evidence.session_id)))
    broken = verify(start, links, head["next_seq"], bytes(head["head_hash"]))
    read = [LogEvent.model_validate_json(link.canonical) for link in links]
    found = [f"{evidence.session_id}: seq {broken.seq} is {broken.what}"] if broken else []
    return found + ([] if read == list(evidence.events) else [f"{evidence.session_id}: REST and rows differ"])


def repeats(events: Sequence[LogEvent]) -> list[tuple[UUID, int]]:
    """The calls that the log says were bought again."""
    return [(e.payload.turn_id, e.payload.attempt) for e in events if isinstance(e.payload, ModelCallRepeated)]


CHECKS: tuple[Callable[[Evidence], list[str]], ...] = (
    dense,
    all_said,
    taken_once,
    ended_once,
    tools_answered,
    tools_went_well,
    nothing_twice,
    answers_whole,
)
