// An iteration's page: the detailing is shown while it runs, and stories are put in order by dragging.

const LOOK_AGAIN_MS = 1500;

async function look() {
  const region = document.querySelector("#detailing");
  if (!region.hasAttribute("data-at-work")) return;
  try {
    const response = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (response.ok) {
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const fresh = page.querySelector("#detailing");
      if (fresh && fresh.innerHTML !== region.innerHTML) region.replaceWith(document.adoptNode(fresh));
    }
  } finally {
    setTimeout(look, LOOK_AGAIN_MS);
  }
}

setTimeout(look, LOOK_AGAIN_MS);

const form = document.querySelector("[data-order]");
let dragged = null;

form?.addEventListener("dragstart", (event) => {
  dragged = event.target.closest("li");
  dragged.classList.add("is-dragged");
});
form?.addEventListener("dragover", (event) => {
  const over = event.target.closest("li");
  if (!dragged || !over || over === dragged) return;
  event.preventDefault();
  const box = over.getBoundingClientRect();
  over[event.clientY < box.top + box.height / 2 ? "before" : "after"](dragged);
});
form?.addEventListener("drop", (event) => event.preventDefault());
form?.addEventListener("dragend", () => {
  dragged?.classList.remove("is-dragged");
  dragged = null;
  form.requestSubmit();
});
