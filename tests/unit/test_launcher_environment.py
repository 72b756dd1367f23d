"""Each child of the launcher is told what its work needs, and nothing more (least privilege)."""

from pathlib import Path

import pytest

from deploy.launcher import environment, keyring
from deploy.launcher.environment import Addresses

ADDRESSES = Addresses("d", "m", "r", "b", "a", "e", "http://127.0.0.1:8000", "localhost")
OUTER = {
    "PATH": "/bin",
    "OPENAI_API_KEY": "sk-of-the-person",
    "DATABASE_URL": "theirs",
    "MUTIRAO_METRICS_TOKEN": "t" * 40,
    "MUTIRAO_ANCHOR_KEY": "a" * 40,
    "MUTIRAO_ANCHOR_FOLDER": "/anchors",
    "MUTIRAO_BACKUP_PASSPHRASE": "b" * 40,
    "MUTIRAO_SEED_PASSWORD": "p" * 40,
    "MUTIRAO_LOG_LEVEL": "debug",
}
SECRETS = {
    *("MUTIRAO_METRICS_TOKEN", "MUTIRAO_ANCHOR_KEY", "MUTIRAO_BACKUP_PASSPHRASE", "OPENAI_API_KEY"),
    *("MUTIRAO_SECRET_KEY", "MUTIRAO_CREDENTIAL_KEYS", "DATABASE_URL", "REDIS_URL", "BROKER_URL"),
    *("MIGRATION_DATABASE_URL", "MUTIRAO_SEED_PASSWORD", "MUTIRAO_SEED_TOKEN"),
}
OF_DJANGO = {"DATABASE_URL", "REDIS_URL", "MUTIRAO_SECRET_KEY", "MUTIRAO_CREDENTIAL_KEYS", "OPENAI_API_KEY"}


@pytest.fixture
def keys(tmp_path: Path) -> keyring.Keyring:
    return keyring.kept(tmp_path / "secrets.json")


@pytest.mark.parametrize(
    ("told", "secrets"),
    [
        (environment.for_api, OF_DJANGO | {"MUTIRAO_METRICS_TOKEN"}),
        (environment.for_relay, OF_DJANGO | {"MUTIRAO_ANCHOR_KEY"}),
        (environment.for_command, OF_DJANGO | {"MUTIRAO_ANCHOR_KEY"}),
        (environment.for_engine_http, {"BROKER_URL", "MUTIRAO_METRICS_TOKEN"}),
        (environment.for_engine, {"BROKER_URL"}),
    ],
)
def test_each_process_is_told_only_the_secrets_of_its_work(
    told: environment.Telling, secrets: set[str], keys: keyring.Keyring
) -> None:
    variables = told(keys, ADDRESSES, OUTER)
    assert {name for name in variables if name in SECRETS} == secrets
    assert variables["MUTIRAO_LOG_LEVEL"] == "debug"


def test_the_engine_is_told_no_variable_that_it_does_not_read(keys: keyring.Keyring) -> None:
    ours = {name for name in environment.for_engine(keys, ADDRESSES, OUTER) if name.startswith("MUTIRAO_")}
    assert ours == {"MUTIRAO_LOG_FORMAT", "MUTIRAO_LOG_LEVEL"}
