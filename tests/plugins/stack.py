"""The whole of Mutirão as real processes, for tests that must see it from outside."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest

from deploy.launcher import environment, ports

ROOT = Path(__file__).resolve().parents[2]
START_SECONDS = 90.0
STOP_SECONDS = 60.0
OF_A_HOUSE = {"MUTIRAO_SECRET_KEY", "MUTIRAO_CREDENTIAL_KEYS", "MUTIRAO_HOME"}
NOT_INHERITED = environment.OURS | environment.ONCE_ONLY | OF_A_HOUSE | {"API_URL", "ENGINE_URL"}
NOT_INHERITED |= {"MUTIRAO_PUBLIC_URL", "MUTIRAO_ALLOWED_HOSTS", "DJANGO_SETTINGS_MODULE"}


@dataclass
class Stack:
    """A launcher in a home of its own."""

    home: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def run(self) -> dict[str, Any]:
        """run.json as it is now: url, email, password, token, workspace, project, pids."""
        document: dict[str, Any] = json.loads((self.home / "run.json").read_text())
        return document

    @property
    def url(self) -> str:
        """Where a browser finds it."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def pids(self) -> dict[str, int]:
        """The processes by name."""
        pids: dict[str, int] = self.run["pids"]
        return pids

    def client(self) -> httpx.Client:
        """A client that is signed in with the token."""
        return httpx.Client(
            base_url=self.url, headers={"Authorization": f"Bearer {self.run['token']}"}, trust_env=False, timeout=30
        )

    def start(self, **extra: str) -> "Stack":
        """Start it and return when run.json is there."""
        with (self.home / "launcher.log").open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "deploy.launcher"],
                cwd=ROOT,
                env=self.environment(extra),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        process = self.process
        wait_until(lambda: (self.home / "run.json").exists() or process.poll() is not None, START_SECONDS, self.words)
        if process.poll() is not None:
            raise AssertionError(f"the launcher ended with {process.returncode}:\n{self.words()}")
        return self

    def environment(self, extra: dict[str, str]) -> dict[str, str]:
        """Ours without what the services plugin set."""
        outer = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
        return {**outer, "MUTIRAO_HOME": str(self.home), "HOST": "127.0.0.1", "PORT": str(self.port), **extra}

    def words(self) -> str:
        """What the launcher has printed, and the last words of its children."""
        logs = [self.home / "launcher.log", *sorted((self.home / "log").glob("*.log"))]
        return "\n".join(f"--- {log.name}\n{log.read_text(errors='replace')[-2000:]}" for log in logs if log.exists())

    def kill(self, name: str, how: signal.Signals = signal.SIGKILL) -> int:
        """Send a signal to one process by name; its pid."""
        pid = self.pids[name]
        os.kill(pid, how)
        return pid

    def await_restart(self, name: str, old_pid: int, seconds: float = 30) -> int:
        """The pid of the process that took the place of `old_pid`."""
        wait_until(lambda: self.pids.get(name) not in {None, old_pid}, seconds, self.words)
        return self.pids[name]

    def await_ready(self, seconds: float = 30) -> None:
        """Return when the api answers that it is ready."""
        wait_until(lambda: answers(f"{self.url}/readyz"), seconds, self.words)

    def processes(self) -> list[psutil.Process]:
        """The launcher and all below it."""
        if self.process is None or self.process.poll() is not None:
            return []
        launcher = psutil.Process(self.process.pid)
        return [launcher, *launcher.children(recursive=True)]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """Stop the launcher; its exit code."""
        if self.process is None:
            return 0
        if self.process.poll() is None:
            self.process.send_signal(how)
        return self.process.wait(STOP_SECONDS)


def answers(url: str) -> bool:
    """Whether `url` gives 200."""
    try:
        return httpx.get(url, timeout=5, trust_env=False).status_code == 200
    except httpx.HTTPError:
        return False


def wait_until(holds: Any, seconds: float, explain: Any = lambda: "") -> None:
    """Return as soon as `holds()`; fail after `seconds` with what `explain()` says."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s\n{explain()}")
        time.sleep(0.05)


@pytest.fixture(scope="session")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    """One running Mutirão for the session."""
    stack = Stack(tmp_path_factory.mktemp("mutirao"), ports.free_port())
    try:
        yield stack.start()
    finally:
        stack.stop()
