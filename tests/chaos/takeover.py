"""How long a turn waits for another worker: from the kill to the next claim of its instance."""

import threading
import time
from dataclasses import dataclass, field

import psutil
import psycopg

from tests.chaos.ledger import Ledger, Row
from tests.plugins.house import WORKERS, House

LOADED_SECONDS = 15.0
GIVE_UP_SECONDS = 40.0
POLL_SECONDS = 0.05
EPOCHS = "SELECT id, epoch, turn_id FROM agents_instance WHERE id = ANY(%s)"


@dataclass
class Takeovers:
    """`seconds` where a worker that had been up for a while survived, `alone_seconds` where one had to start first."""

    house: House
    ledger: Ledger
    seconds: list[float] = field(default_factory=list)
    alone_seconds: list[float] = field(default_factory=list)
    _watching: list[threading.Thread] = field(default_factory=list)

    def killing(self, *victims: int, alone: bool = False) -> None:
        """Call right before the kill: what is leased now with a running turn is watched."""
        alone = alone or not self._survives(victims)
        try:
            leases = {key: row for key, row in self.ledger.leases().items() if row["turn_id"]}
        except psycopg.Error:
            return
        into = self.alone_seconds if alone else self.seconds
        thread = threading.Thread(target=self._watch, args=(leases, time.monotonic(), into), daemon=True)
        thread.start()
        self._watching.append(thread)

    def _survives(self, victims: tuple[int, ...]) -> bool:
        """Whether a worker other than these has had the time to load."""
        pids = self.house.stack.pids
        others = [pids[name] for name in WORKERS if name in pids and pids[name] not in victims]
        return any(_age_seconds(pid) > LOADED_SECONDS for pid in others)

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
                rows = self.ledger.ask(EPOCHS, [row["id"] for row in waiting.values()])
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


def _age_seconds(pid: int) -> float:
    try:
        return time.time() - psutil.Process(pid).create_time()
    except psutil.NoSuchProcess:
        return 0.0
