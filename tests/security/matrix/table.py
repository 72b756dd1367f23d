"""The table: who may call what, and what a right request is answered with. A new route needs its line here.

Public API: the lines are `ROUTES` of `tests/api/rest/caller.py`. Admin and internal routes share one door each.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any

from contracts.vocabulary import Role
from tests.api.rest.caller import ROUTES, World


class Door(Enum):
    """What is asked of who comes, where it is no role in a workspace."""

    ANYONE = "anyone"
    PERSON = "a person who is signed in"


@dataclass(frozen=True)
class Case:
    """`path` has `{name}` slots of `World.ids`; `status` answers whom `needs` lets in."""

    method: str
    path: str
    needs: Door | Role
    status: int
    fields: tuple[tuple[str, Any], ...] = ()
    is_rest: bool = False

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    @property
    def needs_role(self) -> bool:
        return isinstance(self.needs, Role)


VIEWER, DEVELOPER, MAINTAINER, OWNER = Role
ANYONE, PERSON = Door
SESSION = "/sessions/{session}/"
LIMIT = (("limit", "12.50"),)
MODEL = (("do", "choose"), ("model_id", "{model}"))
OPS_AND_DOORS = (
    Case("GET", "/livez", ANYONE, 200),
    Case("GET", "/readyz", ANYONE, 200),
    Case("GET", "/version", ANYONE, 200),
    Case("GET", "/metrics", ANYONE, 200),  # of this machine; from elsewhere tests/api/ops/test_metrics.py
    Case("GET", "/api/v1/schema", ANYONE, 200),
    Case("GET", "/", ANYONE, 302),
    Case("GET", "/login/", ANYONE, 200),
    Case("POST", "/login/", ANYONE, 400),
    Case("POST", "/logout/", ANYONE, 302),
    Case("POST", "/preferences/", ANYONE, 302, (("theme", "dark"),)),
    Case("GET", "/components/", ANYONE, 200),
)
PAGES = (
    Case("GET", "/projects/", PERSON, 200),
    Case("POST", "/projects/", DEVELOPER, 302, (("workspace", "{workspace}"), ("name", "Horta"), ("language", "en"))),
    Case("GET", "/projects/{project}/", VIEWER, 200),
    Case("POST", "/projects/{project}/", DEVELOPER, 302, (("kind", "creative"), ("name", "Ideia"))),
    Case("GET", "/projects/{project}/model", VIEWER, 200),
    Case("POST", "/projects/{project}/model", MAINTAINER, 302, MODEL),
    Case("GET", "/projects/{project}/backlog", VIEWER, 200),
    Case("POST", "/projects/{project}/backlog", VIEWER, 302, (("name", "Meu filtro"), ("status", "ready"))),
    Case("GET", "/projects/{project}/promotions", VIEWER, 200),
    Case("POST", "/projects/{project}/promotions", DEVELOPER, 302, (("story", "{story}"),)),
    Case("GET", "/projects/{project}/coverage", VIEWER, 200),
    Case("GET", "/projects/{project}/iterations", VIEWER, 200),
    Case("POST", "/projects/{project}/iterations", DEVELOPER, 302, (("title", "Feira"), ("capacity", "3"))),
    Case("GET", "/projects/{project}/iterations/{iteration}", VIEWER, 200),
    Case("POST", "/projects/{project}/iterations/{iteration}", DEVELOPER, 302, (("do", "add"), ("story", "{ready}"))),
    Case("GET", "/projects/{project}/documents", VIEWER, 200),
    Case("POST", "/projects/{project}/documents", DEVELOPER, 200, (("format", "csv"), ("text", "type,code"))),
    Case("GET", "/projects/{project}/documents/backlog.{ending}", VIEWER, 200),
    Case("GET", "/projects/{project}/prototype", VIEWER, 200),
    Case("GET", "/projects/{project}/prototype/frame", VIEWER, 200),
    Case("GET", "/projects/{project}/architecture", VIEWER, 200),
    Case("POST", "/projects/{project}/architecture", DEVELOPER, 302, (("do", "confirm"), ("version", "1"))),
    Case("GET", "/projects/{project}/stories/{story}", VIEWER, 200),
    Case("POST", "/projects/{project}/stories/{story}", DEVELOPER, 302, (("do", "promote"),)),
    Case("GET", "/projects/{project}/rules/{rule}", VIEWER, 200),
    Case("POST", "/projects/{project}/rules/{rule}", DEVELOPER, 302, (("do", "merge"), ("into", "{spare}"))),
    Case("GET", "/workspaces/{workspace}/models", VIEWER, 200),
    Case("POST", "/workspaces/{workspace}/models", OWNER, 302, (("on", "{model}"),)),
    Case("POST", "/workspaces/{workspace}/models/read", OWNER, 302),
    Case("GET", "/workspaces/{workspace}/models/{model}", VIEWER, 200),
    Case("POST", "/workspaces/{workspace}/models/{model}", OWNER, 302, (("do", "off"),)),
    Case("GET", "/workspaces/{workspace}/keys", MAINTAINER, 200),
    Case("POST", "/workspaces/{workspace}/keys", OWNER, 302, (("do", "remove"), ("key", "{credential}"))),
    Case("GET", "/workspaces/{workspace}/model", VIEWER, 200),
    Case("POST", "/workspaces/{workspace}/model", MAINTAINER, 302, MODEL),
    Case("GET", SESSION, VIEWER, 200),
    Case("GET", "/projects/{project}/spend", VIEWER, 200),
    Case("GET", "/workspaces/{workspace}/spend", VIEWER, 200),
    Case("GET", "/workspaces/{workspace}/budget", VIEWER, 200),
    Case("POST", "/workspaces/{workspace}/budget", OWNER, 302, LIMIT),
    Case("GET", "/projects/{project}/budget", VIEWER, 200),
    Case("POST", "/projects/{project}/budget", MAINTAINER, 302, LIMIT),
    Case("GET", SESSION + "budget", VIEWER, 200),
    Case("POST", SESSION + "budget", MAINTAINER, 302, LIMIT),
    Case("GET", SESSION + "model", VIEWER, 200),
    Case("POST", SESSION + "model", MAINTAINER, 302, MODEL),
    Case("GET", SESSION + "timeline", VIEWER, 200),
    Case("POST", SESSION + "rename", DEVELOPER, 302, (("name", "Feira"),)),
    Case("POST", SESSION + "close", DEVELOPER, 302),
    Case("POST", SESSION + "messages", DEVELOPER, 302, (("text", "Oi"), ("client_message_id", "matrix"))),
    Case("POST", SESSION + "messages/{seq}/cancel", DEVELOPER, 302),
    Case("POST", SESSION + "stop", DEVELOPER, 302),
    Case("POST", SESSION + "continue", DEVELOPER, 302),
    Case("POST", SESSION + "questions/{questions}", DEVELOPER, 302, (("answer-why", "Pão"),)),
    Case("POST", SESSION + "readiness", DEVELOPER, 302),
    Case("POST", SESSION + "hand-to", DEVELOPER, 302, (("to_agent", "ux_designer"),)),
    Case("POST", SESSION + "handoffs/{handoff}/accept", DEVELOPER, 302),
    Case("POST", SESSION + "handoffs/{handoff}/reject", DEVELOPER, 302, (("reason", "Faltam preços."),)),
)
REST = tuple(
    Case(route.method, "/api/v1" + route.path, route.role or PERSON, route.status, is_rest=True) for route in ROUTES
)
CASES = (*OPS_AND_DOORS, *PAGES, *REST)
SOCKETS = {"ws/sessions/<uuid:session_id>/": VIEWER}
"""Address of a websocket and the role it needs. The one socket there is takes no commands: any frame ends it."""

REST_ROUTES = {route.name: route for route in ROUTES}


def body_of(case: Case, world: World) -> dict[str, Any] | None:
    """What a public route is sent, if it is sent anything."""
    return REST_ROUTES[f"{case.method} {case.path.removeprefix('/api/v1')}"].body(world)
