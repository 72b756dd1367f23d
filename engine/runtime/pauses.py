"""Named points where a test may hold a process; without the environment variable they cost one comparison."""

import asyncio
import os
from pathlib import Path
from typing import Literal

Point = Literal[
    "before_claim",
    "after_claim",
    "after_save_before_perform",
    "mid_stream",
    "after_reply_before_save",
    "after_effect_before_save",
    "before_release",
]

_POINTS = frozenset(filter(None, os.environ.get("MUTIRAO_PAUSE_AT", "").split(",")))
_FOLDER = Path(os.environ.get("MUTIRAO_PAUSE_DIR", "."))
_POLL_SECONDS = 0.02


async def at(point: Point) -> None:
    """Write `<dir>/<point>.reached` and wait while `<dir>/<point>.hold` exists."""
    if not _POINTS or point not in _POINTS:
        return
    await asyncio.to_thread((_FOLDER / f"{point}.reached").write_text, str(os.getpid()))
    hold = _FOLDER / f"{point}.hold"
    while await asyncio.to_thread(hold.exists):  # noqa: ASYNC110 - another process lets go, through a file
        await asyncio.sleep(_POLL_SECONDS)
