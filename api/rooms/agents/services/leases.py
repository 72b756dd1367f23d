"""The lease: one effective worker per instance, by the database's clock alone."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from api.rooms.kernel import statements
from api.rooms.kernel.hurry import hurry_after_commit
from contracts.limits import LEASE_MS

# A lease that ran out without a release is a death of its process, counted per step that it died on.
CLAIM_SQL = """
UPDATE agents_instance SET
    epoch = epoch + 1,
    deaths = CASE WHEN lease_worker IS NULL OR turn_id IS NULL THEN deaths
                  WHEN deaths_step = step THEN deaths + 1 ELSE 1 END,
    deaths_step = CASE WHEN lease_worker IS NULL OR turn_id IS NULL THEN deaths_step ELSE step END,
    lease_worker = %(worker)s, lease_claim = %(claim)s, lease_since = clock_timestamp(), sweeps = 0,
    lease_expires_at = clock_timestamp() + %(lease)s * interval '1 millisecond'
WHERE id = %(instance)s AND NOT is_held AND lease_claim IS DISTINCT FROM %(claim)s
  AND (lease_expires_at IS NULL OR lease_expires_at < clock_timestamp())
  AND (turn_id IS NOT NULL OR wanted_seq > cursor_seq)
RETURNING epoch, deaths
"""

REPEATED_SQL = """
SELECT epoch, deaths FROM agents_instance
WHERE id = %(instance)s AND lease_worker = %(worker)s AND lease_claim = %(claim)s
"""

RENEW_SQL = """
UPDATE agents_instance SET lease_expires_at = clock_timestamp() + %(lease)s * interval '1 millisecond'
FROM unnest(%(ids)s::uuid[], %(epochs)s::int[]) AS held(id, epoch)
WHERE agents_instance.id = held.id AND agents_instance.epoch = held.epoch AND lease_worker = %(worker)s
RETURNING agents_instance.id, agents_instance.turn_id
"""

# A claim whose answer is still on its way to the worker is not in the worker's list yet: hence the grace.
DROP_SQL = """
UPDATE agents_instance SET lease_worker = NULL, lease_claim = NULL, lease_expires_at = NULL
WHERE lease_worker = %(worker)s AND NOT (id = ANY(%(ids)s::uuid[]))
  AND lease_since < clock_timestamp() - interval '5 seconds'
"""

# A wake on its way is given two seconds; one that waits in a crowd is repeated ever more seldom, up to each eight.
SWEEP_SQL = """
WITH found AS (
    SELECT id, agent, wanted_seq FROM agents_instance
    WHERE NOT is_held AND (turn_id IS NOT NULL OR wanted_seq > cursor_seq)
      AND (lease_expires_at IS NULL OR (%(reaps)s AND lease_expires_at < clock_timestamp()))
      AND (swept_at IS NULL OR swept_at < clock_timestamp() - interval '2 seconds' * (1 << least(sweeps, 2)))
    ORDER BY swept_at NULLS FIRST LIMIT %(limit)s FOR UPDATE SKIP LOCKED
), marked AS (
    UPDATE agents_instance SET swept_at = clock_timestamp(), sweeps = least(sweeps, 9) + 1
    FROM found WHERE agents_instance.id = found.id
)
INSERT INTO outbox_wake (instance_id, agent, seq, due_at, claimed_until, attempts)
SELECT id, agent, wanted_seq, now(), NULL, 0 FROM found
ON CONFLICT (instance_id) DO NOTHING
"""


@dataclass(frozen=True)
class Claimed:
    """`is_repeated`: the same claim was answered before and its answer may have been lost."""

    epoch: int
    deaths: int
    is_repeated: bool


def claim(instance_id: UUID, worker: UUID, claim_id: UUID) -> Claimed | None:
    """One conditional UPDATE; None when leased elsewhere, held, or nothing is wanted."""
    values: dict[str, Any] = {"instance": instance_id, "worker": worker, "claim": claim_id, "lease": LEASE_MS}
    claimed = statements.row(CLAIM_SQL, values)
    if claimed is not None:
        return Claimed(claimed[0], claimed[1], is_repeated=False)
    repeated = statements.row(REPEATED_SQL, values)
    return Claimed(repeated[0], repeated[1], is_repeated=True) if repeated else None


def renew(worker: UUID, held: Sequence[tuple[UUID, int]]) -> dict[UUID, UUID | None]:
    """Instance → running turn of every lease that is still this worker's; what it does not list is released."""
    ids = [instance_id for instance_id, _ in held]
    values: dict[str, Any] = {"worker": worker, "ids": ids, "epochs": [epoch for _, epoch in held], "lease": LEASE_MS}
    renewed: dict[UUID, UUID | None] = dict(statements.rows(RENEW_SQL, values))
    statements.changed(DROP_SQL, values)
    return renewed


RELEASE_SQL = """
UPDATE agents_instance SET lease_worker = NULL, lease_claim = NULL, lease_expires_at = NULL
WHERE id = %s AND epoch = %s
"""


def release_lease(instance_id: UUID, epoch: int) -> None:
    statements.changed(RELEASE_SQL, [instance_id, epoch])


def sweep(*, reaps: bool, limit: int = 200) -> int:
    """Wakes again what is runnable and unowned: a lost wake, and, when `reaps`, what a dead worker left.

    Only who has been healthy itself for a while may reap: after an outage of the database every lease has run out.
    """
    found = statements.changed(SWEEP_SQL, {"limit": limit, "reaps": reaps})
    if found:
        hurry_after_commit()
    return found
