"""Request signing between the services, pure: HMAC-SHA256 over everything that gives a call its meaning."""

import hashlib
import hmac
from collections.abc import Mapping
from dataclasses import dataclass

from contracts.limits import SIGNATURE_SKEW_S

API = "api"
ENGINE = "engine"

KEY_HEADER = "Mutirao-Key"
TIME_HEADER = "Mutirao-Time"
AUDIENCE_HEADER = "Mutirao-Audience"
USER_HEADER = "Mutirao-User"
IDEMPOTENCY_HEADER = "Mutirao-Idempotency-Key"
SIGNATURE_HEADER = "Mutirao-Signature"


@dataclass(frozen=True)
class SigningKey:
    id: str
    secret: bytes


@dataclass(frozen=True)
class Request:
    """What is signed. `target` is the raw path with its query; `at` is in whole seconds since 1970."""

    method: str
    target: str
    body: bytes
    at: int
    audience: str
    acting_user: str = ""
    idempotency_key: str = ""


@dataclass(frozen=True)
class Verified:
    acting_user: str
    idempotency_key: str


@dataclass(frozen=True)
class Refused:
    reason: str


def parse_keys(text: str) -> tuple[SigningKey, ...]:
    """`id:secret,id:secret`, newest first: the first signs, all of them verify, so rotation needs no pause."""
    keys = []
    for part in text.split(","):
        key_id, colon, secret = part.strip().partition(":")
        if not (key_id and colon and secret):
            raise ValueError("signing keys are written as id:secret, separated by commas, newest first")
        keys.append(SigningKey(key_id, secret.encode()))
    return tuple(keys)


def body_hash(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


def _digest(key: SigningKey, request: Request) -> str:
    parts = (
        request.method.upper(),
        request.target,
        str(request.at),
        body_hash(request.body),
        key.id,
        request.audience,
        request.acting_user,
        request.idempotency_key,
    )
    return hmac.new(key.secret, "\n".join(parts).encode(), hashlib.sha256).hexdigest()


def sign(key: SigningKey, request: Request) -> dict[str, str]:
    """The headers that prove `request`."""
    headers = {
        KEY_HEADER: key.id,
        TIME_HEADER: str(request.at),
        AUDIENCE_HEADER: request.audience,
        USER_HEADER: request.acting_user,
        SIGNATURE_HEADER: _digest(key, request),
    }
    if request.idempotency_key:
        headers[IDEMPOTENCY_HEADER] = request.idempotency_key
    return headers


def verify(
    keys: tuple[SigningKey, ...],
    audience: str,
    now: int,
    method: str,
    target: str,
    body: bytes,
    headers: Mapping[str, str],
) -> Verified | Refused:
    """Who may act by this request; `headers` is looked up by the exact names above."""
    key = next((known for known in keys if known.id == headers.get(KEY_HEADER)), None)
    if key is None:
        return Refused("unknown key id")
    if headers.get(AUDIENCE_HEADER) != audience:
        return Refused("signed for another audience")
    at = headers.get(TIME_HEADER, "")
    if not (at.isascii() and at.isdigit()) or abs(now - int(at)) > SIGNATURE_SKEW_S:
        return Refused(f"signed more than {SIGNATURE_SKEW_S} s away from this clock")
    request = Request(
        method, target, body, int(at), audience, headers.get(USER_HEADER, ""), headers.get(IDEMPOTENCY_HEADER, "")
    )
    if not hmac.compare_digest(_digest(key, request).encode(), headers.get(SIGNATURE_HEADER, "").encode()):
        return Refused("signature does not match")
    return Verified(request.acting_user, request.idempotency_key)
