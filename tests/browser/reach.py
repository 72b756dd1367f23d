"""What makes a page everybody's: what axe says, how wide it is, how it looks in each theme."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.person import Person

CONTRAST = {"runOnly": ["color-contrast"]}
GRAVE = """async (options) => {
  const found = (await axe.run(document, { resultTypes: ["violations"], ...options })).violations;
  return found
    .filter((one) => one.impact === "serious" || one.impact === "critical")
    .map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).join(", ")}`);
}"""
WIDE, PHONE = 1280, 360
HEIGHT = 800
THEME = """(theme) => {
  const still = new CSSStyleSheet();
  still.replaceSync("*, ::before, ::after { transition: none !important }");
  document.adoptedStyleSheets = [still];
  document.documentElement.dataset.theme = theme;
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""
OVERFLOW = """(width) => {
  const wide = document.documentElement.scrollWidth;
  if (wide <= width) return [];
  const name = (e) => e.tagName.toLowerCase() + "." + [...e.classList].join(".");
  return [`${wide} px`, ...[...document.body.querySelectorAll("*")]
    .filter((e) => e.checkVisibility() && e.getBoundingClientRect().right > width + 1).map(name)];
}"""


def grave(person: Person, options: dict[str, Any] | None = None) -> list[str]:
    """axe's serious and critical findings, with what they are about."""
    if not person.page.evaluate("'axe' in window"):
        person.page.evaluate(AXE_SCRIPT)
    found: list[str] = person.page.evaluate(GRAVE, options or {})
    return found


def overflow(page: Page) -> list[str]:
    """How wide the page is and what reaches beyond its window; nothing when it fits."""
    width = page.viewport_size["width"] if page.viewport_size else 0
    found: list[str] = page.evaluate(OVERFLOW, width)
    return found


def resize(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": HEIGHT})


def set_theme(page: Page, theme: str) -> None:
    """As the page would come with the cookie of this theme, without colours on their way from the other."""
    page.evaluate(THEME, theme)
