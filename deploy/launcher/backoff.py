"""How long a dead child waits before it is started again."""

from dataclasses import dataclass

FIRST_SECONDS = 0.1
MAX_SECONDS = 10.0
STEADY_SECONDS = 30.0


@dataclass
class Backoff:
    """Each quick death doubles the wait; one that had run steadily starts over."""

    deaths: int = 0
    started_at: float | None = None

    def started(self, now: float) -> None:
        """The child was started again at `now`."""
        self.started_at = now

    def next_delay(self, now: float) -> float:
        """Seconds to wait after a death at `now`."""
        if self.started_at is not None and now - self.started_at > STEADY_SECONDS:
            self.deaths = 0
        delay = min(FIRST_SECONDS * 2.0**self.deaths, MAX_SECONDS)
        self.deaths += 1
        return delay
