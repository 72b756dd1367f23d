"""`/metrics` speaks to operators alone, and says what the rows say."""

from uuid import uuid4

import pytest
from django.conf import settings
from django.test import Client, override_settings

from api.rooms.outbox import services as outbox
from api.surfaces.ops import metrics

TOKEN = "t" * 40
pytestmark = pytest.mark.django_db


def status(client: Client, **headers: str) -> int:
    return client.get("/metrics", REMOTE_ADDR=headers.pop("address", "127.0.0.1"), headers=headers).status_code


def test_without_a_token_only_this_machine_may_read(client: Client) -> None:
    assert [status(client), status(client, address="10.0.0.9")] == [200, 404]
    assert status(client, **{"X-Forwarded-For": "10.0.0.9"}) == 404


def test_with_a_token_only_the_token_counts(client: Client) -> None:
    told = settings.ENVIRONMENT.model_copy(update={"mutirao_metrics_token": TOKEN})
    with override_settings(ENVIRONMENT=told):
        given: list[dict[str, str]] = [{}, {"Authorization": "Bearer x"}, {"Authorization": f"Bearer {TOKEN}"}]
        assert [status(client, **headers) for headers in given] == [404, 404, 200]


def test_a_waiting_wake_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "_kept", (float("-inf"), b""))
    outbox.wake(uuid4(), "creative", 1)
    assert b"\nmutirao_wakes_waiting 1.0\n" in metrics._figures()
