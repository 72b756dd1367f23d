"""R15: a backup of a working house becomes a new house that goes on from there and does nothing twice."""

import datetime as dt
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from api.surfaces.ops.backups import last_backup
from contracts.events import LogEvent
from deploy.launcher import ports
from tests.chaos import director
from tests.fakes.model_server import Reply
from tests.plugins.house import House
from tests.plugins.stack import ROOT, Stack
from tests.system.person import Person, Talk
from tests.system.stopping import TEXT, bound, has, is_there, requests_of
from tests.system.test_story_rest import judge, settle

SLOW = Reply(text=TEXT, hang="after", after=3)
PASSPHRASE = "correct horse battery staple"
SAID, NEVER_SAID = "we want a street market", "we want a secret market"
REWRITE = """
UPDATE session_events SET canonical = replace(canonical, %s, %s)
WHERE session_id = %s AND type = 'chat.message' AND canonical LIKE %s
"""


def launcher(stack: Stack, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "deploy.launcher", *words]
    return subprocess.run(
        command, cwd=ROOT, env=stack.environment(variables), capture_output=True, text=True, check=False
    )


@pytest.fixture
def elsewhere(tmp_path: Path, house: House) -> Iterator[House]:
    """A second house that is not there yet, with the same model server."""
    stack = Stack(tmp_path / "restored", ports.free_port())
    yield House(stack, house.pauses, house.models)
    stack.stop()


def in_flight(house: House) -> Talk:
    """A conversation whose second turn waits for the rest of its answer."""
    talk = bound(house, Person(house.stack))
    talk.say(director.RULES + "Late stands pay")
    settle(talk)
    house.models.otherwise = lambda _: SLOW
    asked = len(requests_of(house, talk))
    talk.say("and then?")
    house.models.wait_for(lambda _: is_there(requests_of(house, talk)[asked:], "before the first delta"), 15)
    return talk


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_a_backup_of_a_working_house_goes_on_elsewhere_and_does_nothing_twice(
    house: House, elsewhere: House, tmp_path: Path
) -> None:
    house.models.otherwise = director.answer
    talk, file = in_flight(house), tmp_path / "one.backup"
    taken = launcher(house.stack, "backup", str(file), MUTIRAO_BACKUP_PASSPHRASE=PASSPHRASE)
    assert taken.returncode == 0, taken.stderr
    before = list(talk.read())
    house.models.otherwise = director.answer
    sealed = launcher(elsewhere.stack, "restore", str(file))
    assert (sealed.returncode, "sealed" in sealed.stderr) == (1, True)
    restored = launcher(elsewhere.stack, "restore", str(file), MUTIRAO_BACKUP_PASSPHRASE=PASSPHRASE)
    assert restored.returncode == 0, restored.stderr
    again = launcher(elsewhere.stack, "restore", str(file), MUTIRAO_BACKUP_PASSPHRASE=PASSPHRASE)
    assert (again.returncode, "in use" in again.stderr) == (1, True)
    elsewhere.start()
    goes_on(elsewhere, talk, before)
    talk.stop()


def goes_on(elsewhere: House, talk: Talk, before: list[LogEvent]) -> None:
    """The log so far, then the end of its turn; the call that was in flight is bought again and flagged."""
    there = Talk(Person(elsewhere.stack), talk.project_id, talk.session_id)
    settle(there)
    assert there.events[: len(before)] == before
    assert has("model.call_repeated")(there.events[len(before) :])
    assert len(there.of_type("artifact.business_rule")) == 1
    assert judge(elsewhere, there) == []


def test_the_last_backup_is_told_whether_it_went_well_or_not(house: House, tmp_path: Path) -> None:
    assert launcher(house.stack, "backup", str(tmp_path / "two.backup")).returncode == 0
    found = last_backup(str(house.stack.home))
    assert found is not None
    assert (found.is_ok, found.size_bytes) == (True, (tmp_path / "two.backup").stat().st_size)
    assert found.age_seconds(dt.datetime.now(dt.UTC)) < 60
    (tmp_path / "file").touch()
    assert launcher(house.stack, "backup", str(tmp_path / "file" / "three")).returncode == 1
    failed = last_backup(str(house.stack.home))
    assert failed is not None
    assert (failed.is_ok, failed.size_bytes) == (False, 0)
    assert failed.error


@pytest.fixture
def forged(house: House) -> Iterator[str]:
    """A session whose first message was rewritten behind the services' back, until the test is over."""
    talk = bound(house, Person(house.stack))
    talk.say(SAID)
    settle(talk)
    rewrite(house, talk.session_id, SAID, NEVER_SAID)
    yield talk.session_id
    rewrite(house, talk.session_id, NEVER_SAID, SAID)


def rewrite(house: House, session_id: str, old: str, new: str) -> None:
    """As the owner of the table, whom its trigger lets."""
    with psycopg.connect(house.plan.addresses.migration_database_url) as database:
        changed = database.execute(REWRITE, (old, new, session_id, f"%{old}%"))
    assert changed.rowcount == 1


def test_a_log_that_was_rewritten_is_found_by_the_restore_and_no_house_is_made_of_it(
    house: House, elsewhere: House, tmp_path: Path, forged: str
) -> None:
    """Rows and heads are those of the manifest: only who walks the chain can see it."""
    house.models.otherwise = director.answer
    file = tmp_path / "five.backup"
    assert launcher(house.stack, "backup", str(file)).returncode == 0
    refused = launcher(elsewhere.stack, "restore", str(file))
    assert refused.returncode == 1
    assert "does not verify" in refused.stderr
    assert forged in refused.stderr
    assert "Traceback" not in refused.stderr
    assert not (elsewhere.stack.home / "secrets.json").exists()


def test_a_damaged_backup_leaves_nothing_behind(house: House, elsewhere: House, tmp_path: Path) -> None:
    file = tmp_path / "four.backup"
    assert launcher(house.stack, "backup", str(file)).returncode == 0
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) - 40_000])
    refused = launcher(elsewhere.stack, "restore", str(file))
    assert refused.returncode == 1
    assert "Traceback" not in refused.stderr
    assert not (elsewhere.stack.home / "secrets.json").exists()
    assert file.stat().st_mode & 0o077 == 0
