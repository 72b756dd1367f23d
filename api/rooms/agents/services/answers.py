"""Keyed calls: the first answer is kept in the transaction of its effect, and a replay gets it."""

from datetime import timedelta
from uuid import UUID

from django.db.models.functions import Now

from api.rooms.agents.models import KeptAnswer
from api.rooms.kernel.refusals import Refusal
from contracts.problem import ProblemCode


def kept_answer(instance_id: UUID, key: str, body_hash: str) -> str | None:
    """The first answer's JSON, or None the first time; another body under the same key is refused."""
    row = KeptAnswer.objects.filter(instance_id=instance_id, key=key).values_list("body_hash", "body").first()
    if row is None:
        return None
    if row[0] != body_hash:
        raise Refusal(ProblemCode.IDEMPOTENCY_CONFLICT, f"The key {key} was used with another body.", {"key": key})
    return row[1]


# Longer than any signature is believed, so no replay can come after its answer is gone.
KEPT_FOR = timedelta(minutes=10)


def keep_answer(instance_id: UUID, key: str, body_hash: str, body: str) -> None:
    KeptAnswer.objects.filter(instance_id=instance_id, created_at__lt=Now() - KEPT_FOR).delete()
    KeptAnswer.objects.create(instance_id=instance_id, key=key, body_hash=body_hash, body=body)
