"""make run from outside: what lasts, what comes back, what ends."""

import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import psutil
import pytest

from deploy.launcher import ports
from tests.plugins.stack import ROOT, Stack, answers, wait_until

pytestmark = pytest.mark.timeout(300)

KINDS = ["postgres", "valkey", "api", "relay", "engine-http", "engine-worker-1"]
LISTENING = {"postgres", "valkey", "api", "engine-http"}
SECOND_START_SECONDS = 30.0  # 15 on a machine that has nothing else to do
COLD_START_SECONDS = 60.0


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """One of our own: these tests kill it."""
    stack = Stack(tmp_path_factory.mktemp("launcher"), ports.free_port())
    yield stack
    stack.stop()


@pytest.fixture
def running(stack: Stack) -> Stack:
    """The stack, up and ready, whatever the test before did to it."""
    if stack.process is None or stack.process.poll() is not None:
        stack.start()
    stack.await_ready()
    return stack


def launch(stack: Stack, *arguments: str, **extra: str) -> subprocess.CompletedProcess[str]:
    """One run of the launcher that is expected to end by itself."""
    command = [sys.executable, "-m", "deploy.launcher", *arguments]
    return subprocess.run(
        command,
        cwd=ROOT,
        env=stack.environment(extra),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def refusal(done: subprocess.CompletedProcess[str]) -> str:
    """The one sentence of a launcher that did not go on."""
    assert done.returncode != 0
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    return lines[0]


def listening_port(pid: int) -> int:
    """The port on which a process listens."""
    found = [c.laddr.port for c in psutil.Process(pid).net_connections("tcp") if c.status == psutil.CONN_LISTEN]
    assert len(set(found)) == 1, found
    return found[0]


def are_gone(processes: list[psutil.Process]) -> bool:
    return not any(process.is_running() and process.status() != psutil.STATUS_ZOMBIE for process in processes)


def test_the_first_start_takes_less_than_a_minute(stack: Stack) -> None:
    began = time.monotonic()
    stack.start()
    assert httpx.get(stack.url, trust_env=False, follow_redirects=True).status_code == 200
    assert time.monotonic() - began < COLD_START_SECONDS


def test_run_json_says_where_who_and_which_processes(running: Stack) -> None:
    document = running.run
    assert set(document) == {"url", "email", "password", "token", "workspace", "project", "pids"}
    assert document["url"] == running.url
    assert all(document[name] for name in ("email", "password", "token", "workspace", "project"))
    assert list(document["pids"]) == KINDS


def test_what_holds_secrets_is_for_its_owner_alone(running: Stack) -> None:
    modes = {name: stat.S_IMODE((running.home / name).stat().st_mode) for name in ("run.json", "secrets.json")}
    assert modes == {"run.json": 0o600, "secrets.json": 0o600}
    assert stat.S_IMODE((running.home / "valkey" / "valkey.conf").stat().st_mode) == 0o600


def test_the_engine_is_told_nothing_that_leads_to_data(running: Stack) -> None:
    for name in ("engine-http", "engine-worker-1"):
        told = set(psutil.Process(running.pids[name]).environ())
        forbidden = {"DATABASE_URL", "MIGRATION_DATABASE_URL", "REDIS_URL", "MUTIRAO_CREDENTIAL_KEYS"}
        assert told & (forbidden | {"MUTIRAO_SECRET_KEY", "MUTIRAO_HOME"}) == set()


def test_the_services_are_told_nothing_of_the_owner_and_the_broker(running: Stack) -> None:
    for name in ("api", "relay"):
        assert set(psutil.Process(running.pids[name]).environ()) & {"MIGRATION_DATABASE_URL", "BROKER_URL"} == set()


def test_operators_run_their_commands_against_what_runs(running: Stack) -> None:
    done = launch(running, "manage", "verify_log")
    assert (done.returncode, done.stderr) == (0, "")
    assert launch(running, "manage", "prune", "--dry-run").returncode == 0
    assert "verify_log" in refusal(launch(running, "manage", "shell"))
    assert "verify_log" in refusal(launch(running, "manage"))


@pytest.mark.parametrize("name", KINDS)
def test_a_dead_child_comes_back_on_the_same_port(running: Stack, name: str) -> None:
    port = listening_port(running.pids[name]) if name in LISTENING else None
    new = running.await_restart(name, running.kill(name))
    if port is not None:
        wait_until(lambda: not ports.is_free("127.0.0.1", port), 30, running.words)
        assert listening_port(new) == port
    running.await_ready()


def test_a_port_in_use_is_one_sentence(stack: Stack, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        said = refusal(launch(stack, MUTIRAO_HOME=str(tmp_path), PORT=str(port)))
    assert said == (
        f"Port {port} on 127.0.0.1 is already in use: stop the program that listens there, "
        f"or choose another port, as in PORT={port + 1} make run."
    )


def test_a_home_in_use_is_one_sentence(running: Stack) -> None:
    said = refusal(launch(running, PORT=str(ports.free_port())))
    assert said.startswith(f"Mutirão already runs from {running.home} (process ")


def test_a_home_that_cannot_be_written_is_one_sentence(stack: Stack, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = refusal(launch(stack, MUTIRAO_HOME=str(tmp_path / "file" / "home")))
    assert said.startswith(f"MUTIRAO_HOME ({tmp_path}/file/home) is not a folder that can be written")


@pytest.mark.parametrize("port", ["http", "0", "70000", "-1"])
def test_a_port_that_is_none_is_one_sentence(stack: Stack, port: str) -> None:
    assert refusal(launch(stack, PORT=port)).startswith(f"PORT is {port!r}, but must be a whole number from 1 to 65535")


def test_reset_is_refused_while_it_runs(running: Stack) -> None:
    assert refusal(launch(running, "reset", FORCE="1")).startswith("Mutirão already runs from")
    assert answers(f"{running.url}/readyz")


def test_killing_the_launcher_leaves_no_process_and_the_next_start_works(running: Stack) -> None:
    processes = running.processes()
    assert len(processes) > len(KINDS)
    assert running.process is not None
    running.process.kill()
    running.process.wait()
    running.start()  # at once: PostgreSQL may still be closing
    wait_until(lambda: are_gone(processes), 30)
    running.await_ready()


def test_ctrl_c_stops_everything_and_is_no_failure(running: Stack) -> None:
    processes = running.processes()
    assert running.stop(signal.SIGINT) == 0
    assert are_gone(processes)
    assert not (running.home / "run.json").exists()


def test_a_second_start_is_quick_and_keeps_password_and_token(running: Stack) -> None:
    before = running.run
    running.stop()
    began = time.monotonic()
    running.start()
    assert time.monotonic() - began < SECOND_START_SECONDS
    assert {**running.run, "pids": 0} == {**before, "pids": 0}


def test_the_token_opens_the_api_and_nothing_else_does(running: Stack) -> None:
    with running.client() as client:
        named = [row["id"] for row in client.get("/api/v1/workspaces").json()]
    assert running.run["workspace"] in named
    assert httpx.get(f"{running.url}/api/v1/workspaces", trust_env=False).status_code in {401, 403}


def test_without_a_terminal_reset_asks_for_force(stack: Stack) -> None:
    stack.stop()
    assert refusal(launch(stack, "reset")) == "Nothing was removed: say FORCE=1 make reset where nobody can be asked."
    assert (stack.home / "secrets.json").exists()


def test_reset_forgets_all_that_the_launcher_keeps_and_nothing_else(stack: Stack) -> None:
    stack.stop()
    (stack.home / "mine.txt").touch()
    assert launch(stack, "reset", FORCE="1").returncode == 0
    assert {file.name for file in stack.home.iterdir()} - {"launcher.log"} == {"launcher.lock", "mine.txt"}
    assert (stack.home / "launcher.lock").stat().st_size == 0
