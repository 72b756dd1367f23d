"""A model that does not exist any more: the one that a person declared in its place, once for a call (F35)."""

from dataclasses import replace

from api.rooms.agent_sessions import services as agent_sessions
from api.rooms.gateway.models import Model
from api.rooms.gateway.providers import PROVIDERS, Target
from api.rooms.gateway.services.credentials import sealed_for
from api.rooms.gateway.services.opened import GATEWAY, Opened
from api.rooms.gateway.services.prices import price_of
from contracts.events import ModelFellBack


def fallback_of(opened: Opened) -> Opened | None:
    """The same call for the declared model; null when there is none that may be used. It has no fallback itself."""
    usable = Model.objects.filter(workspace_id=opened.place.workspace_id, is_active=True, is_retired=False)
    row = usable.filter(id=opened.fallback_id).first() if opened.fallback_id else None
    if row is None or (opened.call.tools and not row.has_tools):
        return None
    provider, target = PROVIDERS[row.provider], Target(row.base_url, row.name, "", opened.target.entry)
    return replace(
        opened,
        provider=row.provider,
        target=target,
        price=price_of(row),
        body_bytes=provider.body_bytes(opened.call, target),
        sealed=sealed_for(opened.place.workspace_id, row.provider, row.base_url),
        fallback_id=None,
    )


def tell_fallback(opened: Opened, following: Opened) -> None:
    """In the transaction that opens the call at the other model."""
    event = ModelFellBack(
        turn_id=opened.call.turn_id,
        agent=opened.agent,
        provider=opened.provider,
        model=opened.target.model,
        fallback_provider=following.provider,
        fallback_model=following.target.model,
    )
    agent_sessions.append(opened.session_id, GATEWAY, event)
