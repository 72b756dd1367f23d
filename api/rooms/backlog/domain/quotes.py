"""Where in a message something is quoted."""

import re

EDGES = " .…\"'“”«»"
"""What people put around a quote and do not mean as part of it."""


def span_of(message: str, quoted: str) -> tuple[int, int] | None:
    """Code points from start up to end, word for word, case and the length of white space aside; null: not there."""
    words = quoted.strip(EDGES).split()
    if not words:
        return None
    found = re.search(r"\s+".join(re.escape(word) for word in words), message, re.IGNORECASE)
    return found.span() if found else None
