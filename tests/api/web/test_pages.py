"""What the pages do: begin projects and sessions, say things once, explain refusals, speak two languages."""

from collections.abc import Callable
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from api.rooms.accounts.models import User
from api.rooms.agent_sessions.selectors import sessions_of
from api.rooms.gateway.selectors import bindings_of, credentials_of
from api.rooms.projects import services as projects
from api.rooms.projects.selectors import projects_of
from contracts.vocabulary import Language
from tests.factories.conversation import events_of, texts_of
from tests.factories.places import Place

Browser = Callable[[UUID], Client]
FRAGMENT = {"X-Fragment": "1"}


def test_signing_in_takes_any_case_of_the_address(db: None) -> None:
    User.objects.create_user("ana@example.org", "a long enough password", name="Ana")
    right = Client().post("/login/", {"username": "Ana@Example.org", "password": "a long enough password"})
    wrong = Client(headers={"Accept-Language": "pt-br"}).post(
        "/login/", {"username": "ana@example.org", "password": "no"}
    )
    assert (right.status_code, wrong.status_code) == (302, 400)
    assert "não combinam" in wrong.content.decode()


def test_a_project_begins_in_the_language_of_its_agents(place: Place, signed_in: Browser) -> None:
    fields = {"name": " Casa ", "workspace": str(place.workspace_id), "language": "en"}
    signed_in(place.user_id).post("/projects/", fields)
    card = projects_of(place.user_id)[0]
    assert (card.name, card.language) == ("Casa", Language.ENGLISH)


@pytest.mark.parametrize("fields", [{"name": " "}, {"language": "xx"}, {"workspace": "x"}, {"name": "a" * 81}])
def test_a_project_that_cannot_begin_says_why_and_keeps_the_form(
    fields: dict[str, str], place: Place, signed_in: Browser
) -> None:
    good = {"name": "Casa", "workspace": str(place.workspace_id), "language": "en"}
    response = signed_in(place.user_id).post("/projects/", good | fields)
    assert (response.status_code, 'role="alert"' in response.content.decode()) == (400, True)


def test_a_session_opens_with_its_kind(place: Place, signed_in: Browser) -> None:
    response = signed_in(place.user_id).post(
        f"/projects/{place.project_id}/", {"kind": "consultative", "name": "Dúvida"}
    )
    opened = sessions_of(place.project_id)[0]
    assert (response["Location"], opened.kind, opened.name) == (f"/sessions/{opened.id}/", "consultative", "Dúvida")


def test_the_same_message_twice_is_one(place: Place, signed_in: Browser) -> None:
    client = signed_in(place.user_id)
    for _ in range(2):
        fields = {"text": "Oi\r\ntudo bem?", "client_message_id": "m1"}
        assert client.post(f"/sessions/{place.session_id}/messages", fields, headers=FRAGMENT).status_code == 204
    assert texts_of(events_of(place.session_id)) == ["Oi\ntudo bem?"]


def test_without_scripts_the_session_is_shown_again(place: Place, signed_in: Browser) -> None:
    fields = {"text": "Oi", "client_message_id": "m1"}
    response = signed_in(place.user_id).post(f"/sessions/{place.session_id}/messages", fields)
    assert response["Location"] == f"/sessions/{place.session_id}/#end"


def test_a_refusal_is_a_sentence_in_the_readers_language(place: Place, signed_in: Browser) -> None:
    client = signed_in(place.user_id)
    client.post("/preferences/", {"language": "pt-br"})
    response = client.post(f"/sessions/{place.session_id}/messages/99/cancel", headers=FRAGMENT)
    assert response.status_code == 404
    assert "Isto não existe" in response.content.decode()
    assert "<html" not in response.content.decode()


def test_the_language_is_kept_with_the_account(place: Place, signed_in: Browser) -> None:
    signed_in(place.user_id).post("/preferences/", {"language": "pt-br"})
    assert "Projetos" in signed_in(place.user_id).get("/projects/").content.decode()


def test_the_theme_is_in_the_first_frame(place: Place, signed_in: Browser) -> None:
    client = signed_in(place.user_id)
    client.post("/preferences/", {"theme": "dark"})
    assert 'data-theme="dark"' in client.get("/projects/").content.decode()


@pytest.mark.parametrize("way", ["https://evil.example/", "//evil.example", "javascript:x"])
def test_preferences_lead_back_into_the_house_only(way: str, db: None) -> None:
    assert Client().post("/preferences/", {"theme": "dark", "next": way})["Location"] == "/"


def test_a_model_is_bound_priced_and_its_key_never_shown(place: Place, signed_in: Browser) -> None:
    client, path = signed_in(place.user_id), f"/projects/{place.project_id}/model"
    fields = {
        "base_url": "https://models.example/v1",
        "model": "m-1",
        "secret": "sk-canary",
        "price_in": "1,5",
        "price_out": "2",
    }
    assert client.post(path, fields).status_code == 302
    page = client.get(path).content.decode()
    assert ("m-1" in page, "sk-canary" in page) == (True, False)
    assert [card.model for card in bindings_of(place.workspace_id)] == ["m-1"]
    assert [card.has_secret for card in credentials_of(place.workspace_id)] == [True]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("base_url", "ftp://x"),
        ("base_url", "https://a:b@models.example"),
        ("price_in", "cheap"),
        ("secret", "a b"),
        ("model", ""),
    ],
)
def test_a_model_that_cannot_be_used_changes_nothing(field: str, value: str, place: Place, signed_in: Browser) -> None:
    fields = {
        "base_url": "https://models.example/v1",
        "model": "m-1",
        "secret": "sk-canary",
        "price_in": "1",
        "price_out": "2",
    }
    response = signed_in(place.user_id).post(f"/projects/{place.project_id}/model", fields | {field: value})
    assert response.status_code == 400
    assert "sk-canary" not in response.content.decode()
    assert (bindings_of(place.workspace_id), credentials_of(place.workspace_id)) == ((), ())


def test_lists_cost_the_same_with_one_row_and_with_three(place: Place, signed_in: Browser) -> None:
    client = signed_in(place.user_id)
    paths = ("/projects/", f"/projects/{place.project_id}/")
    with_one = [queries(client, path) for path in paths]
    for name in ("Casa", "Horta"):
        projects.create_project(place.user_id, place.workspace_id, name, Language.ENGLISH)
        place.another_session()
    assert [queries(client, path) for path in paths] == with_one


def queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        client.get(path)
    return len(captured)
