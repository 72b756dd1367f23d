"""A model that refuses what is too large, in both ways that servers say so, behind the whole of Mutirão."""

import json
from typing import Any

from contracts.events import ContextCompacted, TurnEnded
from contracts.vocabulary import TurnStatus
from tests.fakes.model_server import ModelServer, Reply, ToolCall
from tests.plugins.house import House
from tests.system.person import Person
from tests.system.test_story_rest import settle

LARGEST_BODY = 120_000
LARGEST_PROMPT = 60_000
"""Bytes: the server's own limit (413), and what the model's window holds (400)."""
FLOOD = json.dumps({"type": "business_rule", "payload": {"title": "Flood", "description": "x" * 240_000}})
REFUSED = {"error": {"code": "context_length_exceeded", "type": "invalid_request_error", "message": "too long"}}


def size(body: Any) -> int:
    """Bytes of a request's body."""
    return len(json.dumps(body, ensure_ascii=False).encode())


def narrow(body: Any) -> Reply:
    """One flood of arguments for whoever asks for it; afterwards only what is small enough is answered."""
    if size(body) > LARGEST_BODY:
        return Reply(status=413, content_type="text/plain", body="Request Entity Too Large")
    if size(body) > LARGEST_PROMPT:
        return Reply(status=400, content_type="application/json", body=json.dumps(REFUSED))
    last = body["messages"][-1]
    if last["role"] == "user" and "flood" in last["content"]:
        return Reply(tool_calls=[ToolCall(name="emit_artifact", arguments=FLOOD, id="call_flood", index=0)])
    return Reply(text=f"Answered after {len(body['messages'])} messages.")


def test_f18_an_overflow_in_the_latest_turn_shrinks_at_most_twice_and_the_session_stays_usable(
    house: House, person: Person
) -> None:
    """No body is sent again as it was refused; the next small message is answered at once."""
    with ModelServer(otherwise=narrow) as models:
        talk = person.open_session(person.create_project())
        talk.bind(models.url, "narrow")
        talk.say("please flood the conversation")
        settle(talk)
        asked = [size(request.body) for request in models.requests if request.body.get("tools")]
        talk.say("and now a small one")
        settle(talk)
        answered = models.requests[-1]

    refused = [bytes_ for bytes_ in asked if bytes_ > LARGEST_PROMPT]
    shrunk = [event.payload for event in talk.events if isinstance(event.payload, ContextCompacted)]
    ends = [event.payload.status for event in talk.events if isinstance(event.payload, TurnEnded)]
    assert refused
    assert refused == sorted(set(refused), reverse=True)
    assert 1 <= len(shrunk) <= 2
    assert all(each.bytes_after < each.bytes_before for each in shrunk)
    assert ends == [TurnStatus.COMPLETED, TurnStatus.COMPLETED]
    assert "and now a small one" in answered.body["messages"][-1]["content"]
