"""Who may read what is for operators alone, by the same rule in both services."""

import hmac
import ipaddress

MIN_TOKEN_CHARS = 32
"""Of a token: nobody guesses one of these."""


def may_read(token: str, authorization: str, peer: str, *, is_forwarded: bool) -> bool:
    """With a token only the token counts; without one, this machine, unless a proxy makes everybody local.

    `authorization` is the header as it came, `peer` the address that asks, `is_forwarded` whether a proxy may stand
    between.
    """
    if token:
        return hmac.compare_digest(authorization.encode(), f"Bearer {token}".encode())
    if is_forwarded:
        return False
    try:
        return ipaddress.ip_address(peer).is_loopback
    except ValueError:
        return False
