"""Agents' text as safe HTML: no raw HTML, no remote image, links that tell the other side nothing."""

from collections.abc import Sequence
from functools import lru_cache

import nh3
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

MAX_HIGHLIGHTED_CHARS = 20_000
TAGS = {
    *("p", "br", "hr", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "span"),
    *("em", "strong", "s", "a", "table", "thead", "tbody", "tr", "th", "td"),
}
ATTRIBUTES = {"a": {"href", "title"}, "span": {"class"}, "ol": {"start"}, "pre": {"tabindex"}}
SCHEMES = {"http", "https", "mailto"}


def _coloured(code: str, language: str, _attributes: str) -> str:
    """Pygments' spans for a language that it knows; empty means plain and escaped."""
    if len(code) > MAX_HIGHLIGHTED_CHARS:
        return ""
    try:
        return highlight(code, get_lexer_by_name(language), HtmlFormatter(nowrap=True))
    except ClassNotFound:
        return ""


def _image_as_link(
    _renderer: RendererHTML, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
) -> str:
    """A picture from elsewhere would tell its host who reads: the person may follow the link instead."""
    token = tokens[index]
    words = nh3.clean_text(token.content or str(token.attrs.get("src", "")))
    return f'<a href="{nh3.clean_text(str(token.attrs.get("src", "")))}">{words}</a>'


def _headings_below_the_page(state: StateCore) -> None:
    """The page and its parts have the first two levels."""
    for token in state.tokens:
        if token.type in {"heading_open", "heading_close"}:
            token.tag = f"h{min(6, int(token.tag[1]) + 2)}"


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "breaks": True, "highlight": _coloured})
    parser.enable(["table", "strikethrough"])
    parser.add_render_rule("image", _image_as_link)
    parser.core.ruler.push("headings_below_the_page", _headings_below_the_page)
    return parser


def to_html(text: str) -> SafeString:
    """Sanitised after rendering, so that a fault of the renderer is no hole."""
    rendered = _parser().render(text).replace("<pre>", '<pre tabindex="0">')
    clean = nh3.clean(
        rendered, tags=TAGS, attributes=ATTRIBUTES, url_schemes=SCHEMES, link_rel="noopener noreferrer nofollow"
    )
    return mark_safe(clean)  # noqa: S308 - nh3 has just made it so
