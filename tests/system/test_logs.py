"""One grep shows one story across both services."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deploy.launcher import ports
from tests.plugins.stack import Stack

REQUEST_ID = "story-42_a"


@pytest.fixture
def json_stack(tmp_path: Path) -> Iterator[Stack]:
    stack = Stack(tmp_path / "house", ports.free_port())
    stack.home.mkdir()
    yield stack.start(MUTIRAO_LOG_FORMAT="json")
    stack.stop()


def lines(stack: Stack) -> list[dict[str, Any]]:
    """Every line of the four services; one that is no JSON object fails the test."""
    logs = [stack.home / "log" / f"{name}.log" for name in ("api", "relay", "engine-http", "engine-worker-1")]
    return [json.loads(line) for log in logs for line in log.read_text().splitlines()]


def services_of(stack: Stack, name: str, value: str) -> set[str]:
    return {line["service"] for line in lines(stack) if line.get(name) == value}


@pytest.mark.slow
@pytest.mark.timeout(120)
def test_one_request_id_and_one_instance_id_are_found_in_both_services(json_stack: Stack) -> None:
    with json_stack.client() as http:
        project = json_stack.run["project"]
        made = http.post(f"/api/v1/projects/{project}/sessions", json={"kind": "creative"})
        session_id = made.json()["id"]
        said = http.post(
            f"/api/v1/sessions/{session_id}/messages",
            json={"text": "A secret plan for the market", "client_message_id": "one"},
            headers={"X-Request-ID": REQUEST_ID},
        )
    assert (said.is_success, said.headers["x-request-id"]) == (True, REQUEST_ID)
    everywhere = {"api", "relay", "engine-http", "engine-worker-1"}
    deadline = time.monotonic() + 20
    while services_of(json_stack, "request_id", REQUEST_ID) != everywhere and time.monotonic() < deadline:
        time.sleep(0.1)
    assert services_of(json_stack, "request_id", REQUEST_ID) == everywhere
    told = [line for line in lines(json_stack) if line.get("request_id") == REQUEST_ID]
    routes = {line.get("route") for line in told}
    assert "internal-claim" in routes
    instance_id = next(line["instance_id"] for line in told if line["service"] == "relay")
    assert services_of(json_stack, "instance_id", instance_id) == everywhere
    assert not [line for line in lines(json_stack) if "secret plan" in json.dumps(line)]
