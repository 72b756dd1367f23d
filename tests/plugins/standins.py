"""Small children for tests of the supervisor, and a host that supervises them as a process of its own."""

import sys
from pathlib import Path

from deploy.launcher.child import Child
from deploy.launcher.supervisor import Supervisor

SLEEPER = "import time; time.sleep(600)"
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
)
TELLS_ITS_STOP = """
import signal, sys, time
def tell(*_):
    open({file!r}, "a").write({name!r} + "\\n")
    sys.exit()
signal.signal(signal.SIGTERM, tell)
print("up", flush=True)
time.sleep(600)
"""


def python(name: str, code: str, **fields: object) -> Child:
    """A child that runs `code`."""
    return Child(name, (sys.executable, "-c", code), {}, **fields)  # type: ignore[arg-type]


def host(folder: Path) -> None:
    """Supervise two children until somebody kills us; `folder`/pids names them."""
    supervisor = Supervisor(folder)
    supervisor.listen()
    supervisor.start(python("one", SLEEPER), python("two", STUBBORN, stop_seconds=0.2))
    (folder / "pids").write_text(" ".join(str(pid) for pid in supervisor.pids.values()))
    supervisor.watch()
    supervisor.stop()


if __name__ == "__main__":
    host(Path(sys.argv[1]))
