"""Nothing that was typed is lost to a limit: the answer holds the form's fields, and sends them again as they were."""

from html.parser import HTMLParser

import pytest
from django.test import Client
from pytest_django import Settings

from contracts.vocabulary import Role
from tests.security.matrix.cast import Scene
from tests.security.matrix.table import PAGES, Case

FORMS = [case for case in PAGES if case.method == "POST"]
STEADY = Case("GET", "/projects/", Role.OWNER, 200)
TYPED = "Vizinhos & <amigos>\n\n“emprestam”\n livros "


class Kept(HTMLParser):
    """The form of the page, as a browser would send it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.action = ""
        self.fields: list[tuple[str, str]] = []
        self.asked_again: list[tuple[str, str | None]] = []
        self._name: str | None = None
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        if tag == "form" and "data-again" in found:
            self.action = str(found["action"])
        if tag == "textarea" and self.action:
            self._name = str(found["name"])
            self.fields.append((self._name, ""))
        if tag == "input" and found.get("type") == "password":
            self.asked_again.append((str(found["name"]), found.get("value")))

    def handle_data(self, data: str) -> None:
        if self._name is not None:
            name, text = self.fields[-1]
            self.fields[-1] = (name, text + data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            name, text = self.fields[-1]
            self.fields[-1] = (name, text.removeprefix("\n"))  # as browsers do
            self._name = None


def use_up(scene: Scene) -> None:
    for _ in range(3):
        assert scene.call(scene.members[Role.OWNER], STEADY, scene.world.ids()).status_code == 200


@pytest.mark.parametrize("case", FORMS, ids=lambda case: case.name)
def test_each_form_that_came_too_soon_can_be_sent_again_as_it_was(
    scene: Scene, limited: None, settings: Settings, case: Case
) -> None:
    use_up(scene)
    ids, owner = scene.world.ids(), scene.members[Role.OWNER]
    refused = scene.call(owner, case, ids)
    kept = Kept(refused.content.decode())
    assert refused.status_code == 429
    assert 1 <= int(refused["Retry-After"]) <= 60
    assert kept.action == case.path.format(**ids)
    assert kept.fields == [(name, str(value).format(**ids)) for name, value in case.fields]
    settings.MUTIRAO_RATE_LIMITS = False
    again = Case(case.method, kept.action, case.needs, case.status, tuple(kept.fields))
    assert scene.call(owner, again, ids).status_code == case.status


def test_every_character_is_kept_and_no_secret_is_sent_back(scene: Scene, limited: None) -> None:
    use_up(scene)
    client = Client()
    client.cookies = scene.members[Role.OWNER].client.cookies
    typed = {"text": TYPED, "secret": "sk-canary", "again": ["1", "2"], "csrfmiddlewaretoken": "x"}
    refused = client.post(f"/workspaces/{scene.world.place.workspace_id}/keys", typed)
    kept = Kept(refused.content.decode())
    assert kept.fields == [("text", TYPED), ("again", "1"), ("again", "2")]
    assert kept.asked_again == [("secret", None)]
    assert "sk-canary" not in refused.content.decode()
    assert "no-store" in refused["Cache-Control"]


def test_another_sites_form_gets_no_button(scene: Scene, limited: None) -> None:
    """It would be sent with our own token then."""
    use_up(scene)
    client = Client(enforce_csrf_checks=True)
    client.cookies = scene.members[Role.OWNER].client.cookies
    refused = client.post("/projects/", {"name": "forged"})
    assert refused.status_code == 429
    assert "forged" not in refused.content.decode()


def test_an_open_page_keeps_its_own_fields_and_gets_a_sentence(scene: Scene, limited: None) -> None:
    use_up(scene)
    client = Client(headers={"X-Fragment": "1"})
    client.cookies = scene.members[Role.OWNER].client.cookies
    refused = client.post(f"/sessions/{scene.world.place.session_id}/messages", {"text": "Oi"})
    assert refused.status_code == 429
    assert 'data-code="throttled"' in refused.content.decode()
    assert "<form" not in refused.content.decode()
