"""R4: without Valkey a page's socket opens, says what the log says, and is live again within five seconds."""

import asyncio
import time
from collections.abc import Iterator
from dataclasses import replace

import pytest
from channels_redis.pubsub import RedisPubSubChannelLayer

from api.rooms.kernel.db import in_thread
from api.surfaces.live import subscription
from deploy.launcher import ports
from tests.api.live.test_socket import bearer, open_socket
from tests.api.rest.test_paging import grow
from tests.factories.places import Place, new_place
from tests.fakes.proxy import Proxy
from tests.plugins.services import SERVICES

BACK_S = 5.0


@pytest.fixture
def place(committed: None) -> Place:
    return new_place()


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    """The sockets' way to Valkey, which is closed at first; what is published has its own."""
    with Proxy(ports.free_port(), SERVICES.server.port) as proxy:
        proxy.refuse()
        url = replace(SERVICES.server, port=proxy.port).api_url
        layer = RedisPubSubChannelLayer(hosts=[url], prefix="api:asgi")
        monkeypatch.setattr(subscription, "get_channel_layer", lambda: layer)
        yield proxy


async def test_a_page_that_comes_while_valkey_is_away_reads_the_log_and_polls_it(place: Place, away: Proxy) -> None:
    async with open_socket(place, await in_thread(bearer)(place.user_id)) as socket:
        assert await socket.seqs(1) == [1]
        await in_thread(grow)(place, 2)
        assert await socket.seqs(2) == [2, 3]


async def test_it_is_live_again_within_five_seconds_after_valkey_is_back(place: Place, away: Proxy) -> None:
    async with open_socket(place, await in_thread(bearer)(place.user_id)) as socket:
        assert await socket.seqs(1) == [1]
        away.heal()
        await asyncio.sleep(subscription.RETRY_S + 0.5)
        began = time.monotonic()
        await in_thread(grow)(place, 1)
        assert await socket.seqs(1) == [2]
        assert time.monotonic() - began < BACK_S


async def test_what_was_said_while_valkey_went_and_came_back_is_there_within_five_seconds(
    place: Place, away: Proxy
) -> None:
    away.heal()
    async with open_socket(place, await in_thread(bearer)(place.user_id)) as socket:
        assert await socket.seqs(1) == [1]
        away.refuse()
        await in_thread(grow)(place, 3)
        away.heal()
        began = time.monotonic()
        assert await socket.seqs(3) == [2, 3, 4]
        assert time.monotonic() - began < BACK_S
