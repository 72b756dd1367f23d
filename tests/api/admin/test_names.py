"""Operators read rows and columns in their language, see first what is wrong, and find a lease by how it stands."""

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from django.utils import translation

from api.rooms.agents.models import Instance
from api.rooms.gateway.models import CatalogueSync
from api.rooms.kernel.clock import now
from api.surfaces.ops.names.columns import COLUMNS
from api.surfaces.ops.names.kinds import KINDS
from tests.api.admin.acting import act, dead_letter
from tests.api.admin.conftest import staff
from tests.api.admin.test_pages import url_of
from tests.factories.conversation import say
from tests.factories.places import Place, new_place
from tests.factories.workers import running

OURS = {model: shown for model, shown in admin.site._registry.items() if model.__module__.startswith("api.")}
SAME = {"id", "e-mail", "worker"}


def shown_columns(model: Any, its_admin: Any) -> set[str]:
    fields = {field.name for field in model._meta.fields}
    on_the_page = set(getattr(its_admin, "shown", ())) or fields - set(getattr(its_admin, "hidden", ()))
    return fields & (on_the_page | set(its_admin.list_display)) - {"password"}


def test_every_kind_of_row_and_every_column_that_is_shown_has_a_name() -> None:
    assert {model._meta.label_lower for model in OURS} == set(KINDS), "api/surfaces/ops/names/kinds.py"
    shown = set[str]().union(*(shown_columns(model, its_admin) for model, its_admin in OURS.items()))
    assert sorted(shown - set(COLUMNS)) == [], "api/surfaces/ops/names/columns.py"


def test_every_name_is_said_in_portuguese_too() -> None:
    names = [*COLUMNS.values(), *(name for pair in KINDS.values() for name in pair)]
    with translation.override("en"):
        english = [str(name) for name in names]
    with translation.override("pt-br"):
        alike = {name for name, there in zip(english, map(str, names), strict=True) if name == there}
    assert alike == SAME


def test_a_list_speaks_the_language_of_who_reads_it(root: Client, place: Place) -> None:
    page = root.get(url_of(Instance, "changelist"), headers={"accept-language": "pt-br"}).content.decode()
    assert ["instâncias de agentes" in page, "Retido" in page or "retido" in page, "Is held" in page] == [
        True,
        True,
        False,
    ]


def test_no_group_is_handed_rights_without_a_reason(root: Client) -> None:
    assert not admin.site.is_registered(Group)
    page = root.get(reverse("admin:accounts_user_add")).content.decode()
    assert 'name="groups"' not in page


def test_the_first_page_says_what_is_wrong_and_leads_there(root: Client, place: Place) -> None:
    letter = dead_letter()
    page = root.get("/admin/")
    wrong = [figure for figure in page.context["figures"] if figure.is_wrong]
    assert [(str(figure.title), figure.count) for figure in wrong] == [("dead letters", 1)]
    assert str(letter.id) in root.get(wrong[0].url).content.decode()
    act(root, letter, "discard", "nobody needs it")
    page = root.get("/admin/")
    assert [figure.is_wrong for figure in page.context["figures"]] == [False] * 6
    assert "nobody needs it" in page.content.decode()


def test_the_first_page_shows_nobody_more_than_they_may_see(root: Client) -> None:
    act(root, dead_letter(), "discard", "nobody needs it")
    page = staff("view_turn").get("/admin/")
    assert [str(figure.title) for figure in page.context["figures"]] == ["turns running"]
    assert "nobody needs it" not in page.content.decode()


def test_instances_are_found_by_how_their_lease_stands(root: Client, place: Place) -> None:
    gone, idle = new_place(), new_place()
    for each in (place, gone):
        say(each)
        running(each.session_id)
    say(idle)
    Instance.objects.filter(session_id=gone.session_id).update(lease_expires_at=now() - timedelta(seconds=1))
    found = {}
    for wanted in ("held", "expired", "free"):
        listed = root.get(url_of(Instance, "changelist"), {"lease": wanted}).context["cl"].result_list
        found[wanted] = [row.session_id for row in listed]
    assert found == {"held": [place.session_id], "expired": [gone.session_id], "free": [idle.session_id]}


def test_a_list_that_could_not_be_read_is_found(root: Client, place: Place) -> None:
    facts = {"workspace_id": place.workspace_id, "provider": "anthropic", "tried_at": now()}
    CatalogueSync.objects.create(**facts, error_code="provider_unavailable", base_url="https://down.example.org")
    CatalogueSync.objects.create(**facts, succeeded_at=now(), base_url="https://up.example.org")
    page = root.get(url_of(CatalogueSync, "changelist"), {"error_code__isempty": "0"}).content.decode()
    assert ("down.example.org" in page, "up.example.org" in page) == (True, False)
