"""Compiles translation catalogues (.po to .mo) without gettext installed."""

import sys
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import PoFileError, read_po


def compile_catalogue(catalogue: Path) -> None:
    """Write the .mo beside a .po, whole or not at all."""
    with catalogue.open("rb") as source:
        messages = read_po(source, abort_invalid=True)
    partial = catalogue.with_suffix(".mo.partial")
    with partial.open("wb") as target:
        write_mo(target, messages)
    partial.replace(catalogue.with_suffix(".mo"))


def main(paths: list[str]) -> int:
    """Compile the catalogues at `paths`, or all of api/locale; 1 when one of them cannot be read."""
    catalogues = [Path(path) for path in paths] or sorted(Path("api/locale").glob("*/LC_MESSAGES/*.po"))
    for catalogue in catalogues:
        try:
            compile_catalogue(catalogue)
        except PoFileError as error:
            print(f"{catalogue}: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
