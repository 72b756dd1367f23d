// The page's truth: what the server says came after the last seq that is shown here.

import { announce } from "./announcer.js";
import { expect, settle, showRunning, showWait } from "./bubbles.js";
import { entryOf, hasEntries, placeEntries } from "./entries.js";
import { replaceRegions } from "./regions.js";
import { fragment } from "./requests.js";
import { following, keepingPlace } from "./scroll.js";
import { agentTitle, say } from "./words.js";

const root = document.querySelector("[data-session]");
const RETRY_MS = 2_000;

let through = Number(root.dataset.through);
let wanted = false;
let reading;
const told = new Map();

export const head = () => through;

function facts() {
  return root.querySelector(".state-facts").dataset;
}

export function expectAnswer() {
  following(() => (expect(facts().agent), false));
}

export function showState() {
  const running = facts().running.trim().split(" ").filter(Boolean).map((pair) => pair.split(":"));
  for (const [agent, turn] of running) told.set(turn, agent);
  showRunning(running);
  for (const wait of facts().waits.split(",").filter(Boolean)) showWait(wait.split(" "));
  root.classList.toggle("has-talk", hasEntries());
  document.querySelector("[data-rule-count]").textContent = facts().rules;
  document.querySelector("[data-spend]").textContent = facts().spend;
  document.querySelector("[data-left]").textContent = facts().left;
}

function tell(entry) {
  const { type, status, turn } = entry.dataset;
  if (type === "turn.ended" && status === "completed") {
    announce(say("answered", { agent: agentTitle(told.get(turn) ?? facts().agent) }), `answered ${turn}`);
  }
  const failure = entry.querySelector(".failure-head p");
  if (failure) announce(failure.textContent, `failure ${entry.dataset.seq}`);
}

function apply(page) {
  following(() => {
    const fresh = placeEntries(page);
    fresh.forEach(settle);
    replaceRegions(page);
    through = Math.max(through, Number(page.dataset.through));
    showState();
    fresh.forEach(tell);
    return fresh.some((entry) => !entry.classList.contains("entry-backstage"));
  });
}

async function readAll() {
  while (wanted) {
    wanted = false;
    const page = await fragment(`${root.dataset.timeline}?after=${through}`);
    apply(page);
    if ("more" in page.dataset) wanted = true;
  }
}

// One reading at a time; whoever asks during one is served by the next.
export function refresh() {
  wanted = true;
  reading ??= readAll()
    .catch(() => setTimeout(refresh, RETRY_MS))
    .finally(() => (reading = undefined));
  return reading;
}

export async function showEarlier() {
  const link = document.querySelector("[data-earlier-link]");
  if (!link) return false;
  const page = await fragment(link.href);
  keepingPlace(() => {
    placeEntries(page);
    document.querySelector("[data-earlier]").replaceChildren(...page.querySelector("[data-region]").childNodes);
  });
  return true;
}

// Reads back until the entry is on the page.
export async function entryAt(seq) {
  while (!entryOf(seq) && (await showEarlier()));
  return entryOf(seq);
}
