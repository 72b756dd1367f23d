"""Keyed calls: the first answer is kept in the transaction of its effect, and a replay gets it."""

from collections.abc import Callable
from datetime import timedelta
from typing import TypeVar
from uuid import UUID

from api.rooms.kernel import statements
from api.rooms.kernel.batches import in_batches
from api.rooms.kernel.refusals import Refusal
from contracts.base import Message
from contracts.problem import ProblemCode

Answer = TypeVar("Answer", bound=Message)


KEPT_SQL = "SELECT body_hash, body FROM agents_keptanswer WHERE instance_id = %s AND key = %s"
KEEP_SQL = """
WITH old AS (
    DELETE FROM agents_keptanswer WHERE instance_id = %(instance)s AND created_at < now() - %(age)s
)
INSERT INTO agents_keptanswer (instance_id, key, body_hash, body)
VALUES (%(instance)s, %(key)s, %(hash)s, %(body)s)
"""


def kept_answer(instance_id: UUID, key: str, body_hash: str) -> str | None:
    """The first answer's JSON, or None the first time; another body under the same key is refused."""
    row = statements.row(KEPT_SQL, [instance_id, key])
    if row is None:
        return None
    if row[0] != body_hash:
        raise Refusal(ProblemCode.IDEMPOTENCY_CONFLICT, f"The key {key} was used with another body.", {"key": key})
    body: str = row[1]
    return body


# Longer than any signature is believed, so no replay can come after its answer is gone.
KEPT_FOR = timedelta(minutes=10)


def keep_answer(instance_id: UUID, key: str, body_hash: str, body: str) -> None:
    values = {"instance": instance_id, "age": KEPT_FOR, "key": key, "hash": body_hash, "body": body}
    statements.changed(KEEP_SQL, values)


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
