"""Cutting and comparing text without breaking a character."""

import unicodedata


def cut_bytes(text: str, max_bytes: int) -> str:
    """The longest prefix of `text` that fits in `max_bytes` of UTF-8, cut on a code point."""
    encoded = text.encode()
    if len(encoded) <= max_bytes:
        return text
    return encoded[:max_bytes].decode(errors="ignore")


def fold(title: str) -> str:
    """Accent, case and space folded, punctuation kept: how titles are compared (RN-080)."""
    decomposed = unicodedata.normalize("NFD", title.casefold())
    bare = "".join(character for character in decomposed if not unicodedata.combining(character))
    return " ".join(bare.split())
