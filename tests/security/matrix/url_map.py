"""The URL map and the consumers as they are served, to hold the table against."""

import re
from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from api.surfaces.live_routing import websockets

SLOT = re.compile(r"<[^>]*>|{[^}]*}|\(\?P<[^>]*>[^)]*\)|(?<=agents/)creative")
NO_PLACE = {"api/v1/", "internal/v1/"}
"""Catch-alls that answer 404 by name."""


def shape(path: str) -> str:
    """A path with all its slots alike, and without its query."""
    return SLOT.sub("*", path.split("?", maxsplit=1)[0])


def _walk(patterns: list[Any], prefix: str) -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        text = prefix + str(pattern.pattern).lstrip("^")
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, text)
        else:
            yield text, pattern


def http_patterns() -> dict[str, URLPattern]:
    """All of them by path, the catch-alls left out."""
    return {text: pattern for text, pattern in _walk(get_resolver().url_patterns, "") if text not in NO_PLACE}


def socket_patterns() -> set[str]:
    """The router lies under the checks of origin and person."""
    inner: Any = websockets
    while not hasattr(inner, "routes"):
        inner = getattr(inner, "application", None) or inner.inner
    return {str(route.pattern) for route in inner.routes}
