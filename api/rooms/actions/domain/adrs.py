"""An architecture decision as the file that would be committed."""

from contracts.actions import Adr

FOLDER = "docs/adr"
BRANCH = "feature/adr-{slug}"


def content_of(adr: Adr) -> dict[str, object]:
    """All that an approval is about: branch, path and the very text of the file."""
    return {
        "branch": BRANCH.format(slug=adr.slug),
        "path": f"{FOLDER}/{adr.slug}.md",
        "text": text_of(adr),
        "modules": list(adr.modules),
        "is_security_relevant": adr.is_security_relevant,
        "is_infra_relevant": adr.is_infra_relevant,
    }


def text_of(adr: Adr) -> str:
    """With the title as its heading, unless it was written there already."""
    body = adr.content.strip()
    return f"{body}\n" if body.startswith("# ") else f"# {adr.title}\n\n{body}\n"
