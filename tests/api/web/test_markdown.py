"""Agents' text: formatted, and unable to run, load or lead anywhere unseen."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.surfaces.web.markdown import to_html


def test_raw_html_is_shown_as_text() -> None:
    assert to_html("<b>x</b>") == "<p>&lt;b&gt;x&lt;/b&gt;</p>\n"


def test_a_picture_from_elsewhere_becomes_a_link() -> None:
    html = to_html("![plan](https://evil.example/p.png)")
    assert html == '<p><a href="https://evil.example/p.png" rel="noopener noreferrer nofollow">plan</a></p>\n'


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "vbscript:x"])
def test_a_link_that_is_no_web_address_leads_nowhere(address: str) -> None:
    html = to_html(f"[a]({address})")
    assert "href" not in html


def test_code_is_coloured_by_classes() -> None:
    assert '<span class="k">def</span>' in to_html("```python\ndef f(): ...\n```")


def test_code_of_an_unknown_language_is_plain() -> None:
    assert to_html("```nolang\n<x>\n```") == '<pre tabindex="0"><code>&lt;x&gt;\n</code></pre>\n'


def test_headings_stay_below_those_of_the_page() -> None:
    assert to_html("# a\n\n###### b") == "<h3>a</h3>\n<h6>b</h6>\n"


@given(st.text(alphabet=st.sampled_from("<>\"'&[]()!`*_#-|:/\\ \nabjscriptonerror="), max_size=200))
def test_no_text_makes_a_tag_that_runs(text: str) -> None:
    html = to_html(text).lower()
    assert "<script" not in html
    assert "<img" not in html
    assert 'href="javascript' not in html
