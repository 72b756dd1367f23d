"""Threat 23: keys at rest stay sealed, stay in their place, and change their seal while somebody pulls the plug."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from uuid import UUID

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings

from api.rooms.gateway import services as gateway
from api.rooms.gateway.models import Credential
from api.rooms.gateway.services.credentials import open_secret
from api.rooms.kernel.crypto import Unreadable
from api.rooms.kernel.ids import new_id

ROOT = Path(__file__).resolve().parents[2]
KILLS = 20
PROVIDER = "openai_compatible"
Places = list[tuple[UUID, str]]
OLD, NEW = Fernet.generate_key().decode(), Fernet.generate_key().decode()


@pytest.fixture
def stored(committed: None, settings: Settings) -> Places:
    """Sixty keys of as many workspaces, sealed under the old key."""
    settings.MUTIRAO_CREDENTIAL_KEYS = [OLD]
    places = [(new_id(), f"https://models{number}.example.org/v1") for number in range(60)]
    for workspace_id, address in places:
        gateway.store_credential(workspace_id, PROVIDER, address, f"sk-{workspace_id}")
    return places


def readable(places: Places) -> int:
    """How many keys open to what was stored."""
    return sum(open_secret(workspace, PROVIDER, address) == f"sk-{workspace}" for workspace, address in places)


def test_a_dump_of_the_database_holds_no_key(stored: Places) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT string_agg(c::text, '') FROM gateway_credential c")
        dump = cursor.fetchone()[0]
    assert [workspace_id for workspace_id, _ in stored if f"sk-{workspace_id}" in dump] == []


def test_a_seal_that_is_copied_to_another_row_does_not_open(stored: Places) -> None:
    (one, one_address), (other, other_address) = stored[:2]
    stolen = Credential.objects.get(workspace_id=one, base_url=one_address).sealed
    Credential.objects.filter(workspace_id=other, base_url=other_address).update(sealed=stolen)
    assert isinstance(open_secret(other, PROVIDER, other_address), Unreadable)


def test_a_long_rotation_says_how_far_it_is(
    stored: Places, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MUTIRAO_CREDENTIAL_KEYS = [NEW, OLD]
    monkeypatch.setattr("api.rooms.gateway.services.credentials.TOLD_EACH", 25)
    told: list[int] = []
    assert gateway.rotate_credentials(told.append) == (60, 0)
    assert told == [25, 50]


FORKER = """
import django, os, sys
django.setup()
from django.conf import settings
from api.rooms.gateway import services
print("ready", flush=True)
for line in sys.stdin:
    pid = os.fork()
    if pid == 0:
        settings.MUTIRAO_CREDENTIAL_KEYS = line.strip().split(",")
        services.rotate_credentials()
        os._exit(0)
    print(pid, flush=True)
    os.waitpid(pid, 0)
    print("gone", flush=True)
"""
"""Loads Django once; each line of keys is a rotation in a process of its own."""


def kill_midway(forker: subprocess.Popen[str], keys: list[str], seconds: float) -> None:
    assert forker.stdin is not None
    assert forker.stdout is not None
    forker.stdin.write(",".join(keys) + "\n")
    forker.stdin.flush()
    pid = int(forker.stdout.readline())
    time.sleep(seconds)
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
    assert forker.stdout.readline() == "gone\n"


def test_every_key_stays_readable_whenever_the_rotation_is_killed_and_the_old_key_can_go(
    stored: Places, settings: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    """Kill -9 twenty times, then to the end."""
    environment = os.environ | {"DJANGO_SETTINGS_MODULE": "api.settings"}
    command = [sys.executable, "-c", FORKER]
    halves = 0
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True) as forker:
        assert forker.stdout is not None
        assert forker.stdout.readline() == "ready\n"
        for number in range(KILLS):
            keys = [NEW, OLD] if number % 2 == 0 else [OLD, NEW]
            settings.MUTIRAO_CREDENTIAL_KEYS = keys
            kill_midway(forker, keys, 0.01 * (number + 1))
            assert readable(stored) == len(stored)
            halves += 0 < gateway.count_old_seals().old < len(stored)
        forker.kill()
    assert halves > 0
    settings.MUTIRAO_CREDENTIAL_KEYS = [NEW, OLD]
    call_command("rotate_keys")
    call_command("rotate_keys", "--check")
    assert "0 of 60 keys still need" in capsys.readouterr().out
    settings.MUTIRAO_CREDENTIAL_KEYS = [NEW]
    assert readable(stored) == len(stored)
