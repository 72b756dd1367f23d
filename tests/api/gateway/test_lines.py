"""Connections to a provider: kept after an answer that ended, closed by everything else, used by one call at a time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from pytest_django import Settings

from api.rooms.gateway.providers import lines

WHOLE = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
BEGUN = b"HTTP/1.1 200 OK\r\nContent-Length: 200\r\n\r\n{"
PATIENCE_S = 5.0


class Server:
    """Counts what connects and what hangs up; answers each request with the same bytes."""

    def __init__(self) -> None:
        self.answer, self.came, self.went = WHOLE, 0, asyncio.Semaphore(0)
        self.url = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.came += 1
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(self.answer)
        except (asyncio.IncompleteReadError, ConnectionError):
            self.went.release()
        finally:
            writer.close()


@pytest.fixture
async def counted(settings: Settings) -> AsyncIterator[Server]:
    settings.MUTIRAO_ALLOW_PRIVATE_BASE_URLS = True
    served = Server()
    listening = await asyncio.start_server(served.serve, "127.0.0.1", 0)
    served.url = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    yield served
    listening.close()


async def _ask(counted: Server) -> None:
    async with lines.line(counted.url, is_private=True) as line:
        response = await line.send("GET", counted.url + "/", {})
        await response.aread()


@asynccontextmanager
async def _reading(counted: Server) -> AsyncIterator[None]:
    async with lines.line(counted.url, is_private=True) as line:
        await line.send("GET", counted.url + "/", {})
        yield


async def test_a_connection_is_used_again_after_an_answer_that_ended(counted: Server) -> None:
    for _ in range(3):
        await _ask(counted)
    assert counted.came == 1


async def test_two_calls_at_once_share_nothing(counted: Server) -> None:
    async with _reading(counted):
        await _ask(counted)
    assert counted.came == 2


async def test_a_call_that_is_cut_closes_its_connection(counted: Server) -> None:
    counted.answer = BEGUN
    begun = asyncio.Event()

    async def call() -> None:
        async with _reading(counted):
            begun.set()
            await asyncio.sleep(PATIENCE_S)

    task = asyncio.create_task(call())
    await begun.wait()
    task.cancel()
    task.cancel()
    await asyncio.wait_for(counted.went.acquire(), PATIENCE_S)
    counted.answer = WHOLE
    await _ask(counted)
    assert counted.came == 2


async def test_an_answer_that_is_left_unread_closes_its_connection(counted: Server) -> None:
    counted.answer = BEGUN
    async with _reading(counted):
        pass
    assert await asyncio.wait_for(counted.went.acquire(), PATIENCE_S)


async def test_a_kept_connection_is_let_go_in_time(counted: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "KEPT_S", 0.05)
    await _ask(counted)
    await asyncio.wait_for(counted.went.acquire(), PATIENCE_S)
    await _ask(counted)
    assert counted.came == 2


async def test_no_more_than_a_bounded_number_is_kept(counted: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "MAX_KEPT", 1)
    async with _reading(counted):
        await _ask(counted)
    await asyncio.wait_for(counted.went.acquire(), PATIENCE_S)
    await _ask(counted)
    assert counted.came == 2


async def test_a_connection_that_the_server_closed_meanwhile_is_not_asked(counted: Server) -> None:
    counted.answer = WHOLE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")
    await _ask(counted)
    await _ask(counted)
    assert counted.came == 2
