"""What a provider is: it reads an answer into a Reception and yields the text that may be relayed."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass
from typing import Protocol

from api.rooms.gateway.domain.listing import Capabilities, KeyAnswer, ListedModel
from api.rooms.gateway.domain.reception import Reception
from api.rooms.gateway.domain.scripts import Entry
from contracts.failures import ErrorCode
from contracts.routes.model import ModelCall


@dataclass(frozen=True)
class Target:
    """Where a call goes, and with what key; `entry` is the rehearsal's, when the session has a script."""

    base_url: str
    model: str
    secret: str
    entry: Entry | None = None


class ProviderFailure(Exception):
    """A call that failed. `was_sent` is false only when provably nothing reached the provider.

    `status` is HTTP's, when that was the answer.
    """

    def __init__(
        self,
        code: ErrorCode,
        diagnosis: str,
        *,
        retry_after_s: float | None = None,
        was_sent: bool = True,
        status: int | None = None,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.diagnosis = diagnosis
        self.retry_after_s = retry_after_s
        self.was_sent = was_sent
        self.status = status


class Provider(Protocol):
    """One way to speak to models. Instances hold no state of a call."""

    name: str
    is_rehearsal: bool
    default_base_url: str
    capabilities: Capabilities

    def body_bytes(self, call: ModelCall, target: Target) -> int:
        """Size of the whole request body: it bounds the input's tokens."""
        ...

    def stream(
        self, call: ModelCall, target: Target, reception: Reception, attempt: int, *, is_streamed: bool
    ) -> AsyncGenerator[str, None]:
        """Make the call. Raises ProviderFailure; closing the iterator closes the provider's socket."""
        ...

    async def list_models(self, target: Target) -> tuple[ListedModel, ...]:
        """All models at this address. Raises ProviderFailure."""
        ...

    async def check_key(self, target: Target) -> KeyAnswer:
        """Whether the key opens this address, asked by a request that costs nothing."""
        ...
