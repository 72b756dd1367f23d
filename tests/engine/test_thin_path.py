"""A message becomes an answer: claim, take, model call, tools, end, release."""

import json

from contracts.vocabulary import MessageRole, TurnStatus
from engine.runtime.worker import Worker
from tests.engine.fake_api import FakeApi
from tests.engine.scripted import final

RULE = {"title": "Devolução", "description": "Livro atrasado bloqueia empréstimos.", "origin": [1]}


async def test_a_message_is_answered_and_the_lease_given_back(api: FakeApi, worker: Worker) -> None:
    api.say("Quero uma biblioteca comunitária.")
    api.model.answers = [final("Quem visita?")]
    await worker.look(api.instance_id)
    assert api.types() == ["chat.message", "turn.started", "agent.response", "turn.ended"]
    assert api.ends == [(TurnStatus.COMPLETED, None)]
    assert api.worker is None
    assert api.model.last_request()[1:] == [(MessageRole.USER, "[1] Quero uma biblioteca comunitária.")]


async def test_a_rule_is_recorded_through_the_tool_and_the_model_called_again(api: FakeApi, worker: Worker) -> None:
    api.say("Livro atrasado bloqueia novos empréstimos.")
    arguments = json.dumps({"type": "business_rule", "payload": RULE})
    api.model.answers = [final("Anoto.", ("emit_artifact", arguments)), final("Registrado.")]
    await worker.look(api.instance_id)
    assert api.types()[2:] == [
        "agent.response",
        "tool.call",
        "artifact.business_rule",
        "tool.result",
        "agent.response",
        "turn.ended",
    ]
    roles = [message.role for message in api.model.calls[1].messages]
    assert roles == [MessageRole.SYSTEM, MessageRole.USER, MessageRole.ASSISTANT, MessageRole.TOOL]
