"""Read what a provider lists and bring the catalogue up to date; a provider that fails leaves it untouched."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from api.rooms.gateway.domain import redaction
from api.rooms.gateway.domain.listing import plausible
from api.rooms.gateway.models import CatalogueSync
from api.rooms.gateway.providers import PROVIDERS, ProviderFailure, Target
from api.rooms.gateway.services import sources
from api.rooms.gateway.services.sources import Source, secret_of
from api.rooms.gateway.services.taking_up import take_up
from api.rooms.kernel.clock import now
from api.rooms.kernel.db import in_thread
from contracts.failures import ErrorCode

MAX_AT_ONCE = 4


@dataclass(frozen=True)
class Synced:
    """`code` is null when it went well; else nothing was changed."""

    source: Source
    listed: int = 0
    code: ErrorCode | None = None
    diagnosis: str = ""


async def sync(source: Source) -> Synced:
    """The provider is asked outside of any transaction."""
    secret = await in_thread(secret_of)(source)
    done = await _read(source, secret)
    await in_thread(_note)(done)
    return done


async def _read(source: Source, secret: str | ProviderFailure) -> Synced:
    if isinstance(secret, ProviderFailure):
        return Synced(source, code=secret.code, diagnosis=secret.diagnosis)
    try:
        async with asyncio.timeout(sources.MAX_READ_S):
            listed = await PROVIDERS[source.provider].list_models(Target(source.base_url, "", secret))
    except TimeoutError:
        return Synced(source, code=ErrorCode.PROVIDER_TIMEOUT, diagnosis=sources.TOO_SLOW)
    except ProviderFailure as failure:
        # No model was asked for: what is not there is the list.
        code = ErrorCode.REQUEST_REJECTED if failure.code is ErrorCode.MODEL_NOT_FOUND else failure.code
        return Synced(source, code=code, diagnosis=redaction.diagnosis(failure.diagnosis, [secret]))
    models = [each for model in listed if (each := plausible(model))]
    if not models:
        return Synced(source, code=ErrorCode.NOT_A_MODEL_ANSWER, diagnosis="The provider listed no model at all.")
    await in_thread(take_up)(source, models)
    return Synced(source, listed=len(models))


def _note(done: Synced) -> None:
    source = done.source
    fields: dict[str, object] = {"tried_at": now(), "error_code": done.code or "", "diagnosis": done.diagnosis}
    if done.code is None:
        fields |= {"succeeded_at": now(), "listed": done.listed}
    CatalogueSync.objects.update_or_create(
        workspace_id=source.workspace_id, provider=source.provider, base_url=source.base_url, defaults=fields
    )


async def sync_workspace(workspace_id: UUID) -> tuple[Synced, ...]:
    """All addresses of a workspace, side by side: one that fails takes nothing from the others."""
    return tuple(await _sync_each(await in_thread(sources.sources)(workspace_id)))


async def _sync_each(all_sources: Sequence[Source]) -> list[Synced]:
    """A few at once: one that is slow keeps nobody waiting, and many do not take every thread."""
    turns = asyncio.Semaphore(MAX_AT_ONCE)

    async def in_turn(source: Source) -> Synced:
        async with turns:
            return await sync(source)

    return await asyncio.gather(*map(in_turn, all_sources))


def sync_all() -> str:
    """The scheduled form, for a thread of its own; what it did, in a line."""
    done = asyncio.run(_sync_each(sources.sources()))
    failed = [each for each in done if each.code is not None]
    return f"{len(done)} addresses read, {len(failed)} failed"
