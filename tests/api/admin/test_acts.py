"""An act says what will happen, asks why, goes through a room's service, and leaves a record (threat 37)."""

from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import InternalError, ProgrammingError, connection, transaction
from django.test import Client
from django.urls import reverse

from api.rooms.accounts.models import ApiToken, User
from api.rooms.accounts.services import issue_token
from api.rooms.agent_sessions.models import Session
from api.rooms.agents.models import Instance
from api.rooms.kernel.models import OperatorAct
from api.rooms.outbox import services as outbox
from api.rooms.outbox.models import OutboxMessage, Wake
from api.rooms.projects.models import Membership
from api.rooms.turns.models import Turn
from contracts.failures import FailureOrigin
from tests.api.admin.conftest import signed_in, staff
from tests.factories.conversation import say
from tests.factories.places import Place
from tests.factories.workers import Worker, instance_of, running


def act_url(row: Any, name: str) -> str:
    meta = row._meta
    base = reverse(f"admin:{meta.app_label}_{meta.model_name}_act", args=[name])
    return f"{base}?{urlencode({'id': str(row.pk)})}"


def act(client: Client, row: Any, name: str, reason: str = "it was stuck") -> int:
    return client.post(act_url(row, name), {"reason": reason}).status_code


def acts() -> list[tuple[str, str, str]]:
    return list(OperatorAct.objects.order_by("id").values_list("act", "subject_id", "reason"))


def dead_letter() -> OutboxMessage:
    outbox.put("test", {})
    OutboxMessage.objects.update(attempts=12)
    outbox.message_failed(OutboxMessage.objects.get().id, "ValueError: no", FailureOrigin.CODE)
    return OutboxMessage.objects.get()


def busy(place: Place) -> Worker:
    say(place)
    return running(place.session_id)


def test_an_act_is_confirmed_on_a_page_that_says_what_will_happen(root: Client) -> None:
    letter = dead_letter()
    chosen = root.post(
        reverse("admin:outbox_outboxmessage_changelist"), {"action": "discard", "_selected_action": [str(letter.id)]}
    )
    page = root.get(chosen["Location"])
    assert (chosen.status_code, page.status_code) == (302, 200)
    assert "never delivered" in page.content.decode()
    assert OutboxMessage.objects.get().discarded_at is None


def test_an_act_without_a_reason_does_nothing(root: Client) -> None:
    letter = dead_letter()
    assert [act(root, letter, "retry", reason) for reason in ("", "   ")] == [200, 200]
    assert (OutboxMessage.objects.get().dead_at, acts()) == (letter.dead_at, [])


def test_a_dead_letter_is_retried_and_discarded(root: Client) -> None:
    letter = dead_letter()
    assert act(root, letter, "retry") == 302
    assert (OutboxMessage.objects.get().attempts, OutboxMessage.objects.get().retries) == (0, 1)
    OutboxMessage.objects.all().delete()
    other = dead_letter()
    assert act(root, other, "discard", "nobody needs it") == 302
    assert OutboxMessage.objects.get().discard_reason == "nobody needs it"
    assert acts() == [("retry", str(letter.id), "it was stuck"), ("discard", str(other.id), "nobody needs it")]


def test_what_a_service_refuses_leaves_no_record(root: Client) -> None:
    outbox.put("test", {})
    assert act(root, OutboxMessage.objects.get(), "retry") == 302
    assert acts() == []


def test_a_lease_is_released_and_the_instance_woken(root: Client, place: Place) -> None:
    worker = busy(place)
    Wake.objects.all().delete()
    instance = instance_of(place.session_id)
    assert act(root, instance, "release") == 302
    assert (instance_of(place.session_id).lease_worker, Wake.objects.get().instance_id) == (None, worker.instance_id)
    assert acts() == [("release", str(instance.id), "it was stuck")]


def test_a_poisoned_instance_is_revived(root: Client, place: Place) -> None:
    busy(place)
    Instance.objects.update(deaths=3, is_held=True)
    assert act(root, instance_of(place.session_id), "revive") == 302
    instance = instance_of(place.session_id)
    assert (instance.deaths, instance.is_held) == (0, False)


def test_a_turn_is_stopped_once(root: Client, place: Place) -> None:
    busy(place)
    turn = Turn.objects.get()
    assert [act(root, turn, "stop"), act(root, turn, "stop")] == [302, 302]
    assert Turn.objects.get().status == "stopped"
    assert acts() == [("stop", str(turn.id), "it was stuck")]


def test_a_hidden_session_is_closed_and_its_turns_stop(root: Client, place: Place) -> None:
    busy(place)
    assert act(root, Session.objects.get(), "hide") == 302
    session = Session.objects.get()
    assert (session.status, session.deleted_at is None, Turn.objects.get().status) == ("closed", False, "stopped")


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
