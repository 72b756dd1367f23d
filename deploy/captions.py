"""Prints the architecture from the code: each module by the one line that opens it (make map)."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("contracts", "api", "engine", "deploy")
LEFT_OUT = {"migrations", "__pycache__"}


def caption(file: Path) -> str | None:
    """The first line of the module's docstring; None for an empty file."""
    module = ast.parse(file.read_text())
    if not module.body:
        return None
    words = ast.get_docstring(module)
    return words.splitlines()[0] if words else "(no caption)"


def lines(folder: Path, depth: int = 0) -> Iterator[str]:
    """A package with all below it, files before folders."""
    opening = folder / "__init__.py"
    said = (caption(opening) if opening.exists() else None) or ""
    yield f"{'  ' * depth}{folder.name}/  {said}".rstrip()
    entries = [entry for entry in sorted(folder.iterdir()) if entry.name not in LEFT_OUT]
    for file in (entry for entry in entries if entry.suffix == ".py" and entry != opening):
        yield f"{'  ' * (depth + 1)}{file.stem}  {caption(file) or ''}".rstrip()
    for below in (entry for entry in entries if any(entry.glob("**/*.py"))):
        yield from lines(below, depth + 1)


def main() -> int:
    """Print the map of what is there."""
    for package in PACKAGES:
        if (ROOT / package).exists():
            print("\n".join(lines(ROOT / package)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
