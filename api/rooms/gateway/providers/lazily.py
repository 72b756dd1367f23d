"""A provider's SDK takes a second of CPU to import: off the loop, and only by a process that calls a model."""

import asyncio
import sys
from importlib import import_module
from typing import Any


async def module(name: str) -> Any:
    """The module, imported in a thread when nobody has asked for it yet."""
    if name not in sys.modules:
        await asyncio.to_thread(import_module, name)
    return sys.modules[name]
