"""The demonstration: seeding again changes nothing and locks nobody out."""

import json
from io import StringIO

import pytest
from django.core.management import call_command

from api.rooms.accounts.models import User
from api.rooms.accounts.selectors import user_of_token
from api.rooms.projects.models import Project, Workspace


def seeded() -> dict[str, str | None]:
    out = StringIO()
    call_command("seed_demo", "--json", stdout=out)
    document: dict[str, str | None] = json.loads(out.getvalue())
    return document


@pytest.mark.django_db
def test_a_seed_says_who_may_sign_in_and_where(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MUTIRAO_SEED_PASSWORD", raising=False)
    first = seeded()
    user = User.objects.get(email=first["email"])
    assert set(first) == {"url", "email", "password", "token", "workspace", "project"}
    assert user.check_password(first["password"] or "")
    assert user_of_token(first["token"] or "") == user


@pytest.mark.django_db
def test_a_second_seed_keeps_password_workspace_and_projects(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MUTIRAO_SEED_PASSWORD", raising=False)
    first, second = seeded(), seeded()
    assert (second["password"], second["workspace"], second["project"]) == (None, first["workspace"], first["project"])
    assert User.objects.get(email=first["email"]).check_password(first["password"] or "")
    assert (Workspace.objects.count(), Project.objects.count()) == (1, 2)
