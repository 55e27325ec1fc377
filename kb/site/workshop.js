"use strict";
/* The editor's workshop: a draft's files in the page, and Python with the laws beside it. */
const W = JSON.parse(document.getElementById("data").textContent), at = (id) => document.getElementById(id);
const python = new Worker("python.js", { type: "module" }), waiting = new Map();
let files = {}, shown = "edition.yaml", faults = [], schemas = null, unsaved = false, asked = 0, timer = 0;

python.onmessage = ({ data }) => {
  waiting.get(data.id)(data);
  waiting.delete(data.id);
};
const ask = (name, ...given) => new Promise((done) => {
  waiting.set(++asked, done);
  python.postMessage({ id: asked, name, given });
});
const el = (tag, text, act) => {
  const made = document.createElement(tag);
  made.textContent = text;
  if (act) Object.assign(made, { onclick: act, type: "button" });
  return made;
};
const put = (id, ...some) => at(id).replaceChildren(...some);
const told = (some) => some.map((one) => el("p", `${one.file}:${one.line} ${one.what}; ${one.mend}`));

/* --- the files */

function draft(found) {
  files = found;
  shown = Object.keys(files).find((name) => name !== "edition.yaml" && !name.startsWith("cases/")) || "edition.yaml";
  at("begin").hidden = true;
  at("work").hidden = false;
  open(shown);
  check();
}
function open(name, line = 0) {
  shown = name;
  const text = at("text");
  text.value = files[name];
  put("files", ...Object.keys(files).sort().map((one) => {
    const tab = el("button", one, () => open(one));
    if (one === shown) tab.setAttribute("aria-current", "page");
    return tab;
  }));
  const before = text.value.split("\n").slice(0, Math.max(line - 1, 0)).join("\n").length + (line > 1 ? 1 : 0);
  text.setSelectionRange(before, before);
  if (line) text.focus();
  text.scrollTop = Math.max(line - 6, 0) * parseFloat(getComputedStyle(text).lineHeight);
  marked();
  keys();
}
function marked() {
  const wrong = new Set(faults.filter((one) => one.file === shown).map((one) => one.line));
  put("lines", ...at("text").value.split("\n").flatMap((_, n) => [el(wrong.has(n + 1) ? "b" : "span", n + 1), "\n"]));
  at("lines").scrollTop = at("text").scrollTop;
}
async function check() {
  const sent = { ...files }, { found, faults: failed } = await ask("faults", sent);
  if (Object.keys(files).some((name) => files[name] !== sent[name])) return; // typed on: the next check is on its way
  faults = found || failed;
  at("state").textContent = "";
  put("faults", ...faults.map((one) => {
    const line = el("button", `${one.file}:${one.line} ${one.what}`, () => files[one.file] !== undefined && open(one.file, one.line));
    line.append(el("small", one.mend));
    const item = el("li", "");
    item.append(line);
    return item;
  }));
  if (!faults.length) put("faults", Object.assign(el("li", W.well), { className: "well" }));
  marked();
  if (!schemas) schemas = (await ask("schemas", files)).found;
  keys();
}
at("text").oninput = ({ target }) => {
  files[shown] = target.value;
  unsaved = true;
  marked();
  clearTimeout(timer);
  timer = setTimeout(check, 300);
};
at("text").onscroll = () => { at("lines").scrollTop = at("text").scrollTop; };
document.addEventListener("selectionchange", () => document.activeElement === at("text") && keys());
window.addEventListener("beforeunload", (event) => unsaved && event.preventDefault());

/* --- what may stand where the caret is, by the schemas */

const sort = (name) => (name.startsWith("cases/") ? "case" : schemas[name.replace(/\.yaml$/, "")] ? name.replace(/\.yaml$/, "") : "law");
const dent = (line) => line.search(/\S|$/);
/* The keys and the items of lists (-) that begin on a line, each with how far in. */
function marks(line) {
  const found = [];
  let depth = dent(line), rest = line.slice(depth);
  for (let item; (item = /^-( +|$)/.exec(rest)); depth += item[0].length, rest = rest.slice(item[0].length)) found.push([depth, "-"]);
  const key = /^"?([\w.-]+)"?:(?=\s|$)/.exec(rest);
  return key ? [...found, [depth, key[1]]] : found;
}
function place(text, caret) {
  const lines = text.slice(0, caret).split("\n"), before = lines.pop(), own = marks(before + text.slice(caret).split("\n")[0]);
  const key = own.length && own.at(-1)[1] !== "-" ? own.pop()[1] : null, path = own.map(() => "-");
  let depth = own.length ? own[0][0] : dent(before + text.slice(caret).split("\n")[0]);
  for (const [into, name] of lines.reverse().flatMap((line) => marks(line).reverse())) {
    if (into < depth) [depth] = [into, path.unshift(name)];
  }
  return { path, key: key && before.includes(`${key}:`) || key && before.includes(`${key}":`) ? key : null };
}
function* every(schema, root) {
  if (!schema || typeof schema !== "object") return;
  if (schema.$ref) yield* every(schema.$ref.split("/").slice(1).reduce((one, name) => one?.[name], root), root);
  for (const one of [...(schema.anyOf || []), ...(schema.oneOf || []), ...(schema.allOf || [])]) yield* every(one, root);
  yield schema;
}
function within(some, name, root) {
  const next = (one) => (name === "-" ? [one.items] : [one.properties?.[name] ?? Object.entries(one.patternProperties || {}).find(([like]) => new RegExp(like).test(name))?.[1] ?? one.additionalProperties]);
  return some.flatMap(next).flatMap((one) => [...every(one, root)]);
}
function keys() {
  if (!schemas) return;
  const text = at("text"), { path, key } = place(text.value, text.selectionStart), root = schemas[sort(shown)];
  const some = (key ? [...path, key] : path).reduce((all, name) => within(all, name, root), [...every(root, root)]);
  const words = some.flatMap((one) => (key ? (one.enum || []).map((value) => [String(value), ""]) : Object.entries(one.properties || {}).map(([name, what]) => [`${name}: `, what.description || ""])));
  const typed = /[\w-]*$/.exec(text.value.slice(0, text.selectionStart))[0], fit = words.filter(([word]) => word.startsWith(typed));
  put("keys", ...[...new Map(fit.length ? fit : words)].map(([word, what]) => Object.assign(el("button", word, () => {
    text.setRangeText(word, text.selectionStart - (fit.length ? typed.length : 0), text.selectionEnd, "end");
    text.dispatchEvent(new Event("input"));
    text.focus();
  }), { title: what })));
}

/* --- what is asked of the draft */

async function working(id, name, ...given) {
  put(id, el("p", W.working));
  const { found, faults: failed } = await ask(name, files, ...given);
  if (!found) put(id, ...told(failed));
  return found;
}
at("cases").onclick = async () => {
  const found = await working("told", "cases");
  if (found) put("told", ...found.map((one) => el("p", `${one.id}: ${one.differences.join("; ") || W.met}`)));
};
at("changes").onclick = async () => {
  const found = await working("told", "changes", W.lang);
  if (found) put("told", el("pre", found));
};
at("rule").onclick = async () => {
  const found = await working("rulings", "ruled", at("incident").value, W.lang);
  if (!found) return;
  put("rulings", ...found.flatMap((text, n) => {
    const side = el("section", "");
    side.append(el("h3", n ? W.after : W.before), el("pre", text));
    return [side];
  }));
  if (found[0] === found[1]) at("rulings").prepend(el("p", W.same));
};
at("another").onclick = () => {
  const name = prompt("cases/one.yaml");
  if (name && /^(cases\/)?[\w.-]+\.yaml$/.test(name)) { files[name] ??= ""; open(name); }
};
at("save").onclick = async () => {
  const { found } = await ask("saved", files), link = el("a", "");
  link.href = URL.createObjectURL(new Blob([found], { type: "application/zip" }));
  link.download = `${at("named").textContent || "draft"}.zip`;
  link.click();
  unsaved = false;
};

/* --- beginning */

at("begin").onsubmit = async (event) => {
  event.preventDefault();
  const said = Object.fromEntries(new FormData(event.target)), list = (text) => text.split(/[\s,]+/).filter(Boolean);
  const { found, faults: failed } = await ask("begun", said.name, said.edition, list(said.clause), list(said.added));
  if (!found) return void (at("state").textContent = failed.map((one) => `${one.what}; ${one.mend}`).join(" "));
  at("named").textContent = said.name;
  unsaved = true;
  draft(found);
};
at("zip").onchange = async ({ target }) => {
  const [file] = target.files, { found, faults: failed } = await ask("opened", new Uint8Array(await file.arrayBuffer()));
  if (!found) return void (at("state").textContent = failed.map((one) => `${one.what}; ${one.mend}`).join(" "));
  opened(file.name.replace(/\.zip$/, ""), ...found);
};
at("folder").onchange = async ({ target }) => {
  const read = {}, unread = [];
  for (const file of target.files) {
    const name = file.webkitRelativePath.split("/").slice(1).join("/"), text = await file.text();
    if (text.includes("\ufffd")) unread.push(name);
    else read[name] = text;
  }
  opened(target.files[0].webkitRelativePath.split("/")[0], read, unread);
};
function opened(name, read, unread) {
  at("named").textContent = name;
  if (unread.length) at("told").replaceChildren(el("p", `${W.unread} ${unread.join(", ")}`));
  draft(read);
}
ask("editions", W.lang).then(({ found, faults: failed }) => {
  if (!found) return void (at("state").textContent = failed.map((one) => one.what).join(" "));
  const { edition, clause } = at("begin").elements, of = (id) => found.find((one) => one.id === id).clauses;
  edition.append(...found.map((one) => new Option(one.title, one.id)));
  edition.onchange = () => clause.replaceChildren(new Option(W.none, ""), ...of(edition.value).map(([ref, says]) => new Option(`${ref} ${says.slice(0, 60)}`, ref)));
  edition.onchange();
  at("state").textContent = W.ready;
  at("begin").hidden = false;
});
