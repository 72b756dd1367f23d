// The page's words, translated by the server.

const words = JSON.parse(document.getElementById("words").textContent);

export function say(key, values = {}) {
  return words[key].replace(/\{(\w+)\}/g, (whole, name) => values[name] ?? whole);
}

export function agentTitle(slug) {
  return words.agents[slug] ?? slug;
}

export function noticeOf(code) {
  return words.notices[code] ?? words.notices.other;
}
