// Questions that a reader answers before looking: see prediction.py.
"use strict";

(() => {
  function commit(form, picked, keep) {
    const right = form.dataset.answer;
    for (const input of form.querySelectorAll("input")) {
      input.checked = input.value === picked;
      input.disabled = true;
      const option = input.closest("label");
      option.classList.toggle("st-mine", input.value === picked);
      option.classList.toggle("st-right", input.value === right);
    }
    form.querySelector("button").hidden = true;
    form.querySelector(".st-verdict").textContent =
      picked === right ? "You predicted this." : "You predicted otherwise.";
    form.querySelector("details").open = true;
    form.classList.add("st-committed");
    if (keep) {
      try {
        sessionStorage.setItem(form.dataset.key, picked);
      } catch {
        // Storage may be forbidden; the answer then lasts as long as the page.
      }
    }
  }

  function recall(form) {
    try {
      return sessionStorage.getItem(form.dataset.key);
    } catch {
      return null;
    }
  }

  function start() {
    for (const form of document.querySelectorAll("form.st-predict:not([data-ready])")) {
      form.dataset.ready = "";
      const button = form.querySelector("button");
      for (const input of form.querySelectorAll("input")) input.disabled = false;
      form.addEventListener("change", () => {
        button.disabled = false;
      });
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        const picked = form.querySelector("input:checked");
        if (picked) commit(form, picked.value, true);
      });
      if (form.closest(".jp-Notebook")) {
        // JupyterLab's shortcuts would take the arrow keys from the options.
        form.addEventListener("keydown", (event) => event.stopPropagation());
      }
      const earlier = recall(form);
      if (earlier !== null) commit(form, earlier, false);
    }
  }

  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
