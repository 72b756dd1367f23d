"""Collects every text of Python and of templates into the catalogues: `python -m api.surfaces.web.messages`.

Without gettext: Django turns a template into something like Python, and babel reads that. `--check` only compares.
"""

import io
import sys
from collections.abc import Iterator
from pathlib import Path

import django
from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.pofile import read_po, write_po
from django.conf import settings
from django.utils.translation.template import templatize

API = Path(__file__).resolve().parents[2]
CATALOGUE = API / "locale" / "pt_BR" / "LC_MESSAGES" / "django.po"
KEYWORDS = {
    "_": None,
    "_now": None,
    "gettext": None,
    "gettext_lazy": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
}


def sources() -> Iterator[Path]:
    """Pages, and the rooms: what an operator reads in the admin is said there."""
    yield from sorted(API.rglob("surfaces/**/*.py"))
    yield from sorted(API.rglob("rooms/**/*.py"))
    yield from sorted(API.rglob("templates/**/*.html"))
    yield API / "settings.py"


def _readable(path: Path) -> str:
    """Babel's reader of Python minds indentation, which a template turned into code has not."""
    text = path.read_text()
    if path.suffix != ".html":
        return text
    return "\n".join(line.strip() for line in templatize(text, origin=str(path)).splitlines())


def collected() -> Catalog:
    catalogue = Catalog(locale="pt_BR", project="Mutirão", charset="utf-8")
    for path in sources():
        stream = io.BytesIO(_readable(path).encode())
        for _line, message, comments, context in extract("python", stream, KEYWORDS, ("Translators:",)):
            catalogue.add(message, locations=[(str(path.relative_to(API)), 0)], auto_comments=comments, context=context)
    return catalogue


def stored() -> Catalog:
    """Its header says that Portuguese has two plural forms, as Django's own catalogue does."""
    with CATALOGUE.open("rb") as source:
        return read_po(source, locale="pt_BR")


def update() -> Catalog:
    """The stored catalogue with what is new and without what is gone."""
    catalogue = stored()
    catalogue.update(collected(), no_fuzzy_matching=True, update_creation_date=False)
    catalogue.obsolete.clear()
    return catalogue


def main(arguments: list[str]) -> int:
    settings.configure(USE_I18N=True)
    django.setup()
    catalogue = update()
    missing = [message.id for message in catalogue if message.id and not all(_texts(message.string))]
    if "--check" not in arguments:
        with CATALOGUE.open("wb") as target:
            write_po(target, catalogue, include_lineno=False, omit_header=False, sort_output=True, width=110)
    for message in missing:
        print(f"not translated: {message}", file=sys.stderr)  # noqa: T201 - a command talks to a terminal
    return 1 if missing else 0


def _texts(text: object) -> tuple[object, ...]:
    """The one form, or the plural forms."""
    return tuple(text) if isinstance(text, tuple | list) else (text,)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
