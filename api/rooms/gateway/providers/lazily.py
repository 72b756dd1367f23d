"""A provider's SDK takes a second of CPU to import: off the loop, and only by a process that calls a model."""

import asyncio
from importlib import import_module
from typing import Any

_LOADED: dict[str, Any] = {}


async def module(name: str) -> Any:
    """The module, whole: `sys.modules` also holds one that another call's thread is still loading; importing waits."""
    if name not in _LOADED:
        _LOADED[name] = await asyncio.to_thread(import_module, name)
    return _LOADED[name]
