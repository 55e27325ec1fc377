"use strict";
const data = JSON.parse(document.getElementById("data").textContent);
const main = document.getElementById("main");
const UNKNOWN = "u";
let given = []; // the answers in the order of the questions asked: numbers, or UNKNOWN where every answer stays possible

const say = (key, places = {}) => data.say[key].replace(/\{(\w+)\}/g, (_, name) => places[name]);
const text = (number) => data.texts[number];

function make(tag, words, kind) {
  const element = document.createElement(tag);
  if (words !== undefined) element.textContent = words;
  if (kind) element.className = kind;
  return element;
}

/* Where the answers lead; after a question that could not be answered, as after its most ordinary answer. */
function walk() {
  let node = data.tree[0];
  const known = new Map(), unknown = [], said = [];
  for (const answer of given) {
    const ordinary = Object.keys(node.to)[0];
    said.push([node.q, answer]);
    if (answer === UNKNOWN) unknown.push(node.q);
    else known.set(node.q, answer);
    node = data.tree[node.to[answer === UNKNOWN ? ordinary : answer]];
  }
  return { node, known, unknown, said };
}

const met = (needs, way) => needs.length === 0
  || needs.some((need) => need.every(([question, answers]) => answers.includes(way.get(question))));

/* Whether some situation has all the answers of a way, and those known wherever they are asked. */
function agrees(path, known, at = 0, way = new Map()) {
  if (at === data.questions.length) return [...path.keys()].every((question) => way.has(question));
  const question = data.questions[at];
  if (!met(question.when, way)) return !path.has(at) && agrees(path, known, at + 1, way);
  return question.answers.some((answer, number) => {
    if (!met(answer.when, way)) return false;
    if (path.has(at) ? path.get(at) !== number : known.has(at) && known.get(at) !== number) return false;
    return agrees(path, known, at + 1, new Map(way).set(at, number));
  });
}

/* Every end that the known answers leave possible, each with the answers that lead to it. */
function ends(known, node = data.tree[0], path = new Map(), found = []) {
  if (node.to === undefined) {
    if (agrees(path, known)) found.push([node, path]);
    return found;
  }
  for (const [answer, below] of Object.entries(node.to)) {
    if (!known.has(node.q) || known.get(node.q) === Number(answer)) {
      ends(known, data.tree[below], new Map(path).set(node.q, Number(answer)), found);
    }
  }
  return found;
}

function statement(question, answer) {
  const asked = data.questions[question];
  if (answer === UNKNOWN) return `${asked.asks} ${data.unknown}`;
  return `${asked.about} ${asked.answers[answer].says}`;
}

function list(lines) {
  const shown = make("ul");
  for (const [depth, words] of lines) shown.append(make("li", words, depth ? "under" : ""));
  return shown;
}

function part(title, lines) {
  if (lines.length) main.append(make("h3", title), list(lines));
}

function button(words, act, kind) {
  const made = make("button", words, kind);
  made.type = "button";
  made.addEventListener("click", act);
  return made;
}

function go(answers) {
  given = answers;
  history.pushState(null, "", `#${given.join(".")}`);
  show();
}

function heading(words) {
  const made = make("h2", words);
  made.tabIndex = -1;
  main.append(made);
  return made;
}

function ask(node) {
  const question = data.questions[node.q];
  const title = heading(`${say("ask-number", { n: given.length + 1 })}: ${question.asks}`);
  if (question.help) main.append(make("p", question.help, "soft"));
  if (node.sure.length) main.append(make("p", `${say("ask-certain")}: ${node.sure.map(text).join(" ")}`, "sure"));
  let number = 0;
  for (const answer of Object.keys(node.to).map(Number)) {
    number += 1;
    main.append(button(`${number}  ${question.answers[answer].says}`, () => go([...given, answer]), "answer"));
  }
  main.append(button(`0  ${data.unknown}`, () => go([...given, UNKNOWN]), "answer unknown"));
  const why = make("details");
  const laws = node.laws.map((law) => data.laws[law]);
  why.append(make("summary", say("ask-matters", { laws: say("law", { law: laws.map(([law]) => law).join(", ") }) })));
  why.append(list(laws.map(([law, says]) => [0, `${law}: ${says}`])));
  main.append(why);
  return title;
}

function ruled(node) {
  for (const [, words] of node.lead) main.append(make("p", text(words), "lead"));
  for (const [title, lines] of node.parts) part(text(title), lines.map(([depth, words]) => [depth, text(words)]));
}

/* The rulings that remain possible: one line for those that begin alike, with the shortest way to one of them. */
function remain(left, unknown) {
  const rulings = new Set(left.map(([node]) => node.o)).size;
  main.append(make("p", say("ask-several", { n: rulings }), "lead"));
  part(say("ask-separates"), unknown.map((question) => [0, data.questions[question].asks]));
  const groups = new Map();
  for (const [node, path] of left) {
    const [ways, best] = groups.get(node.head) || [0, path];
    groups.set(node.head, [ways + 1, path.size < best.size ? path : best]);
  }
  const { known } = walk();
  part(say("ask-remaining"), [...groups].map(([head, [ways, path]]) => {
    const conditions = [...path].filter(([question]) => !known.has(question)).map((one) => statement(...one));
    const places = { ruling: text(head), n: ways, conditions: conditions.join(say("ask-and")) };
    return [0, say(ways === 1 ? "ask-ending" : "ask-endings", places)];
  }));
  main.append(make("h3", say("ask-ordinarily")));
}

function show() {
  const { node, known, unknown, said } = walk();
  main.replaceChildren();
  let title;
  if (node.to !== undefined) title = ask(node);
  else {
    title = heading(say("ask-ruling"));
    const left = unknown.length ? ends(known) : [];
    if (new Set(left.map(([end]) => end.o)).size > 1) remain(left, unknown);
    ruled(node);
    part(say("ask-answered"), said.map((one) => [0, statement(...one)]));
  }
  if (given.length) {
    const keys = make("div", undefined, "keys");
    keys.append(button(say("ask-back"), () => go(given.slice(0, -1)), "back"));
    keys.append(button(say("ask-restart"), () => go([]), "restart"));
    main.append(keys);
  }
  main.dataset.outcome = node.to === undefined ? node.o : "";
  title.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}

/* The answers stand in the address, so that the browser's own back key and a reload keep them. */
function restore() {
  const words = location.hash.slice(1).split(".").filter(Boolean);
  given = [];
  let node = data.tree[0];
  for (const word of words) {
    if (node.to === undefined || !(word === UNKNOWN || word in node.to)) break;
    given.push(word === UNKNOWN ? UNKNOWN : Number(word));
    node = data.tree[node.to[word === UNKNOWN ? Object.keys(node.to)[0] : word]];
  }
  show();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const answers = [...main.querySelectorAll("button.answer")];
  const answer = /^[0-9]$/.test(event.key) && answers[event.key === "0" ? answers.length - 1 : Math.min(event.key - 1, answers.length)];
  if (answer) answer.click();
  else if (event.key === "Backspace" && given.length) go(given.slice(0, -1));
  else return;
  event.preventDefault();
});
window.addEventListener("popstate", restore);
restore();
