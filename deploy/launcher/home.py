"""The folder that holds everything of one installation, used by one launcher at a time."""

import errno
import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from deploy.launcher import identity, postgres
from deploy.launcher.refusal import Refusal

LOCK = "launcher.lock"
RUN = "run.json"
SECRETS = "secrets.json"
PORTS = "ports.json"
LOGS = "log"
BACKUP = "backup.json"
FULL = {errno.ENOSPC, errno.EDQUOT}


@contextmanager
def locked(home: Path) -> Iterator[None]:
    """Hold the home alone. The kernel lets go of it when we are gone, however we went."""
    prepare(home)
    with (home / LOCK).open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Refusal(in_use(home)) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield
        lock.truncate(0)


def prepare(home: Path) -> None:
    """Make the folder, for our eyes only; the fallback user of PostgreSQL must be able to pass through."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        home.chmod(0o711 if identity.for_postgres().user else 0o700)
        (home / LOGS).mkdir(mode=0o700, exist_ok=True)
        (home / LOCK).touch(mode=0o600)
    except OSError as error:
        if error.errno in FULL:
            raise
        raise Refusal(
            f"MUTIRAO_HOME ({home}) is not a folder that can be written: give this user write access to it "
            "or name another one."
        ) from None


def in_use(home: Path) -> str:
    """The sentence for a home that another launcher holds."""
    pid = (home / LOCK).read_text().strip() or "unknown"
    return f"Mutirão already runs from {home} (process {pid}): stop it first, or name another folder with MUTIRAO_HOME."


def forget(home: Path) -> None:
    """Remove what the launcher keeps. Anything else that a person put there stays."""
    for data in home.glob("postgres-*"):
        if (data / "PG_VERSION").exists():
            postgres.wait_for_old_server(data)
        shutil.rmtree(data, ignore_errors=True)
    for folder in (LOGS, "valkey"):
        shutil.rmtree(home / folder, ignore_errors=True)
    for file in (RUN, SECRETS, PORTS, BACKUP):
        (home / file).unlink(missing_ok=True)
