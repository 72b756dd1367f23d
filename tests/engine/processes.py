"""The engine as real processes: a Celery worker and the HTTP service, against a fake api."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KEPT = ("PATH", "HOME", "LANG", "BROKER_URL")
QUEUES = "conversation,delivery,gates,analysis,housekeeping"
CELERY = ("celery", "-A", "engine.celery", "worker", "-P", "threads", "-c", "8", "-Q", QUEUES, "-l", "INFO")
QUIET = ("--without-gossip", "--without-mingle", "--without-heartbeat")


def environment(api_url: str, **extra: str) -> dict[str, str]:
    """What an engine process is told, and nothing of the test's own."""
    kept = {name: os.environ[name] for name in KEPT if name in os.environ}
    keys = {"ENGINE_TO_API_KEYS": "k1:secret", "API_TO_ENGINE_KEYS": "k1:secret"}
    return {**kept, **keys, "API_URL": api_url, "PYTHONUNBUFFERED": "1", **extra}


@contextmanager
def running(log: Path, *arguments: str, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    """`python -m …` until the block ends."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            [sys.executable, "-m", *arguments], cwd=ROOT, env=variables, stdout=output, stderr=output
        )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
