// Writing and sending: a message has one id from the first try to the last, and text is lost never.

import { post } from "./requests.js";
import { toEnd } from "./scroll.js";
import { expectAnswer, refresh } from "./timeline.js";
import { clearToasts, toast, toastAnswer } from "./toasts.js";
import { say } from "./words.js";

const form = document.querySelector("[data-composer]");
const session = document.querySelector("[data-session]").dataset.session;
const KEY = `draft ${session}`;
const isTouch = matchMedia("(pointer: coarse)").matches;

function newId() {
  return crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}");
  } catch {
    return {};
  }
}

function store(draft) {
  try {
    if (draft.text) localStorage.setItem(KEY, JSON.stringify(draft));
    else localStorage.removeItem(KEY);
  } catch {
    // A full or forbidden store only means that a draft does not outlive the page.
  }
}

function start() {
  const { text: box, client_message_id: id } = form.elements;
  const count = document.querySelector("[data-count]");
  const button = form.querySelector("[data-send]");
  let tried = stored().tried;
  let isSending = false;

  const keep = () => {
    store({ text: box.value, tried });
    const over = [...box.value].length - Number(form.dataset.limit);
    count.textContent = over > 0 ? say("characters_over", { count: over }) : "";
    button.disabled = over > 0;
  };

  async function send() {
    const text = box.value;
    if (isSending || !text.trim() || button.disabled) return;
    isSending = true;
    clearToasts();
    // The same text again is the same message; another text is another one.
    tried = tried?.text === text ? tried : { text, id: newId() };
    id.value = tried.id;
    keep();
    try {
      const response = await post(form);
      if (response.ok) sent(text);
      else await toastAnswer(response);
    } catch {
      toast(say("not_sent"));
    }
    isSending = false;
  }

  function sent(text) {
    tried = undefined;
    box.value = box.value.startsWith(text) ? box.value.slice(text.length) : box.value;
    keep();
    toEnd();
    expectAnswer();
    refresh();
  }

  box.addEventListener("input", keep);
  box.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || isTouch) return;
    event.preventDefault();
    send();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });
  if (!box.value) box.value = stored().text ?? "";
  keep();
}

if (form) start();
