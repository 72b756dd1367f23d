"""What goes wrong in the field, each while something dies: a case acts, and returns what was not as it should be."""

import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any
from uuid import uuid4

from contracts.events import AgentResponse, BusinessRule, HandoffOffered, ModelNudged, TurnEnded, TurnStarted
from contracts.vocabulary import TurnStatus
from tests.chaos import director
from tests.chaos.field_scene import SETTLE_SECONDS, Case
from tests.fakes.model_server import Reply, ToolCall
from tests.system.person import Page

PAGE_SIZES = (1, 7, 50, 1_000)
MAX_NUDGES = 2
BROKEN_ARGUMENTS = ("", '{"city": "San Fra', "[]", "null", '{"a":1} ok?')
LIMIT_MICROS, INPUT_MICROS, OUTPUT_MICROS = 500_000, 1_000_000, 40_000_000
"""One call holds about 0.17 dollars of the half that there is: two at once fit, a third does not."""
USAGES = "SELECT cost_micros, is_estimated FROM budgets_tokenusage WHERE session_id = %s"
NODE = "SELECT limit_micros, spent_micros, held_micros FROM budgets_node WHERE id = %s"
ACCEPTED = "handoff.accepted"


def f2_history(case: Case) -> list[str]:
    """Paging is total and stable while more is appended."""
    for text in ("fruit", "music", "fish"):
        case.say(text)
    case.strike()
    histories: list[list[int]] = []
    reading = threading.Thread(target=lambda: histories.extend(_paged(case, size) for size in PAGE_SIZES))
    reading.start()
    for number in range(3):
        case.say(f"and stand {number}")
        case.settle()
    reading.join()
    case.settle()
    complete = [event.seq for event in case.talk.read()]
    cut = [seqs for seqs in histories if seqs != complete[: len(seqs)]]
    return [f"paged as {seqs}" for seqs in cut] + ([] if len(histories) == len(PAGE_SIZES) else ["a reader died"])


def _paged(case: Case, limit: int) -> list[int]:
    seqs: list[int] = []
    while True:
        after = seqs[-1] if seqs else 0
        answer = case.person.ask("GET", f"{case.talk.path}/events?after={after}&limit={limit}")
        page = Page.model_validate_json(answer.content)
        seqs += [event.seq for event in page.events]
        if not page.has_more:
            return seqs


def f4_stop_in_the_back_off(case: Case) -> list[str]:
    """Stop works while the gateway waits for a rate limit, and nothing is asked after it (F28)."""
    case.models_play(lambda _: Reply(status=429, headers={"retry-after": "20"}, body="{}"))
    case.say("a market, please")
    case.until_asked()
    case.strike()
    time.sleep(case.dice.random() * 2)
    case.talk.stop()
    asked = len(case.asked())
    case.talk.until(lambda events: any(isinstance(e.payload, TurnEnded) for e in events), SETTLE_SECONDS)
    time.sleep(2)
    ends = [e.payload.status for e in case.talk.read() if isinstance(e.payload, TurnEnded)]
    found = [] if ends == [TurnStatus.STOPPED] else [f"the turn ended {ends}"]
    return found + ([] if len(case.asked()) == asked else ["the provider was asked after Stop"])


def f11_budget(case: Case) -> list[str]:
    """Two of three calls fit; whoever dies, no node is overspent and a refusal names policy."""
    case.person.act("PUT", f"projects/{case.talk.project_id}/budget", {"limit_micros": LIMIT_MICROS})
    talks = [case.talk, *(case.person.open_session(case.talk.project_id) for _ in range(2))]
    case.models_play(lambda _: Reply(text="one two three " * 20, delay_ms=30, completion_tokens=4_000))
    for talk in talks:
        talk.bind(case.models.url, "dear", INPUT_MICROS, OUTPUT_MICROS)
    case.strike()
    with ThreadPoolExecutor(len(talks)) as crowd:
        list(crowd.map(lambda talk: talk.say("go", f"go-{talk.session_id}"), talks))
    case.sent.append(f"go-{case.talk.session_id}")
    for talk in talks:
        talk.until(lambda events: any(isinstance(e.payload, TurnEnded) for e in events), SETTLE_SECONDS)
    node = case.ledger.ask(NODE, case.talk.project_id)[0]
    is_within = node["spent_micros"] + node["held_micros"] <= node["limit_micros"] == LIMIT_MICROS
    return [] if is_within and node["spent_micros"] > 0 else [f"the project's budget is {node}"]


def f14_no_usage(case: Case) -> list[str]:
    """A stream without usage is metered as an estimate, never as nothing."""
    case.models_play(lambda _: Reply(text=director.spoken("prices"), usage="none", delay_ms=20))
    case.say("what does it cost?")
    case.until_asked()
    case.strike()
    case.settle()
    rows = case.ledger.ask(USAGES, case.talk.session_id)
    return [f"metered as {row}" for row in rows if not row["is_estimated"] or not row["cost_micros"]] + (
        [] if rows else ["nothing was metered"]
    )


def f16_empty_answers(case: Case) -> list[str]:
    """Nothing, blanks, thoughts only, then text: nudged within bounds, and no empty turn is replayed."""
    replies = (Reply(text=""), Reply(text="  \n"), Reply(text="Here I am.", delay_ms=20))
    number = count()
    case.models_play(lambda _: replies[min(next(number), len(replies) - 1)])
    case.say("are you there?")
    case.strike()
    case.settle()
    nudges = sum(isinstance(e.payload, ModelNudged) for e in case.talk.read())
    said = [e.payload.content for e in case.talk.events if isinstance(e.payload, AgentResponse)]
    replayed = [m for r in case.asked() for m in r.body["messages"] if m["role"] == "assistant" and not _says(m)]
    found = [] if said == ["Here I am."] else [f"said {said}"]
    found += [] if nudges <= MAX_NUDGES else [f"{nudges} nudges"]
    return found + ([f"replayed {replayed}"] if replayed else [])


def _says(message: dict[str, Any]) -> bool:
    return bool(str(message.get("content") or "").strip() or message.get("tool_calls"))


def f17_broken_arguments(case: Case) -> list[str]:
    """Arguments that are no JSON object are never executed, and the turn still ends with words."""
    wrongs = [ToolCall(name="emit_artifact", arguments=text, id=f"call_{n}", index=n) for n, text in _numbered()]

    def play(body: Any) -> Reply:
        is_told = any(message["role"] == "tool" for message in body["messages"])
        return Reply(text="I shall ask instead.") if is_told else Reply(tool_calls=wrongs, delay_ms=20)

    case.models_play(play)
    case.say("write it down")
    case.strike()
    case.settle()
    ended = [e.payload.status for e in case.talk.read() if isinstance(e.payload, TurnEnded)]
    rules = [e.payload for e in case.talk.events if isinstance(e.payload, BusinessRule)]
    found = [f"made a rule of nothing: {rules}"] if rules else []
    return found + ([] if ended[-1] is TurnStatus.COMPLETED else [f"ended {ended}"])


def _numbered() -> list[tuple[int, str]]:
    return list(enumerate(BROKEN_ARGUMENTS))


def f23_double_click(case: Case) -> list[str]:
    """The same message from four clicks at once is one message, one turn, one answer."""
    client_id = uuid4().hex
    case.strike()
    with ThreadPoolExecutor(4) as clicks:
        list(clicks.map(lambda _: case.say("a market, please", client_id), range(4)))
    case.settle()
    taken = [seq for e in case.talk.read() if isinstance(e.payload, TurnStarted) for seq in e.payload.taken]
    answers = [e for e in case.talk.events if isinstance(e.payload, AgentResponse) and not e.payload.is_partial]
    return [] if len(taken) == len(answers) == 1 else [f"taken {taken}, {len(answers)} answers"]


def f27_messages_while_stopping(case: Case) -> list[str]:
    """Three messages within a second and one while it stops: kept, and answered in order with the next one."""
    case.models_play(lambda _: Reply(text=director.spoken("slowly") * 4, delay_ms=60))
    case.say("first")
    case.until_asked()
    for text in ("second", "third", "fourth"):
        case.say(text)
    case.strike()
    stopping = threading.Thread(target=case.talk.stop)
    stopping.start()
    case.say("while stopping")
    stopping.join()
    case.models_play(director.answer)
    case.say("and go on")
    case.settle()
    taken = [seq for e in case.talk.read() if isinstance(e.payload, TurnStarted) for seq in e.payload.taken]
    return [] if taken == sorted(set(taken)) else [f"taken {taken}"]


def f31_accepted_twice(case: Case) -> list[str]:
    """Two tabs accept the same handoff at the same moment: once."""
    for text in ("a market", director.RULES + "Late stands pay"):
        case.say(text)
        case.settle()
    case.person.act("POST", f"{case.talk.path}/readiness", {})
    case.settle()
    offered = case.talk.of_type("handoff.offered")[-1].payload
    assert isinstance(offered, HandoffOffered)
    case.strike()
    with ThreadPoolExecutor(2) as tabs:
        path = f"handoffs/{offered.handoff_id}/accept"
        answers = list(tabs.map(lambda _: case.person.ask("POST", path, {}).status_code, range(2)))
    case.settle()
    accepted = sum(event.payload.type == ACCEPTED for event in case.talk.read())
    return [] if accepted == 1 and set(answers) == {200} else [f"accepted {accepted} times, answers {answers}"]


CASES: dict[str, Callable[[Case], list[str]]] = {
    case.__name__: case
    for case in (
        f2_history,
        f4_stop_in_the_back_off,
        f11_budget,
        f14_no_usage,
        f16_empty_answers,
        f17_broken_arguments,
        f23_double_click,
        f27_messages_while_stopping,
        f31_accepted_twice,
    )
}
