"""A person who calls the public API, and every route of it with a request that is right."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.test import Client

from api.rooms.actions import selectors as actions
from api.rooms.backlog import services as backlog
from api.rooms.gateway import services as gateway
from api.rooms.gateway.domain.bindings import Level, Subject
from api.rooms.gateway.models import Credential
from api.rooms.gateway.providers.openai_compatible import OpenAICompatible
from api.rooms.gateway.services.catalogue import ModelSpec
from api.rooms.kernel.ids import new_id
from contracts.events import Question, StructuredQuestion
from contracts.problem import PROBLEM_MEDIA_TYPE, Problem
from contracts.vocabulary import Role
from tests.factories.conversation import rule, say
from tests.factories.places import Place, new_member, new_place, token_of
from tests.factories.stories import architected, two_stories
from tests.factories.workers import COMPLETED, running

JSON = "application/json"
PROVIDER = OpenAICompatible().name
Body = dict[str, Any]


@dataclass(frozen=True)
class World:
    """A place in which every route finds what it needs."""

    place: Place
    handoff_id: UUID
    question_set_id: UUID
    message_seq: int
    member_id: UUID
    model_id: UUID
    credential_id: UUID
    spare_rule: str
    action_id: UUID
    action_sha256: str
    denied_id: UUID

    def ids(self) -> dict[str, object]:
        return {
            "workspace": self.place.workspace_id,
            "project": self.place.project_id,
            "session": self.place.session_id,
            "handoff": self.handoff_id,
            "questions": self.question_set_id,
            "seq": self.message_seq,
            "member": self.member_id,
            "model": self.model_id,
            "credential": self.credential_id,
            "story": "S-1",
            "ready": "S-2",
            "rule": "R-1",
            "spare": self.spare_rule,
            "iteration": "I-1",
            "ending": "csv",
            "task": "T-1",
            "action": self.action_id,
            "denied": self.denied_id,
        }


def new_world() -> World:
    """One offer is open, one set of questions is unanswered, and one message waits."""
    place = new_place()
    seq = say(place).seq
    two_stories(place, seq)
    backlog.edit_rule(place.project_id, place.user_id, "R-1", 1, "Reworded", "In other words.")
    worker = running(place.session_id)
    spare = worker.emit(rule("A rule that nobody cites", seq)).event.payload
    handoff_id = worker.offer().handoff_id
    questions = StructuredQuestion(turn_id=worker.turn_id, questions=(Question(id="why", label="Why?"),))
    asked = worker.save(worker.next_step(events=(questions,), end=COMPLETED))
    worker.release()
    return World(
        place,
        handoff_id,
        asked.events[0].id,
        say(place, "Still there?").seq,
        new_member(place, Role.VIEWER),
        gateway.add_model(place.workspace_id, ModelSpec("rehearsal", "rehearsal")),
        _unreachable_credential(place),
        getattr(spare, "code", ""),
        *_proposals(place),
    )


def _proposals(place: Place) -> tuple[UUID, str, UUID]:
    """A module map, a decision record to approve, and one to deny."""
    made = architected(place)
    approved, denied = (actions.action(each) for each in made)
    return approved.id, approved.content_sha256, denied.id


def _unreachable_credential(place: Place) -> UUID:
    """At an address that nobody may call here: reading its models is refused before anything leaves."""
    row = Credential.objects.create(
        workspace_id=place.workspace_id,
        provider=PROVIDER,
        base_url="http://127.0.0.1:9/v1",
        sealed="",
        has_secret=False,
    )
    for level, subject_id in (
        (Level.WORKSPACE, place.workspace_id),
        (Level.PROJECT, place.project_id),
        (Level.SESSION, place.session_id),
    ):
        gateway.bind(place.workspace_id, Subject(level, subject_id), ModelSpec("rehearsal", "rehearsal"))
    return row.id


def nowhere() -> World:
    """Ids of nothing."""
    return World(
        Place(new_id(), new_id(), new_id(), new_id()),
        new_id(),
        new_id(),
        1,
        new_id(),
        new_id(),
        new_id(),
        "R-2",
        new_id(),
        "0" * 64,
        new_id(),
    )


def no_body(_: World) -> Body | None:
    return None


@dataclass(frozen=True)
class Route:
    """`path` has `{name}` slots of `World.ids`; `status` answers whoever has the role."""

    method: str
    path: str
    status: int
    role: Role | None
    body: Callable[[World], Body | None] = no_body

    @property
    def name(self) -> str:
        return f"{self.method} {self.path}"

    def at(self, ids: dict[str, object]) -> str:
        return "/api/v1" + self.path.format(**ids)


IN_USE = {"provider": "rehearsal", "model": "rehearsal"}
MESSAGE = {"text": "Bom dia", "client_message_id": "m1", "to_agent": None}
CREDENTIAL = {"provider": PROVIDER, "base_url": "https://models.example.org/v1", "secret": "sk-1"}
BUDGET = {"limit_micros": 5_000_000}
EDIT = {"version": 1, "changes": {"title": "Ver todas as barracas"}}
REWORD = {"version": 2, "title": "Reworded again", "description": "Em outras palavras."}
PLAN = {"version": 2, "title": "Feira", "capacity": 4, "stories": ["S-2", "S-1"]}
TASK_EDIT = {"version": 1, "title": "Uma página nova", "description": "", "domain": "frontend"}
LOOKED = {"rules": [{"code": "R-1", "version": 2}]}
VIEWER, DEVELOPER, MAINTAINER, OWNER = Role
ROUTES = (
    Route("GET", "/workspaces", 200, None),
    Route("GET", "/projects", 200, None),
    Route(
        "POST",
        "/projects",
        201,
        DEVELOPER,
        lambda world: {"workspace_id": str(world.place.workspace_id), "name": "Padaria", "language": "en"},
    ),
    Route("GET", "/projects/{project}/sessions", 200, VIEWER),
    Route("POST", "/projects/{project}/sessions", 201, DEVELOPER, lambda _: {"kind": "creative", "name": "Ideia"}),
    Route("GET", "/sessions/{session}", 200, VIEWER),
    Route("PATCH", "/sessions/{session}", 200, DEVELOPER, lambda _: {"name": "Feira"}),
    Route("POST", "/sessions/{session}/close", 200, DEVELOPER),
    Route("GET", "/sessions/{session}/events", 200, VIEWER),
    Route("POST", "/sessions/{session}/messages", 202, DEVELOPER, lambda _: MESSAGE),
    Route("POST", "/sessions/{session}/messages/{seq}/cancel", 202, DEVELOPER),
    Route("POST", "/sessions/{session}/agents/creative/start", 202, DEVELOPER),
    Route("POST", "/sessions/{session}/stop", 200, DEVELOPER, lambda _: {"agent": "creative"}),
    Route("POST", "/sessions/{session}/continue", 202, DEVELOPER, lambda _: {"agent": "creative"}),
    Route("POST", "/sessions/{session}/readiness", 202, DEVELOPER),
    Route("GET", "/sessions/{session}/handoffs", 200, VIEWER),
    Route("POST", "/sessions/{session}/hand-to", 201, DEVELOPER, lambda _: {"to_agent": "ux_designer"}),
    Route("POST", "/handoffs/{handoff}/accept", 200, DEVELOPER),
    Route("POST", "/handoffs/{handoff}/reject", 200, DEVELOPER, lambda _: {"reason": "Prices are missing."}),
    Route("POST", "/structured-question/{questions}/answer", 202, DEVELOPER, lambda _: {"answers": {"why": "Bread"}}),
    Route("POST", "/workspaces/{workspace}/credentials", 201, OWNER, lambda _: CREDENTIAL),
    Route("PUT", "/workspaces/{workspace}/model-binding", 200, MAINTAINER, lambda _: IN_USE),
    Route("PUT", "/projects/{project}/model-binding", 200, MAINTAINER, lambda _: {**IN_USE, "agent": "creative"}),
    Route("PUT", "/sessions/{session}/model-binding", 200, MAINTAINER, lambda _: IN_USE),
    Route("GET", "/workspaces/{workspace}/credentials", 200, MAINTAINER),
    Route("DELETE", "/workspaces/{workspace}/credentials/{credential}", 204, OWNER),
    Route("POST", "/workspaces/{workspace}/credentials/test", 200, OWNER, lambda _: {"provider": "rehearsal"}),
    Route("GET", "/workspaces/{workspace}/model-binding", 200, VIEWER),
    Route("GET", "/projects/{project}/model-binding", 200, VIEWER),
    Route("GET", "/sessions/{session}/model-binding", 200, VIEWER),
    Route("DELETE", "/workspaces/{workspace}/model-binding", 204, MAINTAINER),
    Route("DELETE", "/projects/{project}/model-binding", 204, MAINTAINER),
    Route("DELETE", "/sessions/{session}/model-binding", 204, MAINTAINER),
    Route("GET", "/workspaces/{workspace}/models", 200, VIEWER),
    Route("POST", "/workspaces/{workspace}/models/sync", 200, OWNER),
    Route("PATCH", "/workspaces/{workspace}/models/{model}", 200, OWNER, lambda _: {"is_active": False}),
    Route("GET", "/workspaces/{workspace}/models/{model}/prices", 200, VIEWER),
    Route("GET", "/projects/{project}/spend", 200, VIEWER),
    Route("GET", "/workspaces/{workspace}/budget", 200, VIEWER),
    Route("PUT", "/workspaces/{workspace}/budget", 200, OWNER, lambda _: BUDGET),
    Route("GET", "/projects/{project}/budget", 200, VIEWER),
    Route("PUT", "/projects/{project}/budget", 200, MAINTAINER, lambda _: BUDGET),
    Route("GET", "/sessions/{session}/budget", 200, VIEWER),
    Route("PUT", "/sessions/{session}/budget", 200, MAINTAINER, lambda _: BUDGET),
    Route("GET", "/workspaces/{workspace}/members", 200, VIEWER),
    Route("PUT", "/workspaces/{workspace}/members/{member}", 200, OWNER, lambda _: {"role": "developer"}),
    Route("DELETE", "/workspaces/{workspace}/members/{member}", 204, OWNER),
    Route("GET", "/projects/{project}/backlog", 200, VIEWER),
    Route("GET", "/projects/{project}/rules", 200, VIEWER),
    Route("GET", "/projects/{project}/coverage", 200, VIEWER),
    Route("POST", "/projects/{project}/promotions", 200, DEVELOPER, lambda _: {"stories": ["S-1"]}),
    Route("PUT", "/projects/{project}/promotion", 200, MAINTAINER, lambda _: {"promotion": "automatic"}),
    Route("GET", "/projects/{project}/stories/{story}", 200, VIEWER),
    Route("PATCH", "/projects/{project}/stories/{story}", 200, DEVELOPER, lambda _: EDIT),
    Route(
        "POST",
        "/projects/{project}/stories/{story}/return",
        200,
        DEVELOPER,
        lambda _: {"reason": "Prices are missing."},
    ),
    Route("GET", "/projects/{project}/rules/{rule}", 200, VIEWER),
    Route("PATCH", "/projects/{project}/rules/{rule}", 200, DEVELOPER, lambda _: REWORD),
    Route("POST", "/projects/{project}/rules/{spare}/merge", 200, DEVELOPER, lambda _: {"into": "R-1"}),
    Route("POST", "/projects/{project}/stories/{story}/review", 200, DEVELOPER, lambda _: LOOKED),
    Route("GET", "/projects/{project}/impact", 200, VIEWER),
    Route("GET", "/trace?project={project}&of={rule}", 200, VIEWER),
    Route("GET", "/projects/{project}/backlog/export", 200, VIEWER),
    Route("GET", "/projects/{project}/backlog/export.{ending}", 200, VIEWER),
    Route("POST", "/projects/{project}/backlog/import", 200, DEVELOPER, lambda _: {"format": "json", "text": "{}"}),
    Route("GET", "/projects/{project}/iterations", 200, VIEWER),
    Route("POST", "/projects/{project}/iterations", 201, DEVELOPER, lambda _: {"title": "Feira", "capacity": 3}),
    Route("GET", "/projects/{project}/iterations/{iteration}", 200, VIEWER),
    Route("PUT", "/projects/{project}/iterations/{iteration}", 200, DEVELOPER, lambda _: PLAN),
    Route("POST", "/projects/{project}/iterations/{iteration}/detail", 202, DEVELOPER),
    Route("POST", "/projects/{project}/iterations/{iteration}/cancel", 200, DEVELOPER),
    Route("PUT", "/projects/{project}/kind", 200, MAINTAINER, lambda _: {"kind": "ongoing"}),
    Route("POST", "/projects/{project}/stories/{story}/tasks", 201, DEVELOPER, lambda _: {"title": "Um mapa"}),
    Route("PATCH", "/projects/{project}/tasks/{task}", 200, DEVELOPER, lambda _: TASK_EDIT),
    Route("DELETE", "/projects/{project}/tasks/{task}", 200, DEVELOPER),
    Route("POST", "/projects/{project}/tasks/{task}/move", 200, DEVELOPER, lambda _: {"status": "in_progress"}),
    Route("POST", "/projects/{project}/tasks/{task}/block", 200, DEVELOPER, lambda _: {"reason": "Falta endereço."}),
    Route("POST", "/projects/{project}/tasks/{task}/unblock", 200, DEVELOPER),
    Route("GET", "/projects/{project}/resolutions", 200, VIEWER),
    Route("GET", "/projects/{project}/architecture", 200, VIEWER),
    Route("POST", "/projects/{project}/architecture/confirm", 200, DEVELOPER, lambda _: {"map_version": 1}),
    Route("GET", "/projects/{project}/actions", 200, VIEWER),
    Route("POST", "/actions/{action}/approve", 200, MAINTAINER, lambda world: {"content_sha256": world.action_sha256}),
    Route("POST", "/actions/{denied}/deny", 200, MAINTAINER, lambda _: {"reason": "Too early."}),
    Route("POST", "/projects/{project}/stories/{ready}/demote", 200, DEVELOPER, lambda _: {"reason": "Too early."}),
)
WITH_BODY = tuple(route for route in ROUTES if route.method != "GET" and route.body is not no_body)
WITHOUT_BODY = tuple(route for route in ROUTES if route.method != "GET" and route.body is no_body)


class Caller:
    """Calls as the person of a token; a 500 is an answer like any other."""

    def __init__(self, token: str | None = None, client: Client | None = None) -> None:
        self._client = client or Client(raise_request_exception=False)
        self._headers = {"Authorization": f"Bearer {token}"} if token is not None else {}

    def send(self, method: str, path: str, body: bytes = b"", content_type: str = JSON, **headers: str) -> HttpResponse:
        given = {**self._headers, **headers}
        response: Any = self._client.generic(method, path, body, content_type, headers=given)
        assert isinstance(response, HttpResponse)
        return response

    def call(self, route: Route, world: World) -> HttpResponse:
        body = route.body(world)
        return self.send(route.method, route.at(world.ids()), b"" if body is None else json.dumps(body).encode())


def caller_of(user_id: UUID) -> Caller:
    return Caller(token_of(user_id))


def problem_of(response: HttpResponse) -> Problem:
    """The one error body there is, or this fails."""
    assert response.headers["Content-Type"] == PROBLEM_MEDIA_TYPE, response.content[:300]
    problem = Problem.model_validate_json(response.content)
    assert problem.status == response.status_code
    return problem
