// Every other form of the page: sent without leaving it, and the log is read again.

import { stopAll } from "./bubbles.js";
import { post } from "./requests.js";
import { expectAnswer, refresh } from "./timeline.js";
import { clearToasts, toast, toastAnswer } from "./toasts.js";
import { say } from "./words.js";

async function send(form) {
  if (form.dataset.busy) return;
  form.dataset.busy = "yes";
  clearToasts();
  try {
    const response = await post(form);
    if (response.ok && "stop" in form.dataset) stopAll();
    if (response.ok && "startsTurn" in form.dataset) expectAnswer();
    if (!response.ok) await toastAnswer(response);
    await refresh();
  } catch {
    toast(say("not_done"));
  }
  delete form.dataset.busy;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("form[data-live]")) return;
  event.preventDefault();
  send(form);
});
