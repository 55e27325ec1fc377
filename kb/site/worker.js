"use strict";
/* Keeps every file of the site, all of one making: when one has changed, its name has, and all are taken anew. What is
   large (later) is kept once somebody has asked for it. */
const KEPT = {};

self.addEventListener("install", (event) => {
  const fresh = KEPT.files.map((file) => new Request(file, { cache: "reload" }));
  event.waitUntil(caches.open(KEPT.name).then((kept) => kept.addAll(fresh)).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => {
  const old = (names) => names.filter((name) => name.startsWith("revoke-kb ") && name !== KEPT.name);
  event.waitUntil(caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))).then(() => self.clients.claim()));
});
/* Keeps these files too, of which a page had some before this was there; those that the browser has are not fetched again. */
self.addEventListener("message", (event) => event.waitUntil((async () => {
  const all = await caches.open(KEPT.name), wanted = event.data.filter((file) => KEPT.later.includes(file));
  for (const file of wanted) if (!(await all.match(file))) await all.add(new Request(file, { cache: "force-cache" }));
  event.source.postMessage("kept");
})()));
self.addEventListener("fetch", (event) => {
  const { request } = event, index = request.mode === "navigate" && new URL(request.url).pathname.endsWith("/");
  if (request.method !== "GET") return;
  event.respondWith((async () => {
    const all = await caches.open(KEPT.name), found = await all.match(index ? "index.html" : request, { ignoreSearch: true });
    if (found) return found;
    const answer = await fetch(request);
    if (answer.ok && KEPT.later.includes(new URL(request.url).pathname.split("/").at(-1))) await all.put(request, answer.clone());
    return answer;
  })());
});
