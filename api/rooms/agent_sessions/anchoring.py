"""Anchors as files in a folder that the operator names, outside the database."""

import os
from collections.abc import Iterator
from pathlib import Path

from api.rooms.agent_sessions.domain.anchors import Anchored, check, heads_of, write
from api.rooms.agent_sessions.domain.chain import Broken
from api.rooms.agent_sessions.models import Session
from api.rooms.agent_sessions.verifying import verify_anchored
from api.rooms.kernel.clock import now


def write_anchor(folder: Path, key: bytes) -> Path:
    """The heads of all logs as they are now. Whole or not there: written aside, then renamed."""
    folder.mkdir(parents=True, exist_ok=True)
    at = now()
    path = folder / f"anchor-{at:%Y%m%dT%H%M%S.%fZ}.txt"
    aside = path.with_suffix(".part")
    with aside.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines(write(at, _heads(), key))
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
    return path


def _heads() -> Iterator[Anchored]:
    rows = Session.objects.order_by("id").values_list("id", "next_seq", "head_hash")
    for session_id, next_seq, digest in rows.iterator(chunk_size=1000):
        yield Anchored(session_id, next_seq - 1, bytes(digest))


def verify_anchor(path: Path, key: bytes) -> Iterator[tuple[Anchored, Broken]]:
    """Logs that are not what the anchor saw; raises BadAnchor when the file itself cannot be believed."""
    with path.open(encoding="utf-8", newline="\n") as file:
        check(file, key)
        file.seek(0)
        for anchored in heads_of(file):
            found = verify_anchored(anchored)
            if found is not None:
                yield anchored, found
