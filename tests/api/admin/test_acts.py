"""An act says what will happen, asks why, goes through a room's service, and leaves a record (threat 37)."""

from django.test import Client
from django.urls import reverse

from api.rooms.agent_sessions.models import Session
from api.rooms.agents.models import Instance
from api.rooms.outbox import services as outbox
from api.rooms.outbox.models import OutboxMessage, Wake
from api.rooms.turns.models import Turn
from tests.api.admin.acting import act, acts, busy, dead_letter
from tests.factories.places import Place
from tests.factories.workers import instance_of


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
