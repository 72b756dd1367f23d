"""Every event has its own entry, in both languages, and nobody's text becomes markup."""

from html.parser import HTMLParser
from types import SimpleNamespace

import pytest
from django.template.loader import render_to_string
from django.utils import translation

from api.surfaces.web.timeline.ledger import Ledger
from contracts.events import EVENT_TYPES, AnyEvent
from tests.api.web.samples import ID, PAYLOADS, event_of

PLACE = {"session": SimpleNamespace(id=ID), "project": SimpleNamespace(id=ID, workspace_id=ID)}
TAGS_THAT_RUN = {"script", "img", "iframe", "style", "object", "embed", "link", "base"}


class Dangers(HTMLParser):
    """Collects tags, attributes and addresses with which a text would do something by itself."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found += [tag] if tag in TAGS_THAT_RUN else []
        self.found += [name for name, _ in attrs if name.startswith("on") or name == "style"]
        self.found += [value for name, value in attrs if name in ("href", "src") and value and "javascript:" in value]


def shown(payload: AnyEvent, *, may_act: bool = True) -> str:
    entry = Ledger(me=str(ID), may_act=may_act).entries((event_of(payload),))[0]
    return render_to_string("parts/entry.html", {"entry": entry, "max_reason_chars": 2000, **PLACE})


def test_there_is_a_sample_of_every_type() -> None:
    assert {payload.type for payload in PAYLOADS} == set(EVENT_TYPES)


@pytest.mark.parametrize("language", ["en", "pt-br"])
@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload.type)
def test_every_type_is_shown_and_stays_text(payload: AnyEvent, language: str) -> None:
    with translation.override(language):
        html = shown(payload)
    assert f'data-type="{payload.type}"' in html
    dangers = Dangers()
    dangers.feed(html)
    assert dangers.found == []


@pytest.mark.parametrize("payload", PAYLOADS, ids=lambda payload: payload.type)
def test_who_only_reads_is_offered_nothing_to_do(payload: AnyEvent) -> None:
    assert "<form" not in shown(payload, may_act=False)
