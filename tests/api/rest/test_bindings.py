"""Models by API at every level of the cascade (RN-020, RN-072)."""

import json
from typing import Any

import pytest

from contracts.problem import ProblemCode
from tests.api.rest.caller import World, caller_of, problem_of

MODEL = {"provider": "rehearsal", "model": "rehearsal"}


def send(world: World, method: str, more: str = "", body: dict[str, Any] | None = None, scope: str = "project") -> Any:
    path = f"/api/v1/{scope}s/{world.ids()[scope]}/model-binding{more}"
    return caller_of(world.place.user_id).send(method, path, json.dumps(body).encode() if body else b"")


def test_an_area_is_bound_seen_and_inherits_again(world: World) -> None:
    before = send(world, "GET", "?area=qa").json()
    assert send(world, "PUT", body=MODEL | {"area": "qa"}).status_code == 200
    bound = send(world, "GET", "?area=qa").json()
    of_its_agent = send(world, "GET", "?agent=qa_lead").json()
    assert send(world, "DELETE", "?area=qa").status_code == 204
    assert (before["origin"], before["is_inherited"]) == ("project", True)
    assert (bound["origin"], bound["is_inherited"]) == ("area", False)
    assert [level["level"] for level in bound["levels"]] == ["area", "project", "workspace"]
    assert (of_its_agent["origin"], of_its_agent["is_inherited"]) == ("area", True)
    assert send(world, "GET", "?area=qa").json() == before


@pytest.mark.parametrize("more", ["", "?area=qa", "?agent=creative"])
def test_clearing_what_inherits_already_is_not_found_by_name(world: World, more: str) -> None:
    send(world, "DELETE", more)
    refused = problem_of(send(world, "DELETE", more))
    assert (refused.code, "inherits already" in refused.detail) == (ProblemCode.NOT_FOUND, True)


@pytest.mark.parametrize(
    ("scope", "more"), [("project", "?area=kitchen"), ("project", "?area=qa&agent=qa_lead"), ("session", "?area=qa")]
)
def test_an_area_that_cannot_be_is_refused(world: World, scope: str, more: str) -> None:
    for method in ("GET", "DELETE"):
        assert send(world, method, more, scope=scope).status_code == 400
