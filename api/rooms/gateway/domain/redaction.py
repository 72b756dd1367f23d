"""A provider may quote the key it refused: no form of a secret leaves the gateway."""

import base64
import html
import json
import re
from collections.abc import Iterable
from urllib.parse import quote, quote_plus

from api.rooms.gateway.domain.characters import mend
from contracts.limits import MAX_DIAGNOSIS_CHARS

MASK = "[redacted]"
MIN_SECRET_CHARS = 6
"""Shorter than this is no secret, and masking it would blank ordinary words."""


def forms(secret: str) -> set[str]:
    """The secret as it is, and as JSON, URLs, HTML, Python and base64 would quote it."""
    encoded = secret.encode()
    return {
        secret,
        json.dumps(secret)[1:-1],
        json.dumps(secret, ensure_ascii=False)[1:-1],
        json.dumps(json.dumps(secret)[1:-1])[1:-1],
        quote(secret),
        quote(secret, safe=""),
        quote_plus(secret),
        html.escape(secret),
        repr(secret)[1:-1],
        base64.b64encode(encoded).decode().rstrip("="),
        base64.urlsafe_b64encode(encoded).decode().rstrip("="),
        encoded.hex(),
    }


def redact(text: str, secrets: Iterable[str]) -> str:
    """`text` without any form of any secret, in any letter case."""
    for secret in secrets:
        if len(secret) >= MIN_SECRET_CHARS:
            longest_first = sorted(forms(secret), key=len, reverse=True)
            text = re.sub("|".join(re.escape(form) for form in longest_first), MASK, text, flags=re.IGNORECASE)
    return text


def diagnosis(text: str, secrets: Iterable[str]) -> str:
    """A provider's own words, fit to be stored: redacted first, cut after, so that no cut leaves half a secret."""
    return redact(mend(text), secrets)[:MAX_DIAGNOSIS_CHARS]
