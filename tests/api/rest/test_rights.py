"""Who may call what: every route by role, by tenant, by token, and as the document tells it."""

import re

import pytest
from django.db import transaction
from django.test import Client
from drf_spectacular.validation import validate_schema

from api.rooms.accounts.models import ApiToken, User
from api.rooms.accounts.services import revoke_token
from api.surfaces.rest.urls import urlpatterns
from contracts.problem import ProblemCode
from contracts.vocabulary import Role
from tests.api.rest.caller import ROUTES, Caller, Route, World, caller_of, nowhere, problem_of
from tests.factories.places import new_member, new_person, new_place, token_of
from tests.factories.rows import count_rows

by_name = pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)
of_a_tenant = pytest.mark.parametrize(
    "route", [route for route in ROUTES if route.role is not None], ids=lambda route: route.name
)


def shape(path: str) -> str:
    """A path with all its slots alike, and without its query."""
    return re.sub(r"<[^>]*>|{[^}]*}|(?<=agents/)creative", "*", path.split("?", maxsplit=1)[0])


def test_the_table_of_these_tests_names_every_route() -> None:
    served = {f"/{shape(str(pattern.pattern))}" for pattern in urlpatterns if pattern.name != "unknown"}
    assert {shape(route.path) for route in ROUTES} | {"/schema"} == served


@by_name
def test_nobody_unknown_is_answered(db: None, route: Route) -> None:
    refused = Caller().call(route, nowhere())
    assert (refused.status_code, problem_of(refused).code) == (401, ProblemCode.UNAUTHENTICATED)
    assert refused.headers["WWW-Authenticate"] == "Bearer"


@of_a_tenant
def test_each_role_may_do_what_it_covers(world: World, route: Route) -> None:
    callers = {role: caller_of(new_member(world.place, role)) for role in Role}
    statuses = {}
    for role, caller in callers.items():
        with transaction.atomic():
            statuses[role] = caller.call(route, world).status_code
            transaction.set_rollback(True)
    assert route.role is not None
    assert statuses == {role: route.status if role.covers(route.role) else 403 for role in Role}


@of_a_tenant
def test_another_tenants_things_do_not_exist(world: World, route: Route) -> None:
    stranger = caller_of(new_place().user_id)
    before = count_rows()
    refused = stranger.call(route, world)
    assert (refused.status_code, problem_of(refused).code) == (404, ProblemCode.NOT_FOUND)
    assert count_rows() == before


@of_a_tenant
def test_what_never_was_is_answered_like_what_is_anothers(world: World, route: Route) -> None:
    stranger = caller_of(new_person())
    foreign, unknown = stranger.call(route, world), stranger.call(route, nowhere())
    assert (unknown.status_code, unknown.content) == (foreign.status_code, foreign.content)


def test_lists_show_only_what_is_the_persons(world: World) -> None:
    other = new_place()
    caller = caller_of(world.place.user_id)
    for path, mine, theirs in (
        ("/api/v1/workspaces", world.place.workspace_id, other.workspace_id),
        ("/api/v1/projects", world.place.project_id, other.project_id),
    ):
        text = caller.send("GET", path).content.decode()
        assert (str(mine) in text, str(theirs) in text) == (True, False)


def status_of_token(world: World, token: str) -> int:
    return Caller(token).send("GET", f"/api/v1/sessions/{world.place.session_id}").status_code


def test_a_revoked_token_opens_nothing(world: World) -> None:
    token = token_of(world.place.user_id)
    assert status_of_token(world, token) == 200
    revoke_token(ApiToken.objects.get(user_id=world.place.user_id).id)
    assert status_of_token(world, token) == 401


def test_the_token_of_a_person_who_was_deactivated_opens_nothing(world: World) -> None:
    token = token_of(world.place.user_id)
    User.objects.filter(id=world.place.user_id).update(is_active=False)
    assert status_of_token(world, token) == 401


@pytest.mark.parametrize("token", ["", " ", "mut_", "x" * 5000, "é", "a b", "\u202e"])
def test_a_token_that_was_never_issued_opens_nothing(world: World, token: str) -> None:
    assert status_of_token(world, token) == 401


def test_a_cookie_alone_writes_nothing_for_another_site(world: World) -> None:
    """The session cookie needs the page's CSRF token beside it."""
    client = Client(raise_request_exception=False, enforce_csrf_checks=True)
    client.force_login(User.objects.get(id=world.place.user_id))
    caller, path = Caller(client=client), f"/api/v1/sessions/{world.place.session_id}"
    assert caller.send("GET", path).status_code == 200
    for content_type in ("application/json", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"):
        refused = caller.send("POST", f"{path}/close", b"x=1", content_type)
        assert (refused.status_code, problem_of(refused).code) == (403, ProblemCode.FORBIDDEN)


def test_the_document_is_valid_and_lists_every_route(db: None) -> None:
    response = Caller().send("GET", "/api/v1/schema")
    document = response.json()  # type: ignore[attr-defined]
    validate_schema(document)  # type: ignore[no-untyped-call]
    listed = {f"{method.upper()} {shape(path)}" for path, methods in document["paths"].items() for method in methods}
    assert listed == {f"{route.method} /api/v1{shape(route.path)}" for route in ROUTES}


def test_the_document_offers_json_and_nothing_else(db: None) -> None:
    document = Caller().send("GET", "/api/v1/schema").json()  # type: ignore[attr-defined]
    offered = {
        kind
        for methods in document["paths"].values()
        for operation in methods.values()
        for kind in operation.get("requestBody", {}).get("content", {})
    }
    assert offered == {"application/json"}
