"""Valkey: one server, and for each service a user that sees only its own keys and channels."""

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import redis

from deploy.launcher import binaries
from deploy.launcher.child import Child

ADMIN, API, ENGINE = "admin", "api", "engine"
API_DATABASE, ENGINE_DATABASE = 0, 1
ORDINARY = "+@all -@dangerous +info"


@dataclass(frozen=True)
class Server:
    """One server; it saves nothing, since all in it may be lost at any time."""

    folder: Path
    port: int
    admin_password: str
    api_password: str
    engine_password: str

    def url(self, user: str, password: str, database: int) -> str:
        """How to reach `database` as `user`."""
        return f"redis://{user}:{quote(password, safe='')}@127.0.0.1:{self.port}/{database}"

    @property
    def api_url(self) -> str:
        """The api's door: channel layer and quick signals."""
        return self.url(API, self.api_password, API_DATABASE)

    @property
    def engine_url(self) -> str:
        """The engine's door: Celery's broker."""
        return self.url(ENGINE, self.engine_password, ENGINE_DATABASE)

    @property
    def admin_url(self) -> str:
        """A door to everything, for tests that wipe it; no service gets it."""
        return self.url(ADMIN, self.admin_password, API_DATABASE)


def write_configuration(server: Server) -> Path:
    """Write the server's configuration, which holds the passwords, for our eyes only."""
    server.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    file = server.folder / "valkey.conf"
    file.touch(mode=0o600)
    file.write_text("\n".join([*settings(server), *users(server), ""]))
    return file


def settings(server: Server) -> list[str]:
    """Where it listens, and that it keeps nothing on disk."""
    return [
        f"port {server.port}",
        "bind 127.0.0.1",
        f'dir "{server.folder}"',
        'save ""',
        "appendonly no",
        "daemonize no",
    ]


def users(server: Server) -> list[str]:
    """Who may do what. Pub/sub ignores databases, so channels are fenced by name (Celery's carry the database)."""
    return [
        "user default off",
        f"user {ADMIN} on >{server.admin_password} ~* &* +@all",
        f"user {API} on >{server.api_password} ~api:* &api:* {ORDINARY}",
        f"user {ENGINE} on >{server.engine_password} ~engine:* &engine:* &/{ENGINE_DATABASE}.* {ORDINARY}",
    ]


def child(server: Server) -> Child:
    """The server as a child."""
    return Child(
        name="valkey",
        argv=(str(binaries.valkey_program()), str(write_configuration(server))),
        environment={"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8"},
        is_ready=lambda: answers(server),
        folder=server.folder,
    )


def answers(server: Server) -> bool:
    """Whether the server takes our admin's connection."""
    try:
        with redis.Redis.from_url(server.admin_url, socket_timeout=2) as client:
            return bool(client.ping())
    except redis.RedisError:
        return False
