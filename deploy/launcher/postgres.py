"""PostgreSQL: a cluster of our own, its two roles and its database."""

import os
import shutil
import signal
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import psycopg
from psycopg import sql

from deploy.launcher import binaries, identity
from deploy.launcher.child import Child
from deploy.launcher.refusal import Refusal

SUPERUSER = "postgres"
OWNER = "mutirao_owner"
APP = "mutirao_app"
DATABASE = "mutirao"
EXTENSIONS = ("pg_trgm", "unaccent")
SETTINGS = {"listen_addresses": "127.0.0.1", "unix_socket_directories": "", "max_connections": "200"}
THROW_AWAY = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "autovacuum": "off"}
OLD_SERVER_SECONDS = 60.0


@dataclass(frozen=True)
class Cluster:
    """One data folder and the server on it."""

    data: Path
    port: int
    superuser_password: str
    owner_password: str
    app_password: str
    settings: dict[str, str] = field(default_factory=dict)

    def url(self, user: str, password: str, database: str = DATABASE) -> str:
        """How to reach `database` as `user`."""
        return f"postgresql://{user}:{quote(password, safe='')}@127.0.0.1:{self.port}/{database}"

    @property
    def app_url(self) -> str:
        """The services' door: no DDL, and only INSERT on the log."""
        return self.url(APP, self.app_password)

    @property
    def owner_url(self) -> str:
        """The door of migrations."""
        return self.url(OWNER, self.owner_password)

    @property
    def superuser_url(self) -> str:
        """The door of provisioning; no service gets it."""
        return self.url(SUPERUSER, self.superuser_password, "postgres")


def data_folder(parent: Path) -> Path:
    """The folder for the server's major version: another major starts its own."""
    return parent / f"postgres-{binaries.postgres_major(binaries.postgres_folder())}"


def initialise(cluster: Cluster) -> None:
    """Create the data folder, whole or not at all; nothing when it exists."""
    if (cluster.data / "PG_VERSION").exists():
        return
    who = identity.for_postgres()
    partial = cluster.data.with_name(cluster.data.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)  # an interrupted initdb left it
    partial.mkdir(mode=0o700, parents=True)
    identity.give(partial, who)
    password = partial.with_suffix(".password")
    password.touch(mode=0o600)
    password.write_text(cluster.superuser_password)
    identity.give(password, who)
    try:
        made = subprocess.run(
            [*who.prefix, *initdb(partial, password)], user=who.user, capture_output=True, text=True, check=False
        )
    finally:
        password.unlink()
    if made.returncode != 0:
        last = (made.stderr.strip().splitlines() or ["no word"])[-1]
        raise Refusal(f"PostgreSQL could not create {cluster.data} ({last}): correct that and try again.")
    partial.rename(cluster.data)


def initdb(folder: Path, password: Path) -> list[str]:
    """The command that fills a data folder."""
    program = str(binaries.postgres_folder() / "initdb")
    fixed = ["--locale=C.UTF-8", "-E", "UTF8", "--auth=scram-sha-256", "-U", SUPERUSER, "--no-sync"]
    return [program, *fixed, f"--pwfile={password}", "-D", str(folder)]


def child(cluster: Cluster) -> Child:
    """The server as a child. SIGINT is its fast stop, also when the launcher is gone."""
    who = identity.for_postgres()
    settings = {**SETTINGS, **cluster.settings, "port": str(cluster.port)}
    options = [part for name, value in settings.items() for part in ("-c", f"{name}={value}")]
    program = str(binaries.postgres_folder() / "postgres")
    return Child(
        name="postgres",
        argv=(*who.prefix, program, "-D", str(cluster.data), *options),
        environment={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8"},
        is_ready=lambda: answers(cluster),
        user=who.user,
        stop_signal=signal.SIGINT,
        orphan_signal=signal.SIGINT,
        stop_seconds=30.0,
        folder=cluster.data,
    )


def answers(cluster: Cluster) -> bool:
    """Whether the server takes our superuser's connection."""
    try:
        psycopg.connect(cluster.superuser_url, connect_timeout=2).close()
    except psycopg.OperationalError:
        return False
    return True


def wait_for_old_server(data: Path) -> None:
    """After a kill -9 of the launcher the old server may still be closing: a new one would refuse to start."""
    deadline = time.monotonic() + OLD_SERVER_SECONDS
    while (pid := old_server(data)) is not None:
        if time.monotonic() > deadline:
            raise Refusal(f"An older PostgreSQL (process {pid}) still uses {data}: stop it with kill -INT {pid}.")
        time.sleep(0.05)


def old_server(data: Path) -> int | None:
    """The process that holds the data folder, if it is alive and a PostgreSQL."""
    try:
        pid = int((data / "postmaster.pid").read_text().split("\n", 1)[0])
        os.kill(pid, 0)
        name = Path(f"/proc/{pid}/comm")
        return pid if not name.exists() or name.read_text().strip() == "postgres" else None
    except (OSError, ValueError):
        return None


def provision(cluster: Cluster) -> None:
    """Roles, database and extensions as they must be; safe to repeat."""
    with psycopg.connect(cluster.superuser_url, autocommit=True) as server:
        for role, password in ((OWNER, cluster.owner_password), (APP, cluster.app_password)):
            ensure_role(server, role, password)
        known = server.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
        if known is None:
            create = sql.SQL("CREATE DATABASE {} OWNER {}")
            server.execute(create.format(sql.Identifier(DATABASE), sql.Identifier(OWNER)))
    with psycopg.connect(cluster.url(SUPERUSER, cluster.superuser_password), autocommit=True) as database:
        for extension in EXTENSIONS:
            database.execute(sql.SQL("CREATE EXTENSION IF NOT EXISTS {}").format(sql.Identifier(extension)))


def ensure_role(server: psycopg.Connection[tuple[object, ...]], role: str, password: str) -> None:
    """A role that may log in with `password` and nothing else."""
    known = server.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone()
    verb = sql.SQL("ALTER" if known else "CREATE")
    statement = sql.SQL("{} ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE PASSWORD {}")
    server.execute(statement.format(verb, sql.Identifier(role), sql.Literal(password)))
