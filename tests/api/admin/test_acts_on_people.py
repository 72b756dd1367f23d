"""Acts on people and their rights, and the record that nobody changes."""

import pytest
from django.db import InternalError, ProgrammingError, connection, transaction
from django.test import Client
from django.urls import reverse

from api.rooms.accounts.models import ApiToken, User
from api.rooms.accounts.services import issue_token
from api.rooms.projects.models import Membership
from api.rooms.turns.models import Turn
from tests.api.admin.acting import act, acts, busy
from tests.api.admin.conftest import signed_in, staff
from tests.factories.places import Place


def test_a_deactivated_person_is_signed_out_and_their_tokens_end(root: Client, place: Place) -> None:
    issue_token(place.user_id, "token")
    user = User.objects.get(id=place.user_id)
    theirs = signed_in(user)
    assert theirs.get("/projects/").status_code == 200
    assert act(root, user, "deactivate") == 302
    assert theirs.get("/projects/").status_code == 302
    assert ApiToken.objects.filter(revoked_at=None).count() == 0
    assert act(root, user, "reactivate") == 302
    assert theirs.get("/projects/").status_code == 302, "the old sign-in came back"


def test_a_token_is_revoked(root: Client, place: Place) -> None:
    issue_token(place.user_id, "token")
    assert act(root, ApiToken.objects.get(), "revoke") == 302
    assert ApiToken.objects.get().revoked_at is not None


def test_the_last_owner_stays(root: Client, place: Place) -> None:
    assert act(root, Membership.objects.get(), "remove") == 302
    assert (Membership.objects.count(), acts()) == (1, [])


def test_seeing_is_not_acting(place: Place) -> None:
    busy(place)
    turn = Turn.objects.get()
    assert act(staff("view_turn"), turn, "stop") == 403
    assert (Turn.objects.get().status, acts()) == ("running", [])
    assert act(staff("view_turn", "change_turn"), turn, "stop") == 302
    assert Turn.objects.get().status == "stopped"


def test_who_is_no_superuser_neither_switches_one_off_nor_makes_one(root: Client, place: Place) -> None:
    client = staff("view_user", "change_user")
    boss = User.objects.get(email="root@example.org")
    assert act(client, boss, "deactivate") == 302
    assert User.objects.get(id=boss.id).is_active
    changed = client.post(reverse("admin:accounts_user_change", args=[place.user_id]), {"is_superuser": "on"})
    password = client.get(reverse("admin:auth_user_password_change", args=[boss.id]))
    assert (changed.status_code, password.status_code) == (403, 403)


@pytest.mark.parametrize("statement", ["UPDATE kernel_operatoract SET reason = ''", "DELETE FROM kernel_operatoract"])
def test_the_record_is_append_only(root: Client, place: Place, statement: str) -> None:
    busy(place)
    act(root, Turn.objects.get(), "stop")
    with pytest.raises((ProgrammingError, InternalError)), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert len(acts()) == 1


def test_what_a_superuser_types_into_a_person_is_recorded(root: Client, place: Place) -> None:
    fields = {"email": "nova@example.org", "name": "Nova", "language": "", "is_staff": "on"}
    assert root.post(reverse("admin:accounts_user_change", args=[place.user_id]), fields).status_code == 302
    assert [(name, subject) for name, subject, _ in acts()] == [("change", str(place.user_id))]


def test_a_superuser_lets_a_new_person_in(root: Client) -> None:
    url = reverse("admin:accounts_user_add")
    assert root.get(url).status_code == 200
    password = "uma senha bem longa 12"
    fields = {"email": "Nova@Example.org", "name": "Nova", "usable_password": "true"}
    assert root.post(url, fields | {"password1": password, "password2": password}).status_code == 302
    assert Client().login(email="nova@example.org", password=password)
    assert [name for name, _, _ in acts()] == ["add"]
