"""A small HTTP/1.1 server for an ASGI app on a loopback port, in the test's own loop."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import h11


@asynccontextmanager
async def serving(app: Any) -> AsyncIterator[str]:
    """The address of `app` while it is served."""
    tasks = set[asyncio.Task[None]]()

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tasks.add(task)
        try:
            with suppress(asyncio.CancelledError):
                await _Connection(app, reader, writer).run()
        finally:
            tasks.discard(task)

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.close()
        for task in tuple(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


class _Connection:
    """One connection; a client that leaves ends the app's answer, as with daphne."""

    def __init__(self, app: Any, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.app, self.reader, self.writer = app, reader, writer
        self.http = h11.Connection(h11.SERVER)

    async def run(self) -> None:
        with suppress(ConnectionError, h11.RemoteProtocolError, h11.LocalProtocolError):
            while (request := await self.event()) and isinstance(request, h11.Request):
                await self.answer(request)
                if self.http.our_state is h11.MUST_CLOSE:
                    break
                self.http.start_next_cycle()
        self.writer.close()

    async def event(self) -> Any:
        while (event := self.http.next_event()) is h11.NEED_DATA:
            self.http.receive_data(await self.reader.read(65536))
        return event

    async def answer(self, request: h11.Request) -> None:
        body = b""
        while isinstance(data := await self.event(), h11.Data):
            body += bytes(data.data)
        path, _, query = request.target.partition(b"?")
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": request.method.decode(),
            "path": path.decode(),
            "raw_path": path,
            "query_string": query,
            "root_path": "",
            "scheme": "http",
            "server": ("127.0.0.1", 0),
            "client": ("127.0.0.1", 0),
            "headers": [(bytes(name).lower(), bytes(value)) for name, value in request.headers],
        }
        left = asyncio.Event()
        received = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            if received:
                return received.pop()
            await left.wait()
            return {"type": "http.disconnect"}

        answering = asyncio.create_task(self.app(scope, receive, self.send))
        leaving = asyncio.create_task(self.reader.read(1))
        await asyncio.wait({answering, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not answering.done():
            left.set()
            answering.cancel()
            await asyncio.wait({answering})
            raise ConnectionResetError("the client left")
        if leaving.done():
            self.http.receive_data(leaving.result())
        leaving.cancel()
        with suppress(asyncio.CancelledError):
            await leaving
        answering.result()

    async def send(self, message: dict[str, Any]) -> None:
        if message["type"] == "http.response.start":
            self.put(h11.Response(status_code=message["status"], headers=message["headers"]))
            return
        self.put(h11.Data(data=message.get("body", b"")))
        if not message.get("more_body"):
            self.put(h11.EndOfMessage())
        await self.writer.drain()

    def put(self, event: Any) -> None:
        self.writer.write(self.http.send(event) or b"")
