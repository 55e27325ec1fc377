"use strict";
for (const section of document.querySelectorAll(".stepper")) {
  const article = section.closest("article");
  const turns = JSON.parse(section.querySelector("[data-turns]").textContent);
  const slider = section.querySelector("input");
  const stage = section.querySelector(".stage");
  const number = section.querySelector("[data-trick-number]");
  const buttons = Object.fromEntries([...section.querySelectorAll("[data-go]")].map((b) => [b.dataset.go, b]));
  let now = Number(slider.getAttribute("value"));

  const nextChange = () => {
    for (let step = 1; step <= turns.length; step += 1) {
      const turn = (now + step) % turns.length;
      if (turns[turn].changed) return turn;
    }
    return now;
  };
  const target = {
    first: () => 0,
    back: () => now - 1,
    on: () => now + 1,
    last: () => turns.length - 1,
    change: nextChange,
  };

  const show = (wanted) => {
    now = Math.max(0, Math.min(turns.length - 1, wanted));
    const turn = turns[now];
    slider.value = now;
    slider.setAttribute("aria-valuetext", turn.moment);
    section.querySelector("[data-moment]").textContent = turn.moment;
    section.querySelector("[data-says]").textContent = turn.revokes.length || now === turns.length - 1 ? turn.text : "";
    if (number) number.textContent = turn.trick ?? "–";
    const lines = section.querySelector("[data-lines]");
    lines.replaceChildren(...turn.lines.map((text) => Object.assign(document.createElement("li"), { textContent: text })));
    for (const seat of section.querySelectorAll("[data-seat]")) {
      const [suit, label] = turn.cards[seat.dataset.seat] ?? ["", ""];
      seat.textContent = label;
      seat.className = suit ? `s${suit}` : "";
    }
    for (const card of article.querySelectorAll("[data-card]")) {
      card.classList.toggle("gone", now < turns.length - 1 && turn.gone.includes(card.dataset.card));
    }
    for (const row of article.querySelectorAll("[data-trick]")) {
      row.classList.toggle("now", now < turns.length - 1 && Number(row.dataset.trick) === turn.trick);
    }
    for (const [go, at] of [["first", 0], ["back", 0], ["on", turns.length - 1], ["last", turns.length - 1]]) {
      buttons[go].disabled = now === at;
    }
  };

  for (const [go, button] of Object.entries(buttons)) button.addEventListener("click", () => show(target[go]()));
  slider.addEventListener("input", () => show(Number(slider.value)));
  const keys = { ArrowRight: "on", ArrowLeft: "back", Home: "first", End: "last" };
  stage.addEventListener("keydown", (event) => {
    const go = keys[event.key];
    if (go) {
      event.preventDefault();
      show(target[go]());
    }
  });
  let from = null;
  stage.addEventListener("touchstart", (event) => { from = event.changedTouches[0]; }, { passive: true });
  stage.addEventListener("touchend", (event) => {
    const to = event.changedTouches[0];
    const [x, y] = from ? [to.clientX - from.clientX, to.clientY - from.clientY] : [0, 0];
    if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) show(x < 0 ? now + 1 : now - 1);
    from = null;
  });
  section.hidden = false;
  show(now);
}
