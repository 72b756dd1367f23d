"""Secrets at rest: sealed with keys of their own, and bound to the place that they were sealed for."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet


@dataclass(frozen=True)
class Unreadable:
    """Why a sealed secret could not be opened; never holds any of it."""

    reason: str


def _box(keys: Sequence[str]) -> MultiFernet:
    """Newest key first: the first seals, all of them open, so that a key can be changed without a pause."""
    return _made(tuple(keys))


@lru_cache(8)
def _made(keys: tuple[str, ...]) -> MultiFernet:
    return MultiFernet([Fernet(key) for key in keys])


def seal(keys: Sequence[str], secret: str, bound_to: dict[str, str]) -> str:
    """Sealed text. `bound_to` travels inside: a row copied to another place does not open there."""
    payload = json.dumps({"secret": secret, "bound_to": bound_to}).encode()
    return _box(keys).encrypt(payload).decode()


def unseal(keys: Sequence[str], sealed: str, bound_to: dict[str, str]) -> str | Unreadable:
    """The secret, or why it cannot be read."""
    try:
        payload = json.loads(_box(keys).decrypt(sealed.encode()))
    except (InvalidToken, ValueError):
        return Unreadable("no key that this service holds opens it")
    if payload["bound_to"] != bound_to:
        return Unreadable("it was sealed for another place")
    return str(payload["secret"])


def reseal(keys: Sequence[str], sealed: str) -> str | Unreadable:
    """The same content under the newest key."""
    try:
        return _box(keys).rotate(sealed.encode()).decode()
    except (InvalidToken, ValueError):
        return Unreadable("no key that this service holds opens it")
