"""What each child is told. The names are fixed; nobody gets more than its work needs."""

import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from deploy.launcher.keyring import Keyring

# The engine holds no data and no provider key: from our own environment it gets what programs need, no more.
ENGINE_MAY_SEE = {"PATH", "HOME", "USER", "LANG", "LANGUAGE", "TZ", "TMPDIR", "VIRTUAL_ENV"}
ENGINE_MAY_SEE_STARTING = ("LC_", "SSL_CERT", "GIT_SSL", "PYTHON", "MUTIRAO_LOG_", "MUTIRAO_PAUSE_")
METRICS_TOKEN = "MUTIRAO_METRICS_TOKEN"  # noqa: S105 - a name
ANCHORS = {"MUTIRAO_ANCHOR_KEY", "MUTIRAO_ANCHOR_FOLDER"}
ONCE_ONLY = {"MUTIRAO_SEED_PASSWORD", "MUTIRAO_SEED_TOKEN", "MUTIRAO_BACKUP_PASSPHRASE"}
READABLE = {"MUTIRAO_LOG_FORMAT": "lines"}
OURS = {"DATABASE_URL", "MIGRATION_DATABASE_URL", "REDIS_URL", "BROKER_URL", "API_TO_ENGINE_KEYS", "ENGINE_TO_API_KEYS"}


@dataclass(frozen=True)
class Addresses:
    """Where everything is reached."""

    database_url: str
    migration_database_url: str
    redis_url: str
    broker_url: str
    api_url: str
    engine_url: str
    public_url: str
    allowed_hosts: str


Telling = Callable[[Keyring, Addresses, Mapping[str, str]], dict[str, str]]


def allowed_hosts(host: str) -> str:
    """The names under which a browser may reach the api."""
    names = ["127.0.0.1", "localhost", "[::1]", socket.gethostname()]
    if host not in {"0.0.0.0", "::", *names}:  # noqa: S104 - compared, not bound
        names.append(host)
    return ",".join(names)


def for_api(keyring: Keyring, addresses: Addresses, outer: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of what serves people: the relay writes anchors, and nobody here seeds or restores."""
    return _for_django(keyring, addresses, outer, without=ANCHORS | ONCE_ONLY)


def for_relay(keyring: Keyring, addresses: Addresses, outer: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of the relay: it has no door, so nobody reads figures there."""
    return _for_django(keyring, addresses, outer, without=ONCE_ONLY | {METRICS_TOKEN})


def for_command(keyring: Keyring, addresses: Addresses, outer: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of an operator's command, which may hold all logs to an anchor."""
    return for_relay(keyring, addresses, outer)


def _for_django(
    keyring: Keyring, addresses: Addresses, outer: Mapping[str, str], *, without: set[str]
) -> dict[str, str]:
    return {
        **READABLE,
        **{name: value for name, value in outer.items() if name not in OURS | without},
        "DATABASE_URL": addresses.database_url,
        "REDIS_URL": addresses.redis_url,
        "MUTIRAO_SECRET_KEY": outer.get("MUTIRAO_SECRET_KEY") or keyring.secret_key,
        "MUTIRAO_CREDENTIAL_KEYS": outer.get("MUTIRAO_CREDENTIAL_KEYS") or keyring.credential_keys,
        "MUTIRAO_PUBLIC_URL": addresses.public_url,
        "MUTIRAO_ALLOWED_HOSTS": addresses.allowed_hosts,
        **for_both(keyring, addresses),
    }


def for_seed(keyring: Keyring, addresses: Addresses, outer: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of the seed: the same password and token each time."""
    return {
        **for_command(keyring, addresses, outer),
        "MUTIRAO_SEED_PASSWORD": keyring.seed_password,
        "MUTIRAO_SEED_TOKEN": keyring.seed_token,
    }


def for_owner(keyring: Keyring, addresses: Addresses, outer: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of what changes the schema or its grants, and seeds after it."""
    return {**for_seed(keyring, addresses, outer), "MIGRATION_DATABASE_URL": addresses.migration_database_url}


def for_engine_http(keyring: Keyring, addresses: Addresses, outer: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of the engine's door, where operators read figures."""
    token = {METRICS_TOKEN: outer[METRICS_TOKEN]} if outer.get(METRICS_TOKEN) else {}
    return {**for_engine(keyring, addresses, outer), **token}


def for_engine(keyring: Keyring, addresses: Addresses, outer: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The environment of a worker: a broker and the api's address."""
    return {
        **READABLE,
        **{name: value for name, value in outer.items() if engine_may_see(name)},
        "BROKER_URL": addresses.broker_url,
        **for_both(keyring, addresses),
    }


def engine_may_see(name: str) -> bool:
    """Whether a variable of ours is passed on to the engine."""
    return name in ENGINE_MAY_SEE or name.startswith(ENGINE_MAY_SEE_STARTING)


def for_both(keyring: Keyring, addresses: Addresses) -> dict[str, str]:
    """Where the services find each other, and the keys that sign their calls."""
    return {
        "API_URL": addresses.api_url,
        "ENGINE_URL": addresses.engine_url,
        "API_TO_ENGINE_KEYS": keyring.api_to_engine_keys,
        "ENGINE_TO_API_KEYS": keyring.engine_to_api_keys,
        "PYTHONUNBUFFERED": "1",
    }
