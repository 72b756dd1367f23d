"""How long a turn waits for another worker: from the kill to the next claim of its instance."""

import threading
import time
from dataclasses import dataclass, field

import psycopg

from tests.chaos.ledger import Ledger, Row

GIVE_UP_SECONDS = 40.0
POLL_SECONDS = 0.05
EPOCHS = "SELECT id, epoch, turn_id FROM agents_instance WHERE id = ANY(%s)"


@dataclass
class Takeovers:
    """`seconds` with a surviving worker, `alone_seconds` when one had to be started first."""

    ledger: Ledger
    seconds: list[float] = field(default_factory=list)
    alone_seconds: list[float] = field(default_factory=list)
    _watching: list[threading.Thread] = field(default_factory=list)

    def killing(self, *, alone: bool = False) -> None:
        """Call right before the kill: what is leased now with a running turn is watched."""
        try:
            leases = {key: row for key, row in self.ledger.leases().items() if row["turn_id"]}
        except psycopg.Error:
            return
        into = self.alone_seconds if alone else self.seconds
        thread = threading.Thread(target=self._watch, args=(leases, time.monotonic(), into), daemon=True)
        thread.start()
        self._watching.append(thread)

    def finish(self) -> None:
        """Wait for what is still watched."""
        for thread in self._watching:
            thread.join(GIVE_UP_SECONDS + 5)
        self._watching.clear()

    def _watch(self, leases: dict[str, Row], began: float, into: list[float]) -> None:
        """A turn that ends under its old epoch had a worker that lived; it is no takeover."""
        waiting = dict(leases)
        while waiting and time.monotonic() - began < GIVE_UP_SECONDS:
            time.sleep(POLL_SECONDS)
            try:
                rows = self.ledger.ask(EPOCHS, list(waiting.values()) and [row["id"] for row in waiting.values()])
            except psycopg.Error:
                continue
            for row in rows:
                before = waiting[str(row["id"])]
                if row["epoch"] > before["epoch"]:
                    if row["turn_id"] == before["turn_id"]:
                        into.append(time.monotonic() - began)
                    del waiting[str(row["id"])]
                elif row["turn_id"] != before["turn_id"]:
                    del waiting[str(row["id"])]
