// The state of the connection in words, beside where a person writes; a short gap is none.

import { announce } from "./announcer.js";
import { refresh } from "./timeline.js";
import { say } from "./words.js";

const SLOW_MS = 1_500;
const NEWS_MS = 5_000;
const place = document.querySelector("[data-connection]");
let slow;
let counting;
let reading;

function show(text) {
  place.textContent = text;
  place.hidden = false;
}

// The page goes on reading by itself meanwhile: a socket is only a hint.
function countDown(until) {
  const tick = () => show(say("throttled", { seconds: Math.max(0, Math.ceil((until - Date.now()) / 1000)) }));
  tick();
  announce(place.textContent);
  counting = setInterval(tick, 1_000);
  reading = setInterval(refresh, NEWS_MS);
}

export function tellState(state, until) {
  clearTimeout(slow);
  clearInterval(counting);
  clearInterval(reading);
  if (state === "throttled") return countDown(until);
  if (state === "open") {
    place.hidden = true;
    return refresh();
  }
  slow = setTimeout(() => show(say(state === "forbidden" ? "signed_out" : "reconnecting")), SLOW_MS);
}
