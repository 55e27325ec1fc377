"""Style, script and icons: what all pages share, the desk's own, and what installs it as an application."""

from __future__ import annotations

import hashlib
import json
from typing import Final

from fastapi import APIRouter, HTTPException, Request, Response

from kb.desk.desk import Desk
from kb.desk.guard import DeskRoute
from kb.explain.html.templates import KB, render
from kb.explain.words import Words
from kb.language.folders import DEFAULT_EDITION

PAPER, BAND = "#fcfbf8", "#143a2b"
"""Colours of a starting application: those of ``explain/html/base.css``."""


FILES: Final = {
    "base.css": "explain/html/base.css",
    "book.css": "lawbook/page.css",
    "chart.css": "chart/page.css",
    "desk.css": "desk/static/desk.css",
    "desk.js": "desk/static/desk.js",
    "icon-192.png": "desk/static/icon-192.png",
    "icon-512.png": "desk/static/icon-512.png",
    "icon.svg": "desk/static/icon.svg",
    "paper.css": "desk/static/paper.css",
    "drawn.css": "quiz/drawn.css",
    "ruling.css": "explain/html/ruling.css",
    "slip.css": "desk/static/slip.css",
    "step.js": "explain/html/step.js",
    "worker.js": "desk/static/worker.js",
}
"""Name in an address -> where the file lies."""
TYPES: Final = {
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "png": "image/png",
    "svg": "image/svg+xml",
    "webmanifest": "application/manifest+json",
}
WHOLE_DESK: Final = {"worker.js": {"Service-Worker-Allowed": "/"}}
"""Headers of the script that may look after every page."""


router = APIRouter(include_in_schema=False, route_class=DeskRoute)


@router.get("/static/{name}")
async def static(request: Request, name: str) -> Response:
    """One of the files, and no other; browsers ask again each time, and get it only when it has changed."""
    desk: Desk = request.app.state.desk
    files = desk.once("static", 1, "", "", lambda: _files(desk.laws.words))
    if name not in files:
        raise HTTPException(404)
    data, mark = files[name]
    headers = {"ETag": mark, "Cache-Control": "no-cache", **WHOLE_DESK.get(name, {})}
    if request.headers.get("If-None-Match") == mark:
        return Response(status_code=304, headers=headers)
    return Response(data, media_type=TYPES[name.rsplit(".", 1)[-1]], headers=headers)


def _files(words: Words) -> dict[str, tuple[bytes, str]]:
    """Each file with its mark: they hold nothing that only directors may see."""
    files = {name: (KB / at).read_bytes() for name, at in FILES.items()}
    for lang in words.languages:
        files[f"desk-{lang}.webmanifest"] = json.dumps(_manifest(words, lang), ensure_ascii=False).encode()
    # in every language at once: a worker that changed with the language would be put in anew whenever it changes
    said = {"lang": words.languages[0], "languages": words.languages, "say": words.phrase}
    kept = f"/law/{DEFAULT_EDITION}/offline"
    files["away.html"] = render("desk/templates/away.html", kept=kept, **said).encode()
    return {name: (data, f'"{hashlib.sha256(data).hexdigest()[:16]}"') for name, data in files.items()}


def _manifest(words: Words, lang: str) -> dict[str, object]:
    """What installs the desk as an application."""
    name, icon = words.phrase("desk-name", lang), {"type": "image/png", "purpose": "any maskable"}
    sizes = [{"src": f"/static/icon-{size}.png", "sizes": f"{size}x{size}", **icon} for size in (192, 512)]
    return {
        "name": name,
        "short_name": name,
        "lang": lang,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": BAND,
        "icons": [{"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"}, *sizes],
    }
