"""A workspace with a project, a session and an agent whose turn runs: where model calls are made from."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from uuid import UUID

from api.rooms.accounts.models import User
from api.rooms.agent_sessions import selectors as log
from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.agents import services as agents
from api.rooms.agents.models import Instance
from api.rooms.budgets.domain.metering import Rates
from api.rooms.budgets.domain.places import Place
from api.rooms.gateway import services as gateway
from api.rooms.gateway.domain.bindings import Level, Subject
from api.rooms.gateway.services import registry
from api.rooms.gateway.services.catalogue import ModelSpec
from api.rooms.kernel.db import in_thread
from api.rooms.kernel.ids import new_id
from api.rooms.projects import services as projects
from api.rooms.turns.models import Turn
from contracts.events import AnyEvent
from contracts.routes.model import Delta, Final, ModelCall, ModelMessage, Notice, ToolSpec
from contracts.vocabulary import Language, MessageRole, SessionKind, TurnStatus

CENT_A_THOUSAND = Rates(input=10_000_000, cache_read=1_000_000, cache_write=12_500_000, output=10_000_000)
"""Ten micros a token, so that costs can be added up in the head."""

TOOL = ToolSpec(name="emit_artifact", description="Records something.", parameters={"type": "object"})


@dataclass(frozen=True)
class Scene:
    """Ids of everything, and the two moves that tests repeat."""

    user_id: UUID
    workspace_id: UUID
    project_id: UUID
    session_id: UUID
    instance_id: UUID
    turn_id: UUID
    epoch: int = 1
    step: int = 1

    @property
    def place(self) -> Place:
        return Place(self.workspace_id, self.project_id, self.session_id)

    def call(self, text: str = "hello", **changes: Any) -> ModelCall:
        fields: dict[str, Any] = {
            "epoch": self.epoch,
            "turn_id": self.turn_id,
            "step": self.step,
            "messages": (ModelMessage(role=MessageRole.USER, content=text),),
            "max_output_tokens": 100,
        }
        return ModelCall(**(fields | changes))

    def bind(self, spec: ModelSpec, rates: Rates | None = None, secret: str | None = None) -> UUID:
        """Bind the whole workspace to a model; priced and with a key when they are given."""
        model_id = gateway.add_model(self.workspace_id, spec)
        if rates is not None:
            gateway.set_price(self.workspace_id, model_id, rates)
        if secret is not None:
            gateway.store_credential(self.workspace_id, spec.provider, spec.base_url, secret)
        gateway.bind(self.workspace_id, Subject(Level.WORKSPACE, self.workspace_id), model_id)
        return model_id

    def claimed_again(self) -> "Scene":
        """Another worker has the instance now."""
        Instance.objects.filter(id=self.instance_id).update(epoch=self.epoch + 1)
        return replace(self, epoch=self.epoch + 1)


def set_scene(agent: str = "creative") -> Scene:
    """Everything new, with a running turn."""
    user = User.objects.create(email=f"{new_id()}@example.org")
    workspace_id = projects.found_workspace("Marenostrum", user.id)
    project = projects.create_project(user.id, workspace_id, "Bread on Sundays", Language.ENGLISH)
    session_id = agent_sessions.open_session(project.id, user.id, SessionKind.CREATIVE)
    instance_id = agents.ensure(session_id, agent)
    turn_id = new_id()
    Instance.objects.filter(id=instance_id).update(epoch=1, step=1, turn_id=turn_id, turn_number=1)
    Turn.objects.create(
        id=turn_id, instance_id=instance_id, session_id=session_id, agent=agent, number=1, status=TurnStatus.RUNNING
    )
    return Scene(user.id, workspace_id, project.id, session_id, instance_id, turn_id)


def rehearse(scene: Scene) -> None:
    scene.bind(ModelSpec("rehearsal", "rehearsal"))


@dataclass(frozen=True)
class Heard:
    """All frames of one call."""

    deltas: tuple[Delta, ...]
    notices: tuple[Notice, ...]
    final: Final

    @property
    def text(self) -> str:
        return "".join(delta.text for delta in self.deltas if delta.attempt == self.final.attempt)


async def hear(scene: Scene, call: ModelCall) -> Heard:
    """Make the call and take everything that comes."""
    frames = [frame async for frame in gateway.stream(scene.instance_id, call)]
    assert isinstance(frames[-1], Final)
    return Heard(
        tuple(frame for frame in frames if isinstance(frame, Delta)),
        tuple(frame for frame in frames if isinstance(frame, Notice)),
        frames[-1],
    )


async def leave_after(scene: Scene, call: ModelCall, deltas: int) -> None:
    """Take this many deltas and go away, as a worker does that is killed."""
    seen = 0
    frames: AsyncIterator[Delta | Notice | Final]
    async with aclosing(gateway.stream(scene.instance_id, call)) as frames:
        async for frame in frames:
            seen += isinstance(frame, Delta)
            if seen >= deltas:
                break
    await registry.settled()


db = in_thread
Payload = TypeVar("Payload", bound=AnyEvent)


async def last(scene: Scene, kind: type[Payload]) -> Payload:
    """The last event of this type in the session's log; it must be there."""
    event = await db(log.last_of_type)(scene.session_id, kind.model_fields["type"].default)
    assert event is not None
    assert isinstance(event.payload, kind)
    return event.payload
