"""The faults of the network: a wire between the services is refused, or swallows what is sent one way or both."""

import time
from collections.abc import Callable
from typing import Literal

from tests.fakes.proxy import DOWN, UP, Proxy
from tests.plugins.network import Network

Wire = Literal["api", "engine", "broker"]
Hurt = Callable[[Proxy], None]
SHORT_SECONDS = 4.0
BEYOND_LEASE_SECONDS = 8.0


def hurt(network: Network, wire: Wire, how: Hurt, seconds: float) -> float:
    """Until it is healed again; when that was."""
    proxy: Proxy = getattr(network, wire)
    how(proxy)
    try:
        time.sleep(seconds)
    finally:
        proxy.heal()
    return time.monotonic()


def refused(proxy: Proxy) -> None:
    """As if the other side were down."""
    proxy.refuse()


def deaf(proxy: Proxy) -> None:
    """What is asked is lost."""
    proxy.black_hole(UP)


def dumb(proxy: Proxy) -> None:
    """What is asked is done, and the answer is lost: the worst of them."""
    proxy.black_hole(DOWN)


def gone(proxy: Proxy) -> None:
    """Both ways."""
    proxy.black_hole()


def cut(proxy: Proxy) -> None:
    """All connections end once, and new ones are taken."""
    proxy.cut()


HURTS: dict[str, tuple[Wire, Hurt, float]] = {
    "api wire refused": ("api", refused, SHORT_SECONDS),
    "api wire refused long": ("api", refused, 30.0),
    "api wire deaf": ("api", deaf, BEYOND_LEASE_SECONDS),
    "api wire dumb": ("api", dumb, BEYOND_LEASE_SECONDS),
    "api wire gone": ("api", gone, BEYOND_LEASE_SECONDS),
    "api wire cut": ("api", cut, 0.0),
    "engine wire gone": ("engine", gone, SHORT_SECONDS),
    "engine wire dumb": ("engine", dumb, SHORT_SECONDS),
    "broker wire refused": ("broker", refused, SHORT_SECONDS),
    "broker wire gone": ("broker", gone, SHORT_SECONDS),
    "broker wire cut": ("broker", cut, 0.0),
}
