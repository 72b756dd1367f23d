"""Read what a provider lists and bring the catalogue up to date; a provider that fails leaves it untouched."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from api.rooms.gateway.domain import redaction
from api.rooms.gateway.domain.listing import KeyAnswer, KeyVerdict, ListedModel, plausible
from api.rooms.gateway.models import CatalogueSync, Credential, Model, PriceSource
from api.rooms.gateway.providers import PROVIDERS, ProviderFailure, Target
from api.rooms.gateway.services.catalogue import DEFAULT_CONTEXT_TOKENS, clean_base_url, may_call
from api.rooms.gateway.services.credentials import open_secret, refuse_odd
from api.rooms.gateway.services.prices import change_price, table_entry
from api.rooms.kernel.clock import now
from api.rooms.kernel.crypto import Unreadable
from api.rooms.kernel.db import in_thread
from contracts.failures import ErrorCode

MAX_KNOWN = 2_000
"""Models of one address: what a longer list says beyond them is not taken up."""
MAX_READ_S = 60.0
MAX_AT_ONCE = 4
TOO_SLOW = "The provider's answer did not end in time."
FACETS = ("context_tokens", "max_output_tokens", "has_tools", "has_vision", "has_reasoning")


@dataclass(frozen=True)
class Source:
    """One provider at one address, for one workspace."""

    workspace_id: UUID
    provider: str
    base_url: str


@dataclass(frozen=True)
class Synced:
    """`code` is null when it went well; else nothing was changed."""

    source: Source
    listed: int = 0
    code: ErrorCode | None = None
    diagnosis: str = ""


async def sync(source: Source) -> Synced:
    """The provider is asked outside of any transaction."""
    secret = await in_thread(_secret)(source)
    done = await _read(source, secret)
    await in_thread(_note)(done)
    return done


async def _read(source: Source, secret: str | ProviderFailure) -> Synced:
    if isinstance(secret, ProviderFailure):
        return Synced(source, code=secret.code, diagnosis=secret.diagnosis)
    try:
        async with asyncio.timeout(MAX_READ_S):
            listed = await PROVIDERS[source.provider].list_models(Target(source.base_url, "", secret))
    except TimeoutError:
        return Synced(source, code=ErrorCode.PROVIDER_TIMEOUT, diagnosis=TOO_SLOW)
    except ProviderFailure as failure:
        # No model was asked for: what is not there is the list.
        code = ErrorCode.REQUEST_REJECTED if failure.code is ErrorCode.MODEL_NOT_FOUND else failure.code
        return Synced(source, code=code, diagnosis=redaction.diagnosis(failure.diagnosis, [secret]))
    models = [each for model in listed if (each := plausible(model))]
    if not models:
        return Synced(source, code=ErrorCode.NOT_A_MODEL_ANSWER, diagnosis="The provider listed no model at all.")
    await in_thread(apply)(source, models)
    return Synced(source, listed=len(models))


def _secret(source: Source) -> str | ProviderFailure:
    if not may_call(source.provider, source.base_url):
        return ProviderFailure(ErrorCode.MODEL_NOT_ALLOWED, "The operator allows no private address.")
    secret = open_secret(source.workspace_id, source.provider, source.base_url)
    if secret is None:
        return ProviderFailure(ErrorCode.NO_CREDENTIAL, ErrorCode.NO_CREDENTIAL.value)
    if isinstance(secret, Unreadable):
        return ProviderFailure(ErrorCode.CREDENTIAL_UNREADABLE, secret.reason)
    return secret


@transaction.atomic
def apply(source: Source, listed: Sequence[ListedModel]) -> None:
    """New ones wait for a person; what vanished is retired and not deleted; what returned is as it was (RN-043)."""
    rows = Model.objects.select_for_update().filter(
        workspace_id=source.workspace_id, provider=source.provider, base_url=source.base_url
    )
    known = {row.name: row for row in rows.order_by("id")}
    seen = {model.name: model for model in listed}
    # By name, so that two readings at once wait for each other and never in a circle.
    for name in sorted(seen.keys() - known.keys())[: max(0, MAX_KNOWN - len(known))]:
        known[name] = _discovered(source, seen[name])
    for name in seen.keys() & known.keys():
        _update(known[name], seen[name])
    vanished = [row.id for name, row in known.items() if name not in seen and row.last_seen_at is not None]
    Model.objects.filter(id__in=vanished).update(is_retired=True)


def _discovered(source: Source, model: ListedModel) -> Model:
    known = table_entry(source.provider, source.base_url, model.name)
    context = model.context_tokens or (known.context_window if known else None) or DEFAULT_CONTEXT_TOKENS
    row, _ = Model.objects.select_for_update().get_or_create(
        workspace_id=source.workspace_id,
        provider=source.provider,
        base_url=source.base_url,
        name=model.name,
        defaults={"context_tokens": context, "is_active": False},
    )
    return row


def _update(row: Model, model: ListedModel) -> None:
    """Silence preserves; a price that a person set beats the provider's (RN-044)."""
    said = {name: getattr(model, name) for name in FACETS if getattr(model, name) is not None}
    said |= {"display_name": model.display_name} if model.display_name else {}
    Model.objects.filter(id=row.id).update(**said, is_retired=False, last_seen_at=now())
    if model.rates is not None and row.price_source != PriceSource.MANUAL:
        change_price(row, model.rates, PriceSource.SYNC)


def _note(done: Synced) -> None:
    source = done.source
    fields: dict[str, object] = {"tried_at": now(), "error_code": done.code or "", "diagnosis": done.diagnosis}
    if done.code is None:
        fields |= {"succeeded_at": now(), "listed": done.listed}
    CatalogueSync.objects.update_or_create(
        workspace_id=source.workspace_id, provider=source.provider, base_url=source.base_url, defaults=fields
    )


def sources(workspace_id: UUID | None = None) -> tuple[Source, ...]:
    """Every address that a key is stored for or a model is known at; of one workspace, or of all."""
    found: set[Source] = set()
    for table in (Credential, Model):
        rows = table.objects.all() if workspace_id is None else table.objects.filter(workspace_id=workspace_id)
        found |= {Source(*row) for row in rows.values_list("workspace_id", "provider", "base_url").distinct()}
    called = [source for source in found if PROVIDERS[source.provider].capabilities.lists_models]
    return tuple(sorted(called, key=lambda source: (str(source.workspace_id), source.provider, source.base_url)))


async def sync_workspace(workspace_id: UUID) -> tuple[Synced, ...]:
    """All addresses of a workspace, side by side: one that fails takes nothing from the others."""
    return tuple(await _sync_each(await in_thread(sources)(workspace_id)))


async def _sync_each(all_sources: Sequence[Source]) -> list[Synced]:
    """A few at once: one that is slow keeps nobody waiting, and many do not take every thread."""
    turns = asyncio.Semaphore(MAX_AT_ONCE)

    async def in_turn(source: Source) -> Synced:
        async with turns:
            return await sync(source)

    return await asyncio.gather(*map(in_turn, all_sources))


def sync_all() -> str:
    """The scheduled form, for a thread of its own; what it did, in a line."""
    done = asyncio.run(_sync_each(sources()))
    failed = [each for each in done if each.code is not None]
    return f"{len(done)} addresses read, {len(failed)} failed"


async def check_key(workspace_id: UUID, provider: str, base_url: str, secret: str | None) -> KeyAnswer:
    """Test a key before it is stored, or the stored one when `secret` is null. The key is never part of the answer."""
    address = clean_base_url(provider, base_url)
    refuse_odd(secret or "")
    key = secret if secret is not None else await in_thread(_secret)(Source(workspace_id, provider, address))
    if isinstance(key, ProviderFailure):
        return KeyAnswer(KeyVerdict.REFUSED, key.code, key.diagnosis)
    try:
        async with asyncio.timeout(MAX_READ_S):
            answer = await PROVIDERS[provider].check_key(Target(address, "", key))
    except TimeoutError:
        return KeyAnswer(KeyVerdict.REFUSED, ErrorCode.PROVIDER_TIMEOUT, TOO_SLOW)
    return KeyAnswer(answer.verdict, answer.code, redaction.diagnosis(answer.diagnosis, [key]))
