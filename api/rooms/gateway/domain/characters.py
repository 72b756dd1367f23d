"""Text from the wire made storable: pairs that were split are joined, what no database takes is replaced."""

from contracts.base import has_forbidden_character

REPLACEMENT = "\ufffd"


def mend(text: str) -> str:
    """Surrogate pairs become the character they stand for; NUL and lone surrogates become U+FFFD."""
    if not has_forbidden_character(text):
        return text
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return joined.replace("\x00", REPLACEMENT)


class Joiner:
    """Holds back half a surrogate pair until its other half arrives in the next chunk."""

    def __init__(self) -> None:
        self._half = ""

    def feed(self, text: str) -> str:
        text = self._half + text
        self._half = ""
        if text and "\ud800" <= text[-1] <= "\udbff":
            text, self._half = text[:-1], text[-1]
        return mend(text)

    def flush(self) -> str:
        half, self._half = self._half, ""
        return mend(half)
