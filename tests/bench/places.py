"""PostgreSQL with fsync, Valkey, migrations and, in this process, Django: what the gateway's part stands on."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import django

from deploy import throwaway
from deploy.launcher import postgres, valkey
from deploy.throwaway import Services
from tests.bench.clocks import OTHER, pin

ROOT = Path(__file__).resolve().parents[2]


@contextmanager
def database() -> Iterator[Services]:
    """Everything of it on the other core; production's settings, so that a commit is a commit."""
    folder = Path(tempfile.mkdtemp(prefix="mutirao-bench-"))
    folder.chmod(0o755)  # the user that PostgreSQL falls back to must be able to pass through
    described = throwaway.describe(folder)
    services = replace(described, cluster=replace(described.cluster, settings={}))
    running = []
    try:
        postgres.initialise(services.cluster)
        for child in (postgres.child(services.cluster), valkey.child(services.server)):
            running.append((child, throwaway.launch(child, folder / f"{child.name}.log")))
            throwaway.await_ready(*running[-1])
            pin(running[-1][1].pid, OTHER)
        postgres.provision(services.cluster)
        _migrate(services)
        yield services
    finally:
        throwaway.stop(running, folder)


def _migrate(services: Services) -> None:
    command = [sys.executable, "-m", "deploy.launcher.schema", "migrate"]
    environment = {**os.environ, **services.owner_variables()}
    subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True)
    os.environ.update(services.variables())
    os.environ["MUTIRAO_ALLOW_PRIVATE_BASE_URLS"] = "1"
    os.environ["MUTIRAO_RATE_LIMITS"] = "0"
    os.environ["DJANGO_SETTINGS_MODULE"] = "api.settings"
    django.setup()
