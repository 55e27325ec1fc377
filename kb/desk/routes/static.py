"""Style, script and icons: what all pages share, the desk's own, and what puts the desk on a home screen."""

from __future__ import annotations

import mimetypes
import os
from typing import Final

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import JSONResponse
from fastapi.staticfiles import StaticFiles

from kb.desk.desk import Desk
from kb.explain.html import KB

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
}
"""Name in an address -> where the file lies."""


class NamedFiles(StaticFiles):
    """The files that are named, and no other."""

    def lookup_path(self, path: str) -> tuple[str, os.stat_result | None]:
        """Where the file of an address lies; nothing for any other."""
        if path not in FILES:
            return "", None
        at = KB / FILES[path]
        return str(at), at.stat()


mimetypes.add_type("text/javascript", ".js")  # systems differ, and browsers run nothing else
router = APIRouter(include_in_schema=False)


@router.get("/static/desk-{lang}.webmanifest")
def manifest(request: Request, lang: str) -> Response:
    """What installs the desk as an application."""
    desk: Desk = request.app.state.desk
    if lang not in desk.laws.words.languages:
        raise HTTPException(404)
    name, icon = desk.laws.words.phrase("desk-name", lang), {"type": "image/png", "purpose": "any maskable"}
    sizes = [{"src": f"/static/icon-{size}.png", "sizes": f"{size}x{size}", **icon} for size in (192, 512)]
    made = {
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
    return JSONResponse(made, media_type="application/manifest+json")
