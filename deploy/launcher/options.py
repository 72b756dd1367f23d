"""What a person may choose, from the environment."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from deploy.launcher.refusal import Refusal

ROOT = Path(__file__).resolve().parents[2]
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared, not bound


@dataclass(frozen=True)
class Options:
    """Where to listen, where to keep things, and which services to use instead of our own.

    `slots`: how many agents one worker runs at a time. `api_url` and `engine_url` are how the two services reach each
    other where something stands between them.
    """

    home: Path
    host: str
    port: int
    workers: int
    slots: int
    database_url: str | None
    migration_database_url: str | None
    redis_url: str | None
    broker_url: str | None
    public_url: str | None
    allowed_hosts: str | None
    api_url: str | None
    engine_url: str | None
    is_reloading: bool

    @property
    def reachable_host(self) -> str:
        """An address of this machine at which the api can be asked."""
        host = EVERYWHERE.get(self.host, self.host)
        return f"[{host}]" if ":" in host else host

    @property
    def url(self) -> str:
        """The address to print."""
        return self.public_url or self.local_url

    @property
    def local_url(self) -> str:
        """The api as the engine, on the same machine, reaches it."""
        return f"http://{self.reachable_host}:{self.port}"

    @property
    def owns_database(self) -> bool:
        """Whether the database is one that we create, and so may seed."""
        return self.database_url is None


def from_environment(environment: Mapping[str, str]) -> Options:
    """The options, each with its default. An empty variable counts as unset."""
    given = {name: value for name, value in environment.items() if value}
    return Options(
        home=(ROOT / Path(given.get("MUTIRAO_HOME", ".local")).expanduser()).resolve(),
        host=given.get("HOST", "127.0.0.1"),
        port=whole_number(given, "PORT", 8000, 65535),
        workers=whole_number(given, "MUTIRAO_WORKERS", 1, 64),
        slots=whole_number(given, "MUTIRAO_SLOTS", 200, 1000),
        database_url=given.get("DATABASE_URL"),
        migration_database_url=given.get("MIGRATION_DATABASE_URL"),
        redis_url=given.get("REDIS_URL"),
        broker_url=given.get("BROKER_URL"),
        public_url=given.get("MUTIRAO_PUBLIC_URL"),
        allowed_hosts=given.get("MUTIRAO_ALLOWED_HOSTS"),
        api_url=given.get("MUTIRAO_API_URL"),
        engine_url=given.get("MUTIRAO_ENGINE_URL"),
        is_reloading=given.get("MUTIRAO_RELOAD") == "1",
    )


def whole_number(given: Mapping[str, str], name: str, default: int, most: int) -> int:
    """A number from 1 to `most`."""
    text = given.get(name, str(default))
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= most:
        raise Refusal(f"{name} is {text!r}, but must be a whole number from 1 to {most}: correct it or leave it out.")
    return int(text)
