"""Threats 18 and 20: every route x every role x a foreign tenant, generated from the URL map."""

import pytest
from django.db import transaction
from django.test import Client

from contracts.problem import PROBLEM_MEDIA_TYPE, Problem, ProblemCode
from contracts.routes import SERVED_BY_API, AnyRoute
from contracts.version import INTERNAL_PREFIX
from contracts.vocabulary import Role
from tests.api.rest.caller import nowhere
from tests.security.matrix.cast import Scene, bare
from tests.security.matrix.table import ANYONE, CASES, PERSON, REST, SOCKETS, Case
from tests.security.matrix.url_map import http_patterns, shape, socket_patterns

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE")
ADD = "Add or remove these in tests/security/matrix/table.py (public API: ROUTES of tests/api/rest/caller.py)"
by_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
of_a_tenant = pytest.mark.parametrize("case", [case for case in CASES if case.needs_role], ids=lambda case: case.name)
PATHS = {shape(case.path): case for case in CASES}


def test_every_route_of_the_url_map_has_a_case_and_every_case_a_route() -> None:
    served = {"/" + shape(text) for text in http_patterns() if not text.startswith(("admin/", "internal/"))}
    assert served ^ set(PATHS) == set(), ADD


def test_every_socket_has_a_case() -> None:
    assert set(SOCKETS) == socket_patterns(), ADD


def test_every_internal_pattern_is_a_declared_route() -> None:
    served = {"/" + shape(text) for text in http_patterns() if text.startswith("internal/")}
    assert served == {shape(INTERNAL_PREFIX + route.path) for route in SERVED_BY_API}


@pytest.mark.parametrize("path", PATHS)
def test_every_method_that_is_answered_has_a_case(scene: Scene, path: str) -> None:
    case = PATHS[path]
    listed = {known.method for known in CASES if shape(known.path) == path}
    who = scene.lost["nobody"] if case.needs is ANYONE else scene.members[Role.OWNER]
    answered = {method for method in METHODS if scene.call(who, case, scene.world.ids(), method).status_code != 405}
    assert answered == listed, ADD


def may(case: Case, role: Role) -> bool:
    return role.covers(case.needs) if isinstance(case.needs, Role) else True


@by_case
def test_each_role_may_do_what_it_covers_and_nothing_else(scene: Scene, case: Case) -> None:
    found = {role: scene.call(who, case, scene.world.ids()).status_code for role, who in scene.members.items()}
    expected = {role: case.status if may(case, role) else 403 for role in Role}
    if case.path == "/login/":
        expected = dict.fromkeys(Role, 302)
    assert found == expected


@of_a_tenant
def test_a_role_too_weak_is_told_which_is_needed(scene: Scene, case: Case) -> None:
    assert isinstance(case.needs, Role)
    weaker = [role for role in Role if not role.covers(case.needs)]
    for role in weaker:
        refused = scene.call(scene.members[role], case, scene.world.ids())
        if case.is_rest:
            problem = Problem.model_validate_json(refused.content)
            assert (problem.code, problem.facts) == (ProblemCode.FORBIDDEN, {"needed": case.needs, "role": role})


@by_case
def test_who_has_no_right_any_more_is_nobody(scene: Scene, case: Case) -> None:
    for who in scene.lost.values():
        refused = scene.call(who, case, scene.world.ids())
        if case.needs is ANYONE:
            assert refused.status_code == case.status
        elif case.is_rest:
            assert (refused.status_code, refused["WWW-Authenticate"]) == (401, "Bearer")
        else:
            assert (refused.status_code, refused["Location"].split("?")[0]) == (302, "/login/")


@of_a_tenant
def test_another_tenants_things_do_not_exist(scene: Scene, case: Case) -> None:
    """404 and never 403, and nothing in the body tells what is anothers from what never was."""
    refused = scene.call(scene.stranger, case, scene.world.ids())
    assert refused.status_code == 404
    assert "Feira do bairro" not in refused.content.decode()
    if "{" in case.path:
        never = {**nowhere().ids(), "seq": scene.world.message_seq}
        assert bare(scene.call(scene.stranger, case, never)) == bare(refused)


def mixed(case: Case) -> list[str]:
    """The slots of a case that name a thing."""
    return [name for name in ("project", "session", "handoff", "questions", "member") if f"{{{name}}}" in case.path]


@pytest.mark.parametrize("case", [case for case in CASES if mixed(case)], ids=lambda case: case.name)
def test_one_foreign_id_among_ones_own_is_not_found(scene: Scene, case: Case) -> None:
    for slot in mixed(case):
        ids = {**scene.world.ids(), slot: scene.other.ids()[slot]}
        assert scene.call(scene.members[Role.OWNER], case, ids).status_code == 404, slot


@pytest.mark.parametrize("name", ["_connector", "_negated", "user__password", "workspace.id", "order_by", "format"])
@pytest.mark.parametrize("case", [case for case in REST if case.method == "GET"], ids=lambda case: case.name)
def test_a_parameter_that_nobody_declared_is_refused_by_name(scene: Scene, case: Case, name: str) -> None:
    """Threat 20: no filter of a client's own reaches a query (CVE-2025-64459, CVE-2026-1312)."""
    token, path = scene.members[Role.OWNER].token, case.path.format(**scene.world.ids())
    refused = Client().get(
        f"{path}{'&' if '?' in path else '?'}{name}=OR%201=1", headers={"Authorization": f"Bearer {token}"}
    )
    problem = Problem.model_validate_json(refused.content)
    assert (refused.status_code, problem.code) == (400, ProblemCode.INVALID_PARAMETER)
    assert problem.facts == {"field": name}


def admin_paths() -> list[str]:
    return [
        "/" + shape(text).replace("*", "1") for text in http_patterns() if text.startswith("admin/") and "(" not in text
    ]


def test_nobody_but_staff_gets_past_the_door_of_the_admin(scene: Scene) -> None:
    paths = [path for path in admin_paths() if not path.startswith(("/admin/login/", "/admin/logout/"))]
    assert len(paths) > 20
    visitors = [scene.members[Role.OWNER], scene.stranger, *scene.lost.values()]
    found = {
        (path, who.client.get(path).headers.get("Location", "").split("?")[0]) for path in paths for who in visitors
    }
    assert found == {(path, "/admin/login/") for path in paths}


@pytest.mark.parametrize("route", SERVED_BY_API, ids=lambda route: route.name)
def test_internal_routes_know_no_person(scene: Scene, route: AnyRoute) -> None:
    """Neither cookie nor token nor staff: only the engine's signature."""
    path = "/" + next(text for text, found in http_patterns().items() if found.name == f"internal-{route.name}")
    path = shape(path).replace("*", str(scene.world.place.session_id))
    for who in (scene.staff, scene.members[Role.OWNER], *scene.lost.values()):
        with transaction.atomic():
            headers = {"Authorization": f"Bearer {who.token}"}
            refused = who.client.generic(route.method, path, b"{}", "application/json", headers=headers)
            transaction.set_rollback(True)
        assert (refused.status_code, refused.headers["Content-Type"]) == (401, PROBLEM_MEDIA_TYPE)


def test_who_is_signed_in_sees_only_what_is_theirs(scene: Scene) -> None:
    for case in CASES:
        if case.needs is PERSON:
            text = scene.call(scene.stranger, case, scene.world.ids()).content.decode()
            assert str(scene.world.place.project_id) not in text, case.name
