"""Woken by NOTIFY, and each second anyway; a database that is away is waited for."""

import logging
import threading
import time

import psycopg
from django.conf import settings
from django.db import Error as DatabaseError
from django.db import close_old_connections, connection
from psycopg_pool import PoolTimeout

from api.relay.calendar import Calendar
from api.relay.delivery import Delivery
from api.rooms.agents import services as agents
from api.rooms.gateway import services as gateway
from api.rooms.kernel.hurry import CHANNEL

SWEEP_S = 1.0
HEALTHY_BEFORE_REAPING_S = 5.0
log = logging.getLogger(__name__)


class Relay:
    """`stop` is set by a signal; the loop ends at the next border."""

    def __init__(self) -> None:
        self.stop = threading.Event()
        self._delivery = Delivery()
        self._calendar = Calendar()
        self._healthy_since: float | None = None
        self._swept_at = 0.0

    def run(self) -> None:
        while not self.stop.is_set():
            try:
                self._listen()
            except (DatabaseError, PoolTimeout, psycopg.Error) as error:
                self._healthy_since = None
                log.warning("the database is away: %s", error)
                close_old_connections()
                connection.close()
                self.stop.wait(0.5)

    def _listen(self) -> None:
        with psycopg.connect(settings.ENVIRONMENT.database_url, autocommit=True) as listener:
            listener.execute(f"LISTEN {CHANNEL}")
            while not self.stop.is_set():
                while self._delivery.drain():
                    self._sweep_when_due()
                self._sweep_when_due()
                wait = max(0.0, SWEEP_S - (time.monotonic() - self._swept_at))
                for _ in listener.notifies(timeout=wait, stop_after=1):
                    pass

    def _sweep_when_due(self) -> None:
        now = time.monotonic()
        if now - self._swept_at < SWEEP_S:
            return
        self._swept_at = now
        # After an outage every lease has run out although its worker lives: let it renew first.
        self._healthy_since = self._healthy_since or now
        agents.sweep(reaps=now - self._healthy_since >= HEALTHY_BEFORE_REAPING_S)
        gateway.sweep()
        self._calendar.look()
        close_old_connections()
