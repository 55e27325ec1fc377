"use strict";
/* Shows the clauses in which every word stands, or whose number begins so. */
const field = document.querySelector(".find"), plain = (text) => text.toLowerCase();
field.hidden = false;
field.oninput = ({ target }) => {
  const words = plain(target.value).split(/\s+/).filter(Boolean);
  const found = (one) => words.every((word) => plain(one.id).startsWith(word) || plain(one.textContent).includes(word));
  for (const one of document.querySelectorAll(".clause")) one.hidden = !found(one);
  for (const one of document.querySelectorAll("main > section")) one.hidden = words.length > 0 && !one.querySelector(".clause:not([hidden])");
};
