"""The children's logs: one file each, one older one kept, and never without bound."""

import os
import shutil
from pathlib import Path

MAX_BYTES = 20_000_000
TAIL_BYTES = 4_000


def rotate(log: Path) -> None:
    """At a start: the last run's log becomes the older one."""
    if log.exists():
        log.replace(older(log))


def bound(log: Path) -> None:
    """While running: a log that grew too long is emptied in place, since the child goes on appending to it."""
    if log.exists() and log.stat().st_size > MAX_BYTES:
        shutil.copyfile(log, older(log))
        os.truncate(log, 0)


def older(log: Path) -> Path:
    """Where the one before is kept."""
    return log.with_name(log.name + ".1")


def last_line(log: Path) -> str:
    """The last thing that a child said."""
    if not log.exists():
        return ""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - TAIL_BYTES))
        lines = file.read().decode(errors="replace").strip().splitlines()
    return lines[-1].strip() if lines else ""
