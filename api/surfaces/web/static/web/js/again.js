// A form that came too soon: counts down, and can be sent when the server said.

const form = document.querySelector("[data-again]");
const words = form.querySelector("[data-again-words]");
const button = form.querySelector("[data-again-button]");
const until = Date.now() + Number(form.dataset.again) * 1000;

function tick() {
  const seconds = Math.ceil((until - Date.now()) / 1000);
  button.disabled = seconds > 0;
  words.textContent = seconds > 0 ? words.dataset.in.replace("{seconds}", seconds) : words.dataset.now;
  if (seconds <= 0) clearInterval(counting);
}

const counting = setInterval(tick, 1000);
tick();
