"""Keys of providers: stored sealed, replaced, sealed anew under a newer key, and never read back."""

from collections.abc import Callable
from dataclasses import dataclass
from uuid import UUID

from django.conf import settings
from django.db import transaction

from api.rooms.gateway.domain import base_urls
from api.rooms.gateway.models import Credential
from api.rooms.gateway.providers import PROVIDERS
from api.rooms.gateway.services.catalogue import clean_base_url
from api.rooms.kernel import statements
from api.rooms.kernel.clock import now
from api.rooms.kernel.crypto import Unreadable, reseal, seal, unseal
from api.rooms.kernel.ids import new_id
from api.rooms.kernel.refusals import Refusal
from contracts.problem import ProblemCode

SEALED_SQL = "SELECT id, sealed FROM gateway_credential WHERE workspace_id = %s AND provider = %s AND base_url = %s"
MAX_SECRET_CHARS = 4_000
TOLD_EACH = 100


@transaction.atomic
def store_credential(workspace_id: UUID, provider: str, base_url: str, secret: str) -> UUID:
    """One for each provider and address; storing again replaces it. A server without a key takes an empty secret."""
    address = clean_base_url(provider, base_url)
    refuse_odd(secret)
    existing = Credential.objects.select_for_update().filter(
        workspace_id=workspace_id, provider=provider, base_url=address
    )
    row = existing.first()
    credential_id = row.id if row else new_id()
    sealed = seal(settings.MUTIRAO_CREDENTIAL_KEYS, secret, _bound_to(workspace_id, credential_id))
    if row:
        existing.update(sealed=sealed, has_secret=bool(secret), replaced_at=now())
    else:
        Credential.objects.create(
            id=credential_id,
            workspace_id=workspace_id,
            provider=provider,
            base_url=address,
            sealed=sealed,
            has_secret=bool(secret),
        )
    return credential_id


def refuse_odd(secret: str) -> None:
    """A key that no header can carry is neither stored nor tested."""
    if len(secret) > MAX_SECRET_CHARS or not all("!" <= character <= "~" for character in secret):
        raise Refusal(
            ProblemCode.INVALID_PARAMETER,
            "A provider's key is printable ASCII without spaces: it travels in a header.",
            {"field": "secret"},
        )


def forget_credential(workspace_id: UUID, credential_id: UUID) -> bool:
    """False when the workspace has no such key."""
    deleted, _ = Credential.objects.filter(workspace_id=workspace_id, id=credential_id).delete()
    return deleted > 0


@dataclass(frozen=True)
class Sealed:
    """A stored key, as it is stored."""

    credential_id: UUID
    text: str


def sealed_for(workspace_id: UUID, provider: str, base_url: str) -> Sealed | None:
    """Null when the workspace has stored none for this address."""
    row = statements.row(SEALED_SQL, [workspace_id, provider, base_url])
    return Sealed(*row) if row else None


def open_secret(workspace_id: UUID, provider: str, base_url: str) -> str | Unreadable | None:
    """The key for an address, empty where none is needed; None when the workspace has stored none."""
    return opened(workspace_id, provider, base_url, sealed_for(workspace_id, provider, base_url))


def opened(workspace_id: UUID, provider: str, base_url: str, sealed: Sealed | None) -> str | Unreadable | None:
    """`open_secret` for whoever has read the stored key already."""
    if PROVIDERS[provider].is_rehearsal:
        return ""
    if sealed is None:
        return "" if base_urls.is_private(base_url) else None
    return unseal(settings.MUTIRAO_CREDENTIAL_KEYS, sealed.text, _bound_to(workspace_id, sealed.credential_id))


def _bound_to(workspace_id: UUID, credential_id: UUID) -> dict[str, str]:
    return {"workspace": str(workspace_id), "credential": str(credential_id)}


@dataclass(frozen=True)
class Seals:
    """How many keys are stored; how many need an older sealing key; how many no key opens at all."""

    all: int
    old: int
    unreadable: int


def count_old_seals() -> Seals:
    """While any is old, the older sealing keys must stay configured."""
    keys = settings.MUTIRAO_CREDENTIAL_KEYS
    sealed = list(Credential.objects.values_list("sealed", flat=True))
    old = [text for text in sealed if isinstance(reseal(keys[:1], text), Unreadable)]
    return Seals(len(sealed), len(old), sum(isinstance(reseal(keys, text), Unreadable) for text in old))


def rotate_credentials(tell: Callable[[int], None] = lambda _: None) -> tuple[int, int]:
    """Seal every credential anew under the newest key; how many were, and how many no key opens.

    `tell` hears how many are done, each hundred.

    One transaction each: wherever it is interrupted, all stay readable, and the next run does the rest.
    """
    done = unreadable = 0
    for credential_id in Credential.objects.order_by("id").values_list("id", flat=True):
        with transaction.atomic():
            row = Credential.objects.select_for_update().filter(id=credential_id).first()
            if row is None:
                continue
            sealed = reseal(settings.MUTIRAO_CREDENTIAL_KEYS, row.sealed)
            if isinstance(sealed, Unreadable):
                unreadable += 1
                continue
            Credential.objects.filter(id=credential_id).update(sealed=sealed)
        done += 1
        if done % TOLD_EACH == 0:
            tell(done)
    return done, unreadable
