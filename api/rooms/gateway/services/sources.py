"""Where models are listed: the addresses that a workspace has a key or a model at, and the key for each."""

from dataclasses import dataclass
from uuid import UUID

from api.rooms.gateway.models import Credential, Model
from api.rooms.gateway.providers import PROVIDERS, ProviderFailure
from api.rooms.gateway.services.catalogue import may_call
from api.rooms.gateway.services.credentials import open_secret
from api.rooms.kernel.crypto import Unreadable
from contracts.failures import ErrorCode

MAX_READ_S = 60.0
TOO_SLOW = "The provider's answer did not end in time."


@dataclass(frozen=True)
class Source:
    """One provider at one address, for one workspace."""

    workspace_id: UUID
    provider: str
    base_url: str


def sources(workspace_id: UUID | None = None) -> tuple[Source, ...]:
    """Every address that a key is stored for or a model is known at; of one workspace, or of all."""
    found: set[Source] = set()
    for table in (Credential, Model):
        rows = table.objects.all() if workspace_id is None else table.objects.filter(workspace_id=workspace_id)
        found |= {Source(*row) for row in rows.values_list("workspace_id", "provider", "base_url").distinct()}
    called = [source for source in found if PROVIDERS[source.provider].capabilities.lists_models]
    return tuple(sorted(called, key=lambda source: (str(source.workspace_id), source.provider, source.base_url)))


def secret_of(source: Source) -> str | ProviderFailure:
    if not may_call(source.provider, source.base_url):
        return ProviderFailure(ErrorCode.MODEL_NOT_ALLOWED, "The operator allows no private address.")
    secret = open_secret(source.workspace_id, source.provider, source.base_url)
    if secret is None:
        return ProviderFailure(ErrorCode.NO_CREDENTIAL, ErrorCode.NO_CREDENTIAL.value)
    if isinstance(secret, Unreadable):
        return ProviderFailure(ErrorCode.CREDENTIAL_UNREADABLE, secret.reason)
    return secret
