"""Who watches: the person of an API token or of the page's own sign-in, while they may see the session."""

from typing import Any
from uuid import UUID

from api.rooms.accounts.selectors import user_of_token
from api.rooms.kernel.db import in_thread
from api.surfaces.live import join


async def watcher_of(scope: dict[str, Any], session_id: UUID) -> UUID | None:
    """Asked at the handshake, on a timer, when told and at each frame that comes: a token may be revoked, a page
    signed out, a role taken away."""
    user_id = await _person(scope)
    may_watch = user_id is not None and await in_thread(join.may_watch)(user_id, session_id)
    return user_id if may_watch else None


async def _person(scope: dict[str, Any]) -> UUID | None:
    """By API token in the `Authorization` header, else by the page's own session cookie."""
    for name, value in scope["headers"]:
        if name == b"authorization" and value.lower().startswith(b"bearer "):
            user = await in_thread(user_of_token)(value[7:].decode("latin-1").strip())
            return user.id if user else None
    user = scope.get("user")
    if user is None or not user.is_authenticated:
        return None
    cookie = scope["session"]
    return user.id if await in_thread(cookie.exists)(cookie.session_key) else None
