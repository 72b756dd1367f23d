"""An app that sends without end, for the api's server."""

import asyncio
import time
from typing import Any

from prometheus_client import REGISTRY, generate_latest

PIECE = "x" * 16_384
TICK_S = 0.02


async def application(scope: Any, receive: Any, send: Any) -> None:
    """`/flood` sends as fast as it may, `/tick` says the time, `/metrics` what was counted, anything else is ready."""
    if scope["type"] != "websocket":
        body = generate_latest(REGISTRY) if scope["path"] == "/metrics" else b"ready"
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})
        return
    await receive()
    await send({"type": "websocket.accept"})
    sending = asyncio.create_task(_send(scope["path"] == "/flood", send))
    while (await receive())["type"] != "websocket.disconnect":
        pass
    sending.cancel()


async def _send(is_flood: bool, send: Any) -> None:
    while True:
        await send({"type": "websocket.send", "text": PIECE if is_flood else str(time.time())})
        await asyncio.sleep(0 if is_flood else TICK_S)
