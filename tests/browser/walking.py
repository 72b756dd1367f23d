"""Through a page by the Tab key alone: what is never reached, has no ring when it is, or lies behind something."""

from playwright.sync_api import Page

SPARE = 5
MARK = """() => {
  const wanted = "a[href], button, input, select, textarea, summary, [tabindex='0']";
  const groups = new Set();
  const isOne = (e) => {
    if (e.disabled || e.type === "hidden" || !e.checkVisibility({ visibilityProperty: true })) return false;
    if (e.type !== "radio") return true;
    const group = document.querySelectorAll(`input[type=radio][name="${e.name}"]:checked`);
    if (group.length ? !e.checked : groups.has(e.name)) return false;
    return groups.add(e.name);
  };
  const start = document.body.insertBefore(document.createElement("span"), document.body.firstChild);
  start.tabIndex = -1;
  start.focus();
  start.remove();
  const all = [...document.querySelectorAll(wanted)].filter(isOne);
  all.forEach((e, number) => { e.dataset.walk = number; });
  return all.length;
}"""
HERE = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
  const e = document.activeElement;
  if (!e || !e.dataset || !("walk" in e.dataset)) return null;
  const name = `${e.tagName.toLowerCase()} ${(e.ariaLabel || e.innerText || e.name || e.id).trim().slice(0, 40)}`;
  const isRing = (s) => s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2;
  let shows = !!e.closest(".composer textarea");
  for (let one = e; one && !shows; one = one.parentElement) shows = isRing(getComputedStyle(one));
  const isSeen = () => {
    const box = (e.closest("label") ?? e).getClientRects()[0];
    const [x, y] = [box.left + Math.min(box.width, 24) / 2, box.top + Math.min(box.height, 24) / 2];
    const seen = document.elementFromPoint(x, y);
    return !!seen && (e.contains(seen) || seen.contains(e) || !!seen.closest("label")?.contains(e));
  };
  for (let count = 0; count < 30 && !isSeen(); count += 1) await frame();
  return { number: Number(e.dataset.walk), name, shows, isSeen: isSeen() };
}"""
NAMES = """(numbers) => numbers.map((number) => {
  const e = document.querySelector(`[data-walk="${number}"]`);
  const name = (e.ariaLabel || e.innerText || e.name || e.id).trim().slice(0, 40);
  return `${e.tagName.toLowerCase()} ${name}: not reached`;
})"""


def missed(page: Page) -> list[str]:
    """What is wrong on the whole way round; nothing when it is well."""
    count: int = page.evaluate(MARK)
    left, wrong = set(range(count)), []
    for _ in range(count + SPARE):
        page.keyboard.press("Tab")
        here = page.evaluate(HERE)
        if here is None or here["number"] not in left:
            continue
        left.discard(here["number"])
        if not here["shows"]:
            wrong.append(f"{here['name']}: no ring")
        if not here["isSeen"]:
            wrong.append(f"{here['name']}: hidden behind something")
        if not left:
            break
    names: list[str] = page.evaluate(NAMES, sorted(left))
    return wrong + names
