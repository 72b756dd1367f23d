"""What no line of a log may hold: keys, cookies, tokens, passwords, whatever the words around them."""

import re

HIDDEN = "[hidden]"
_NAMES = r"[\w-]*(?:authori[sz]ation|cookie|api[_-]?key|passw(?:or)?d|passphrase|secret|signature|token(?!s))[\w-]*"
_VALUE = r"(?:(?:bearer|basic)\s+)?(?:\"[^\"]*\"|'[^']*'|[^\s,;)}\]]+)"
_NAMED = re.compile(rf"(?i)(?P<name>[\"']?{_NAMES}[\"']?\s*[=:]\s*){_VALUE}")
_BEARER = re.compile(r"(?i)\b(bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,}")
_KEY = re.compile(r"\b(?:sk|pk|rk|xai|gsk|AIza|ghp|gho|glpat|hf)[-_]?[A-Za-z0-9_-]{16,}\b")
_IN_ADDRESS = re.compile(r"(?P<scheme>\b[a-z][a-z0-9+.-]*://[^\s:/@]*:)[^\s/@]+(?=@)")


def redact(text: str) -> str:
    """The same text without secrets; names stay, so that a reader sees what was there."""
    text = _IN_ADDRESS.sub(rf"\g<scheme>{HIDDEN}", text)
    text = _NAMED.sub(rf"\g<name>{HIDDEN}", text)
    return _KEY.sub(HIDDEN, _BEARER.sub(rf"\1 {HIDDEN}", text))
