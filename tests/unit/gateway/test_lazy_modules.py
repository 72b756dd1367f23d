"""Two first calls at once: neither gets a module that the other's thread has not finished loading."""

import asyncio
from pathlib import Path

import pytest

from api.rooms.gateway.providers import lazily

NAME = "slow_to_load"
SOURCE = "import time\ntime.sleep(0.2)\nanswer = 42\n"


async def test_first_calls_at_once_all_get_the_whole_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / f"{NAME}.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(tmp_path)

    async def call(after_s: float) -> int:
        await asyncio.sleep(after_s)
        answer: int = (await lazily.module(NAME)).answer
        return answer

    assert await asyncio.gather(*(call(0.05 * number) for number in range(4))) == [42] * 4
