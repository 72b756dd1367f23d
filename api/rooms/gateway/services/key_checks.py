"""Is this key good? Asked of its provider by a request that costs nothing."""

import asyncio
from uuid import UUID

from api.rooms.gateway.domain import redaction
from api.rooms.gateway.domain.listing import KeyAnswer, KeyVerdict
from api.rooms.gateway.providers import PROVIDERS, ProviderFailure, Target
from api.rooms.gateway.services import sources
from api.rooms.gateway.services.catalogue import clean_base_url
from api.rooms.gateway.services.credentials import refuse_odd
from api.rooms.gateway.services.sources import Source, secret_of
from api.rooms.kernel.db import in_thread
from contracts.failures import ErrorCode


async def check_key(workspace_id: UUID, provider: str, base_url: str, secret: str | None) -> KeyAnswer:
    """Test a key before it is stored, or the stored one when `secret` is null. The key is never part of the answer."""
    address = clean_base_url(provider, base_url)
    refuse_odd(secret or "")
    key = secret if secret is not None else await in_thread(secret_of)(Source(workspace_id, provider, address))
    if isinstance(key, ProviderFailure):
        return KeyAnswer(KeyVerdict.REFUSED, key.code, key.diagnosis)
    try:
        async with asyncio.timeout(sources.MAX_READ_S):
            answer = await PROVIDERS[provider].check_key(Target(address, "", key))
    except TimeoutError:
        return KeyAnswer(KeyVerdict.REFUSED, ErrorCode.PROVIDER_TIMEOUT, sources.TOO_SLOW)
    return KeyAnswer(answer.verdict, answer.code, redaction.diagnosis(answer.diagnosis, [key]))
