"""Figures are for operators: by their token, or on this machine where no proxy makes everybody local."""

import pytest

from contracts.operators import may_read

TOKEN = "t" * 40


@pytest.mark.parametrize(
    ("token", "said", "peer", "is_forwarded", "may"),
    [
        ("", "", "127.0.0.1", False, True),
        ("", "", "::1", False, True),
        ("", "", "127.0.0.1", True, False),
        ("", "", "10.0.0.9", False, False),
        ("", "", "", False, False),
        ("", f"Bearer {TOKEN}", "10.0.0.9", False, False),
        (TOKEN, f"Bearer {TOKEN}", "10.0.0.9", True, True),
        (TOKEN, f"Bearer {TOKEN}x", "127.0.0.1", False, False),
        (TOKEN, TOKEN, "127.0.0.1", False, False),
        (TOKEN, "", "127.0.0.1", False, False),
        (TOKEN, "Bearer ação", "127.0.0.1", False, False),
    ],
)
def test_who_may_read(token: str, said: str, peer: str, is_forwarded: bool, may: bool) -> None:
    assert may_read(token, said, peer, is_forwarded=is_forwarded) is may
