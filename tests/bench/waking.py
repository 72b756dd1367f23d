"""From a message's 202 to the first byte of the provider's request."""

import time

from tests.bench.running_house import RunningHouse
from tests.bench.sizes import WAKES

WARM_UP = 6
GIVE_UP_S = 10.0


def to_provider_ms(house: RunningHouse) -> list[float]:
    """One message after another, each in a session of its own."""
    project_id = house.project()
    took = []
    for number in range(WARM_UP + WAKES):
        talk, tag = house.talk(project_id), f"wake-{number}"
        talk.say(f"@plain 3 0 {tag}@")
        accepted_at = time.monotonic()
        took.append((_arrival(house, tag) - accepted_at) * 1000)
    return took[WARM_UP:]


def _arrival(house: RunningHouse, tag: str) -> float:
    deadline = time.monotonic() + GIVE_UP_S
    while time.monotonic() < deadline:
        # Seldom: whoever asks takes time from those who are measured.
        time.sleep(0.1)
        times = house.seen().get(tag)
        if times is not None and times[0] is not None:
            return times[0]
    raise RuntimeError(f"{tag} did not come to the provider")
