"""The day's chores: looked for each minute, run beside the loop, one at a time."""

import logging
import time
from concurrent.futures import Future, ThreadPoolExecutor
from datetime import timedelta

from django.db import close_old_connections

from api.housekeeping import CHORES, Chore
from api.rooms.kernel import chores

LOOK_S = 60.0
AGAIN_AFTER = timedelta(minutes=15)
log = logging.getLogger(__name__)


class Calendar:
    """Owned by the relay's one loop."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="chores")
        self._looked_at = float("-inf")
        self._running: Future[None] | None = None

    def look(self) -> None:
        """Returns at once. The first look is at the start."""
        if time.monotonic() - self._looked_at < LOOK_S or (self._running and not self._running.done()):
            return
        self._looked_at = time.monotonic()
        self._running = self._pool.submit(run_due)


def run_due(all_chores: tuple[Chore, ...] = CHORES) -> None:
    """Those that are due and that nobody else has taken."""
    try:
        for chore in all_chores:
            if chores.claim(chore.name, chore.every):
                _run(chore)
    except Exception as error:  # noqa: BLE001 - the database may be away: the next look is in a minute
        log.warning("the calendar could not be read: %s", error)
    finally:
        close_old_connections()


def _run(chore: Chore) -> None:
    try:
        chores.report(chore.name, chore.run())
    except Exception as error:  # noqa: BLE001 - whatever it is, it is said, and tried again
        log.warning("chore %s failed: %s", chore.name, error)
        chores.failed(chore.name, f"{type(error).__name__}: {error}", AGAIN_AFTER)
