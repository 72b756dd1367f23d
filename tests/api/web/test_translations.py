"""English and Brazilian Portuguese are equal: nothing is said in one of them only."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.utils.translation.template import templatize

from api.surfaces.web import messages

TEMPLATES = sorted((messages.API / "surfaces" / "web" / "templates").rglob("*.html"))
SAME_EVERYWHERE = re.compile(r"(Mutirão|English|Português( do Brasil)?|UTC|https://\S+|[\W\d_])*")
READ_ALOUD = ("aria-label", "placeholder", "title", "alt")
PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}")


def test_every_text_is_translated() -> None:
    missing = [message.id for message in messages.update() if message.id and not message.string]
    assert missing == []


def test_the_catalogue_is_the_one_that_the_sources_ask_for() -> None:
    stored = {(message.context, str(message.id)) for message in messages.stored()}
    assert stored == {(message.context, str(message.id)) for message in messages.update()}


def test_every_translation_keeps_its_placeholders() -> None:
    for message in messages.stored():
        assert placeholders(message.string) == placeholders(message.id), message.id


def placeholders(text: object) -> set[str]:
    """Of the last form, which is the plural where there is one."""
    last = text[-1] if isinstance(text, tuple | list) else text
    return set(PLACEHOLDER.findall(str(last)))


class Bare(HTMLParser):
    """Collects text that a person would read and that no translation covers."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_data(self, data: str) -> None:
        self._look(data)

    def handle_starttag(self, _tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name in READ_ALOUD and value:
                self._look(value)

    def _look(self, text: str) -> None:
        for line in text.splitlines():
            if not SAME_EVERYWHERE.fullmatch(line.strip()):
                self.found.append(line.strip())


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_no_template_speaks_one_language_only(path: Path) -> None:
    parser = Bare()
    parser.feed(without_tags(path.read_text()))
    assert parser.found == []


def without_tags(source: str) -> str:
    """Django's tags and variables, and blocks of translated text, are gone."""
    source = re.sub(r"{% blocktranslate.*?{% endblocktranslate %}", "", source, flags=re.DOTALL)
    return re.sub(r"{%.*?%}|{{.*?}}|{#.*?#}", "", source, flags=re.DOTALL)


def test_babel_can_read_every_template() -> None:
    for path in TEMPLATES:
        assert isinstance(templatize(path.read_text(), origin=str(path)), str)
