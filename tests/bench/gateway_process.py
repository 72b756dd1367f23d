"""The api as it is in production, alone on its core, and the upstream on the other one."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

from deploy.launcher import ports
from tests.bench.clocks import MEASURED, OTHER, pin, tree
from tests.bench.places import ROOT
from tests.plugins.stack import answers, wait_until

DAPHNE = ("-m", "api.server", "--no-server-name", "--access-log", "/dev/null", "-b", "127.0.0.1", "-p")


@contextmanager
def process(*arguments: str, cores: set[int]) -> Iterator[subprocess.Popen[bytes]]:
    """Our Python with these arguments, until the block ends."""
    child = subprocess.Popen([sys.executable, *arguments], cwd=ROOT, env=dict(os.environ))
    try:
        pin(child.pid, cores)
        yield child
    finally:
        child.terminate()
        child.wait(20)


@contextmanager
def upstream() -> Iterator[int]:
    """Its port."""
    port = ports.free_port()
    with process("-m", "tests.bench.upstream", str(port), cores=OTHER):
        wait_until(lambda: answers(f"http://127.0.0.1:{port}/_seen"), 20)
        yield port


@contextmanager
def gateway() -> Iterator[tuple[int, list[psutil.Process]]]:
    """Its port and its processes."""
    port = ports.free_port()
    with process(*DAPHNE, str(port), "api.asgi:application", cores=MEASURED) as child:
        wait_until(lambda: answers(f"http://127.0.0.1:{port}/readyz"), 60)
        pin(child.pid, MEASURED)
        yield port, tree(child.pid)
