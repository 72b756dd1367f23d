"""The process environment as one typed value, with a sentence for what is missing."""

import os
import sys
from typing import Annotated, Literal, Self
from urllib.parse import unquote, urlsplit

from pydantic import BeforeValidator, Field, ValidationError, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from contracts.auth import SigningKey, parse_keys
from contracts.operators import MIN_TOKEN_CHARS


def _comma_list(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


def _keys(value: object) -> object:
    return parse_keys(value) if isinstance(value, str) else value


MIN_SECRET_CHARS = 50
HINT = "(See docs/operating.md, or start everything with `make run`.)"
CommaList = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_comma_list)]
Keys = Annotated[tuple[SigningKey, ...], NoDecode, BeforeValidator(_keys)]


class Environment(BaseSettings):
    """Every variable that the api reads. Commands of the schema's owner run with `MIGRATION_DATABASE_URL`."""

    model_config = SettingsConfigDict(extra="ignore", env_ignore_empty=True)

    database_url: str
    migration_database_url: str | None = None
    redis_url: str
    mutirao_secret_key: str
    mutirao_credential_keys: CommaList
    api_to_engine_keys: Keys
    engine_to_api_keys: Keys
    engine_url: str = "http://127.0.0.1:8001"
    mutirao_public_url: str = "http://127.0.0.1:8000"
    mutirao_allowed_hosts: CommaList = ("127.0.0.1", "localhost", "[::1]")
    mutirao_rate_limits: bool = True
    mutirao_trusted_proxies: int = Field(default=0, ge=0, le=9)
    mutirao_debug: bool = False
    mutirao_reload: bool = False
    mutirao_allow_private_base_urls: bool = False
    mutirao_catalogue_sync_seconds: int = Field(default=21_600, ge=60)
    mutirao_db_pool: int = 16
    mutirao_log_format: Literal["json", "lines"] = "json"
    mutirao_log_level: Literal["debug", "info", "warning", "error"] = "info"
    mutirao_metrics_token: str | None = Field(default=None, min_length=MIN_TOKEN_CHARS)
    mutirao_anchor_folder: str | None = None
    mutirao_anchor_key: str | None = Field(default=None, min_length=32)

    @model_validator(mode="after")
    def _fit_for_the_world(self) -> Self:
        """What development forgives, nobody may reach from outside."""
        if self.is_public_https and self.mutirao_debug:
            raise ValueError("MUTIRAO_DEBUG shows the code of every failure: not with a public address")
        if self.is_public_https and len(self.mutirao_secret_key) < MIN_SECRET_CHARS:
            raise ValueError(f"MUTIRAO_SECRET_KEY has at least {MIN_SECRET_CHARS} random characters")
        if self.is_public_https and "*" in self.mutirao_allowed_hosts:
            raise ValueError("MUTIRAO_ALLOWED_HOSTS names the hosts: a star lets anybody choose one")
        return self

    @property
    def is_public_https(self) -> bool:
        return self.mutirao_public_url.startswith("https://")


def read_environment() -> Environment:
    """Reads `os.environ`; leaves with one sentence that names what is missing or wrong."""
    try:
        return Environment()
    except ValidationError as error:
        sys.exit(f"The api cannot start: {'; '.join(_words(item) for item in error.errors())}. {HINT}")


def _words(item: ErrorDetails) -> str:
    """One fault as a clause; never the value, which may be a secret."""
    name = str(item["loc"][0]).upper() if item["loc"] else ""
    if item["type"] == "missing":
        return f"set {name}"
    return f"{name}: {item['msg']}".removeprefix(": ").removeprefix("Value error, ")


SCHEMA_COMMANDS = frozenset({"migrate", "grant_app_role", "makemigrations", "sqlmigrate", "erase_log"})


def owner_is_needed(arguments: list[str]) -> bool:
    """Only commands that change the schema, or erase a log, run as the owner of the tables."""
    return any(argument in SCHEMA_COMMANDS for argument in arguments[1:2])


def database(url: str, pool_size: int) -> dict[str, object]:
    """Django's description of a PostgreSQL address."""
    parts = urlsplit(url)
    # Whoever comes next tries again at once: the pool's own patience doubles its pauses, up to minutes after an outage.
    pool = {"min_size": 1, "max_size": pool_size, "timeout": 3, "reconnect_timeout": 2}
    return {
        "ENGINE": "api.rooms.kernel.postgresql",
        "NAME": parts.path.lstrip("/"),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": parts.hostname or "",
        "PORT": str(parts.port or 5432),
        "CONN_MAX_AGE": 0,
        "OPTIONS": {
            "pool": pool,
            "prepare_threshold": 5,  # of `kernel.statements`; Django's own cursors never prepare
            "application_name": os.environ.get("MUTIRAO_PROCESS", "api"),
        },
    }
