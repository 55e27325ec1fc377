"use strict";
/* Keeps what needs no desk: the page that says there is no connection, and the questions once they have been opened.
   Nothing of the register is ever kept here, and no ruling. */

const KEPT = "desk-1";
const AWAY = "/static/away.html";
const STYLES = ["/static/base.css", "/static/desk.css"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll([AWAY, ...STYLES])).then(() => self.skipWaiting()));
});

const told = async (request) => {
  const { pathname, search } = new URL(request.url);
  const keep = request.mode === "navigate" ? pathname.endsWith("/offline") && !search.includes("save") : STYLES.includes(pathname);
  try {
    const answer = await fetch(request);
    if (keep && answer.ok && !answer.redirected) await (await caches.open(KEPT)).put(request, answer.clone());
    return answer;
  } catch {
    return (keep && (await caches.match(request))) || (request.mode === "navigate" ? caches.match(AWAY) : Response.error());
  }
};

self.addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  const ours = origin === self.location.origin && event.request.method === "GET";
  if (ours && (event.request.mode === "navigate" || STYLES.includes(pathname))) event.respondWith(told(event.request));
});
