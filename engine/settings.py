"""What the engine is told by its environment, as one value."""

import os
from collections.abc import Mapping
from dataclasses import dataclass

from contracts.auth import SigningKey, parse_keys
from contracts.operators import MIN_TOKEN_CHARS


class SettingsError(RuntimeError):
    """The environment is not complete; the message is one sentence that says what to set."""


@dataclass(frozen=True)
class Settings:
    """`engine_to_api_keys` sign what the engine asks; `api_to_engine_keys` verify what it is asked.

    `metrics_token` is what operators show to read figures; empty lets this machine alone read them.
    """

    api_url: str
    broker_url: str
    engine_to_api_keys: tuple[SigningKey, ...]
    api_to_engine_keys: tuple[SigningKey, ...]
    metrics_token: str = ""


def read(environment: Mapping[str, str]) -> Settings:
    """The settings, or a `SettingsError` that names the variable."""
    return Settings(
        api_url=_required(environment, "API_URL", "the address of the api, such as http://127.0.0.1:8000").rstrip("/"),
        broker_url=_required(
            environment, "BROKER_URL", "the address of Celery's broker, such as redis://127.0.0.1:6379/0"
        ),
        engine_to_api_keys=_keys(environment, "ENGINE_TO_API_KEYS"),
        api_to_engine_keys=_keys(environment, "API_TO_ENGINE_KEYS"),
        metrics_token=_metrics_token(environment),
    )


def or_exit(environment: Mapping[str, str] = os.environ) -> Settings:
    """For the modules that a process starts with: no traceback, only the sentence."""
    try:
        return read(environment)
    except SettingsError as error:
        raise SystemExit(str(error)) from None


def _required(environment: Mapping[str, str], name: str, meaning: str) -> str:
    value = environment.get(name, "").strip()
    if not value:
        raise SettingsError(f"The engine needs {name}: set it to {meaning}.")
    return value


def _metrics_token(environment: Mapping[str, str]) -> str:
    token = environment.get("MUTIRAO_METRICS_TOKEN", "").strip()
    if token and len(token) < MIN_TOKEN_CHARS:
        raise SettingsError(f"MUTIRAO_METRICS_TOKEN has at least {MIN_TOKEN_CHARS} characters: make it longer.")
    return token


def _keys(environment: Mapping[str, str], name: str) -> tuple[SigningKey, ...]:
    text = _required(environment, name, "signing keys written as id:secret, separated by commas, newest first")
    try:
        return parse_keys(text)
    except ValueError as error:
        raise SettingsError(f"The engine cannot read {name}: {error}.") from None
