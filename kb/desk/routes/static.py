"""Style, script and icons: what all pages share, the desk's own, and those of the explanation and the book."""

from __future__ import annotations

import hashlib
from typing import Final

from fastapi import APIRouter, HTTPException, Request, Response

from kb.desk.desk import Desk
from kb.desk.installing import made_files
from kb.explain.html.templates import KB

FILES: Final = {
    "base.css": "explain/html/base.css",
    "book.css": "lawbook/page.css",
    "chart.css": "chart/page.css",
    "compare.css": "compare/page.css",
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


def routes(desk: Desk) -> APIRouter:
    """``/static/NAME``, for the names above and no others."""
    files = {name: (KB / at).read_bytes() for name, at in FILES.items()} | made_files(desk.laws.words)
    marks = {name: f'"{hashlib.sha256(data).hexdigest()[:16]}"' for name, data in files.items()}
    router = APIRouter(include_in_schema=False)

    @router.get("/static/{name}")
    async def static(request: Request, name: str) -> Response:
        """One of the files; browsers ask again each time, and get it only when it has changed."""
        if name not in files:
            raise HTTPException(404)
        headers = {"ETag": marks[name], "Cache-Control": "no-cache", **WHOLE_DESK.get(name, {})}
        if request.headers.get("If-None-Match") == marks[name]:
            return Response(status_code=304, headers=headers)
        return Response(files[name], media_type=TYPES[name.rsplit(".", 1)[-1]], headers=headers)

    return router
