"""A route that is declared and not served fails here."""

import json
import re
import subprocess
import sys
from uuid import uuid4

import pytest
from django.urls import resolve

from contracts.routes import SERVED_BY_API, SERVED_BY_ENGINE, AnyRoute

# The engine refuses to run beside Django, so its routes are listed by a process of its own.
LIST_ENGINE_ROUTES = """
import json
from engine.http.app import routes
print(json.dumps([[route.path, sorted(route.methods)] for route in routes.routes]))
"""


def target(route: AnyRoute) -> str:
    names = re.findall(r"{(\w+)}", route.path)
    return route.target(**{name: str(uuid4()) for name in names})


@pytest.mark.parametrize("route", SERVED_BY_API, ids=lambda route: route.name)
def test_every_route_of_the_api_is_served(route: AnyRoute) -> None:
    assert resolve(target(route)).url_name == f"internal-{route.name}"


def test_every_route_of_the_engine_is_served() -> None:
    listed = subprocess.run([sys.executable, "-c", LIST_ENGINE_ROUTES], capture_output=True, text=True, check=True)
    served = dict(json.loads(listed.stdout))
    declared = {route.target(): route.method for route in SERVED_BY_ENGINE}
    assert {path: method in served.get(path, []) for path, method in declared.items()} == dict.fromkeys(declared, True)
