"""`/metrics` speaks to operators alone, and says what the rows say."""

import asyncio
from datetime import timedelta
from typing import Any
from uuid import uuid4

import httpx
import pytest
from django.conf import settings
from django.db.models import F
from django.test import Client, override_settings
from prometheus_client import REGISTRY, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from api.asgi import application
from api.rooms.agent_sessions.models import Session
from api.rooms.agents.models import Instance
from api.rooms.kernel.clock import now
from api.rooms.outbox import services as outbox
from api.rooms.turns.services import claiming
from api.surfaces.ops import metrics
from contracts.limits import MAX_DEATHS_PER_CAUSE
from contracts.routes.instances import Claim
from tests.factories.conversation import say
from tests.factories.places import new_place
from tests.factories.workers import running

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


@pytest.fixture(autouse=True)
def asked_anew() -> None:
    metrics.figures.forget()
    metrics.censuses.forget()


def told(name: str, **labels: str) -> float:
    """Of one series, as the route writes it; 0 where there is none."""
    families = text_string_to_metric_families(metrics._of_rows().decode())
    samples = [sample for family in families for sample in family.samples]
    return sum(sample.value for sample in samples if sample.name == name and sample.labels == labels)


def test_a_waiting_wake_is_counted() -> None:
    outbox.wake(uuid4(), "creative", 1)
    assert told("mutirao_wakes_waiting") == 1


def test_figures_are_asked_once_within_five_seconds() -> None:
    assert told("mutirao_wakes_waiting") == 0
    outbox.wake(uuid4(), "creative", 1)
    assert told("mutirao_wakes_waiting") == 0, "the rows were asked again"


def test_sessions_are_counted_by_kind_and_status_and_hidden_ones_are_not() -> None:
    place, hidden = new_place(), new_place()
    Session.objects.filter(id=hidden.session_id).update(deleted_at=now())
    session = Session.objects.get(id=place.session_id)
    assert told("mutirao_sessions", kind=session.kind, status=session.status) == 1


def test_a_message_is_a_queued_turn_until_a_turn_takes_it() -> None:
    place = new_place()
    say(place)
    assert (told("mutirao_turns_queued"), told("mutirao_turns_running")) == (1, 0)
    running(place.session_id)
    metrics.figures.forget()
    assert (told("mutirao_turns_queued"), told("mutirao_turns_running")) == (0, 1)
    assert told("mutirao_instances_leased") == 1


def test_an_agent_that_ended_worker_after_worker_is_counted_until_a_person_writes() -> None:
    place = new_place()
    say(place)
    worker = running(place.session_id)
    Instance.objects.update(lease_expires_at=now() - timedelta(seconds=1), deaths=MAX_DEATHS_PER_CAUSE)
    Instance.objects.update(deaths_step=F("step"))
    claiming.claim(worker.instance_id, Claim(worker=uuid4(), claim_id=uuid4()))
    agent = Instance.objects.get().agent
    assert told("mutirao_instances_given_up", agent=agent) == 1
    say(place)
    metrics.censuses.forget()
    assert told("mutirao_instances_given_up", agent=agent) == 0


def test_a_request_is_counted_by_its_template(client: Client) -> None:
    address = f"/api/v1/sessions/{uuid4()}"
    assert client.get(address).status_code == 401
    answered = asyncio.run(_asked_through_the_edge(address))
    assert answered == 401
    text = generate_latest(REGISTRY).decode()
    assert 'mutirao_http_request_seconds_count{method="GET",route="api/v1/sessions/<uuid:session_id>"}' in text
    assert address not in text


async def _asked_through_the_edge(address: str) -> int:
    transport: Any = httpx.ASGITransport(app=application)
    async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
        return (await client.get(address)).status_code
