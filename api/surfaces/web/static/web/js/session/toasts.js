// Refusals and failures of what a person just did, beside where it was done.

import { say } from "./words.js";

const place = document.querySelector("[data-toasts]");

export function clearToasts() {
  place.replaceChildren();
}

export function toast(text) {
  const banner = document.createElement("div");
  banner.className = "banner banner-urucum";
  const sentence = document.createElement("p");
  sentence.textContent = text;
  banner.append(sentence);
  place.replaceChildren(banner);
}

export async function toastAnswer(response) {
  if (response.status >= 500 || !response.headers.get("content-type")?.includes("html")) {
    toast(say("not_done"));
    return;
  }
  const template = document.createElement("template");
  template.innerHTML = await response.text();
  const banner = template.content.querySelector(".banner");
  if (banner) place.replaceChildren(banner);
  else toast(say("not_done"));
}
