"""Which addresses a workspace may name as a provider's."""

import ipaddress
from dataclasses import dataclass
from urllib.parse import urlsplit

from api.rooms.gateway.domain import addresses

LOCAL_NAMES = ("localhost", "localhost.localdomain", "ip6-localhost")
LOCAL_SUFFIXES = (".localhost", ".local", ".internal", ".home.arpa")
MAX_URL_CHARS = 500


@dataclass(frozen=True)
class BaseUrl:
    """An address that may be called, without a trailing slash."""

    text: str
    is_private: bool


@dataclass(frozen=True)
class Refused:
    """Why not, as a sentence."""

    reason: str


def _is_private(host: str) -> bool:
    """By what the name says; what it resolves to is looked at when the connection is made."""
    name = host.lower().rstrip(".")
    if name in LOCAL_NAMES or name.endswith(LOCAL_SUFFIXES) or ("." not in name and ":" not in name):
        return True
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return _is_odd_number(name)
    return addresses.is_private(address)


def _is_odd_number(name: str) -> bool:
    """0x7f.1, 127.1 and the like are addresses to many resolvers."""
    last = name.rsplit(".", 1)[-1]
    return last.isdigit() or last.startswith("0x")


def check(url: str, *, allow_private: bool) -> BaseUrl | Refused:
    """https, or http where the address is private and the operator allows that."""
    reason = _odd_shape(url)
    if reason is not None:
        return Refused(reason)
    parts = urlsplit(url)
    private = _is_private(parts.hostname or "")
    if private and not allow_private:
        return Refused("private and loopback addresses are off here: the operator allows them by a setting")
    if not private and parts.scheme != "https":
        return Refused("a public address is called by https:// only: the key travels with every request")
    return BaseUrl(url.rstrip("/"), private)


def _odd_shape(url: str) -> str | None:
    if len(url) > MAX_URL_CHARS or any(ord(character) <= ord(" ") or character == "\\" for character in url):
        return "a base URL has no spaces or control characters and at most 500 characters"
    try:
        parts = urlsplit(url)
        _ = parts.hostname, parts.port
    except ValueError:
        return "this is not a URL"
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return "a base URL begins with http:// or https:// and names a host"
    if parts.username is not None or parts.password is not None:
        return "a base URL carries no user name or password: store the key as the credential's secret"
    if parts.query or parts.fragment:
        return "a base URL has no query and no fragment"
    return None


def is_private(url: str) -> bool:
    """Whether a checked address is one that the world cannot reach."""
    return _odd_shape(url) is not None or _is_private(urlsplit(url).hostname or "")
