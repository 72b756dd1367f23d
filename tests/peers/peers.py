"""The peers as values: where each listens, and what it is called in our catalogue."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from deploy.launcher.ports import free_port

HOME = Path(os.environ.get("MUTIRAO_PEERS", ".local/peers"))
"""Where `make test-peers` installs them."""
KEY = "sk-peer-canary"
START_SECONDS = 120.0


@dataclass(frozen=True)
class Peer:
    """One server as one of our providers sees it."""

    name: str
    provider: str
    path: str
    model: str
    secret: str
    context_tokens: int | None = None
    checks_keys: bool = False
    opening: int = 0
    """How many events come before the first word."""


LLAMA = Peer("llama.cpp", "openai_compatible", "/v1", "smollm2", KEY, 4096, checks_keys=True)
LLMOCK = (
    Peer("llmock, OpenAI", "openai_compatible", "/v1", "gpt-4o-mini", KEY),
    Peer("llmock, Anthropic", "anthropic", "/anthropic", "claude-sonnet-4-6", KEY, opening=3),
    Peer("llmock, Gemini", "gemini", "/gemini/v1beta", "gemini-2.5-pro", KEY, 1_048_576),
)
PEERS = (LLAMA, *LLMOCK)


def program(name: str) -> str:
    """A program of the peers' environment."""
    found = HOME / "bin" / name
    if not found.exists():
        raise RuntimeError(f"{found} is not there: run `make test-peers`, which installs it.")
    return str(found)


@contextmanager
def serving(argv: list[str], port: int, health: str) -> Iterator[str]:
    """Its address while it runs; ready when it answers 200 there."""
    process = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    address = f"http://127.0.0.1:{port}"
    try:
        _await(process, address + health)
        yield address
    finally:
        process.terminate()
        process.wait(20)


def _await(process: subprocess.Popen[bytes], url: str) -> None:
    deadline = time.monotonic() + START_SECONDS
    while True:
        try:
            if httpx.get(url, timeout=2).is_success:
                return
        except httpx.HTTPError as error:
            last = repr(error)
        else:
            last = "not ready"
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"{process.args!r} did not become ready: {last}, exit status {process.poll()}")
        time.sleep(0.2)


@contextmanager
def llama() -> Iterator[str]:
    """llama.cpp's server."""
    port = free_port()
    script = str(Path(__file__).with_name("llama.py"))
    with serving([program("python"), script, str(port), KEY], port, "/health") as address:
        yield address


@contextmanager
def llmock() -> Iterator[str]:
    """llmock, which speaks all three formats."""
    port = free_port()
    argv = [program("llmock"), "serve", "--host", "127.0.0.1", "--port", str(port), "--stream-chunk-delay-ms", "30"]
    with serving(argv, port, "/v1/models") as address:
        yield address
