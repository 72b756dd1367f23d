// Requests that name themselves as coming from an open page, so that answers are fragments.

const HEADERS = { "X-Fragment": "1" };
const TIMEOUT_MS = 20_000;

export function post(form) {
  return fetch(form.action, {
    method: "POST",
    body: new FormData(form),
    headers: HEADERS,
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
}

export async function fragment(url) {
  const response = await fetch(url, { headers: HEADERS, signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw Object.assign(new Error(`status ${response.status}`), { response });
  const template = document.createElement("template");
  template.innerHTML = await response.text();
  return template.content.querySelector("[data-page]");
}
