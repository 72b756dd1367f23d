"""Titles as people may write them."""

import unicodedata

NO_TITLE = "A title needs at least one character that can be seen."


def cleaned(title: str) -> str | None:
    """With single spaces; null when nothing can be seen in it, or when it holds what no line of text may hold."""
    words = " ".join(title.split())
    kinds = [unicodedata.category(character) for character in words]
    if not any(kind[0] in "LNPS" for kind in kinds) or any(kind in ("Cc", "Cs", "Co", "Cn") for kind in kinds):
        return None
    return words
