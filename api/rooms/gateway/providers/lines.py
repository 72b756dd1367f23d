"""Connections to providers: one call at a time on each, kept for a moment when a call ended well."""

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx2
from django.conf import settings

from api.rooms.gateway.providers import transport
from api.rooms.gateway.providers.transport import SILENCE_S, Carrier

KEPT_S = 4.0
"""Shorter than any server's patience that we know (uvicorn and node: 5 s), so that none hangs up as we ask."""
MAX_KEPT = 32
"""To one address; what ends while so many wait is closed."""
ABOUT_US = {"user-agent": "mutirao", "accept-encoding": "gzip, deflate"}


class Line:
    """What one call asks by. It holds the response that is being read, so that leaving the line ends it."""

    def __init__(self, carrier: Carrier) -> None:
        self._carrier = carrier
        self._response: httpx2.Response | None = None
        self.silence_s = SILENCE_S

    async def send(self, method: str, url: str, headers: Mapping[str, str], body: bytes = b"") -> httpx2.Response:
        """The response once its headers are there; the one before it is closed."""
        await self.hang_up()
        timeout = dict.fromkeys(("read", "write", "pool"), self.silence_s) | {"connect": transport.CONNECT_S}
        told = {**ABOUT_US, **headers}
        request = httpx2.Request(method, url, headers=told, content=body, extensions={"timeout": timeout})
        self._response = await self._carrier.send(request)
        return self._response

    async def hang_up(self) -> None:
        """An answer that was read to its end leaves the connection open; any other closes it."""
        if self._response is not None:
            await self._response.aclose()
            self._response = None

    async def close(self) -> None:
        await self._carrier.aclose()


@dataclass(frozen=True)
class _Way:
    """What two calls must have in common to use one connection after each other."""

    origin: str
    is_private: bool
    allow_private: bool


_Waiting = list[tuple[Line, asyncio.TimerHandle]]
_kept: dict[asyncio.AbstractEventLoop, dict[_Way, _Waiting]] = {}
_closing: set[asyncio.Task[None]] = set()


@asynccontextmanager
async def line(base_url: str, *, is_private: bool, silence_s: float = SILENCE_S) -> AsyncGenerator[Line, None]:
    """A line of this call's own: cancelling a client that calls share leaves streams open.

    What is cut or fails closes its connection; what ended well leaves it to the next call for KEPT_S.
    """
    parts = urlsplit(base_url)
    origin = f"{parts.scheme}://{parts.netloc}"
    waiting = _waiting(_Way(origin, is_private, settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS))
    taken = _take(waiting) or Line(transport.carrier(is_private=is_private, kept_s=KEPT_S))
    taken.silence_s = silence_s
    try:
        yield taken
        await taken.hang_up()
    except BaseException:
        await taken.close()
        raise
    if len(waiting) < MAX_KEPT:
        _keep(taken, waiting)
    else:
        await taken.close()


def _waiting(way: _Way) -> _Waiting:
    loop = asyncio.get_running_loop()
    if loop not in _kept:
        for ended in [known for known in _kept if known.is_closed()]:
            del _kept[ended]
    return _kept.setdefault(loop, {}).setdefault(way, [])


def _take(waiting: _Waiting) -> Line | None:
    """The last one in is the first one out: those that are too many grow old."""
    if not waiting:
        return None
    taken, timer = waiting.pop()
    timer.cancel()
    return taken


def _keep(ended: Line, waiting: _Waiting) -> None:
    loop = asyncio.get_running_loop()

    def let_go() -> None:
        waiting[:] = [known for known in waiting if known[0] is not ended]
        task = loop.create_task(ended.close())
        _closing.add(task)
        task.add_done_callback(_closing.discard)

    waiting.append((ended, loop.call_later(KEPT_S, let_go)))
