"""Without a script: a small Creative, so that a whole system can be driven by this server alone."""

import json
import re
from typing import Any

from tests.fakes.model_server.replies import Reply, ToolCall

NUMBERED = re.compile(r"\[(\d+)\]\s*(.*)", re.DOTALL)


def tell(body: Any) -> Reply:
    """A question first, then one rule for each message, then a consolidation when that is asked for."""
    messages = body.get("messages", []) if isinstance(body, dict) else []
    tools = {tool["function"]["name"] for tool in body.get("tools", [])} if isinstance(body, dict) else set()
    users = [str(message.get("content")) for message in messages if message.get("role") == "user"]
    if "emit_artifact" not in tools:
        return Reply(text=f"You said: {users[-1] if users else 'nothing'}")
    last = messages[-1]
    if last.get("role") == "tool":
        return Reply(text="I recorded that. What happens when somebody is late?")
    if users[-1].startswith("[harness]"):
        return Reply(text="The product is what the rules say, for the people who asked for it.")
    numbered = NUMBERED.match(users[-1])
    said = [text for text in users if not text.startswith("[harness]")]
    if len(said) == 1 or numbered is None:
        return Reply(text="That is worth a thought. Who needs it most, and what do they do today?")
    payload = {
        "title": " ".join(numbered[2].split()[:8])[:80],
        "description": f"As the person said: {numbered[2][:500]}",
        "origin": [int(numbered[1])],
    }
    arguments = json.dumps({"type": "business_rule", "payload": payload}, ensure_ascii=False)
    return Reply(tool_calls=[ToolCall(name="emit_artifact", arguments=arguments, id=f"call_{numbered[1]}", index=0)])
