"""Publishing a wake, off the request path and bounded: a broker that hangs costs a thread, not a request."""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from kombu.exceptions import KombuError

PUBLISH_SECONDS = 1.5
MAX_PUBLISHING = 8


class BrokerUnavailable(Exception):
    """The wake was not queued; whoever sent it will try again."""


class Publisher:
    """`send` blocks; at most eight wait for the broker at once, and nobody waits for them for long."""

    def __init__(self, send: Callable[[str, str], None]) -> None:
        self._send = send
        self._threads = ThreadPoolExecutor(MAX_PUBLISHING, thread_name_prefix="publish")
        self._busy = 0

    async def publish(self, instance_id: str, queue: str) -> None:
        """Returns when the broker has it; raises `BrokerUnavailable` within two seconds otherwise."""
        if self._busy >= MAX_PUBLISHING:
            raise BrokerUnavailable("every publisher waits for the broker")
        self._busy += 1
        here = contextvars.copy_context()
        sent = asyncio.get_running_loop().run_in_executor(self._threads, here.run, self._send, instance_id, queue)
        sent.add_done_callback(self._done)
        try:
            async with asyncio.timeout(PUBLISH_SECONDS):
                await asyncio.shield(sent)
        except TimeoutError as error:
            raise BrokerUnavailable(f"the broker did not answer within {PUBLISH_SECONDS} s") from error
        except (OSError, KombuError) as error:
            raise BrokerUnavailable(f"{type(error).__name__}: {error}") from error

    def _done(self, sent: asyncio.Future[None]) -> None:
        self._busy -= 1
        if not sent.cancelled():
            sent.exception()  # seen: nobody waits any more for one that came too late
