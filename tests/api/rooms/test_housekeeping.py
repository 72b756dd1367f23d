"""What has served goes, in batches; the log and the usage stay; a chore is done by one relay and once a day."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client

from api.housekeeping import CHORES, Chore, prune
from api.relay.calendar import run_due
from api.rooms.accounts.models import User
from api.rooms.agents.models import KeptAnswer
from api.rooms.gateway.models import Call
from api.rooms.kernel import batches, chores
from api.rooms.kernel.models import Chore as ChoreRow
from api.rooms.outbox import services as outbox
from api.rooms.outbox.models import OutboxMessage
from tests.factories.conversation import say
from tests.factories.places import Place, new_place
from tests.factories.races import together
from tests.factories.rows import count_rows
from tests.factories.workers import running

NOTHING = {
    "delivered and discarded messages": 0,
    "kept answers past their window": 0,
    "texts of ended calls": 0,
    "sign-ins that ran out": 0,
}


@pytest.fixture
def old(committed: None) -> Place:
    """One of everything that goes, and one of everything that stays."""
    place = new_place()
    say(place)
    running(place.session_id).answer()
    Client().force_login(User.objects.get(id=place.user_id))
    for number in range(3):
        outbox.put("test", {"number": str(number)})
    with connection.cursor() as cursor:
        cursor.execute("UPDATE outbox_outboxmessage SET delivered_at = NULL")
        cursor.execute(
            "UPDATE outbox_outboxmessage SET delivered_at = now() - interval '31 days' WHERE payload->>'number' = '0'"
        )
        cursor.execute(
            "UPDATE outbox_outboxmessage SET dead_at = now() - interval '31 days' WHERE payload->>'number' = '1'"
        )
        cursor.execute("UPDATE agents_keptanswer SET created_at = now() - interval '1 hour'")
        cursor.execute("UPDATE django_session SET expire_date = now() - interval '1 minute'")
    return place


def test_what_has_served_goes_and_history_stays(old: Place) -> None:
    before = count_rows()
    answers = KeptAnswer.objects.count()
    expected = NOTHING | {
        "delivered and discarded messages": 1,
        "kept answers past their window": answers,
        "sign-ins that ran out": 1,
    }
    assert prune(is_dry=True) == expected
    assert count_rows() == before
    assert prune() == expected
    gone = {"outbox_outboxmessage": 1, "agents_keptanswer": answers, "django_session": 1}
    assert count_rows() == {table: count - gone.get(table, 0) for table, count in before.items()}
    assert prune() == NOTHING


def test_texts_of_calls_that_ended_long_ago_go_and_the_row_stays(old: Place) -> None:
    for status, days in (("settled", 31), ("settled", 1), ("open", 31)):
        call = a_call(old, status)
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE gateway_call SET ended_at = now() - %s * interval '1 day' WHERE id = %s", [days, call.id]
            )
    assert prune()["texts of ended calls"] == 1
    assert sorted(Call.objects.values_list("status", "text")) == [
        ("open", "said"),
        ("settled", ""),
        ("settled", "said"),
    ]


def a_call(place: Place, status: str) -> Call:
    number = Call.objects.count()
    return Call.objects.create(
        id=place.session_id if number == 0 else User.objects.create(email=f"{number}@example.org").id,
        instance_id=place.session_id, step=number, call=0, attempt=1, epoch=1, session_id=place.session_id,
        project_id=place.project_id, workspace_id=place.workspace_id, turn_id=place.session_id, agent="creative",
        is_for_people=True, provider="rehearsal", model="m", binding_origin="workspace", body_bytes=1,
        max_output_tokens=1, text="said", status=status,
    )  # fmt: skip


def test_pruning_goes_on_past_a_batch_and_waits_for_no_lock(old: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "BATCH", 2)
    for _ in range(6):
        outbox.put("test", {})
    with connection.cursor() as cursor:
        cursor.execute("UPDATE outbox_outboxmessage SET delivered_at = now() - interval '31 days'")
    held = OutboxMessage.objects.order_by("id").first()
    assert held is not None
    total = OutboxMessage.objects.count()
    with transaction.atomic():
        OutboxMessage.objects.select_for_update().get(id=held.id)
        (pruned,) = together([prune])
    assert isinstance(pruned, dict)
    assert pruned["delivered and discarded messages"] == total - 1
    assert list(OutboxMessage.objects.values_list("id", flat=True)) == [held.id]


def test_the_command_counts_without_touching(old: Place, capsys: pytest.CaptureFixture[str]) -> None:
    before = count_rows()
    call_command("prune", "--dry-run")
    assert "delivered and discarded messages: 1\n" in capsys.readouterr().out
    assert count_rows() == before


def test_a_chore_is_claimed_by_one_and_once_a_period(committed: None) -> None:
    claims = together([lambda: chores.claim("test", timedelta(days=1))] * 8)
    assert sorted(map(bool, claims)) == [False] * 7 + [True]
    ChoreRow.objects.update(due_at="2020-01-01T00:00:00Z")
    assert [chores.claim("test", timedelta(days=1)) for _ in range(2)] == [True, False]


def test_a_chore_that_fails_says_so_and_is_tried_again_sooner(committed: None) -> None:
    def fail() -> str:
        raise OSError("the folder is full")

    run_due((Chore("fails", timedelta(days=1), fail), Chore("works", timedelta(days=1), lambda: "done")))
    rows = {row.name: row for row in ChoreRow.objects.all()}
    assert {name: row.report for name, row in rows.items()} == {"fails": "OSError: the folder is full", "works": "done"}
    assert rows["works"].due_at - rows["fails"].due_at > timedelta(hours=23)


def test_the_day_s_chores_run(committed: None) -> None:
    run_due()
    assert set(ChoreRow.objects.values_list("name", flat=True)) == {chore.name for chore in CHORES}
    assert "no anchor" in ChoreRow.objects.get(name="anchor").report


@pytest.mark.parametrize("days", ["0", "-1", "36501"])
def test_an_age_that_is_none_prunes_nothing(days: str) -> None:
    with pytest.raises(CommandError, match="nothing was pruned"):
        call_command("prune", f"--days={days}")
