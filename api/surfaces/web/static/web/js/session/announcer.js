// One polite region for screen readers: an answer begins, an answer is there, something failed. Nothing else.

const region = document.querySelector("[data-announcer]");
const heard = new Set();

export function announce(text, once = text) {
  if (heard.has(once)) return;
  heard.add(once);
  region.textContent = text;
}
