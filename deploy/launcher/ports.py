"""Finds ports for children and remembers them, so that a restart meets its clients where they look."""

import json
import random
import socket
import time
from pathlib import Path

from deploy.launcher.refusal import Refusal

# Below the range that the kernel hands to outgoing connections: a port stays free while its child is restarted.
FIRST, LAST = 20_000, 32_000
TRIES = 200
GRACE_SECONDS = 2.0


def is_free(host: str, port: int) -> bool:
    """Whether a server could listen there now."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def free_port() -> int:
    """A loopback port that nothing listens on."""
    for _ in range(TRIES):
        port = random.randint(FIRST, LAST)  # noqa: S311 - not a secret
        if is_free("127.0.0.1", port):
            return port
    raise Refusal(f"No port between {FIRST} and {LAST} is free on this machine: stop what occupies them and try again.")


def require_free(host: str, port: int) -> None:
    """Refuse when `port` is taken; a predecessor that was killed a moment ago gets time to let go."""
    deadline = time.monotonic() + GRACE_SECONDS
    while not is_free(host, port):
        if time.monotonic() > deadline:
            raise Refusal(
                f"Port {port} on {host} is already in use: stop the program that listens there, "
                f"or choose another port, as in PORT={port + 1} make run."
            )
        time.sleep(0.1)


def kept_ports(file: Path, names: tuple[str, ...]) -> dict[str, int]:
    """A free loopback port for each name, the one of last time where it is still free."""
    known: dict[str, int] = {}
    if file.exists():
        known = json.loads(file.read_text())
    ports: dict[str, int] = {}
    for name in names:
        last = known.get(name)
        while last is None or last in ports.values() or not is_free("127.0.0.1", last):
            last = free_port()
        ports[name] = last
    file.write_text(json.dumps(ports))
    return ports
