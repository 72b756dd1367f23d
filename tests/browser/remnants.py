"""English that was left on a Portuguese page, as far as a simple look can see it."""

import gettext
import re
from pathlib import Path

from playwright.sync_api import Page

CATALOGUE = Path(__file__).parents[2] / "api/locale/pt_BR/LC_MESSAGES/django.mo"
ENGLISH = re.compile(
    r"\b(the|of|and|is|are|was|with|not|this|that|your|you|it|its|from|to|by|what|here|has|have)\b", re.IGNORECASE
)
TEXTS = """() => {
  const strange = "[translate=no], [lang]:not(html), code, pre, script, style, .prose, option[data-name]";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [document.title];
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (!node.parentElement.closest(strange)) texts.push(node.textContent);
  }
  for (const e of document.querySelectorAll("[aria-label], [placeholder], [title], [alt]")) {
    if (e.closest(strange)) continue;
    for (const name of ["aria-label", "placeholder", "title", "alt"]) texts.push(e.getAttribute(name) ?? "");
  }
  return texts.map((text) => text.replace(/\\s+/g, " ").trim()).filter(Boolean);
}"""


def english(page: Page) -> list[str]:
    """Texts with English words in them, and whole texts that have a translation."""
    with CATALOGUE.open("rb") as file:
        known = gettext.GNUTranslations(file)
    texts: list[str] = page.evaluate(TEXTS)
    return [text for text in texts if ENGLISH.search(text) or known.gettext(text) != text]
