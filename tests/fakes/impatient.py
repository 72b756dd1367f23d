"""The api's server with less patience for who does not read.

`python -m tests.fakes.impatient STALL_SECONDS CLOSING_SECONDS -p PORT APP`
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import psutil

from api.server import PatientCommandLine, PatientServer
from deploy.launcher import ports
from tests.plugins.stack import ROOT, answers, wait_until


@contextmanager
def serving(app: str, path: str, stall_s: float, closing_s: float) -> Iterator[tuple[int, psutil.Process]]:
    """A port where `app` answers `path`, and its process."""
    port = ports.free_port()
    patience = (str(stall_s), str(closing_s))
    command = [sys.executable, "-m", "tests.fakes.impatient", *patience, "--access-log", "/dev/null", "-p", str(port)]
    with subprocess.Popen([*command, app], cwd=ROOT, env=os.environ) as process:
        try:
            wait_until(lambda: answers(f"http://127.0.0.1:{port}{path}"), 20)
            yield port, psutil.Process(process.pid)
        finally:
            process.kill()


if __name__ == "__main__":
    PatientServer.stall_s, PatientServer.closing_s = float(sys.argv[1]), float(sys.argv[2])
    PatientCommandLine().run([*sys.argv[3:-1], "--no-server-name", sys.argv[-1]])
