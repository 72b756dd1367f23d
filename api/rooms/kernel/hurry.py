"""After a commit, tell other processes at once: one coalesced NOTIFY on a connection of its own.

NOTIFY inside an appending transaction would take a global lock at its commit. Losing one costs at most a second.
"""

import logging
import threading
from collections.abc import AsyncGenerator

import psycopg
from django.conf import settings
from django.db import transaction

CHANNEL = "mutirao_outbox"
"""Something waits for the relay."""
CUTS = "mutirao_cuts"
"""A model call was marked closed that another process owns."""
log = logging.getLogger(__name__)


class _Notifier:
    def __init__(self, channel: str) -> None:
        self._channel = channel
        self._wanted = threading.Event()
        self._start = threading.Lock()
        self._thread: threading.Thread | None = None

    def poke(self) -> None:
        with self._start:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name=f"hurry {self._channel}", daemon=True)
                self._thread.start()
        self._wanted.set()

    def _run(self) -> None:
        while True:
            try:
                with psycopg.connect(settings.ENVIRONMENT.database_url, autocommit=True) as connection:
                    while True:
                        self._wanted.wait()
                        self._wanted.clear()
                        connection.execute(f"NOTIFY {self._channel}")
            except psycopg.Error as error:
                log.warning("hurry lost its connection, who looks each second covers: %s", error)
                self._wanted.wait()


_outbox, _cuts = _Notifier(CHANNEL), _Notifier(CUTS)


def hurry_after_commit() -> None:
    """Call inside the transaction that wrote something for the relay."""
    transaction.on_commit(_outbox.poke)


def hurry_cuts() -> None:
    """Call after the commit that marked calls of other processes."""
    _cuts.poke()


async def cuts() -> AsyncGenerator[None, None]:
    """Once for each word of other processes; raises `psycopg.Error` when the connection is lost."""
    url = settings.ENVIRONMENT.database_url
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        await connection.execute(f"LISTEN {CUTS}")
        yield None  # what was marked before anybody listened
        async for _ in connection.notifies():
            yield None
