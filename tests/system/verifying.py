"""The operator's command over the logs of a running house."""

import os
import subprocess
import sys

from deploy.launcher import environment
from tests.plugins.house import House
from tests.plugins.stack import NOT_INHERITED, ROOT


def verify_logs(house: House) -> str:
    """What `verify_log` says of all sessions; raises when it finds one that is not whole."""
    outer = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    variables = environment.for_api(house.plan.keyring, house.plan.addresses, outer)
    command = [sys.executable, "-m", "api", "verify_log"]
    done = subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
