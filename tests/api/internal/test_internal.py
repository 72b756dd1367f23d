"""The engine's door: nothing unproven, nothing twice, nothing but a problem when it is refused."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.conf import settings
from django.db import connection
from psycopg import sql

from api.rooms.agents.models import Instance
from api.rooms.kernel.ids import new_id
from contracts import auth
from contracts.auth import SigningKey
from contracts.limits import SIGNATURE_SKEW_S
from contracts.problem import PROBLEM_MEDIA_TYPE, Problem, ProblemCode
from contracts.routes import SERVED_BY_API, AnyRoute
from contracts.routes.instances import CLAIM, HISTORY, RELEASE, STEP, Claim, ClaimAnswer, Fence, StepAnswer
from tests.api.internal.engine import Answer, Sent, send
from tests.factories.conversation import events_of, say, types_of
from tests.factories.places import Place, new_place
from tests.factories.rows import count_rows
from tests.factories.workers import Worker, instance_of, running
from tests.plugins.services import SERVICES


@pytest.fixture
def place(committed: None) -> Place:
    """The handler's threads have connections of their own."""
    return new_place()


def problem_of(answer: Answer) -> Problem:
    assert answer.content_type == PROBLEM_MEDIA_TYPE, answer
    problem = Problem.model_validate_json(answer.body)
    assert problem.status == answer.status
    return problem


def target(route: AnyRoute, slot: UUID) -> str:
    return route.target(**dict.fromkeys(re.findall(r"{(\w+)}", route.path), str(slot)))


def claiming(place: Place) -> Sent:
    """A right request."""
    say(place)
    body = Claim(worker=new_id(), claim_id=new_id()).model_dump_json().encode()
    return Sent("POST", CLAIM.target(instance_id=str(instance_of(place.session_id).id)), body)


def test_a_signed_claim_is_answered_with_a_lease(place: Place) -> None:
    answer = send(claiming(place))
    assert answer.status == 200
    lease = ClaimAnswer.model_validate_json(answer.body).lease
    assert lease is not None
    assert lease.epoch == 1


FORGERIES: dict[str, dict[str, Any]] = {
    "no signature": {"is_signed": False},
    "another body": {"signed_body": b"{}"},
    "another path": {"signed_target": "/internal/v1/elsewhere"},
    "another query": {"target": None},
    "another method": {"signed_method": "PUT"},
    "too old": {"age_s": SIGNATURE_SKEW_S + 2},
    "from the future": {"age_s": -SIGNATURE_SKEW_S - 2},
    "for the engine": {"audience": auth.ENGINE},
    "with the other direction's key": {"key": None},
    "with a key of the forger's": {"key": SigningKey("k1", b"guessed")},
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_what_is_not_proven_is_refused_and_writes_nothing(place: Place, forgery: str) -> None:
    sent = claiming(place)
    changes = dict(FORGERIES[forgery])
    if "target" in changes:
        changes = {"target": sent.target + "?x=1", "signed_target": sent.target}
    if changes.get("key", sent) is None:
        changes = {"key": settings.API_TO_ENGINE_KEYS[0]}
    before = count_rows()
    assert problem_of(send(replace(sent, **changes))).code is ProblemCode.SIGNATURE_INVALID
    assert count_rows() == before
    assert instance_of(place.session_id).epoch == 0


def test_the_other_direction_has_other_keys() -> None:
    assert {key.secret for key in settings.ENGINE_TO_API_KEYS}.isdisjoint(
        key.secret for key in settings.API_TO_ENGINE_KEYS
    )


def test_a_replayed_claim_has_no_second_effect(place: Place) -> None:
    sent = claiming(place)
    assert send(sent) == send(sent)
    assert instance_of(place.session_id).epoch == 1


def test_a_replayed_step_gets_the_first_answer_and_writes_nothing(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    sent = Sent("POST", target(STEP, worker.instance_id), worker.answering().model_dump_json().encode())
    first, length = send(sent), len(events_of(place.session_id))
    assert send(sent) == first
    assert [event.payload.type for event in StepAnswer.model_validate_json(first.body).events] == [
        "agent.response",
        "turn.ended",
    ]
    assert len(events_of(place.session_id)) == length


def test_another_body_under_the_same_step_is_a_conflict(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    for state, status in (("1", 200), ("2", 409)):
        body = worker.next_step(state=state).model_dump_json().encode()
        assert send(Sent("POST", target(STEP, worker.instance_id), body)).status == status


WRITES = [route for route in SERVED_BY_API if route.method == "POST"]
BAD_BODIES = {
    "empty": b"",
    "half": b"{",
    "list": b"[]",
    "null": b"null",
    "stranger": b'{"stranger":1}',
    "invalid UTF-8": b'{"epoch":"\xff"}',
    "NUL": b'{"epoch":1,"turn_id":"\\u0000","worker":"\\u0000","running":"\\u0000"}',
    "lone surrogate": b'{"state":"\\ud800"}',
    "deep": b"[" * 100_000,
    "float": b'{"epoch":1.5}',
}


@pytest.mark.parametrize("route", WRITES, ids=lambda route: route.name)
def test_a_bad_body_is_refused_by_name_and_writes_nothing(place: Place, route: AnyRoute) -> None:
    say(place)
    instance_id = running(place.session_id).instance_id
    before = count_rows()
    answers = {name: send(Sent("POST", target(route, instance_id), body)) for name, body in BAD_BODIES.items()}
    assert {name: problem_of(answer).code for name, answer in answers.items()} == dict.fromkeys(
        BAD_BODIES, ProblemCode.INVALID_BODY
    )
    assert count_rows() == before


@pytest.mark.parametrize("number", [2**31, 2**63, 10**400], ids=["int4", "int8", "huge"])
def test_a_number_that_fits_no_column_is_refused(place: Place, number: int) -> None:
    say(place)
    worker = running(place.session_id)
    before = count_rows()
    held = {"running": [{"instance_id": str(worker.instance_id), "epoch": number, "turn_id": None}]}
    answers = [
        send(Sent("POST", target(RELEASE, worker.instance_id), json.dumps({"epoch": number}).encode())),
        send(Sent("POST", f"/internal/v1/workers/{worker.id}/heartbeat", json.dumps(held).encode())),
        send(Sent("GET", f"{target(HISTORY, worker.instance_id)}?after={number}")),
    ]
    assert [answer.status < 500 for answer in answers] == [True] * 3
    assert count_rows() == before


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "limit=0", "limit=1001", "after=1.5", "stranger=1", "after=%00", "limit=%FF"]
)
def test_a_history_is_asked_for_within_its_bounds(place: Place, query: str) -> None:
    say(place)
    sent = Sent("GET", f"{target(HISTORY, instance_of(place.session_id).id)}?{query}")
    assert problem_of(send(sent)).code is ProblemCode.INVALID_BODY


def good_bodies() -> dict[str, dict[str, Any]]:
    turn, fence = str(new_id()), {"epoch": 1}
    effect = {**fence, "turn_id": turn, "step": 1}
    return {
        "claim": {"worker": turn, "claim_id": turn},
        "step": {**effect, "state": "{}"},
        "release": fence,
        "stream_turn": {**effect, "messages": [{"role": "user", "content": "x"}], "max_output_tokens": 10},
        "complete_turn": {**effect, "messages": [{"role": "user", "content": "x"}], "max_output_tokens": 10},
        "emit_artifact": {**effect, "artifact": {"type": "artifact.note", "title": "a", "body": "b"}},
        "emit_brief": {**effect, "summary": "s"},
        "offer_handoff": {**effect, "to_agent": "product_owner"},
        "create_epic": {**effect, "title": "e"},
        "create_feature": {**effect, "epic": "E1", "title": "f"},
        "create_story": {**effect, "epic": "E1", "content": {"title": "s"}},
        "edit_story": {**effect, "story": "S-1", "version": 1, "changes": {"title": "s"}},
        "create_task": {**effect, "story": "S-1", "title": "t"},
        "list_rules": {**fence, "turn_id": turn},
        "list_backlog": {**fence, "turn_id": turn},
        "create_module_map": {**effect, "modules": [{"name": "a", "stack": "b", "responsibility": "c"}]},
        "assign_story_modules": {**effect, "story": "S-1", "modules": ["a"]},
        "choose_project_image": {**effect, "image": {"image": "python:3", "rationale": "Small enough."}},
        "create_c4_diagram": {**effect, "system": {"system_name": "a"}},
        "propose_adr": {**effect, "adr": {"title": "a", "slug": "a", "content": "b"}},
        "read_architecture": {**fence, "turn_id": turn},
        "read_story": {**fence, "turn_id": turn, "story": "S-1"},
        "replace_tasks": {
            **effect,
            "story": "S-1",
            "tasks_version": 1,
            "tasks": [{"domain": "backend", "title": "a", "description": "b"}],
        },
        "resolve_story": {**effect, "said": "S-1"},
        "get_work_items": {**fence, "turn_id": turn, "epic": "E1"},
        "update_work_items": {**effect, "epic": "E1", "operations": [{"op": "remove_task", "task": "T-1"}]},
        "propose_prototype": {
            **effect,
            "prototype": {
                "summary": "s",
                "personas": [{"name": "a", "goal": "b"}],
                "journeys": [{"title": "a", "steps": ["b"]}],
                "screens": [{"name": "a", "description": "b"}],
            },
        },
        "history": {},
    }


@pytest.mark.parametrize(
    "route", [route for route in SERVED_BY_API if "{instance_id}" in route.path], ids=lambda route: route.name
)
def test_an_instance_that_never_was_is_not_found(place: Place, route: AnyRoute) -> None:
    body = b"" if route.method == "GET" else json.dumps(good_bodies()[route.name]).encode()
    before = count_rows()
    assert problem_of(send(Sent(route.method, target(route, new_id()), body))).code is ProblemCode.NOT_FOUND
    assert count_rows() == before


def test_another_method_is_refused(place: Place) -> None:
    sent = claiming(place)
    assert problem_of(send(replace(sent, method="GET"))).code is ProblemCode.METHOD_NOT_ALLOWED


def test_a_body_that_is_too_large_is_refused_before_it_is_read_as_anything(place: Place) -> None:
    sent = replace(claiming(place), body=b"x" * (10 * 1024 * 1024 + 1))
    assert problem_of(send(sent)).code is ProblemCode.TOO_LARGE


def test_a_body_that_hides_its_length_is_refused_too(place: Place) -> None:
    class Chunked(Sent):
        def scope(self) -> dict[str, Any]:
            scope = super().scope()
            scope["headers"] = [pair for pair in scope["headers"] if pair[0] != b"content-length"]
            return scope

    assert problem_of(send(Chunked("POST", claiming(place).target, b"x" * (10 * 1024 * 1024 + 1)))).code is (
        ProblemCode.TOO_LARGE
    )


@pytest.mark.parametrize("length", ["x", "-1", "", "1e3"])
def test_a_length_that_is_no_number_is_not_believed(place: Place, length: str) -> None:
    class Lying(Sent):
        def scope(self) -> dict[str, Any]:
            scope = super().scope()
            headers = [pair for pair in scope["headers"] if pair[0] != b"content-length"]
            return {**scope, "headers": [*headers, (b"content-length", length.encode())]}

    sent = claiming(place)
    assert send(Lying(sent.method, sent.target, sent.body)).status < 500


def test_an_address_that_leads_nowhere_is_a_problem(committed: None) -> None:
    for path in ("/internal/v1/nothing", "/internal/v1/instances/1/claim"):
        assert problem_of(send(Sent("POST", path, b"{}"))).code is ProblemCode.NOT_FOUND


def renew_pool() -> None:
    """What is broken in the pool is found at its next use; later tests must not be the ones to find it."""
    pool: Any = getattr(connection, "pool", None)
    connection.close()
    pool.check()


@contextmanager
def database_away() -> Iterator[None]:
    """Nobody of ours gets in, and whoever was in is out."""
    app = psycopg.conninfo.conninfo_to_dict(SERVICES.cluster.app_url)["user"]
    role = sql.Identifier(str(app))
    with psycopg.connect(SERVICES.cluster.superuser_url, autocommit=True) as root:
        root.execute(sql.SQL("ALTER ROLE {} NOLOGIN").format(role))
        root.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = %s", [app])
        try:
            yield
        finally:
            root.execute(sql.SQL("ALTER ROLE {} LOGIN").format(role))
            renew_pool()


def test_a_database_that_is_away_is_said_to_be_away_and_comes_back(place: Place) -> None:
    sent = claiming(place)
    with database_away():
        assert problem_of(send(sent)).code is ProblemCode.UNAVAILABLE
    assert send(sent).status == 200


def test_a_stale_epoch_is_fenced_over_the_wire(place: Place) -> None:
    say(place)
    worker = running(place.session_id)
    Instance.objects.update(epoch=7)
    body = Fence(epoch=worker.epoch).model_dump_json().encode()
    assert problem_of(send(Sent("POST", target(RELEASE, worker.instance_id), body))).code is ProblemCode.FENCED


def test_the_history_is_the_log(place: Place) -> None:
    say(place)
    worker = Worker(instance_of(place.session_id).id)
    answer = send(Sent("GET", f"{target(HISTORY, worker.instance_id)}?after=1&limit=1"))
    page = json.loads(answer.body)
    assert ([event["payload"]["type"] for event in page["events"]], page["has_more"]) == (["agent.activated"], True)
    assert types_of(place.session_id)[1] == "agent.activated"
