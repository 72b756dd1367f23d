// The page follows the conversation only for someone who is already at its end.

const NEAR_PX = 120;
const pill = document.querySelector("[data-pill]");

export function isAtEnd() {
  const { scrollHeight } = document.documentElement;
  return scrollHeight - innerHeight - scrollY < NEAR_PX;
}

export function toEnd() {
  scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" });
  pill.hidden = true;
}

// Runs a change of the page; `isNews` says whether the change is worth a pill for who reads further up.
export function following(change) {
  const wasAtEnd = isAtEnd();
  const isNews = change();
  if (wasAtEnd) toEnd();
  else if (isNews) pill.hidden = false;
}

export function keepingPlace(change) {
  const before = document.documentElement.scrollHeight - scrollY;
  change();
  scrollTo({ top: document.documentElement.scrollHeight - before, behavior: "instant" });
}

pill.addEventListener("click", toEnd);
addEventListener("scroll", () => isAtEnd() && (pill.hidden = true), { passive: true });
