"""Which user PostgreSQL runs as: it refuses root."""

import functools
import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

UNSHARE = ("unshare", "-U", "--map-user=1000", "--map-group=1000")
FALLBACK_USER = "nobody"


@dataclass(frozen=True)
class Identity:
    """What to put before a command, and the user to become."""

    prefix: tuple[str, ...] = ()
    user: str | None = None


@functools.cache
def for_postgres() -> Identity:
    """Ourselves; as root, ourselves under another number in a user namespace, else the user nobody."""
    if os.getuid() != 0:
        return Identity()
    try:
        works = subprocess.run([*UNSHARE, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        works = False
    return Identity(prefix=UNSHARE) if works else Identity(user=FALLBACK_USER)


def give(path: Path, identity: Identity) -> None:
    """Make `path` the identity's own where it is another user."""
    if identity.user:
        shutil.chown(path, user=identity.user)
