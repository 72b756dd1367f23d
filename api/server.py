"""`python -m api.server`: daphne, with an end to what may wait for a client, and to what a client may send."""

import asyncio
import gc
import socket
import sys
from typing import Any

from daphne.cli import CommandLineInterface
from daphne.server import Server

from api.bodies import BoundedFactory
from api.surfaces.ops.requests import SLOW

CLOSE_RESUME = 4008
KERNEL_BYTES = 256 * 1024
"""What the kernel keeps for one socket; by itself it would take megabytes before we heard of the delay."""


COLLECT_AFTER = (10_000, 20, 20)
"""Objects made and not gone, then rounds: a request leaves few circles, and looking for them took a twelfth of it."""


def _spare_the_collector() -> None:
    """What was loaded to begin with stays for ever: nobody need look through it again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


class Outlet:
    """A Twisted push producer, for its two calls alone: more than 64 KiB wait for the client, none wait any more."""

    def __init__(self, protocol: Any) -> None:
        self._transport = protocol.transport
        self._flows = asyncio.Event()
        self._flows.set()
        self.is_given_up = False
        # The HTTP channel that the handshake came through is still registered, and hears nothing that is ours.
        self._transport.unregisterProducer()
        self._transport.registerProducer(self, True)  # noqa: FBT003 - Twisted's signature: streaming

    def pauseProducing(self) -> None:  # noqa: N802 - Twisted's name
        self._flows.clear()

    def resumeProducing(self) -> None:  # noqa: N802 - Twisted's name
        self._flows.set()
        if self._transport.disconnecting:
            self._transport.unregisterProducer()

    def stopProducing(self) -> None:  # noqa: N802 - Twisted's name
        """The connection is lost: nobody need wait."""
        self.is_given_up = True
        self._flows.set()

    async def flows(self, seconds: float) -> bool:
        """Wait until nothing waits for the client; false when that took longer."""
        try:
            async with asyncio.timeout(seconds):
                await self._flows.wait()
        except TimeoutError:
            return False
        return not self.is_given_up

    def give_up(self, protocol: Any) -> None:
        if not self.is_given_up:
            SLOW.inc()
            self.stopProducing()
            self._transport.unregisterProducer()
            protocol.sendClose(CLOSE_RESUME, "resume")


class PatientServer(Server):
    """R8: an app's `send` waits while the client is behind, so one message and 64 KiB are all that is kept for it."""

    stall_s = 20.0
    """Nothing was read for so long: closed by 4008. A page that hears nothing for 25 s comes back by itself anyway."""
    closing_s = 10.0
    """How long the close frame may take; then the connection is cut."""

    @property
    def http_factory(self) -> BoundedFactory:
        return self._http_factory

    @http_factory.setter
    def http_factory(self, _daphnes: object) -> None:
        """daphne makes its own in the middle of `run`, where there is no other place to give it ours."""
        self._http_factory = BoundedFactory(self)

    def run(self) -> None:
        self.outlets: dict[Any, Outlet] = {}
        _spare_the_collector()
        super().run()

    def protocol_connected(self, protocol: Any) -> None:
        super().protocol_connected(protocol)
        if hasattr(protocol, "sendClose"):
            protocol.closeHandshakeTimeout = self.closing_s
            protocol.transport.getHandle().setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, KERNEL_BYTES)
            self.outlets[protocol] = Outlet(protocol)

    def protocol_disconnected(self, protocol: Any) -> None:
        super().protocol_disconnected(protocol)
        if outlet := self.outlets.pop(protocol, None):
            outlet.stopProducing()

    async def handle_reply(self, protocol: Any, message: dict[str, Any]) -> None:
        outlet = self.outlets.get(protocol) if message["type"] == "websocket.send" else None
        if outlet is None or await outlet.flows(self.stall_s):
            await super().handle_reply(protocol, message)
        else:
            outlet.give_up(protocol)


class PatientCommandLine(CommandLineInterface):
    server_class = PatientServer


if __name__ == "__main__":
    PatientCommandLine().run(sys.argv[1:])
