"""The model's part: its answer follows from the conversation alone, so a repeated call gets the same one."""

import json
import re
from typing import Any

from tests.fakes.model_server import Reply, ToolCall

NUMBERED = re.compile(r"\[(\d+)\] (.*)", re.DOTALL)
RULES, ASK = "rules: ", "ask: "
WORDS = 30
END = "and that is all I have to say."
DELAY_MS = 12


def spoken(about: str) -> str:
    """A text that is whole only with its last words."""
    return f"About “{about}”: " + "one thing leads to another, " * (WORDS // 5) + END


def answer(body: Any) -> Reply:
    """The reply to one request."""
    messages = body["messages"]
    at = max((n for n, each in enumerate(messages) if each["role"] == "user"), default=0)
    if any(each["role"] == "tool" for each in messages[at:]):
        return _say("what was recorded")
    told = NUMBERED.match(str(messages[at].get("content")))
    if told is None:
        return _say("what the harness says")
    seq, text = int(told[1]), told[2]
    if text.startswith(RULES):
        return _rules(seq, text.removeprefix(RULES).split(" | "))
    return _ask(seq) if text.startswith(ASK) else _say(text[:40])


def _say(about: str) -> Reply:
    return Reply(text=spoken(about), delay_ms=DELAY_MS, prompt_tokens=300, completion_tokens=60)


def _rules(seq: int, titles: list[str]) -> Reply:
    calls = [_call(f"rule_{seq}_{n}", n, "emit_artifact", _rule(title, seq)) for n, title in enumerate(titles)]
    return Reply(text="I write this down.", tool_calls=calls, delay_ms=DELAY_MS)


def _rule(title: str, seq: int) -> dict[str, Any]:
    payload = {"title": title, "description": f"{title}, and people see that it holds.", "origin": [seq]}
    return {"type": "business_rule", "payload": payload}


def _ask(seq: int) -> Reply:
    questions = [{"id": "who", "label": "Who is it for?", "type": "select", "options": ["Families", "Traders"]}]
    return Reply(
        tool_calls=[_call(f"ask_{seq}", 0, "ask_structured_questions", {"questions": questions})], delay_ms=DELAY_MS
    )


def _call(call_id: str, index: int, name: str, arguments: dict[str, Any]) -> ToolCall:
    return ToolCall(id=call_id, index=index, name=name, arguments=json.dumps(arguments))
