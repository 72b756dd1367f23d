"""Keyed calls: the first answer is kept in the transaction of its effect, and a replay gets it."""

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar
from uuid import UUID

from django.db.models.functions import Now

from api.rooms.agents.models import KeptAnswer
from api.rooms.kernel.batches import in_batches
from api.rooms.kernel.refusals import Refusal
from contracts.base import Message
from contracts.problem import ProblemCode

Answer = TypeVar("Answer", bound=Message)


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


def answer_once(instance_id: UUID, key: str, body_hash: str, kind: type[Answer], act: Callable[[], Answer]) -> Answer:
    """In the effect's transaction, under the instance's lock: `act` runs the first time, its answer is kept."""
    kept = kept_answer(instance_id, key, body_hash)
    if kept is not None:
        return kind.model_validate_json(kept)
    answer = act()
    keep_answer(instance_id, key, body_hash, answer.model_dump_json())
    return answer


OLD_SQL = "FROM agents_keptanswer WHERE created_at < now() - %(age)s"


def prune_answers(*, is_dry: bool) -> int:
    """Of all instances: an instance forgets its own only when it keeps another."""
    return in_batches("DELETE", "agents_keptanswer", "id", OLD_SQL, {"age": KEPT_FOR}, is_dry=is_dry)
