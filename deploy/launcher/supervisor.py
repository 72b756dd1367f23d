"""Starts children in order, starts a dead one again, stops them in reverse. One thread: see orphan.tie."""

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from deploy.launcher import logs
from deploy.launcher.backoff import Backoff
from deploy.launcher.child import Child, spawn
from deploy.launcher.refusal import Refusal, Stopped

TICK_SECONDS = 0.05
ASK_EVERY_SECONDS = 0.2  # a service that is not ready yet writes each question into its log
BOUND_LOGS_EVERY_SECONDS = 30.0


@dataclass
class Running:
    """A child and its present process."""

    child: Child
    process: subprocess.Popen[bytes]
    backoff: Backoff
    is_settled: bool = False  # was ready once: from then on its death is ours to repair
    due_at: float | None = None  # when a dead one is started again


class Supervisor:
    """The processes of one launcher."""

    def __init__(self, log_folder: Path, on_change: Callable[[dict[str, int]], None] = lambda _: None) -> None:
        """`on_change` hears the pids by name each time one changes."""
        self.stop_requests = 0
        self._logs = log_folder
        self._on_change = on_change
        self._running: dict[str, Running] = {}
        self._logs_bounded_at = time.monotonic()

    def listen(self) -> None:
        """Take Ctrl-C, SIGTERM and a closed terminal as the wish to stop."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_signal)

    def _on_signal(self, _number: int, _frame: object) -> None:
        self.stop_requests += 1

    @property
    def pids(self) -> dict[str, int]:
        """The live processes by name."""
        return {name: one.process.pid for name, one in self._running.items() if one.due_at is None}

    def start(self, *children: Child) -> None:
        """Start all of `children`, then wait for each in order; the first that fails is the sentence."""
        self.begin(*children)
        self.await_ready(*children)

    def begin(self, *children: Child) -> None:
        """Start all of `children` and do not wait."""
        for child in children:
            logs.rotate(self._log(child))
            self._running[child.name] = Running(child, self._spawn(child), Backoff())

    def await_ready(self, *children: Child, on_ready: Callable[[Child], None] = lambda _: None) -> None:
        """Wait for each in order."""
        for child in children:
            self._await_ready(self._running[child.name])
            on_ready(child)
        self._on_change(self.pids)

    def complete(self, child: Child) -> bytes:
        """Run a command to its end; what it printed."""
        logs.rotate(self._log(child))
        with tempfile.TemporaryFile() as output, self._log(child).open("ab") as errors:
            process = spawn(child, output, errors)
            try:
                self._await_end(child, process)
            finally:
                process.kill()
                process.wait()
            output.seek(0)
            said = output.read()
        if process.returncode != 0:
            raise Refusal(self._failure(child, f"failed (exit {process.returncode})"))
        return said

    def tend(self) -> None:
        """Notice the dead, start again those whose time has come."""
        for one in self._running.values():
            if one.due_at is not None:
                self._revive(one)
            elif one.is_settled and one.process.poll() is not None:
                self._bury(one)
        if time.monotonic() - self._logs_bounded_at > BOUND_LOGS_EVERY_SECONDS:
            self._logs_bounded_at = time.monotonic()
            for one in self._running.values():
                logs.bound(self._log(one.child))

    def watch(self, each_tick: Callable[[], None] = lambda: None) -> None:
        """Keep all running until somebody wishes to stop."""
        with suppress(Stopped):
            while True:
                self._pause()
                each_tick()

    def restart(self, names: Sequence[str]) -> None:
        """End some children; they come back by themselves, without waiting."""
        for one in (self._running[name] for name in names):
            one.backoff = Backoff()
            self._end(one)

    def stop(self) -> None:
        """Stop all, last first. A second wish to stop, or patience at its end, kills."""
        for one in reversed(self._running.values()):
            self._end(one)
        self._running.clear()

    def _log(self, child: Child) -> Path:
        return self._logs / f"{child.name}.log"

    def _spawn(self, child: Child) -> subprocess.Popen[bytes]:
        with self._log(child).open("ab") as log:
            return spawn(child, log, log)

    def _pause(self, seconds: float = TICK_SECONDS) -> None:
        if self.stop_requests:
            raise Stopped
        self.tend()
        time.sleep(seconds)

    def _await_ready(self, one: Running) -> None:
        deadline = time.monotonic() + one.child.patience_seconds
        while not one.child.is_ready():
            self._require_alive(one)
            if time.monotonic() > deadline:
                raise Refusal(self._failure(one.child, f"was not ready within {one.child.patience_seconds:.0f} s"))
            self._pause(ASK_EVERY_SECONDS)
        self._require_alive(one)  # somebody else may have answered in its place
        one.is_settled = True

    def _require_alive(self, one: Running) -> None:
        if one.process.poll() is not None:
            raise Refusal(self._failure(one.child, f"stopped as it started (exit {one.process.returncode})"))

    def _await_end(self, child: Child, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + child.patience_seconds
        while process.poll() is None:
            if time.monotonic() > deadline:
                raise Refusal(self._failure(child, f"did not end within {child.patience_seconds:.0f} s"))
            self._pause()

    def _bury(self, one: Running) -> None:
        kill_group(one.process)
        one.due_at = time.monotonic() + one.backoff.next_delay(time.monotonic())
        self._on_change(self.pids)

    def _revive(self, one: Running) -> None:
        if one.due_at is None or time.monotonic() < one.due_at:
            return
        one.process = self._spawn(one.child)
        one.due_at = None
        one.backoff.started(time.monotonic())
        self._on_change(self.pids)

    def _end(self, one: Running) -> None:
        if one.process.poll() is None:
            one.process.send_signal(one.child.stop_signal)
        requests, deadline = self.stop_requests, time.monotonic() + one.child.stop_seconds
        while one.process.poll() is None:
            if time.monotonic() > deadline or self.stop_requests > requests:
                one.process.kill()
                one.process.wait()
            time.sleep(TICK_SECONDS)
        kill_group(one.process)

    def _failure(self, child: Child, what: str) -> str:
        log = self._log(child)
        said = logs.last_line(log)
        words = f' and said "{said}"' if said else ""
        return f"{child.name} {what}{words}: its log is {log}."


def kill_group(process: subprocess.Popen[bytes]) -> None:
    """End what a dead child left behind; each leads a group of its own."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
