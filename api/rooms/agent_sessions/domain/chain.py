"""The hash chain: `hash = sha256(previous ‖ canonical)`, the first previous is `sha256(session id)`."""

import hashlib
import json
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


def verify(
    start: Start, links: Iterable[Link], next_seq: int, head: bytes, max_seq: int | None = None
) -> Broken | None:
    """Walks a session's log in seq order against its head; None means that it is whole.

    `max_seq` is the last event that is there at all, the links may end before it.
    """
    before, previous, expected = start.previous, start.previous, start.seq
    for link in links:
        if link.seq != expected:
            return Broken(expected, "missing")
        if next_hash(previous, link.canonical) != link.hash:
            return _misfit(link, before, previous)
        before, previous, expected = previous, link.hash, expected + 1
    if max_seq is not None and max_seq >= next_seq:
        return Broken(next_seq, "inserted beyond the head")
    if expected != next_seq:
        return Broken(expected, "cut off before the head")
    return None if previous == head else Broken(expected - 1, "head does not match")


def _misfit(link: Link, before: bytes, previous: bytes) -> Broken:
    """A link that follows the event before its predecessor proves that the predecessor was put in between."""
    if link.hash == previous:
        return Broken(link.seq, "inserted")
    if next_hash(before, link.canonical) == link.hash:
        return Broken(link.seq - 1, "inserted")
    return Broken(
        link.seq, "altered" if _own_seq(link.canonical) in (None, link.seq) else "moved here from another place"
    )


def _own_seq(canonical: str) -> int | None:
    try:
        found = json.loads(canonical).get("seq")
    except (ValueError, AttributeError):
        return None
    return found if isinstance(found, int) else None
