"""Acts, as an operator confirms them."""

from typing import Any
from urllib.parse import urlencode

from django.test import Client
from django.urls import reverse

from api.rooms.kernel.models import OperatorAct
from api.rooms.outbox import services as outbox
from api.rooms.outbox.models import OutboxMessage
from contracts.failures import FailureOrigin
from tests.factories.conversation import say
from tests.factories.places import Place
from tests.factories.workers import Worker, running


def act_url(row: Any, name: str) -> str:
    meta = row._meta
    base = reverse(f"admin:{meta.app_label}_{meta.model_name}_act", args=[name])
    return f"{base}?{urlencode({'id': str(row.pk)})}"


def act(client: Client, row: Any, name: str, reason: str = "it was stuck") -> int:
    return client.post(act_url(row, name), {"reason": reason}).status_code


def acts() -> list[tuple[str, str, str]]:
    return list(OperatorAct.objects.order_by("id").values_list("act", "subject_id", "reason"))


def busy(place: Place) -> Worker:
    say(place)
    return running(place.session_id)


def dead_letter() -> OutboxMessage:
    outbox.put("test", {})
    OutboxMessage.objects.update(attempts=12)
    outbox.message_failed(OutboxMessage.objects.get().id, "ValueError: no", FailureOrigin.CODE)
    return OutboxMessage.objects.get()
