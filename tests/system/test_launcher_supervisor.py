"""How the supervisor keeps its children, shown on small ones."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from deploy.launcher import logs, reload
from deploy.launcher.backoff import MAX_SECONDS, STEADY_SECONDS, Backoff
from deploy.launcher.refusal import Refusal, Stopped
from deploy.launcher.supervisor import Supervisor
from tests.plugins.stack import ROOT, wait_until
from tests.plugins.standins import SLEEPER, STUBBORN, TELLS_ITS_STOP, python


@pytest.fixture
def supervisor(tmp_path: Path) -> Iterator[Supervisor]:
    supervisor = Supervisor(tmp_path)
    yield supervisor
    supervisor.stop()


def has_said_up(folder: Path, name: str) -> bool:
    return logs.last_line(folder / f"{name}.log") == "up"


def tended(supervisor: Supervisor, name: str, old_pid: int) -> bool:
    supervisor.tend()
    return supervisor.pids.get(name, old_pid) != old_pid


def test_a_dead_child_is_started_again_and_the_others_are_left_alone(supervisor: Supervisor) -> None:
    supervisor.start(python("one", SLEEPER), python("two", SLEEPER))
    before = supervisor.pids
    os.kill(before["one"], signal.SIGKILL)
    wait_until(lambda: tended(supervisor, "one", before["one"]), 10)
    assert supervisor.pids["two"] == before["two"]


def test_each_change_of_a_process_is_told(tmp_path: Path) -> None:
    heard: list[dict[str, int]] = []
    supervisor = Supervisor(tmp_path, heard.append)
    supervisor.start(python("one", SLEEPER))
    first = supervisor.pids["one"]
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: tended(supervisor, "one", first), 10)
    assert heard == [{"one": first}, {}, supervisor.pids]
    supervisor.stop()


def test_a_child_that_cannot_start_is_one_sentence_with_its_last_words(supervisor: Supervisor, tmp_path: Path) -> None:
    code = "import sys, time; time.sleep(0.1); sys.exit('the address is taken')"
    with pytest.raises(Refusal) as refusal:
        supervisor.start(python("one", code, is_ready=lambda: False))
    assert str(refusal.value) == (
        f'one stopped as it started (exit 1) and said "the address is taken": its log is {tmp_path}/one.log.'
    )


def test_a_child_that_never_gets_ready_is_one_sentence(supervisor: Supervisor, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="one was not ready within 0 s"):
        supervisor.start(python("one", SLEEPER, is_ready=lambda: False, patience_seconds=0.1))


def test_children_stop_in_reverse_order(tmp_path: Path) -> None:
    supervisor, told = Supervisor(tmp_path), tmp_path / "told"
    for name in ("one", "two", "three"):
        code = TELLS_ITS_STOP.format(file=str(told), name=name)
        supervisor.start(python(name, code, is_ready=lambda name=name: has_said_up(tmp_path, name)))
    supervisor.stop()
    assert told.read_text().split() == ["three", "two", "one"]


def test_a_child_that_ignores_the_signal_is_killed(tmp_path: Path) -> None:
    supervisor = Supervisor(tmp_path)
    child = python("one", STUBBORN, stop_seconds=0.2, is_ready=lambda: has_said_up(tmp_path, "one"))
    supervisor.start(child)
    pid = supervisor.pids["one"]
    supervisor.stop()
    assert not psutil.pid_exists(pid)


def test_what_a_dead_child_left_behind_is_ended(supervisor: Supervisor, tmp_path: Path) -> None:
    code = f"import subprocess, sys; print(subprocess.Popen([sys.executable, '-c', {SLEEPER!r}]).pid, flush=True); "
    supervisor.start(python("one", code + SLEEPER, is_ready=lambda: bool(logs.last_line(tmp_path / "one.log"))))
    left, first = int(logs.last_line(tmp_path / "one.log")), supervisor.pids["one"]
    os.kill(first, signal.SIGKILL)
    wait_until(lambda: tended(supervisor, "one", first), 10)
    wait_until(lambda: not psutil.pid_exists(left) or psutil.Process(left).status() == psutil.STATUS_ZOMBIE, 5)


def test_a_command_gives_what_it_printed(supervisor: Supervisor) -> None:
    assert supervisor.complete(python("once", "print('done')")) == b"done\n"


def test_a_failed_command_is_one_sentence(supervisor: Supervisor) -> None:
    with pytest.raises(Refusal, match=r'once failed \(exit 3\) and said "no such table"'):
        supervisor.complete(python("once", "import sys; print('no such table', file=sys.stderr); sys.exit(3)"))


def test_a_wish_to_stop_ends_any_waiting(supervisor: Supervisor) -> None:
    supervisor.stop_requests = 1
    with pytest.raises(Stopped):
        supervisor.start(python("one", SLEEPER, is_ready=lambda: False))


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_when_the_supervising_process_ends_no_child_is_left(tmp_path: Path, how: signal.Signals) -> None:
    host = subprocess.Popen([sys.executable, "-m", "tests.plugins.standins", str(tmp_path)], cwd=ROOT)
    wait_until((tmp_path / "pids").exists, 20)
    wait_until(lambda: (tmp_path / "pids").read_text() != "", 5)
    pids = [int(pid) for pid in (tmp_path / "pids").read_text().split()]
    assert all(psutil.pid_exists(pid) for pid in pids)
    host.send_signal(how)
    host.wait(20)
    wait_until(lambda: not any(psutil.pid_exists(pid) for pid in pids), 5)


def test_quick_deaths_double_the_wait_up_to_a_bound() -> None:
    backoff = Backoff()
    delays = []
    for death in range(9):
        delays.append(backoff.next_delay(now=float(death)))
        backoff.started(now=float(death))
    assert delays == [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4, MAX_SECONDS, MAX_SECONDS]


def test_a_steady_run_starts_the_wait_over() -> None:
    backoff = Backoff()
    backoff.next_delay(now=0.0)
    backoff.next_delay(now=1.0)
    backoff.started(now=1.0)
    assert backoff.next_delay(now=1.0 + STEADY_SECONDS + 0.1) == 0.1


def test_a_log_that_grew_too_long_is_emptied_and_its_last_part_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(logs, "MAX_BYTES", 10)
    log = tmp_path / "one.log"
    log.write_text("more than ten bytes")
    logs.bound(log)
    assert (log.read_text(), logs.older(log).read_text()) == ("", "more than ten bytes")


def test_a_child_that_was_restarted_comes_back(supervisor: Supervisor) -> None:
    supervisor.start(python("one", SLEEPER), python("two", SLEEPER))
    before = supervisor.pids
    supervisor.restart(["one"])
    wait_until(lambda: tended(supervisor, "one", before["one"]), 10)
    assert supervisor.pids["two"] == before["two"]


def test_changed_code_is_told_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reload, "EVERY_SECONDS", 0.0)
    code = tmp_path / "api" / "room.py"
    code.parent.mkdir()
    code.touch()
    watch = reload.CodeWatch(tmp_path)
    told = [watch.has_changed()]
    os.utime(code, (2e9, 2e9))
    told += [watch.has_changed(), watch.has_changed()]
    assert told == [False, True, False]
