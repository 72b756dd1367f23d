"""Whatever is sent, the answer is a problem by name: never a 500, and nothing half written."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from contracts.limits import MAX_PUBLIC_BODY_BYTES
from contracts.problem import ProblemCode
from tests.api.rest.caller import (
    WITH_BODY,
    WITHOUT_BODY,
    Caller,
    Route,
    World,
    caller_of,
    problem_of,
)
from tests.factories.rows import count_rows

HUGE = b'{"text":"' + b"x" * MAX_PUBLIC_BODY_BYTES + b'"}'

SHAPES = {
    "half": b"{",
    "list": b"[]",
    "null": b"null",
    "text": b'"text"',
    "number": b"1e999",
    "two documents": b"{}{}",
    "comment": b"/* */ {}",
    "not a number": b"NaN",
    "byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": '{"a":1}'.encode("utf-16"),
    "invalid UTF-8": b'{"text":"\xff\xfe"}',
    "overlong UTF-8": b'{"text":"\xc0\x80"}',
    "NUL byte": b'{"text":"\x00"}',
    "deep list": b"[" * 100_000,
    "deep object": b'{"a":' * 40_000 + b"1" + b"}" * 40_000,
    "stranger": b'{"stranger":1}',
    "stranger with a hostile name": json.dumps({"\x00\u202e" + "k" * 1000: 1}).encode(),
    "stranger with half a name": b'{"\\ud800":1}',
}

VALUES: dict[str, object] = {
    "float": 1.5,
    "object": {"a": 1},
    "list": ["a"],
    "true": True,
    "negative": -1,
    "huge number": 10**400,
    "bigint and one": 2**63,
    "NUL": "a\x00b",
    "lone surrogate": "a\ud800b",
}


def spoiled(body: dict[str, Any]) -> Iterator[tuple[str, bytes]]:
    """The right body with one value after the other made wrong, nested ones too."""
    for key, value in body.items():
        if isinstance(value, dict):
            for name, inner in spoiled(value):
                yield f"{key}.{name}", json.dumps({**body, key: json.loads(inner)}).encode()
        for kind, wrong in VALUES.items():
            yield f"{key}: {kind}", json.dumps({**body, key: wrong}).encode()


def right(key: str, wrong: str) -> bool:
    """What one of these values is no fault in."""
    return (key, wrong) in {
        ("answers", "object"),
        ("secret", "bigint and one"),
        ("is_active", "true"),
    }


def statuses(caller: Caller, route: Route, world: World, bodies: dict[str, bytes]) -> dict[str, int]:
    """What each body is answered with; every refusal must be a problem."""
    found = {}
    for name, body in bodies.items():
        response = caller.send(route.method, route.at(world.ids()), body)
        found[name] = response.status_code
        if response.status_code >= 400:
            problem_of(response)
    return found


EMPTY_IS_RIGHT = {"/sessions/{session}/stop", "/sessions/{session}/continue"}

FORMS = ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/xml", "x")


def test_what_is_no_body_of_a_route_is_refused_and_writes_nothing(lasting_world: World) -> None:
    caller = caller_of(lasting_world.place.user_id)
    before = count_rows()
    found = {route.name: statuses(caller, route, lasting_world, SHAPES) for route in WITH_BODY}
    assert found == {route.name: dict.fromkeys(SHAPES, 400) for route in WITH_BODY}
    assert count_rows() == before


@pytest.mark.parametrize("route", WITH_BODY, ids=lambda route: route.name)
def test_a_wrong_value_in_any_place_is_refused_and_writes_nothing(lasting_world: World, route: Route) -> None:
    caller = caller_of(lasting_world.place.user_id)
    good = route.body(lasting_world)
    assert good is not None
    bodies = {name: body for name, body in spoiled(good) if not right(*name.split(": "))}
    before = count_rows()
    assert statuses(caller, route, lasting_world, bodies) == dict.fromkeys(bodies, 400)
    assert count_rows() == before


def test_an_empty_body_lacks_what_is_needed(world: World) -> None:
    caller = caller_of(world.place.user_id)
    found = {route: caller.send(route.method, route.at(world.ids())).status_code for route in WITH_BODY}
    assert found == {route: route.status if route.path in EMPTY_IS_RIGHT else 400 for route in WITH_BODY}


def test_a_body_that_is_too_large_is_refused_by_its_size_and_writes_nothing(world: World) -> None:
    caller = caller_of(world.place.user_id)
    before = count_rows()
    found = {route: problem_of(caller.send(route.method, route.at(world.ids()), HUGE)).code for route in WITH_BODY}
    assert found == dict.fromkeys(WITH_BODY, ProblemCode.TOO_LARGE)
    assert count_rows() == before


@pytest.mark.parametrize("form", FORMS)
def test_only_json_is_read(world: World, form: str) -> None:
    caller = caller_of(world.place.user_id)
    before = count_rows()
    found = {}
    for route in WITH_BODY:
        body = json.dumps(route.body(world)).encode()
        found[route] = problem_of(caller.send(route.method, route.at(world.ids()), body, form)).code
    assert found == dict.fromkeys(WITH_BODY, ProblemCode.UNSUPPORTED_MEDIA_TYPE)
    assert count_rows() == before


@pytest.mark.parametrize("route", WITHOUT_BODY, ids=lambda route: route.name)
def test_a_route_without_a_body_reads_none(world: World, route: Route) -> None:
    caller = caller_of(world.place.user_id)
    response = caller.send(route.method, route.at(world.ids()), b"\xff{" * 100_000)
    assert response.status_code == route.status
