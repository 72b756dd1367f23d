"""A try that may go to the provider, as plain values."""

from dataclasses import dataclass
from uuid import UUID

from api.rooms.budgets.domain.places import Place
from api.rooms.gateway.domain import prices, usage
from api.rooms.gateway.providers import Target
from api.rooms.gateway.services.credentials import Sealed
from contracts.events import Actor
from contracts.routes.model import ModelCall
from contracts.vocabulary import ActorKind

GATEWAY = Actor(kind=ActorKind.SYSTEM, id="gateway")
"""Who writes the gateway's own events."""


@dataclass(frozen=True)
class Opened:
    """A try that holds its money and may go to the provider; plain values, no rows."""

    call_id: UUID
    instance_id: UUID
    place: Place
    project_id: UUID
    session_id: UUID
    agent: str
    attempt: int
    is_repeated: bool
    call: ModelCall
    provider: str
    target: Target
    price: prices.Price | None
    body_bytes: int
    binding_origin: str
    sealed: Sealed | None = None
    """The stored key of the target's address."""
    fallback_id: UUID | None = None
    """The model that the call goes to, once, when this one does not exist any more (F35)."""

    @property
    def seed(self) -> str:
        """The call's key, from which its tool calls take their ids."""
        return f"{self.instance_id}/{self.call.step}/{self.call.call}"

    @property
    def amount_micros(self) -> int | None:
        if self.price is None:
            return None
        return prices.worst_case(self.price, usage.input_bound(self.body_bytes), self.call.max_output_tokens)
