"""References to container images: a registry, a name, and a tag or digest that says which one (RN-105)."""

import re

LATEST = "latest"
PART = r"[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*"
REFERENCE = re.compile(
    rf"(?:(?:localhost|[a-zA-Z0-9-]+(?:\.[a-zA-Z0-9-]+)+|[a-zA-Z0-9-]+(?=:[0-9]))(?::[0-9]{{1,5}})?/)?"
    rf"{PART}(?:/{PART})*"
    r"(?P<tag>:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(?P<digest>@sha256:[0-9a-f]{64})?"
)


def wrong_with(image: str) -> str | None:
    """What keeps a reference from naming one image for good; null: nothing."""
    found = REFERENCE.fullmatch(image)
    if found is None:
        return "An image is named like `python:3.13-slim`, by letters, digits and . _ - / only."
    if found["digest"]:
        return None
    if not found["tag"]:
        return "Name the tag too, like `python:3.13-slim`, or a digest: without one it means another image every week."
    if found["tag"][1:].lower() == LATEST:
        return "`latest` means another image every week: name the version that you mean."
    return None
