"use strict";
// Space opens and closes the answer, the arrows turn over; a tap on the question opens it without any of this.
(() => {
  const slides = [...document.querySelectorAll(".slide")];
  const here = () => {
    const at = slides.findIndex((slide) => slide.getBoundingClientRect().bottom > innerHeight / 3);
    return at < 0 ? slides.length - 1 : at;
  };
  const turn = (by) => {
    const next = slides[Math.min(Math.max(here() + by, 0), slides.length - 1)];
    history.replaceState(null, "", `#${next.id}`);
    next.scrollIntoView();
  };
  const open = () => {
    const answer = slides[here()].querySelector("details");
    answer.open = !answer.open;
    answer.scrollIntoView({ block: "nearest" });
  };
  const keys = { " ": open, ArrowRight: () => turn(1), ArrowLeft: () => turn(-1), PageDown: () => turn(1), PageUp: () => turn(-1) };
  addEventListener("keydown", (event) => {
    const act = event.ctrlKey || event.altKey || event.metaKey ? null : keys[event.key];
    if (act && !(event.key === " " && event.target.closest("a, summary, button"))) {
      event.preventDefault();
      act();
    }
  });
})();
