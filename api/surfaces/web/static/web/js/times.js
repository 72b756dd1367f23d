// Instants as the reader's clock shows them, and ages that grow.

const language = document.documentElement.lang;
const hour = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" });
const date = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });
const full = new Intl.DateTimeFormat(language, { dateStyle: "full", timeStyle: "medium" });
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });

const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];

export function ageOf(instant, now = Date.now()) {
  const seconds = Math.round((instant - now) / 1000);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ["second", 1];
  return relative.format(Math.trunc(seconds / size), unit);
}

function isToday(instant) {
  return instant.toDateString() === new Date().toDateString();
}

export function showTimes(root) {
  for (const element of root.querySelectorAll("time[datetime]")) {
    const instant = new Date(element.dateTime);
    if (Number.isNaN(instant.getTime())) continue;
    element.title = full.format(instant);
    if (element.hasAttribute("data-age")) element.textContent = ageOf(instant);
    else if (element.hasAttribute("data-date")) element.textContent = date.format(instant);
    else element.textContent = (isToday(instant) ? hour : day).format(instant);
  }
}

setInterval(() => {
  for (const element of document.querySelectorAll("time[data-age]")) {
    element.textContent = ageOf(new Date(element.dateTime));
  }
}, 30_000);
