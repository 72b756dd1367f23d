"""Whoever is refused is told the id under which the logs have it: programs in the problem, people on the page."""

from typing import Any, NoReturn

import httpx
import pytest
from django.test import Client

from api.asgi import application
from api.rooms.accounts.models import User
from api.surfaces.rest.sessions import Workspaces
from api.surfaces.web.pages import projects
from contracts import story
from contracts.problem import PROBLEM_MEDIA_TYPE, Problem, ProblemCode
from tests.factories.places import Place, new_place, token_of

ID = "story-42_a"


@pytest.fixture
def place(db: None) -> Place:
    return new_place()


def broken(*_: object, **__: object) -> NoReturn:
    raise RuntimeError("a defect with a secret in it")


def person(place: Place, language: str = "en") -> Client:
    client = Client(raise_request_exception=False, headers={"accept-language": language})
    client.force_login(User.objects.get(id=place.user_id))
    return client


async def test_the_id_of_the_body_is_the_id_of_the_header() -> None:
    transport: Any = httpx.ASGITransport(app=application)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        given = await client.get("/api/v1/nowhere", headers={"X-Request-ID": ID})
        made = await client.get("/api/v1/nowhere", headers={"X-Request-ID": "not an id\x7f"})
    assert Problem.model_validate_json(given.content).request_id == given.headers["X-Request-ID"] == ID
    request_id = Problem.model_validate_json(made.content).request_id
    assert (request_id, len(request_id)) == (made.headers["X-Request-ID"], 32)


def test_a_defect_is_a_problem_for_programs(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Workspaces, "get", broken)
    client = Client(raise_request_exception=False, headers={"authorization": f"Bearer {token_of(place.user_id)}"})
    with story.told(request_id=ID):
        answer = client.get("/api/v1/workspaces")
    problem = Problem.model_validate_json(answer.content)
    assert (answer.status_code, answer.headers["Content-Type"]) == (500, PROBLEM_MEDIA_TYPE)
    assert (problem.code, problem.request_id) == (ProblemCode.INTERNAL_ERROR, ID)
    assert "secret" not in problem.model_dump_json()


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "When you ask for help, name this request:"), ("pt-br", "Ao pedir ajuda, informe este pedido:")],
)
def test_a_page_of_a_defect_and_of_a_refusal_say_it_to_people(
    place: Place, monkeypatch: pytest.MonkeyPatch, language: str, words: str
) -> None:
    client = person(place, language)
    with story.told(request_id=ID):
        refused = client.get(f"/sessions/{place.user_id}/")
        monkeypatch.setattr(projects, "render", broken)
        defect = client.get("/projects/")
    assert [refused.status_code, defect.status_code] == [404, 500]
    for page in (refused, defect):
        text = page.content.decode()
        assert (words in text, f"<code>{ID}</code>" in text) == (True, True)


def test_the_document_of_the_api_names_the_id_and_what_is_left(db: None) -> None:
    document = Client().get("/api/v1/schema").json()
    problem = document["components"]["schemas"]["Problem"]["properties"]
    assert "request_id" in problem
    answers = document["paths"]["/api/v1/workspaces"]["get"]["responses"]
    assert set(answers["200"]["headers"]) == {"X-Request-ID", "RateLimit", "RateLimit-Policy"}
    assert set(answers["4XX"]["headers"]) == {"X-Request-ID", "RateLimit", "RateLimit-Policy", "Retry-After"}
