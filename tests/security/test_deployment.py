"""Threat 36: a server that the world can reach starts only with settings that are fit for it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PUBLIC = {
    "MUTIRAO_PUBLIC_URL": "https://mutirao.example.org",
    "MUTIRAO_ALLOWED_HOSTS": "mutirao.example.org",
    "MUTIRAO_SECRET_KEY": "3b1e7d0a" * 8 + "-and-a-few-more-letters",
    "MUTIRAO_TRUSTED_PROXIES": "1",
}


def api(*arguments: str, **changes: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | PUBLIC | changes
    return subprocess.run(
        [sys.executable, "-m", "api", *arguments],
        cwd=ROOT,
        env=environment,
        text=True,
        capture_output=True,
        check=False,
    )


def test_check_deploy_finds_nothing() -> None:
    done = api("check", "--deploy", "--fail-level", "WARNING")
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("MUTIRAO_DEBUG", "1", "MUTIRAO_DEBUG"),
        ("MUTIRAO_SECRET_KEY", "short", "MUTIRAO_SECRET_KEY"),
        ("MUTIRAO_ALLOWED_HOSTS", "*", "MUTIRAO_ALLOWED_HOSTS"),
    ],
)
def test_what_development_forgives_does_not_start_in_public(name: str, value: str, words: str) -> None:
    done = api("check", **{name: value})
    assert done.returncode == 1
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_the_secret_is_not_in_the_words() -> None:
    assert "sh0rt-s3cret" not in api("check", MUTIRAO_SECRET_KEY="sh0rt-s3cret").stderr
