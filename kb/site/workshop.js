"use strict";
/* The editor's workshop: a draft's files in the page, and Python with the laws beside it. */
const W = JSON.parse(document.getElementById("data").textContent), at = (id) => document.getElementById(id);
const waiting = new Map();
let files = {}, shown = "edition.yaml", faults = [], schemas = null, declared = "", unsaved = false, asked = 0, timer = 0;

/* Python beside the page; whatever keeps it from starting is told at once, and after five seconds what it is about. */
const idle = (why) => { at("state").textContent = location.protocol === "file:" ? W.disk : `${W.idle} ${why}`; };
function started() {
  const python = new Worker("python.js", { type: "module" });
  python.onerror = (error) => idle(error.message || "python.js");
  python.onmessage = ({ data }) => {
    waiting.get(data.id)(data);
    waiting.delete(data.id);
  };
  setTimeout(() => at("begin").hidden && at("work").hidden && at("state").textContent === W.loading && (at("state").textContent = W.slow), 4000);
  return python;
}
let python = null;
try { python = started(); } catch (error) { idle(error.message); }
const ask = (name, ...given) => new Promise((done) => {
  waiting.set(++asked, done);
  python?.postMessage({ id: asked, name, given });
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
  shown = Object.keys(files).find((name) => name !== "edition.yaml" && !/^(\.|cases\/)/.test(name)) || "edition.yaml";
  at("begin").hidden = true;
  at("work").hidden = false;
  open(shown);
  check();
}
function open(name, line = 0) {
  shown = name;
  const text = at("text");
  text.value = files[name];
  put("files", ...Object.keys(files).filter((one) => !one.startsWith(".")).sort().map((one) => {
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
  const own = ["vocabulary.yaml", "table.yaml"].map((name) => files[name]).join();
  if (!schemas || (own !== declared && !faults.length)) [schemas, declared] = [(await ask("schemas", files)).found || schemas, own];
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

const sort = (name) => ({ cases: "case", elections: "election", translations: "" })[name.split("/")[0]] ?? (schemas[name.replace(/\.yaml$/, "")] ? name.replace(/\.yaml$/, "") : "law");
const dent = (line) => line.search(/\S|$/);
/* The keys and the items of lists (-) that begin on a line, each with how far in. */
function marks(line) {
  const found = [];
  let depth = dent(line), rest = line.slice(depth);
  for (let item; (item = /^-( +|$)/.exec(rest)); depth += item[0].length, rest = rest.slice(item[0].length)) found.push([depth, "-"]);
  const key = /^"?([\w.-]+)"?:(?=\s|$)/.exec(rest);
  return key ? [...found, [depth, key[1]]] : found;
}
/* The braces and brackets that are open at the end of a text: each with the key whose value comes there, and those it has. */
function braces(text) {
  const open = [];
  for (const found of text.matchAll(/"(?:[^"\\]|\\.)*"?|'[^']*'?|[{}[\],]|[\w.-]+(?=:(?:\s|$))|[^\s{}[\],]+/g)) {
    const [sign] = found, last = open.at(-1);
    if (sign === "{" || sign === "[") open.push({ list: sign === "[", key: null, has: [] });
    else if (sign === "}" || sign === "]") open.pop();
    else if (last && sign === ",") last.key = null;
    else if (last && !last.list && last.key === null && text[found.index + sign.length] === ":") last.has.push(last.key = sign.replace(/"/g, ""));
  }
  return open;
}
const MOST_LINES = 15; // of what stands in braces
function place(text, caret) {
  const lines = text.slice(0, caret).split("\n"), last = lines.length - 1;
  let at = last, open = [];
  for (let back = last; back >= 0 && back > last - MOST_LINES && !open.length; back--) {
    open = braces(lines.slice(back).join("\n"));
    if (open.length) at = back;
  }
  const before = lines[at], line = at === last ? before + text.slice(caret).split("\n")[0] : before, own = marks(line);
  const key = own.length && own.at(-1)[1] !== "-" ? own.pop()[1] : null, path = own.map(() => "-");
  let depth = own.length ? own[0][0] : dent(line);
  for (const [into, name] of lines.slice(0, at).reverse().flatMap((one) => marks(one).reverse())) {
    if (into < depth) [depth] = [into, path.unshift(name)];
  }
  const behind = key && (before.includes(`${key}:`) || before.includes(`${key}":`)), inner = open.pop();
  if (behind) path.push(key);
  path.push(...open.map((one) => (one.list ? "-" : one.key)));
  if (inner && (inner.list || inner.key)) path.push(inner.list ? "-" : inner.key);
  return { path, value: inner ? inner.list || inner.key !== null : Boolean(behind), has: inner?.has || [], within: inner?.key };
}
/* The variables of the rule around the caret: those that stand for such a field, and the others. `belonging`: what
   belongs to a play and the like, which is offered as of each play that the rule names. */
function variables(text, caret, field, belonging) {
  const begins = text.slice(0, caret).lastIndexOf("- when:"), ends = text.slice(caret).search(/\n *(?:- when:|"[^"\n]*": *\n)/);
  const rule = begins < 0 ? "" : text.slice(begins, ends < 0 ? undefined : caret + ends);
  const of = (name) => new RegExp(`\\b${field}: *"?(?:not |[<>]=? )?\\${name}\\b`).test(rule);
  const owners = Object.keys(belonging || {}).filter((owner) => belonging[owner].includes(field)).join("|");
  const own = owners ? [...rule.matchAll(new RegExp(`\\b(?:${owners}): *(\\$\\w+)(?![\\w.])`, "g"))].map(([, name]) => `${name}.${field}`) : [];
  const found = [...new Set(rule.match(/\$[A-Za-z]\w*(?:\.[a-z][\w-]*)?/g) || [])], such = new Set([...own, ...found.filter(of)]);
  return [[...such], found.filter((name) => !such.has(name))];
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
  const root = schemas?.[sort(shown)];
  if (!root) return void put("keys");
  const text = at("text"), caret = text.selectionStart, { path, value, has, within: field } = place(text.value, caret);
  const some = path.reduce((all, name) => within(all, name, root), [...every(root, root)]);
  const named = (one) => Object.entries(one.properties || {}).filter(([name]) => !has.includes(name)).map(([name, what]) => [`${name}: `, what.description || ""]);
  const valued = (one) => (one.enum || (one.type === "boolean" ? [true, false] : [])).map((each) => [String(each), ""]);
  const words = some.flatMap(value ? valued : named);
  if (value && field) {
    const [such, others] = variables(text.value, caret, field, root.belonging).map((each) => each.map((name) => [name, ""]));
    words.unshift(...such);
    words.push(...others);
  }
  const typed = /[$\w.-]*$/.exec(text.value.slice(0, caret))[0], fit = words.filter(([word]) => word.startsWith(typed));
  put("keys", ...[...new Map(fit.length ? fit : words)].map(([word, what]) => Object.assign(el("button", word, () => {
    text.setRangeText(word, caret - (fit.length ? typed.length : 0), text.selectionEnd, "end");
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
  const name = prompt(W.file, "cases/one.yaml")?.trim();
  if (!name) return;
  if (!/^(?!.*(^|\/)\.)(?!.*\/\/)[^\\/][^\\]*\.(yaml|po)$/.test(name)) return void put("told", el("p", `${name}: ${W.file}`));
  put("told");
  if (!(name in files)) [files[name], unsaved] = [name.endsWith(".po") ? 'msgid ""\nmsgstr ""\n' : "", true];
  open(name);
  check();
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
  if (!found) return idle(failed.map((one) => one.what).join(" "));
  const { edition, clause } = at("begin").elements, of = (id) => found.find((one) => one.id === id).clauses;
  edition.append(...found.map((one) => new Option(one.title, one.id)));
  edition.onchange = () => clause.replaceChildren(new Option(W.none, ""), ...of(edition.value).map(([ref, says]) => new Option(`${ref} ${says.slice(0, 60)}`, ref)));
  edition.onchange();
  at("state").textContent = W.ready;
  at("begin").hidden = false;
  keep();
});
/* What was fetched before the worker of the site was there is kept now, so that from here on no connection is needed. */
async function keep() {
  const site = location.protocol.startsWith("http") && await navigator.serviceWorker?.ready;
  if (!site) return;
  navigator.serviceWorker.onmessage = () => { if (at("state").textContent === W.ready) at("state").textContent = `${W.ready} ${W.kept}`; };
  site.active.postMessage(W.later);
}
