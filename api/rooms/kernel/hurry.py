"""After a commit, tell the relay at once: one coalesced NOTIFY on a connection of its own.

NOTIFY inside an appending transaction would take a global lock at its commit. Losing one costs at most a second.
"""

import logging
import threading

import psycopg
from django.conf import settings
from django.db import transaction

CHANNEL = "mutirao_outbox"
log = logging.getLogger(__name__)


class _Notifier:
    def __init__(self) -> None:
        self._wanted = threading.Event()
        self._start = threading.Lock()
        self._thread: threading.Thread | None = None

    def poke(self) -> None:
        with self._start:
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="hurry", daemon=True)
                self._thread.start()
        self._wanted.set()

    def _run(self) -> None:
        while True:
            try:
                with psycopg.connect(settings.ENVIRONMENT.database_url, autocommit=True) as connection:
                    while True:
                        self._wanted.wait()
                        self._wanted.clear()
                        connection.execute(f"NOTIFY {CHANNEL}")
            except psycopg.Error as error:
                log.warning("hurry lost its connection, the relay's sweep covers: %s", error)
                self._wanted.wait()


_notifier = _Notifier()


def hurry_after_commit() -> None:
    """Call inside the transaction that wrote something for the relay."""
    transaction.on_commit(_notifier.poke)
