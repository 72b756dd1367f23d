"""R4: without Valkey a page's socket opens, says what the log says, and is live again within five seconds."""

import asyncio
import time
from collections.abc import Iterator

import pytest

from api.rooms.kernel.db import in_thread
from api.surfaces.live import subscription
from tests.api.live.test_socket import bearer, open_socket
from tests.api.rest.test_paging import grow
from tests.factories.places import Place, new_place

BACK_S = 5.0


class Away:
    """Stands before the real channel layer and takes its place in being refused."""

    def __init__(self, layer: object) -> None:
        self.layer, self.is_away = layer, True

    @property
    def channels(self) -> object:
        return self.layer.channels  # type: ignore[attr-defined]

    async def group_add(self, group: str, channel: str) -> None:
        if self.is_away:
            raise ConnectionRefusedError("Valkey is away")
        await self.layer.group_add(group, channel)  # type: ignore[attr-defined]

    def __getattr__(self, name: str) -> object:
        return getattr(self.layer, name)


@pytest.fixture
def place(committed: None) -> Place:
    return new_place()


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> Iterator[Away]:
    layer = Away(subscription.get_channel_layer())
    monkeypatch.setattr(subscription, "get_channel_layer", lambda: layer)
    yield layer


async def test_a_page_that_comes_while_valkey_is_away_reads_the_log_and_polls_it(place: Place, away: Away) -> None:
    async with open_socket(place, await in_thread(bearer)(place.user_id)) as socket:
        assert await socket.seqs(1) == [1]
        await in_thread(grow)(place, 2)
        assert await socket.seqs(2) == [2, 3]


async def test_it_is_live_again_within_five_seconds_after_valkey_is_back(place: Place, away: Away) -> None:
    async with open_socket(place, await in_thread(bearer)(place.user_id)) as socket:
        assert await socket.seqs(1) == [1]
        away.is_away = False
        await asyncio.sleep(subscription.RETRY_S + 0.5)
        began = time.monotonic()
        await in_thread(grow)(place, 1)
        assert await socket.seqs(1) == [2]
        assert time.monotonic() - began < BACK_S
