"""A process that the launcher starts, as a value, and how it is started."""

import signal
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from deploy.launcher import orphan


def is_alive_enough() -> bool:
    """The readiness of a child that cannot be asked: that it runs is all there is to know."""
    return True


@dataclass(frozen=True)
class Child:
    """Everything that starting, awaiting and ending one process takes."""

    name: str
    argv: tuple[str, ...]
    environment: Mapping[str, str]
    is_ready: Callable[[], bool] = is_alive_enough
    user: str | None = None
    stop_signal: signal.Signals = signal.SIGTERM
    orphan_signal: signal.Signals = signal.SIGKILL
    patience_seconds: float = 120.0
    stop_seconds: float = 10.0
    folder: Path = field(default_factory=Path.cwd)


def spawn(child: Child, output: IO[bytes] | int, errors: IO[bytes] | int) -> subprocess.Popen[bytes]:
    """Start `child` in a session of its own, so that a Ctrl-C in the terminal reaches only the launcher."""
    return subprocess.Popen(
        child.argv,
        cwd=child.folder,
        env=dict(child.environment),
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=errors,
        start_new_session=True,
        user=child.user,
        preexec_fn=orphan.tie(child.orphan_signal),  # noqa: PLW1509 - the launcher has one thread
    )
