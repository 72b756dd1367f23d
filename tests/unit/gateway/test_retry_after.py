"""Every form in which providers say when to come again, read as seconds (F28)."""

from datetime import UTC, datetime
from typing import Any

import pytest

from api.rooms.gateway.domain import retry_after

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
EPOCH = int(NOW.timestamp())


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "8"}, 8.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after": "1500ms"}, 1.5),
        ({"retry-after-ms": "250"}, 0.25),
        ({"retry-after": "Fri, 02 Jan 2026 03:04:35 GMT"}, 30.0),
        ({"retry-after": str((EPOCH + 12) * 1000)}, 12.0),
        ({"retry-after": str(EPOCH + 12)}, 12.0),
        ({"retry-after": "Fri, 02 Jan 2026 03:00:00 GMT"}, 0.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"x-ratelimit-remaining": "0", "x-ratelimit-reset": str((EPOCH + 9) * 1000)}, 9.0),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "6m0.5s"}, 360.5),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "120ms"}, 0.12),
        ({"x-ratelimit-remaining-tokens": "5", "x-ratelimit-reset-tokens": "6m0s"}, None),
        (
            {
                "anthropic-ratelimit-tokens-remaining": "0",
                "anthropic-ratelimit-tokens-reset": "2026-01-02T03:04:25Z",
            },
            20.0,
        ),
        ({"retry-after": "2", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "60"}, 2.0),
    ],
)
def test_f28_headers_are_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after.parse(headers, NOW) == seconds


@pytest.mark.parametrize(
    ("body", "seconds"),
    [
        ({"error": {"details": [{"@type": "QuotaFailure"}, {"retryDelay": "37.5s"}]}}, 37.5),
        ({"error": {"details": "none"}}, None),
        ({"error": {"details": [{"retryDelay": 5}]}}, None),
        (["nonsense"], None),
    ],
)
def test_f28_gemini_says_it_in_the_body(body: Any, seconds: float | None) -> None:
    assert retry_after.parse({}, NOW, body) == seconds
