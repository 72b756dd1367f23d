"""Named points where a test may hold a process; without the environment variable they cost one comparison."""

import asyncio
import os
import time
from pathlib import Path
from typing import Literal

Point = Literal[
    "api_mid_stream",
    "api_reply_before_commit",
    "api_commit_before_broadcast",
    "relay_claim_before_delivery",
]

_POINTS = frozenset(filter(None, os.environ.get("MUTIRAO_PAUSE_AT", "").split(",")))
_FOLDER = Path(os.environ.get("MUTIRAO_PAUSE_DIR", "."))
_POLL_SECONDS = 0.02


def at(point: Point) -> None:
    """Write `<dir>/<point>.reached` and wait while `<dir>/<point>.hold` exists. Blocks: only in threads."""
    if not _POINTS or point not in _POINTS:
        return
    (_FOLDER / f"{point}.reached").write_text(str(os.getpid()))
    hold = _FOLDER / f"{point}.hold"
    while hold.exists():
        time.sleep(_POLL_SECONDS)


async def at_async(point: Point) -> None:
    """The same on an event loop."""
    if not _POINTS or point not in _POINTS:
        return
    await asyncio.to_thread((_FOLDER / f"{point}.reached").write_text, str(os.getpid()))
    hold = _FOLDER / f"{point}.hold"
    while await asyncio.to_thread(hold.exists):  # noqa: ASYNC110 - another process lets go, through a file
        await asyncio.sleep(_POLL_SECONDS)
