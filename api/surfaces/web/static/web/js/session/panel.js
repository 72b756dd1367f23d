// The side panel as a drawer, links into the timeline, and what happens behind.

import { entryAt } from "./timeline.js";

const panel = document.getElementById("panel");
const opener = document.querySelector("[data-panel-open]");

function setOpen(isOpen) {
  panel.classList.toggle("is-open", isOpen);
  opener.setAttribute("aria-expanded", String(isOpen));
  if (isOpen) panel.querySelector("[data-panel-close]").focus();
  else if (panel.contains(document.activeElement)) opener.focus();
}

async function goTo(seq) {
  setOpen(false);
  const entry = await entryAt(seq);
  if (!entry) return;
  entry.scrollIntoView({ block: "center" });
  entry.classList.remove("is-found");
  entry.getBoundingClientRect();
  entry.classList.add("is-found");
  entry.focus({ preventScroll: true });
  history.replaceState(null, "", `#e-${seq}`);
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-goto]");
  if (link) {
    event.preventDefault();
    goTo(link.dataset.goto);
  } else if (panel.classList.contains("is-open") && !panel.contains(event.target) && !opener.contains(event.target)) {
    setOpen(false);
  }
});
opener.addEventListener("click", () => setOpen(!panel.classList.contains("is-open")));
panel.querySelector("[data-panel-close]").addEventListener("click", () => setOpen(false));
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && panel.classList.contains("is-open")) {
    setOpen(false);
    opener.focus();
  }
});

const backstage = document.querySelector("[data-backstage]");
backstage.addEventListener("click", () => {
  const isShown = backstage.getAttribute("aria-pressed") !== "true";
  backstage.setAttribute("aria-pressed", String(isShown));
  document.querySelector("[data-session]").classList.toggle("shows-backstage", isShown);
});

if (/^#e-\d+$/.test(location.hash)) goTo(location.hash.slice(3));
