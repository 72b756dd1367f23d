"""PostgreSQL and Valkey that live as long as one command: tests, type checks, new migrations.

python -m deploy.throwaway [--idle] -- command …
"""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from deploy.launcher import environment, keyring, ports, postgres, valkey
from deploy.launcher.child import Child, spawn

START_SECONDS = 60.0
STOP_SECONDS = 15.0


@dataclass(frozen=True)
class Services:
    """What was started, and the environment that leads to it."""

    cluster: postgres.Cluster
    server: valkey.Server
    keyring: keyring.Keyring

    def variables(self) -> dict[str, str]:
        """The variables of both services, as one process that tests both needs them; never the owner's door."""
        return {
            **environment.for_api(self.keyring, self.addresses(), {}),
            **environment.for_engine(self.keyring, self.addresses(), {}),
        }

    def owner_variables(self) -> dict[str, str]:
        """The variables of commands that change the schema."""
        return {**self.variables(), "MIGRATION_DATABASE_URL": self.cluster.owner_url}

    def addresses(self) -> environment.Addresses:
        """Where the services are; api and engine themselves are not started."""
        return environment.Addresses(
            database_url=self.cluster.app_url,
            migration_database_url=self.cluster.owner_url,
            redis_url=self.server.api_url,
            broker_url=self.server.engine_url,
            api_url=f"http://127.0.0.1:{ports.free_port()}",
            engine_url=f"http://127.0.0.1:{ports.free_port()}",
            public_url="http://testserver",
            allowed_hosts="testserver,localhost,127.0.0.1",
        )


def describe(folder: Path) -> Services:
    """Services in `folder` with fresh secrets and ports, not started yet."""
    keys = keyring.fresh()
    cluster = postgres.Cluster(
        data=folder / "postgres",
        port=ports.free_port(),
        superuser_password=keys.postgres_password,
        owner_password=keys.owner_password,
        app_password=keys.app_password,
        settings=postgres.THROW_AWAY,
    )
    passwords = (keys.valkey_admin_password, keys.valkey_api_password, keys.valkey_engine_password)
    server = valkey.Server(folder / "valkey", ports.free_port(), *passwords)
    return Services(cluster, server, keys)


def start() -> Services:
    """Start both and leave word to stop them when this process ends; call it from the main thread."""
    folder = Path(tempfile.mkdtemp(prefix="mutirao-"))
    folder.chmod(0o755)  # the fallback user must be able to pass through
    services = describe(folder)
    running: list[tuple[Child, subprocess.Popen[bytes]]] = []
    atexit.register(stop, running, folder)
    postgres.initialise(services.cluster)
    for child in (postgres.child(services.cluster), valkey.child(services.server)):
        process = launch(child, folder / f"{child.name}.log")
        running.append((child, process))  # one by one: what started must be stopped when the next cannot
    for child, process in running:
        await_ready(child, process)
    postgres.provision(services.cluster)
    return services


def launch(child: Child, log: Path) -> subprocess.Popen[bytes]:
    """Start one with its words in `log`."""
    with log.open("ab") as output:
        return spawn(child, output, output)


def await_ready(child: Child, process: subprocess.Popen[bytes]) -> None:
    """Return when the child answers."""
    deadline = time.monotonic() + START_SECONDS
    while not child.is_ready():
        if process.poll() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"{child.name} did not start (exit {process.poll()})")
        time.sleep(0.02)


def stop(running: list[tuple[Child, subprocess.Popen[bytes]]], folder: Path) -> None:
    """Stop all, last first, and leave nothing behind."""
    for child, process in reversed(running):
        process.send_signal(child.stop_signal)
    for _, process in running:
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
    shutil.rmtree(folder, ignore_errors=True)


def main(arguments: list[str]) -> int:
    """Run a command with the services' variables; --idle sets them and starts nothing."""
    split = arguments.index("--")
    is_idle = "--idle" in arguments[:split]
    services = describe(Path("/nonexistent")) if is_idle else start()
    variables = services.variables() if is_idle else services.owner_variables()
    done = subprocess.run(arguments[split + 1 :], env={**os.environ, **variables}, check=False)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
