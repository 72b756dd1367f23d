"""A log can be erased by the owner of its table alone, and its tombstone carries the chain on (law 1)."""

import os
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from api.rooms.agent_sessions import selectors as log
from api.rooms.agent_sessions import verifying
from api.rooms.agent_sessions.models import Tombstone
from tests.factories.places import new_place
from tests.plugins.services import SERVICES


def test_the_app_role_may_not_erase(committed: None) -> None:
    session_id = new_place().session_id
    with pytest.raises(CommandError, match="owner"):
        call_command("erase_log", str(session_id), "--reason", "asked by the person")
    assert log.head_seq(session_id) == len(log.raw_events(session_id, 0, 100).texts)


def test_the_owner_leaves_a_tombstone_and_the_log_goes_on(committed: None) -> None:
    session_id = new_place().session_id
    head = log.head_seq(session_id)
    connection.close()
    done = subprocess.run(
        [sys.executable, "-m", "api", "erase_log", str(session_id), "--reason", "asked by the person"],
        env={**os.environ, **SERVICES.owner_variables()},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    stone = Tombstone.objects.get(session_id=session_id)
    assert (stone.last_seq, stone.reason, log.raw_events(session_id, 0, 100).texts) == (head, "asked by the person", ())
    assert verifying.verify_log(session_id) is None
