"""Odd addresses, pages, characters and types are answered by name, and what people say is kept as it is."""

import json

import pytest

from api.rooms.gateway.models import Binding, Model
from api.rooms.kernel.ids import new_id
from contracts.problem import ProblemCode
from tests.api.rest.caller import (
    JSON,
    PROVIDER,
    ROUTES,
    World,
    caller_of,
    nowhere,
    problem_of,
)
from tests.factories.conversation import events_of, texts_of
from tests.factories.places import new_person


@pytest.mark.parametrize("method", ["DELETE", "TRACE", "BREW"])
def test_another_method_is_refused_by_name(db: None, method: str) -> None:
    caller, world = caller_of(new_person()), nowhere()
    paths = {route.path for route in ROUTES} - {route.path for route in ROUTES if route.method == method}
    found = {path: problem_of(caller.send(method, "/api/v1" + path.format(**world.ids()))).code for path in paths}
    assert found == dict.fromkeys(paths, ProblemCode.METHOD_NOT_ALLOWED)


@pytest.mark.parametrize(
    "path",
    [
        "/api/v1/",
        "/api/v1/nothing",
        "/api/v1/sessions/",
        "/api/v1/sessions/1",
        "/api/v1/sessions/%00",
        "/api/v1/sessions/%FF",
        "/api/v1/sessions/{session}/",
        "/api/v1/sessions/{session}/events/1",
        "/api/v1/sessions/{session}/messages/-1/cancel",
        "/api/v1/sessions/{session}/messages/12345678901234567890/cancel",
        "/api/v1/sessions/{session}/messages/٣/cancel",
        "/api/v1/sessions/{session}/agents/Creative/start",
        "/api/v1/sessions/{session}/agents/../start",
        "/api/v1/sessions/{session}/agents/" + "a" * 65 + "/start",
    ],
)
def test_an_address_that_leads_nowhere_is_a_problem_too(db: None, path: str) -> None:
    refused = caller_of(new_person()).send("POST", path.format(**nowhere().ids()))
    assert (refused.status_code, problem_of(refused).code) == (404, ProblemCode.NOT_FOUND)


@pytest.mark.parametrize("seq", ["0", "1", "999999999"])
def test_a_seq_that_is_no_queued_message_is_not_found(world: World, seq: str) -> None:
    path = f"/api/v1/sessions/{world.place.session_id}/messages/{seq}/cancel"
    assert problem_of(caller_of(world.place.user_id).send("POST", path)).code is ProblemCode.NOT_FOUND


@pytest.mark.parametrize("name", ["after", "limit"])
@pytest.mark.parametrize("text", ["", "-1", "1.5", "1e3", "a", "+1", " 1", "٣", "%00", "%FF", "9" * 30, "0x1"])
def test_a_page_is_asked_for_in_whole_numbers(db: None, name: str, text: str) -> None:
    path = f"/api/v1/sessions/{new_id()}/events?{name}={text}"
    refused = problem_of(caller_of(new_person()).send("GET", path))
    assert (refused.code, refused.facts) == (ProblemCode.INVALID_PARAMETER, {"field": name})


@pytest.mark.parametrize(("limit", "status"), [("0", 400), ("1", 200), ("1000", 200), ("1001", 400)])
def test_a_page_has_one_to_a_thousand_events(world: World, limit: str, status: int) -> None:
    path = f"/api/v1/sessions/{world.place.session_id}/events?limit={limit}"
    assert caller_of(world.place.user_id).send("GET", path).status_code == status


def test_an_answer_that_is_not_json_is_not_to_be_had(world: World) -> None:
    path = f"/api/v1/sessions/{world.place.session_id}"
    refused = caller_of(world.place.user_id).send("GET", path, Accept="text/html")
    assert problem_of(refused).code is ProblemCode.NOT_ACCEPTABLE


STRANGE = "\u202e\u2066 bidi \x07\x1b[31m control \u0301\ufeff \U0010ffff \u2028"


def post(world: World, path: str, body: object) -> int:
    text = json.dumps(body).encode()
    return caller_of(world.place.user_id).send("POST", "/api/v1" + path.format(**world.ids()), text).status_code


def test_what_a_person_says_is_kept_character_by_character(world: World) -> None:
    """Control and bidi characters are theirs to use; the page shows them harmlessly."""
    body = {"text": STRANGE, "client_message_id": "strange"}
    assert post(world, "/sessions/{session}/messages", body) == 202
    assert texts_of(events_of(world.place.session_id))[-1] == STRANGE


@pytest.mark.parametrize("key", ["text", "client_message_id"])
def test_a_message_needs_its_text_and_its_id(world: World, key: str) -> None:
    body = {"text": "x", "client_message_id": "m", key: ""}
    assert post(world, "/sessions/{session}/messages", body) == 400


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/sessions/{session}/messages", {"text": "x" * 10_001, "client_message_id": "m"}),
        ("/sessions/{session}/messages", {"text": "x", "client_message_id": "m" * 65}),
        ("/sessions/{session}/messages", {"text": "x", "client_message_id": "m", "to_agent": "../x"}),
        ("/projects/{project}/sessions", {"kind": "secret"}),
        ("/projects/{project}/sessions", {"kind": "creative", "name": "x" * 81}),
        ("/handoffs/{handoff}/reject", {"reason": "x" * 2_001}),
        ("/handoffs/{handoff}/reject", {"reason": "   "}),
    ],
)
def test_what_is_longer_or_other_than_allowed_is_refused(world: World, path: str, body: object) -> None:
    assert post(world, path, body) == 400


def test_a_credentials_secret_is_never_told_again(world: World) -> None:
    """F24: not even in the refusal of a body that holds it."""
    path = f"/api/v1/workspaces/{world.place.workspace_id}/credentials"
    body = {"provider": PROVIDER, "secret": "sk-canary", "stranger": 1}
    refused = caller_of(world.place.user_id).send("POST", path, json.dumps(body).encode())
    assert b"canary" not in refused.content


def test_a_binding_that_is_refused_leaves_no_model_and_no_price(lasting_world: World) -> None:
    path = f"/api/v1/projects/{lasting_world.place.project_id}/model-binding"
    body = {"agent": "stranger", "provider": "rehearsal", "model": "rehearsal"}
    before = Model.objects.count(), Binding.objects.count()
    refused = caller_of(lasting_world.place.user_id).send("PUT", path, json.dumps(body).encode())
    assert problem_of(refused).code is ProblemCode.INVALID_BODY
    assert (Model.objects.count(), Binding.objects.count()) == before


def test_json_may_name_its_charset(world: World) -> None:
    path = f"/api/v1/sessions/{world.place.session_id}"
    response = caller_of(world.place.user_id).send("PATCH", path, b'{"name":"Feira"}', JSON + "; charset=utf-8")
    assert response.status_code == 200
