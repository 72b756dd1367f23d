"""The doctor says what is wrong and what to do, and the alerts name figures that exist."""

import json
from datetime import timedelta

import pytest
from cryptography.fernet import Fernet
from django.core.management import call_command
from pytest_django import Settings

from api.rooms.gateway import services as gateway
from api.rooms.kernel.clock import now
from api.rooms.kernel.ids import new_id
from api.rooms.outbox.models import Wake
from api.surfaces.ops.doctor.answers import Answer, State
from api.surfaces.ops.doctor.questions import QUESTIONS, examine


def state_of(subject: str) -> Answer:
    return QUESTIONS[subject]()


def test_every_question_is_answered_in_order(db: None) -> None:
    found = examine()
    assert [answer.subject for answer in found] == list(QUESTIONS)
    healthy = {answer.subject for answer in found if answer.state is State.OK}
    assert {"database", "valkey", "outbox", "workers", "keys", "time zones"} <= healthy


def test_what_is_away_fails_within_seconds_and_says_what_to_do(db: None, settings: Settings) -> None:
    gone = settings.ENVIRONMENT.model_copy(update={"redis_url": "redis://127.0.0.1:9/0"})
    settings.ENVIRONMENT, settings.ENGINE_URL = gone, "http://127.0.0.1:9"
    for subject in ("valkey", "engine"):
        answer = state_of(subject)
        assert answer.state is State.FAIL
        assert "Check" in answer.advice


def test_a_wake_that_waits_for_a_minute_is_a_failure(db: None) -> None:
    Wake.objects.create(instance_id=new_id(), agent="creative", due_at=now() - timedelta(minutes=2))
    assert state_of("outbox").state is State.FAIL


def test_keys_that_need_an_older_seal_are_a_warning_and_lost_ones_a_failure(db: None, settings: Settings) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    settings.MUTIRAO_CREDENTIAL_KEYS = [old]
    gateway.store_credential(new_id(), "openai_compatible", "https://models.example.org/v1", "sk-1")
    settings.MUTIRAO_CREDENTIAL_KEYS = [new, old]
    assert state_of("keys").state is State.WARN
    settings.MUTIRAO_CREDENTIAL_KEYS = [new]
    assert state_of("keys").state is State.FAIL


def test_the_exit_code_and_the_document_are_for_machines(db: None, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        call_command("doctor", "--json")
    assert left.value.code == 1
    document = json.loads(capsys.readouterr().out)
    assert {answer["subject"]: answer["state"] for answer in document}["engine"] == "fail"
