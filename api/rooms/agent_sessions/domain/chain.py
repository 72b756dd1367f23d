"""The hash chain: `hash = sha256(previous ‖ canonical)`, the first previous is `sha256(session id)`."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True)
class Link:
    seq: int
    canonical: str
    hash: bytes


@dataclass(frozen=True)
class Broken:
    """`seq` is the first event that does not fit; `what` names how."""

    seq: int
    what: str


def genesis(session_id: UUID) -> bytes:
    return hashlib.sha256(str(session_id).encode()).digest()


def next_hash(previous: bytes, canonical: str) -> bytes:
    return hashlib.sha256(previous + canonical.encode()).digest()


@dataclass(frozen=True)
class Start:
    """Where a walk begins: the hash before the first event that is still there, and that event's seq."""

    previous: bytes
    seq: int = 1


def verify(start: Start, links: Iterable[Link], next_seq: int, head: bytes) -> Broken | None:
    """Walks a session's log in seq order against its head; None means that it is whole."""
    previous, expected = start.previous, start.seq
    for link in links:
        if link.seq != expected:
            return Broken(expected, "missing")
        if next_hash(previous, link.canonical) != link.hash:
            return Broken(link.seq, "altered")
        previous, expected = link.hash, expected + 1
    if expected != next_seq:
        return Broken(expected, "cut off before the head")
    return None if previous == head else Broken(expected - 1, "head does not match")
