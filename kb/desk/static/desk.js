"use strict";
/* Every page works without this file: it adds number keys, the print button, and checks while a draft is typed. */

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  const link = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (link) link.click();
});

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

for (const form of document.querySelectorAll("form[data-check]")) {
  const told = form.querySelector("[data-faults]");
  const text = form.querySelector("textarea");
  let waiting = 0;
  let asked = 0;

  const show = (faults) => {
    const shown = document.createElement(faults.length ? "ul" : "p");
    shown.className = faults.length ? "faults" : "certain";
    if (!faults.length) shown.textContent = told.dataset.none;
    for (const fault of faults) {
      const where = Object.assign(document.createElement("code"), { textContent: fault.where });
      const item = document.createElement("li");
      item.append(where, ` ${fault.what}; ${fault.mend}`);
      shown.append(item);
    }
    told.replaceChildren(shown);
  };

  const check = async () => {
    const number = (asked += 1);
    const body = new URLSearchParams(new FormData(form));
    try {
      const answer = await fetch(form.dataset.check, { method: "POST", body });
      if (answer.ok && number === asked) show(await answer.json());
    } catch {
      /* the button «Check» still works */
    }
  };

  text.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(check, 600);
  });
}
