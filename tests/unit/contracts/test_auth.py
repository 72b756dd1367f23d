"""Signing: what is tampered with, late, or meant for another is refused."""

from dataclasses import replace

import pytest

from contracts.auth import (
    API,
    ENGINE,
    IDEMPOTENCY_HEADER,
    USER_HEADER,
    Refused,
    Request,
    SigningKey,
    Verified,
    parse_keys,
    sign,
    verify,
)

KEY = SigningKey("k1", b"secret")
OLDER = SigningKey("k0", b"older")
NOW = 1_800_000_000
REQUEST = Request("POST", "/internal/v1/x?after=1", b"{}", NOW, API, "user-1", "key-1")


def check(request: Request, **changed: object) -> Verified | Refused:
    headers = dict(sign(KEY, request))
    headers.update(changed.pop("headers", {}))  # type: ignore[call-overload]
    seen = {"method": "POST", "target": request.target, "body": request.body, "now": NOW, "audience": API, **changed}
    return verify((KEY, OLDER), headers=headers, **seen)  # type: ignore[arg-type]


def test_a_signed_call_is_believed_with_its_acting_user_and_key() -> None:
    assert check(REQUEST) == Verified("user-1", "key-1")


@pytest.mark.parametrize(
    "changed",
    [
        {"body": b"{ }"},
        {"target": "/internal/v1/y?after=1"},
        {"target": "/internal/v1/x?after=2"},
        {"method": "PUT"},
        {"audience": ENGINE},
        {"headers": {USER_HEADER: "user-2"}},
        {"headers": {IDEMPOTENCY_HEADER: "key-2"}},
        {"headers": {"Mutirao-Key": "k9"}},
        {"headers": {"Mutirao-Key": "k0"}},
        {"headers": {"Mutirao-Time": str(NOW + 1)}},
        {"headers": {"Mutirao-Time": "soon"}},
        {"headers": {"Mutirao-Signature": ""}},
    ],
)
def test_what_was_tampered_with_is_refused(changed: dict[str, object]) -> None:
    assert isinstance(check(REQUEST, **changed), Refused)


@pytest.mark.parametrize(("skew", "is_believed"), [(60, True), (-60, True), (61, False), (-61, False)])
def test_the_clock_may_differ_by_a_minute(skew: int, *, is_believed: bool) -> None:
    assert isinstance(check(replace(REQUEST, at=NOW + skew)), Verified) is is_believed


def test_two_keys_are_active_during_a_rotation() -> None:
    assert parse_keys("new:a,old:b") == (SigningKey("new", b"a"), SigningKey("old", b"b"))
    headers = sign(OLDER, REQUEST)
    assert verify((KEY, OLDER), API, NOW, "POST", REQUEST.target, b"{}", headers) == Verified("user-1", "key-1")
