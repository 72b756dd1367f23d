// Forms of structured questions: "other" opens a field of its own, and sending waits for every answer.

function otherOf(select) {
  return select.dataset.other ? document.getElementById(select.dataset.other) : null;
}

function isOther(select) {
  return select.selectedOptions[0]?.hasAttribute("data-is-other") ?? false;
}

function isAnswered(field) {
  if (field instanceof HTMLSelectElement && isOther(field)) return otherOf(field).value.trim() !== "";
  return field.value.trim() !== "";
}

export function check(form) {
  const fields = [...form.querySelectorAll("[name^='answer-']")];
  for (const select of form.querySelectorAll("select[data-other]")) otherOf(select).hidden = !isOther(select);
  const isComplete = fields.every(isAnswered);
  form.querySelector("[data-complete-only]").disabled = !isComplete;
  form.querySelector("[data-incomplete]").hidden = isComplete;
}

export function checkAll() {
  document.querySelectorAll("form[data-questions]").forEach(check);
}

document.addEventListener("input", (event) => {
  const form = event.target.closest?.("form[data-questions]");
  if (!form) return;
  check(form);
  if (event.target instanceof HTMLSelectElement && isOther(event.target)) otherOf(event.target).focus();
});
