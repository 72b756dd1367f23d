"""What browsers and proxies are told to enforce: one strict policy for every page, the operators' included."""

from typing import Any

from api.environment import Environment

CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'"],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'none'"],
        "base-uri": ["'none'"],
        "object-src": ["'none'"],
    },
}
"""Nothing inline, nothing evaluated, nothing from elsewhere: what people and models write can load nothing."""

POLICY = "Content-Security-Policy"


def framed_policy(nonce: str) -> str:
    """Of what an agent drew: an origin of its own, without scripts, forms, images or requests; it is only looked at.

    Such an origin may not even read our style sheets, so the one style that counts is in the page, with this nonce.
    """
    return (
        f"default-src 'none'; style-src 'nonce-{nonce}'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'self'; sandbox"
    )


def framing_policy() -> str:
    """The policy of every page, and a frame of our own in it."""
    directives = CONTENT_SECURITY_POLICY["DIRECTIVES"] | {"frame-src": ["'self'"]}
    return "; ".join(f"{name} {' '.join(sources)}" for name, sources in directives.items())


HEADERS = {
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "Cross-Origin-Resource-Policy": "same-origin",
}
PROBES = [r"^livez$", r"^readyz$", r"^version$", r"^metrics$"]
YEAR_S = 31_536_000
NOT_OURS_TO_DECIDE = ["security.W005", "security.W021"]
"""Subdomains and the browsers' preload list concern other hosts of the operator's domain."""


def settings_of(environment: Environment) -> dict[str, Any]:
    """Django's settings for a site that people reach by https; by plain http only this machine is meant."""
    is_https = environment.is_public_https
    prefix = "__Host-" if is_https else ""
    return {
        "CONTENT_SECURITY_POLICY": CONTENT_SECURITY_POLICY,
        "SESSION_COOKIE_NAME": f"{prefix}sessionid",
        "CSRF_COOKIE_NAME": f"{prefix}csrftoken",
        "SESSION_COOKIE_SECURE": is_https,
        "CSRF_COOKIE_SECURE": is_https,
        "SESSION_COOKIE_SAMESITE": "Lax",
        "SECURE_HSTS_SECONDS": YEAR_S if is_https else 0,
        "SECURE_SSL_REDIRECT": is_https and environment.mutirao_trusted_proxies > 0,
        "SECURE_REDIRECT_EXEMPT": PROBES,
        "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https") if environment.mutirao_trusted_proxies else None,
        "SECURE_CONTENT_TYPE_NOSNIFF": True,
        "SECURE_REFERRER_POLICY": "same-origin",
        "X_FRAME_OPTIONS": "DENY",
        "SILENCED_SYSTEM_CHECKS": NOT_OURS_TO_DECIDE,
    }
