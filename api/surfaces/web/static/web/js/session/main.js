// The session page: socket hints in, the timeline read by seq, a person's hand always first.

import "./composer.js";
import "./forms.js";
import "./panel.js";
import { takeLive, takeNotice } from "./bubbles.js";
import { tellState } from "./connection.js";
import { checkAll } from "./questions.js";
import { following, toEnd } from "./scroll.js";
import { Socket } from "./socket.js";
import { head, refresh, showEarlier, showState } from "./timeline.js";

const CATCH_UP_MS = 1_200;
const root = document.querySelector("[data-session]");
let hinted = head();
let catchingUp;

// A missing piece of live text is in the server's saved text a second later: join again for it.
function joinAgain() {
  catchingUp ??= setTimeout(() => {
    catchingUp = undefined;
    socket.reconnect();
  }, CATCH_UP_MS);
}

function onMessage(message) {
  if (message.kind === "event") hinted = Math.max(hinted, message.event.seq);
  if (message.kind === "ping" || message.kind === "far") hinted = Math.max(hinted, message.head);
  if (message.kind === "delta" || message.kind === "live") following(() => (takeLive(message, hinted) && joinAgain(), false));
  if (message.kind === "notice") following(() => (takeNotice(message), false));
  if (hinted > head()) refresh();
}

new MutationObserver(checkAll).observe(document.querySelector("[data-entries]"), { childList: true });
document.addEventListener("click", (event) => {
  if (!event.target.closest("[data-earlier-link]")) return;
  event.preventDefault();
  showEarlier();
});

checkAll();
showState();
if (!location.hash.startsWith("#e-")) toEnd();
const socket = new Socket(root.dataset.socket, { after: head, onMessage, onState: tellState });
root.dataset.ready = "yes";
