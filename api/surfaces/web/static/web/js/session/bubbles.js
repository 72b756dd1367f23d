// Live bubbles: what an agent is saying now, or that it works. Each gives way to the durable entry.

import { announce } from "./announcer.js";
import { hasEnded } from "./entries.js";
import { LiveText } from "./livetext.js";
import { agentTitle, noticeOf, say } from "./words.js";

const PATIENCE_MS = 5_000;
const area = document.querySelector("[data-live-area]");
const sprite = document.querySelector("[data-session]").dataset.icons;
const bubbles = new Map();

function element(tag, className, text = "") {
  const made = document.createElement(tag);
  made.className = className;
  made.textContent = text;
  return made;
}

function avatar(agent) {
  const place = element("span", "avatar");
  place.setAttribute("aria-hidden", "true");
  const known = ["creative", "product_owner"].includes(agent) ? agent : "agent";
  place.innerHTML = `<svg class="icon"><use href="${sprite}#${known}"></use></svg>`;
  return place;
}

class Bubble {
  constructor(turn, agent) {
    this.turn = turn;
    this.agent = agent;
    this.root = element("div", `entry-agent agent-${agent}`);
    this.head = element("p", "meta");
    this.head.append(element("span", "agent-name", agentTitle(agent)));
    this.root.append(avatar(agent), this.head);
    this.body = element("div", "mark");
    this.root.append(this.body);
    area.append(this.root);
    this.wait();
  }

  wait() {
    this.body.className = "mark";
    this.body.innerHTML = '<span class="laying" aria-hidden="true"><i></i><i></i><i></i></span>';
    this.sentence = element("span", "", say("working", { agent: agentTitle(this.agent) }));
    this.body.append(this.sentence);
    this.patience = setTimeout(() => {
      this.sentence.textContent = say("still_working", { agent: agentTitle(this.agent) });
    }, PATIENCE_MS);
  }

  begin({ call, attempt }, bornAfter) {
    this.endWaiting();
    this.call = call;
    this.attempt = attempt;
    this.bornAfter = bornAfter;
    this.live = new LiveText();
    this.body.className = "live-text";
    announce(say("answering", { agent: agentTitle(this.agent) }), `answering ${this.turn}`);
  }

  show() {
    this.body.textContent = this.live.text;
  }

  endWaiting() {
    this.retryAt = undefined;
    clearTimeout(this.patience);
    clearInterval(this.countdown);
  }

  notice(code, retryAt) {
    this.endWaiting();
    this.live = undefined;
    this.wait();
    clearTimeout(this.patience);
    this.retryAt = retryAt;
    const tick = () => {
      const seconds = Math.ceil((retryAt - Date.now()) / 1000);
      const next = seconds > 0 ? say("retrying", { seconds }) : say("retrying_now");
      this.sentence.textContent = `${noticeOf(code)} ${next}`;
    };
    tick();
    this.countdown = setInterval(tick, 1000);
  }

  stop() {
    this.endWaiting();
    this.isStopped = true;
    if (!this.live) return this.remove();
    this.root.classList.add("live-stopped");
    this.head.append(element("span", "badge badge-ipe", say("stopped")));
  }

  remove() {
    this.endWaiting();
    this.root.remove();
    bubbles.delete(this.turn);
  }
}

function bubbleOf(turn, agent) {
  if (!bubbles.has(turn)) bubbles.set(turn, new Bubble(turn, agent));
  return bubbles.get(turn);
}

// Answers whether a piece is missing, so that the caller can ask for the text so far.
export function takeLive(message, headSeq) {
  if (hasEnded(message.turn_id)) return false;
  const bubble = bubbleOf(message.turn_id, message.agent);
  if (bubble.isStopped) return false;
  const isNew = !bubble.live || bubble.attempt !== message.attempt || (message.offset === 0 && bubble.live.chars > 0);
  if (isNew) bubble.begin(message, headSeq);
  if (message.kind === "live") bubble.live.catchUp(message.text);
  else bubble.live.add(message.offset, message.text);
  bubble.show();
  return bubble.live.hasGap;
}

export function takeNotice(message) {
  const retryAt = Date.parse(message.retry_at);
  if (hasEnded(message.turn_id)) return;
  const bubble = bubbleOf(message.turn_id, message.agent);
  if (!bubble.isStopped && bubble.retryAt !== retryAt) bubble.notice(message.code, retryAt);
}

// What the server's page says a call waits for; it may be older than the words of that call which are shown already.
export function showWait([turn_id, agent, call, attempt, code, retry_at]) {
  const { live, call: shown, attempt: tried } = bubbles.get(turn_id) ?? {};
  if (live && shown === Number(call) && tried >= Number(attempt)) return;
  takeNotice({ turn_id, agent, code, retry_at });
}

// A durable answer replaces what was live when it was written; a later call of the same turn stays.
export function settle(entry) {
  const bubble = bubbles.get(entry.dataset.turn);
  if (!bubble) return;
  const seq = Number(entry.dataset.seq);
  const { type, status } = entry.dataset;
  if (type === "agent.response" && bubble.live && bubble.bornAfter < seq) bubble.remove();
  if (type === "turn.stop_receipt") bubble.remove();
  if (type === "turn.ended") status === "stopped" ? bubble.isStopped || bubble.stop() : bubble.remove();
}

// `running` are [agent, turn] pairs: each has a bubble, and what only waited for a turn that is over goes.
export function showRunning(running) {
  const turns = new Set(running.map(([, turn]) => turn));
  for (const [agent, turn] of running) if (!hasEnded(turn)) bubbleOf(turn, agent);
  for (const bubble of [...bubbles.values()]) {
    const isOver = !turns.has(bubble.turn) && !bubble.live && bubble.turn !== "expected";
    if (isOver || (bubble.turn === "expected" && running.length)) bubble.remove();
  }
}

// A click that starts a turn shows at once that something will come.
export function expect(agent) {
  if (bubbles.size || !agent) return;
  const bubble = bubbleOf("expected", agent);
  setTimeout(() => bubbles.get("expected") === bubble && bubble.remove(), 4 * PATIENCE_MS);
}

export function stopAll() {
  for (const bubble of [...bubbles.values()]) bubble.isStopped || bubble.stop();
}
