"""The whole house of a run: its launcher, a model server beside it, and sessions bound to that."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from deploy.launcher import options, plan
from tests.bench.gateway_process import upstream
from tests.bench.lanes import get_json_text
from tests.plugins.stack import Stack
from tests.system.person import Person, Talk

WORKERS = ("engine-worker-1", "engine-worker-2")
OURS = ("api", "relay", "engine-http", *WORKERS)


@dataclass(frozen=True)
class RunningHouse:
    """Two workers, so that one can die."""

    stack: Stack
    person: Person
    upstream_port: int

    @property
    def plan(self) -> plan.Plan:
        given = {"MUTIRAO_HOME": str(self.stack.home), "PORT": str(self.stack.port)}
        return plan.redraw(options.from_environment(given))

    @property
    def owner_url(self) -> str:
        return self.plan.addresses.migration_database_url

    def processes(self, *names: str) -> list[psutil.Process]:
        pids = self.stack.pids
        return [psutil.Process(pids[name]) for name in names or OURS]

    def talk(self, project_id: str) -> Talk:
        """A new session of the toolless assistant."""
        return self.person.open_session(project_id, "consultative")

    def project(self) -> str:
        """One whose sessions all use the model server."""
        project_id = self.person.create_project()
        price = {"input_micros": 1_000_000, "output_micros": 4_000_000}
        url = f"http://127.0.0.1:{self.upstream_port}/v1"
        body = {"provider": "openai_compatible", "base_url": url, "model": "bench", "price": price}
        self.person.act("PUT", f"projects/{project_id}/model-binding", {**body, "context_tokens": 200_000})
        return project_id

    def seen(self) -> dict[str, list[float | None]]:
        """When the model server got each tagged request, and when its socket closed."""
        found: dict[str, list[float | None]] = json.loads(asyncio.run(get_json_text(self.upstream_port, "/_seen")))
        return found


@contextmanager
def running(home: Path, port: int) -> Iterator[RunningHouse]:
    stack = Stack(home, port)
    try:
        with upstream() as upstream_port:
            stack.start(MUTIRAO_WORKERS=str(len(WORKERS)), MUTIRAO_ALLOW_PRIVATE_BASE_URLS="1")
            yield RunningHouse(stack, Person(stack), upstream_port)
    finally:
        stack.stop()
