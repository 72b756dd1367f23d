"""Whatever the OpenAPI document allows or forbids is answered as the document says: never a server error.

`SCHEMA_EXAMPLES=200` tries more of each operation; the same examples come each time unless that is set.
"""

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, connection, transaction
from hypothesis import HealthCheck, given, settings
from pytest_django import DjangoDbBlocker
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from tests.api.rest.caller import ROUTES, Route, World, new_world
from tests.factories.places import token_of
from tests.security.matrix.url_map import shape

EXAMPLES = int(os.environ.get("SCHEMA_EXAMPLES", "8"))
SETTINGS = settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    derandomize="SCHEMA_EXAMPLES" not in os.environ,
    suppress_health_check=list(HealthCheck),
)
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    ignored_auth,
    unsupported_method,
]
PARAMETER_OF = {"scope_id": "", "workspace_id": "workspace", "project_id": "project", "session_id": "session"}
PARAMETER_OF |= {"handoff_id": "handoff", "question_set_id": "questions", "member_id": "member", "seq": "seq"}


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[World]:
    ends = (request_started, request_finished)
    with django_db_blocker.unblock():
        for signal in ends:  # a server would give its connection back, and with it what is rolled back here
            signal.disconnect(close_old_connections)
        with transaction.atomic():
            yield new_world()
            transaction.set_rollback(True)
        for signal in ends:
            signal.connect(close_old_connections)
        connection.close()


@pytest.fixture(scope="module")
def schema(world: World) -> Any:
    return schemathesis.openapi.from_wsgi("/api/v1/schema", get_wsgi_application())


def things_of(case: "Case[Any]", world: World) -> dict[str, Any]:
    """The ids of things that are there, so that more than 404 is tried; whatever else is wrong with the case."""
    kind = case.path.removeprefix("/api/v1/").split("/")[0].removesuffix("s")
    ids = {name: world.ids()[PARAMETER_OF[name] or kind] for name in case.path_parameters if name in PARAMETER_OF}
    return {**case.path_parameters, **{name: str(value) for name, value in ids.items()}}


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.name)
def test_no_case_of_the_document_is_a_server_error(schema: Any, world: World, route: Route) -> None:
    path = next(path for path in schema if shape(path) == shape("/api/v1" + route.path))
    operation, token = schema[path][route.method], token_of(world.place.user_id)

    @SETTINGS
    @given(case=operation.as_strategy())
    def run(case: "Case[Any]") -> None:
        case.path_parameters = things_of(case, world)
        with transaction.atomic():
            case.call_and_validate(headers={"Authorization": f"Bearer {token}"}, checks=CHECKS)
            transaction.set_rollback(True)

    run()
