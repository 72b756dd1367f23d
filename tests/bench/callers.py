"""Sessions of one workspace whose turns run, and the signed requests that they send."""

import json
import time
from dataclasses import dataclass, field
from itertools import count
from uuid import UUID

from django.conf import settings

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agents import services as agents
from api.rooms.agents.models import Instance
from api.rooms.budgets import services as budgets
from api.rooms.budgets.domain.places import Place
from api.rooms.gateway.services.catalogue import ModelSpec
from api.rooms.kernel.ids import new_id
from api.rooms.turns.models import Turn
from contracts import auth
from contracts.routes.model import COMPLETE, STREAM, ModelCall, ModelMessage
from contracts.vocabulary import MessageRole, SessionKind, TurnStatus
from tests.api.gateway.scene import CENT_A_THOUSAND, Scene, set_scene

SYSTEM = "You help neighbours to run a market. " * 30
CHUNKS = 50
LIMIT_MICROS = 10**15


@dataclass
class Caller:
    """One agent of one session: every call has a number of its own, as the steps of a turn have."""

    instance_id: UUID
    turn_id: UUID
    numbers: "count[int]" = field(default_factory=count)

    def request(self, asked: str, *, is_streamed: bool = True) -> bytes:
        """The bytes of one signed call; `asked` is what the upstream shall do."""
        messages = (
            ModelMessage(role=MessageRole.SYSTEM, content=SYSTEM),
            ModelMessage(role=MessageRole.USER, content=asked),
        )
        number = next(self.numbers)
        call = ModelCall(epoch=1, turn_id=self.turn_id, step=1, call=number, messages=messages, max_output_tokens=1000)
        route = STREAM if is_streamed else COMPLETE
        target, body = route.target(instance_id=str(self.instance_id)), call.model_dump_json().encode()
        key = f"model:{self.instance_id}:1:1:{number}"
        signed = auth.Request("POST", target, body, int(time.time()), auth.API, idempotency_key=key)
        headers = {**auth.sign(settings.ENGINE_TO_API_KEYS[0], signed), "Content-Type": "application/json"}
        return post(target, body, headers)


def post(target: str, body: bytes, headers: dict[str, str]) -> bytes:
    lines = [f"POST {target} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def direct(asked: str, *, is_streamed: bool = True) -> bytes:
    """The same question to the upstream without anybody in between."""
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": asked}]
    body = json.dumps({"model": "bench", "stream": is_streamed, "messages": messages}, separators=(",", ":"))
    return post("/v1/chat/completions", body.encode(), {"Content-Type": "application/json"})


def callers(upstream_port: int, number: int) -> list[Caller]:
    """All in one project; the workspace is bound to the upstream, priced, and has a limit."""
    scene = set_scene()
    scene.bind(ModelSpec("openai_compatible", "bench", f"http://127.0.0.1:{upstream_port}/v1"), CENT_A_THOUSAND, "")
    budgets.set_limit(Place(scene.workspace_id), LIMIT_MICROS)
    return [_caller(scene) for _ in range(number)]


def _caller(scene: Scene) -> Caller:
    session_id = agent_sessions.open_session(scene.project_id, scene.user_id, SessionKind.CREATIVE)
    instance_id, turn_id = agents.ensure(session_id, "creative"), new_id()
    Instance.objects.filter(id=instance_id).update(epoch=1, step=1, turn_id=turn_id, turn_number=1)
    of_instance = {"instance_id": instance_id, "session_id": session_id, "agent": "creative"}
    Turn.objects.create(id=turn_id, number=1, status=TurnStatus.RUNNING, **of_instance)
    return Caller(instance_id, turn_id)
