// Parts of the page that the server draws anew: replaced only when they differ, keeping the focus and what is open.

import { showTimes } from "../times.js";

export function replaceRegions(page) {
  for (const fresh of page.querySelectorAll(":scope > [data-region]")) {
    const old = document.querySelector(`[data-session] [data-region="${fresh.dataset.region}"]`);
    if (!old || old.dataset.source === fresh.innerHTML) continue;
    const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
    old.dataset.source = fresh.innerHTML;
    old.replaceChildren(...fresh.childNodes);
    showTimes(old);
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }
}
