"""An anchor: the heads of all logs at one moment, signed, kept where the database's owner cannot reach.

A chain cannot see that its own tail was cut, nor that all of it was written anew; a copy of its head can.
"""

import hashlib
import hmac
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

FIRST = "mutirao-anchor 1"
NO_HEAD = (FIRST, "total ", "hmac-sha256 ")


@dataclass(frozen=True)
class Anchored:
    """A log's head when the anchor was made; seq 0 is a log without events."""

    session_id: UUID
    seq: int
    hash: bytes


class BadAnchor(Exception):
    """The file is no anchor of ours, or was changed: the sentence says which."""


def write(at: datetime, heads: Iterable[Anchored], key: bytes) -> Iterator[str]:
    """Line by line; the last line signs all before it."""
    signature = hmac.new(key, digestmod=hashlib.sha256)
    count = 0
    for line in _body(at, heads):
        signature.update(line.encode())
        count += 1
        yield line
    total = f"total {count - 1}\n"
    signature.update(total.encode())
    yield total
    yield f"hmac-sha256 {signature.hexdigest()}\n"


def _body(at: datetime, heads: Iterable[Anchored]) -> Iterator[str]:
    yield f"{FIRST} {at.isoformat()}\n"
    for head in heads:
        yield f"{head.session_id} {head.seq} {head.hash.hex()}\n"


def check(lines: Iterable[str], key: bytes) -> None:
    """Raises BadAnchor unless the signature fits; read the heads only after that."""
    signature = hmac.new(key, digestmod=hashlib.sha256)
    last = ""
    for number, line in enumerate(lines):
        if number == 0 and not line.startswith(FIRST):
            raise BadAnchor("This file is no anchor.")
        if last:
            signature.update(last.encode())
        last = line
    if not hmac.compare_digest(last.encode(), f"hmac-sha256 {signature.hexdigest()}\n".encode()):
        raise BadAnchor("The signature does not fit: another key made this anchor, or it was changed.")


def heads_of(lines: Iterable[str]) -> Iterator[Anchored]:
    """The heads of an anchor that was checked."""
    for line in lines:
        if not line.startswith(NO_HEAD):
            session_id, seq, digest = line.split()
            yield Anchored(UUID(session_id), int(seq), bytes.fromhex(digest))
