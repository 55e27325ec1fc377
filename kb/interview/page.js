"use strict";
/* Walks the graph of the flow. What is known of a table stands in the page's address, by the names that the desk's address
   has; «?», not known, keeps every position that is possible, and nothing is ever presumed. */
const F = JSON.parse(document.getElementById("data").textContent), ALL = "NESW";
const lines = (list) => list.map((number) => F.lines[number]);
const N = [];
/* The number of a node: it stands where something first leads to it, and elsewhere is named by that number. */
function node(one) {
  if (!Array.isArray(one)) return one;
  const at = N.push(null) - 1;
  if (Array.isArray(one[1])) {
    const [tricks, statuses] = F.ends[one[4]], parts = one[3].map((number) => F.parts[number]);
    N[at] = { head: one[0], said: lines(one[1]), now: lines(one[2]), parts: parts.map(([title, list]) => [title, lines(list)]), tricks, statuses };
    return at;
  }
  const [id, odd, asks, help, unknown, rows] = F.screens[one[0]], leads = one.slice(2).map(node);
  const row = ([says, more, chip, sets], i) => ({ says, more, chip, sets, to: leads[i] });
  N[at] = { id, odd, asks, help, unknown, band: F.bands[one[1]], rows: rows.map((number) => F.rows[number]).map(row) };
  return at;
}
const ROOTS = Object.fromEntries(Object.entries(F.roots).map(([seat, one]) => [seat, node(one)]));
let P = {}; // what the address says

/* Seats: everything is told for South as declarer, and turned to where he sits. */
const turned = (seat, by) => ALL[(ALL.indexOf(seat) + by + 4) % 4];
function by(p = P) {
  const from = p.declarer || (F.compass.declarer ? null : p.revoke);
  return from ? ALL.indexOf(from) - 2 : 0;
}
const unbroken = (text) => text.replace(/(\S)–(?=\S)/g, "$1–\u2060"); // no line ends after «North–»
const seat = (name) => unbroken(F.texts[F.names[name]]);
const AROUND = { R: 0, left: 1, partner: 2, right: 3 }; // as seen from the hand that revoked
/* A text with its names; of two the second is told of the defender on declarer's right. */
function fill(text, p = P) {
  const [first, second = first] = text.split("⟦/⟧");
  return (turned(p.revoke, -by(p)) === "E" ? second : first).replace(/⟦(\w+)⟧/g, (_, one) => {
    if (one in AROUND) return seat(turned(p.revoke, AROUND[one]));
    if (one === "D") return seat(p.declarer);
    if (one.length > 1) return seat(by(p) % 2 ? (one === "NS" ? "EW" : "NS") : one);
    return seat(turned(one, by(p)));
  });
}
const t = (number) => fill(unbroken(F.texts[number]));
const places = (text, names) => text.replace(/\{(\w+)\}/g, (all, name) => (name in names ? names[name] : all));
const without = (p, keys) => Object.fromEntries(Object.entries(p).filter(([key]) => !keys.includes(key)));

/* Rows and what the address says. */
const sets = (row, p) => Object.fromEntries(Object.entries(row.sets).map(([key, value]) => [key, F.seats.includes(key) ? turned(value, by(p)) : value]));
const agrees = (value, said) => said === "?" || said === value;
function fits(row, p) {
  const each = Object.entries(sets(row, p)), open = each.some(([key]) => p[key] === "?");
  if (!each.length) return N[row.to].id === p.change || N[row.to].rows.some((one) => fits(one, p));
  return each.every(([key, value]) => agrees(value, p[key]) || (open && !(key in p)));
}

/* Whether a row says something that is not so. */
const denies = (row, p) => Object.entries(sets(row, p)).some(([key, value]) => key in p && !agrees(value, p[key])) || (!Object.keys(row.sets).length && denied(row.to, p));
const denied = (n, p) => N[n].rows.every((row) => denies(row, p));

/* Where in the address a row, or what it leads to, was said. */
const keys_of = (row) => (says(row) ? Object.keys(row.sets) : N[row.to].rows.flatMap((one) => Object.keys(one.sets)));
const rank = (row, p) => Math.min(...keys_of(row).filter((key) => key in p).map((key) => Object.keys(p).indexOf(key)));
const says = (row) => Object.keys(row.sets).length > 0;

/* The rows of a question that say what is so; what only leads to another question where that was answered before it. */
function fitting(n, p) {
  const fit = N[n].rows.filter((row) => fits(row, p)), leads = fit.filter((row) => !says(row)), own = fit.filter(says);
  return leads.some((one) => own.every((row) => rank(one, p) < rank(row, p))) ? leads : own;
}
function ways(n, p) {
  const fit = fitting(n, p);
  return fit.length ? fit : N[n].rows.filter((row) => says(row) && !denies(row, p));
}

/* The positions that the answers leave possible: one, and one for each answer where it was «I don't know». */
const once = (list) => [...new Map(list.map((one) => [`${one.n}|${one.via.map((way) => way.says || way)}`, one])).values()];
const left = (found, p) => Object.keys(p).some((key) => F.asks[key] && !found.used.has(key));
function walk(p) {
  const root = ROOTS[ROOTS.W === undefined ? "S" : turned(p.revoke, -by(p))];
  const found = { at: [{ n: root, via: [] }], told: [], used: new Set(["change", "top", ...F.seats]), ticked: new Set(), denied: [] };
  for (;;) {
    const before = found.at, here = before.filter((one) => N[one.n].rows), of_some = here.find((one) => !N[one.n].odd && found.at.some((other) => N[other.n].id !== N[one.n].id));
    if (of_some) pass(found, [of_some], p); // asked of some: as if it were not known
    else if (!here.length || !(N[here[0].n].odd ? oddly : answered)(found, here, p)) break;
    if (!found.at.length) return { ...found, at: before, ...asking(found, of_some ? [of_some] : here) }; // it contradicts itself
  }
  // what was passed over is asked if it matters in the end
  return found.passed && new Set(found.at.map((one) => one.n)).size > 1 ? { ...found, ...found.passed } : found;
}
const asking = (found, here, last = []) => {
  const rows = new Map(here.flatMap((one) => N[one.n].rows.filter((row) => !last.length || row !== N[one.n].rows.at(-1))).map((row) => [row.says, row]));
  found.ticked.forEach((says) => rows.delete(says));
  return { ask: N[here[0].n], rows: [...rows.values(), ...last] };
};
/* As if it were not known: every row that does not say what is not so. */
function pass(found, here, p) {
  found.at = once(found.at.flatMap((one) => {
    if (!here.includes(one)) return [one];
    const some = ways(one.n, p);
    some.filter((row) => fits(row, p)).forEach((row) => Object.keys(row.sets).forEach((key) => found.used.add(key)));
    return some.map((row) => ({ ...one, n: row.to }));
  }));
}
function oddly(found, here, p) {
  const node = N[here[0].n], last = (one) => N[one.n].rows.at(-1);
  const shown = asking(found, here, [last(here[0])]);
  // in the order in which they were said: what is told of one may take another from the screen
  const open_to = here.flatMap((one) => N[one.n].rows.slice(0, -1)).filter((row) => !found.ticked.has(row.says) && fits(row, p));
  const [tick] = open_to.sort((a, b) => rank(a, p) - rank(b, p) || 0);
  if (tick) {
    const keys = Object.keys(tick.sets), open = keys.some((key) => p[key] === "?");
    found.ticked.add(tick.says);
    keys.forEach((key) => found.used.add(key));
    if (keys.length) found.told.push({ id: node.id, odd: true, chip: open ? 0 : tick.chip, keys, asks: F.asks[keys[0]] });
    found.at = once(found.at.flatMap((one) => {
      const row = here.includes(one) && N[one.n].rows.find((other) => other.says === tick.says);
      return !row ? (here.includes(one) && one.passed ? [] : [one]) : denies(row, p) ? [] : [{ ...one, skip: one.n, n: row.to }, ...(open ? [one] : [])];
    }));
    return true;
  }
  found.denied = shown.rows.slice(0, -1).map((row) => row.says);
  if (p[node.id] === undefined) return Object.assign(found, shown) && false;
  if (!found.used.has(node.id)) found.told.push({ id: node.id, odd: true, chip: last(here[0]).chip, keys: [node.id] });
  found.used.add(node.id);
  found.at = once(found.at.map((one) => (here.includes(one) ? { ...one, n: last(one).to } : one)));
  return true;
}
function answered(found, here, p) {
  const node = N[here[0].n], some = p.change === node.id ? [] : here.flatMap((one) => fitting(one.n, p));
  if (!some.length) {
    if (p.change === node.id || !left(found, p)) return Object.assign(found, asking(found, here)) && false;
    found.passed ||= asking(found, here);
    found.at = found.at.map((one) => (here.includes(one) ? { ...one, passed: true } : one));
    pass(found, found.at.filter((one) => one.passed && N[one.n].id === node.id), p);
    return true;
  }
  const keys = [...new Set([...Object.keys(node.unknown), ...some.flatMap((row) => Object.keys(row.sets))])].filter((key) => key in p);
  const open = keys.some((key) => p[key] === "?");
  keys.forEach((key) => found.used.add(key));
  if (keys.length) found.told.push({ id: node.id, chip: open ? 0 : some[0].chip, keys, asks: node.asks });
  found.at = once(found.at.flatMap((one) => {
    if (!here.includes(one)) return [one];
    // of something ticked: not known is also whether it was so at all
    const none = open && one.skip !== undefined ? [{ ...N[one.skip].rows.at(-1), sets: {}, to: one.skip }] : [];
    return [...ways(one.n, p), ...none].map((row) => ({ n: row.to, via: open ? [...one.via, node.id, row] : one.via }));
  }));
  return true;
}

/* What is shown. */
function el(tag, kind, ...inside) {
  const made = document.createElement(tag);
  if (kind) made.className = kind;
  made.append(...inside);
  return made;
}
function law(ref) {
  const button = el("button", "law", ref);
  button.onclick = () => {
    const shown = button.parentNode.querySelector("blockquote"), found = Object.keys(F.laws).filter((one) => one.startsWith(ref));
    if (shown) shown.remove();
    else button.parentNode.append(el("blockquote", "", ...found.map((one) => el("p", "", `${one}: ${F.laws[one]}`))));
  };
  return button;
}
const line = ([depth, text, refs]) => el("p", depth ? "under" : "", `${t(text)} `, ...refs.map(law));
const lined = (list) => list.filter(([, text]) => t(text)).map(line); // one language may say more in a breath
function tap(label, act, { more = "", hot = "", kind = "row" } = {}) {
  const inside = [el("b", "", label), ...(more ? [el("small", "", more)] : []), ...(hot ? [el("kbd", "", hot)] : [])];
  const made = el("button", kind, ...inside);
  made.onclick = act;
  if (hot) made.dataset.key = hot;
  return made;
}
const address = (p) => `#${new URLSearchParams(p).toString().replaceAll("%2C", ",").replaceAll("%3F", "?")}`;
function go(p) {
  P = p;
  history.pushState(null, "", address(p));
  show();
}
/* After a tap: what might be unusual is asked again where more of it could be. */
function say(more) {
  const before = new Set(walk(P).denied), p = { ...without(P, ["change"]), ...more }, closed = walk(p).told.find((one) => one.odd && one.keys[0] === one.id);
  go(closed && walk(p).denied.some((one) => !before.has(one)) ? without(p, [closed.id]) : p);
}
/* Another seat keeps what was said of seats; of the other side nothing is known. */
function reseated(to) {
  const seats = { ...Object.fromEntries(Object.entries(P).filter(([key]) => key === "declarer" || key === "top" || key in RESULT)), revoke: to };
  if (ALL.indexOf(to) % 2 !== ALL.indexOf(P.revoke) % 2 || (F.compass.declarer && !P.declarer)) return seats;
  const said = new Map(walk(P).told.filter((one) => one.chip && !one.odd).map((one) => [one.id, fill(F.texts[one.chip])]));
  for (let p = seats; ;) {
    const { ask, rows } = walk(p), same = ask && !ask.odd && rows.find((row) => row.chip && fill(F.texts[row.chip], p) === said.get(ask.id));
    if (!same) return p;
    p = { ...p, ...sets(same, p) };
  }
}

function compass(name) {
  const one = F.compass[name], box = el("div", "compass"), top = P.top || "N";
  [0, 1, 2, 3].forEach((step) => {
    const at = turned(top, step), red = name === "declarer" && P.revoke === at;
    const made = { hot: seat(at)[0].toLowerCase(), kind: `seat p${step}${red ? " wrong" : ""}`, more: red ? t(F.compass.revoke.mark) : "" };
    const after = () => (name === "revoke" && P.revoke ? reseated(at) : { ...without(P, ["change"]), [name]: at });
    box.append(tap(seat(at), () => go(after()), made));
  });
  const turn = tap(`${t(F.say.turn)} ↻`, () => go({ ...P, top: turned(top, 1) }), { kind: "plain" });
  const first = P.revoke && one.band ? one : F.compass.revoke; // nothing is told of a hand that nobody has named
  return { title: t(one.asks), help: t(one.help), body: [box, turn], band: [first.first || F.say.far, first.band, first.laws] };
}
function question({ ask, rows, at }) {
  const body = rows.map((row, i) => {
    const last = ask.odd && i === rows.length - 1, more = sets(row, P), none = Object.keys(more).length ? {} : { change: N[row.to].id };
    const kind = last ? "row close" : !ask.odd && none.change ? "row faint beside" : "row";
    return tap(t(row.says), () => (last ? go({ ...without(P, ["change"]), ...more }) : say({ ...more, ...none })), { more: t(row.more), hot: last ? "0" : String(i + 1), kind });
  });
  if (!ask.odd && Object.keys(ask.unknown).length) body.push(tap(t(F.unknown), () => say(ask.unknown), { hot: "0", kind: "row faint unknown" }));
  return { title: t(ask.asks), help: t(ask.help), body, band: at.length === 1 ? ask.band : null };
}
/* What may come of it, in a few words. */
function outlook(ends) {
  if (new Set(ends.map((end) => end.head)).size === 1) return t(ends[0].head);
  const sums = [0, 1].map((side) => ends.flatMap((end) => end.tricks[side])), gains = [0, 1].filter((side) => Math.max(...sums[side]) > 0);
  const goes = (side) => {
    const least = Math.min(...sums[side]), most = Math.max(...sums[side]), passing = t(F.goes[side][(least || most) - 1]);
    return least === most ? passing : places(t(least ? F.say.least : F.say.most), { passing });
  };
  const passing = gains.map(goes).join(", ") || t(F.say.none);
  const all = ends.flatMap((end) => end.statuses), either = all.includes("must-correct") && all.includes("established") && all.length === ends.length && gains.length < 2;
  const text = either ? places(t(F.say.either), { hand: seat(P.revoke), passing }) : passing;
  return (text[0].toUpperCase() + text.slice(1)).replace(/\.$/, "");
}
function ruling({ at, told }) {
  const ends = at.map((one) => N[one.n]), same = (a, b) => String(a) === String(b);
  const shared = (part) => ends[0][part].filter((a) => ends.every((end) => end[part].some((b) => same(a, b))));
  const spoken = el("section", "say", el("h2", "", t(F.say.say)), ...lined(shared("said"))), body = [spoken], now = lined(shared("now"));
  const first = at.find((one) => one.via.length);
  if (first && new Set(ends.map((end) => end.head)).size > 1) {
    const [name] = first.via, ways = [...new Map(at.filter((one) => one.via[0] === name).map((one) => [one.via[1].says, one.via[1]])).values()];
    const asked = told.find((one) => one.id === name);
    spoken.append(el("p", "", places(F.texts[F.say.asks], { asks: t(asked.asks) })));
    body.push(el("section", "hinge", ...ways.map((row) => {
      const act = () => go({ ...without(P, asked.keys), ...sets(row, P) });
      return tap(t(row.says), act, { more: outlook(at.filter((one) => one.via[1] && one.via[1].says === row.says).map((one) => N[one.n])) });
    })));
  }
  if (now.length) body.push(el("section", "now", el("h2", "", t(F.say.now)), ...now));
  body.push(...result(ends));
  const judged = ends[0].parts.filter((part) => part[0] === F.say.judge && ends.every((end) => end.parts.some((one) => same(one, part))));
  body.push(...judged.map(([title, list]) => el("section", "judge", el("h2", "", t(title)), ...lined(list))));
  if (ends.length === 1) body.push(...ends[0].parts.filter((part) => !judged.includes(part)).map(([title, list]) => el("details", "", el("summary", "", t(title)), ...lined(list))));
  return { title: outlook(ends), body, ruled: true };
}
/* The slip, on paper with every fold open; and the address, by whatever the phone shares with, or for another's camera. */
function papers(title) {
  const slip = tap(t(F.say.slip), () => {
    document.querySelectorAll("details").forEach((one) => { one.open = true; });
    print();
  }, { kind: "plain" });
  const share = tap(t(F.say.share), () => navigator.share({ title, url: location.href }), { kind: "plain" });
  return [...(location.protocol === "file:" ? [] : [camera()]), slip, ...(navigator.share ? [share] : [])];
}
function camera() {
  const fold = el("details", "", el("summary", "", t(F.say.camera))), at = location.href;
  import("./qr.js").then(({ svg }) => fold.append(svg(at) || at), () => fold.remove()); // a site has it, a page alone has not
  return fold;
}

/* The score: what was bid and won, and what is entered after the ruling. */
const RESULT = { contract: /^[1-7](NT|[SHDC])X{0,2}$/, board: /^.{1,20}$/, vulnerable: /^(none|NS|EW|both)$/, tricks: /^(\d|1[0-3])$/ };
function chosen(name, label, options) {
  const made = el("select", "", ...options.map(([value, text]) => new Option(text, value)));
  made.name = name;
  return el("label", "", label, made);
}
function result(ends) {
  const R = F.result, done = ends.every((end) => !end.statuses.includes("must-correct"));
  if (!R || !P.declarer || !done) return [];
  const w = (name) => t(R.words[name]), [, level, strain, doubled] = /^(\d)(NT|[SHDC])(X*)$/.exec(P.contract || "") || [];
  const board = el("input"), numbers = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => [String(from + i), String(from + i)]);
  Object.assign(board, { name: "board", inputMode: "numeric", value: P.board || "" });
  const form = el("form", "", chosen("level", w("level"), [["", ""], ...numbers(1, 7)]), chosen("strain", w("strain"), [["", ""], ...Object.entries(R.symbols).map(([key, text]) => [key, t(text)])]),
    chosen("doubled", w("doubled"), R.doubles.map((one) => [one, one || w("undoubled")])), chosen("tricks", w("tricks"), [["", w("open")], ...numbers(0, 13)]), el("label", "", w("number"), board));
  const said = { level, strain, doubled, tricks: P.tricks };
  for (const one of form.querySelectorAll("select")) one.value = said[one.name] || "";
  form.onchange = () => {
    const of = (name) => form.elements[name].value.trim(), more = { contract: of("level") && of("strain") ? of("level") + of("strain") + of("doubled") : "", board: of("board"), tricks: of("tricks") };
    go(Object.fromEntries(Object.entries({ ...P, ...more }).filter(([, value]) => value)));
  };
  const fold = el("details", "", el("summary", "", w("title")), form);
  fold.open = !!(P.contract || P.board || P.tricks);
  return [...entered(ends, level, strain, doubled), fold];
}
function entered(ends, level, strain, doubled) {
  const R = F.result, own = ALL.indexOf(P.declarer) % 2, gains = new Set(ends.map((end) => String(end.tricks)));
  const [his, others] = ends[0].tricks, certain = gains.size === 1 && his[0] === his[1] && others[0] === others[1]; // declarer is South there
  if (!level || !P.tricks || !certain) return [];
  const after = Number(P.tricks) + his[0] - others[0], over = after - level - 6;
  if (after < 0 || after > 13) return [el("p", "now", t(R.words.wrong))];
  const vulnerable = P.vulnerable || (/^\d+$/.test(P.board) && R.boards[(P.board - 1) % R.boards.length]), line = [];
  if (P.board) line.push(places(t(R.words.board), { board: P.board }));
  line.push(`${level}${t(R.symbols[strain])}${doubled} ${seat(P.declarer)} ${over > 0 ? `+${over}` : over ? `−${-over}` : "="}`);
  if (vulnerable) {
    const v = Number(vulnerable === "both" || vulnerable === ["NS", "EW"][own]), [made, each] = R.made[strain + doubled][level - 1][v];
    const points = over < 0 ? R.lost[doubled][v][-over - 1] : made + over * each;
    line.push(`${Math.abs(points)} ${seat(own === (points > 0 ? 0 : 1) ? "NS" : "EW")}`);
  }
  if (after !== Number(P.tricks)) line.push(places(t(R.words.moved), { table: P.tricks, ruled: after }));
  return [el("section", "now", el("h2", "", t(R.words.enter)), el("p", "", line.join(" · ")))];
}
function chips(told) {
  const list = el("ul", "chips"), add = (label, act) => list.append(el("li", "", tap(label, act, { kind: "chip", more: t(F.say.change) })));
  for (const name of Object.keys(F.compass)) if (P[name]) add(t(F.compass[name].chip), () => go({ ...P, change: name }));
  const closing = told.filter((one) => one.odd && one.keys[0] === one.id).flatMap((one) => one.keys);
  for (const one of told) {
    const back = one.odd ? without(P, ["change", ...one.keys, ...closing]) : { ...without(P, one.keys), change: one.id };
    add(one.chip ? t(one.chip) : `${t(one.asks)} ${t(F.unknown)}`, () => go(back));
  }
  return list;
}
function show() {
  const name = F.compass[P.change] ? P.change : Object.keys(F.compass).find((one) => !P[one]), walked = name ? null : walk(P);
  const page = name ? compass(name) : walked.ask ? question(walked) : ruling(walked), main = document.getElementById("main");
  const title = el("h1", page.ruled ? "headline" : "", page.title), band = document.getElementById("band");
  title.tabIndex = -1;
  main.replaceChildren(...(P.revoke ? [chips(walked ? walked.told : [])] : []), title,
    ...(page.help ? [el("p", "help", page.help)] : []), ...page.body);
  if (page.ruled) main.append(...papers(page.title));
  if (page.ruled || P.revoke) main.append(tap(t(F.say.restart), () => go({}), { kind: "plain" }));
  band.hidden = !(page.band && page.band[1]);
  if (!band.hidden) band.replaceChildren(el("h2", "", t(page.band[0])), el("p", "", `${t(page.band[1])} `, ...page.band[2].map(law)));
  for (const one of document.querySelectorAll("header a")) one.hash = address(P);
  title.focus({ preventScroll: true });
  window.scrollTo(0, 0);
}
function opened() {
  const said = [...new URLSearchParams(location.hash.slice(1))], seats = [...F.seats, "top"];
  P = Object.fromEntries(said.filter(([key, value]) => (seats.includes(key) ? /^[NESW]$/.test(value) : key in RESULT ? RESULT[key].test(value) : key === "change" || F.asks[key] !== undefined)));
  show();
}
window.onpopstate = opened;
document.onkeydown = (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const hit = [...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === event.key.toLowerCase());
  if (event.key === "Backspace") history.back();
  else if (hit) hit.click();
  else return;
  event.preventDefault();
};
opened();
