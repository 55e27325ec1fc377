"use strict";
/* Every page works without this file: it adds number keys, the print button, the newest answer in sight, and a word where there is no connection. */

for (const said of document.querySelectorAll(".asking .said")) said.scrollLeft = said.scrollWidth; // the newest answer

const keysOff = () => localStorage.getItem("keys") === "off";

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || keysOff()) return;
  if (/^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
  const list = document.querySelector("dialog.keys");
  if (event.key === "?" && list) list.showModal();
  else document.querySelector(`[data-key="${CSS.escape(event.key)}"]`)?.click();
});

for (const button of document.querySelectorAll("[data-keys-switch]")) {
  const told = () => (button.textContent = keysOff() ? button.dataset.on : button.dataset.off);
  button.addEventListener("click", () => {
    localStorage.setItem("keys", keysOff() ? "on" : "off");
    told();
    button.closest("dialog")?.close();
  });
  told();
}

for (const form of document.querySelectorAll("form[data-result]")) {
  form.addEventListener("change", () => {
    const level = Number(new FormData(form).get("level"));
    for (const input of level ? form.querySelectorAll("[name=tricks]:not([value=''])") : []) {
      const said = input.nextElementSibling;
      const small = said.querySelector("small") ?? said.appendChild(document.createElement("small"));
      const over = Number(input.value) - level - 6;
      small.textContent = over ? `${over > 0 ? "+" : "−"}${Math.abs(over)}` : "=";
    }
  });
}

for (const button of document.querySelectorAll("[data-paste]")) {
  button.hidden = !navigator.clipboard?.readText;
  button.addEventListener("click", async () => {
    const text = button.form.querySelector("textarea");
    try {
      text.value = await navigator.clipboard.readText();
    } catch {
      /* the browser did not allow it: it is pasted by hand */
    }
    if (text.value.trim()) button.form.requestSubmit();
    else text.focus();
  });
}

for (const button of document.querySelectorAll("[data-print]")) {
  button.hidden = false;
  button.addEventListener("click", () => window.print());
}

// the slip's paper ends where the slip does
const slip = document.querySelector(".slip");
if (slip) {
  slip.classList.add("measured");
  const long = Math.ceil((slip.getBoundingClientRect().height * 25.4) / 96) + 10;
  slip.classList.remove("measured");
  const sheet = [...document.styleSheets].find((one) => one.href.endsWith("/slip.css"));
  sheet.insertRule(`@page { size: 80mm ${long}mm; margin: 4mm }`, sheet.cssRules.length);
}
