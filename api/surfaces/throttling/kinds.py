"""What is counted together, and how often it may happen: rules, values in and out."""

import re
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    """Each counts by itself."""

    GENERAL = "general"
    SEND = "send"
    PROVIDER = "provider"
    EXPORT = "export"
    SOCKET = "socket"
    SIGN_IN = "sign_in"


@dataclass(frozen=True)
class Limits:
    """As `limits` writes them; several apply together. An address stands for many people, so it may do more."""

    user: str
    address: str


LIMITS: dict[Kind, Limits] = {
    Kind.GENERAL: Limits("900/minute", "3000/minute"),
    Kind.SEND: Limits("60/minute", "600/minute"),
    Kind.PROVIDER: Limits("20/minute", "60/minute"),
    Kind.EXPORT: Limits("20/minute", "60/minute"),
    Kind.SOCKET: Limits("120/minute", "1000/minute"),
    Kind.SIGN_IN: Limits("5/minute;10/15minute;20/hour", "60/15minute"),
}
"""A page of a session asks for about one fragment a second while an answer comes."""

ROUTES: tuple[tuple[str, re.Pattern[str], Kind], ...] = (
    ("POST", re.compile(r"/messages/?$"), Kind.SEND),
    ("POST", re.compile(r"/(models/sync|models/read|credentials/test)/?$|/workspaces/[^/]+/keys/?$"), Kind.PROVIDER),
    ("GET", re.compile(r"[?&]as=csv(&|$)"), Kind.EXPORT),
)


def kind_of(method: str, path: str) -> Kind:
    """What a request counts as beside being one; `path` has its query."""
    for wanted, pattern, kind in ROUTES:
        if method == wanted and pattern.search(path):
            return kind
    return Kind.GENERAL


def client_address(peer: str, forwarded: str, trusted_proxies: int) -> str:
    """Who asks, by address. Only what our own proxies wrote is believed: the last entries, counted from the right.

    An entry further left is the client's own claim, and without proxies the whole header is.
    """
    if trusted_proxies == 0:
        return peer
    hops = [hop.strip() for hop in forwarded.split(",") if hop.strip()]
    return hops[-trusted_proxies] if len(hops) >= trusted_proxies else peer
