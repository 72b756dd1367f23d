// The list of entries: in seq order, each seq once; an entry that comes again replaces itself.

import { showTimes } from "../times.js";

const list = document.querySelector("[data-entries]");
const seqOf = (entry) => Number(entry.dataset.seq);

export function entryOf(seq) {
  return document.getElementById(`e-${seq}`);
}

export function hasEntries() {
  return list.querySelector("[data-type='chat.message'], [data-type='agent.response']") !== null;
}

export function hasEnded(turn) {
  return list.querySelector(`[data-type="turn.ended"][data-turn="${turn}"]`) !== null;
}

function place(entry) {
  const old = entryOf(entry.dataset.seq);
  if (old) {
    if (old.contains(document.activeElement)) setTimeout(() => entry.focus({ preventScroll: true }));
    old.replaceWith(entry);
    return false;
  }
  let after = list.lastElementChild;
  while (after && seqOf(after) > seqOf(entry)) after = after.previousElementSibling;
  if (after) after.after(entry);
  else list.prepend(entry);
  return true;
}

// Entries of one agent that follow each other share one head.
function joinRuns() {
  let last = "";
  for (const entry of list.children) {
    if (entry.classList.contains("entry-backstage")) continue;
    entry.classList.toggle("is-following", last !== "" && entry.dataset.agent === last);
    last = entry.dataset.agent ?? "";
  }
}

// Puts a page's entries where they belong; answers those that were not there before.
export function placeEntries(page) {
  const fresh = [];
  for (const entry of [...page.querySelectorAll(".entries > .entry")]) {
    showTimes(entry);
    if (place(entry)) fresh.push(entry);
  }
  joinRuns();
  return fresh;
}

joinRuns();
