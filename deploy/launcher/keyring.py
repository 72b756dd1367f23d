"""The secrets of one installation: made once, kept in a file that only its owner may read."""

import base64
import json
import os
import secrets
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields
from pathlib import Path


def password() -> str:
    """A password for machines."""
    return secrets.token_urlsafe(24)


def readable_password() -> str:
    """A password that a person may have to type: 20 letters and digits, none of them alike."""
    letters = "abcdefghijkmnpqrstuvwxyz23456789"
    return "-".join("".join(secrets.choice(letters) for _ in range(5)) for _ in range(4))


def credential_key() -> str:
    """A 32-byte key that seals stored credentials."""
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()


def signing_key() -> str:
    """A named key for calls between the services."""
    return f"{secrets.token_hex(4)}:{secrets.token_urlsafe(32)}"


@dataclass(frozen=True)
class Keyring:
    """Every secret by its use. Lists of keys are comma-separated, the newest first."""

    postgres_password: str
    owner_password: str
    app_password: str
    valkey_admin_password: str
    valkey_api_password: str
    valkey_engine_password: str
    secret_key: str
    credential_keys: str
    api_to_engine_keys: str
    engine_to_api_keys: str
    seed_password: str
    seed_token: str


MAKERS: dict[str, Callable[[], str]] = {
    "secret_key": lambda: secrets.token_urlsafe(48),
    "credential_keys": credential_key,
    "api_to_engine_keys": signing_key,
    "engine_to_api_keys": signing_key,
    "seed_password": readable_password,
    "seed_token": lambda: f"mut_{secrets.token_urlsafe(32)}",
}


def fresh(known: dict[str, str] | None = None) -> Keyring:
    """A keyring with the `known` secrets and new ones for the rest."""
    kept = known or {}
    return Keyring(**{f.name: kept.get(f.name) or MAKERS.get(f.name, password)() for f in fields(Keyring)})


def kept(file: Path) -> Keyring:
    """The keyring of the installation, made at its first start; secrets that a newer version needs are added."""
    known = json.loads(file.read_text()) if file.exists() else {}
    keyring = fresh(known)
    if asdict(keyring) != known:
        write_private(file, json.dumps(asdict(keyring), indent=2) + "\n")
    return keyring


def write_private(file: Path, text: str) -> None:
    """Replace `file` at once, readable by its owner alone."""
    partial = file.with_name(file.name + ".partial")
    partial.unlink(missing_ok=True)
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as target:
        target.write(text)
    partial.replace(file)
