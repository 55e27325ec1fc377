"""Style and script: files of the desk, and those of the explanation page and the book as they are."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Final

from fastapi import APIRouter, HTTPException, Request, Response

from kb.desk.desk import Desk
from kb.explain.html import document
from kb.lawbook.page import STYLE

HERE: Final = Path(__file__).parents[1] / "static"
EXPLAIN: Final = Path(document.__file__).parent
TYPES: Final = {"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8"}


def routes(desk: Desk) -> APIRouter:
    """``/static/NAME``, for the names below and no others."""
    files = {
        "desk.css": (HERE / "desk.css").read_bytes(),
        "desk.js": (HERE / "desk.js").read_bytes(),
        "explain.css": (EXPLAIN / "page.css").read_bytes(),
        "step.js": (EXPLAIN / "step.js").read_bytes(),
        "book.css": STYLE.encode(),
    }
    marks = {name: f'"{hashlib.sha256(data).hexdigest()[:16]}"' for name, data in files.items()}
    router = APIRouter(include_in_schema=False)

    @router.get("/static/{name}")
    async def static(request: Request, name: str) -> Response:
        """One of the files; browsers ask again each time, and get it only when it has changed."""
        if name not in files:
            raise HTTPException(404)
        headers = {"ETag": marks[name], "Cache-Control": "no-cache"}
        if request.headers.get("If-None-Match") == marks[name]:
            return Response(status_code=304, headers=headers)
        return Response(files[name], media_type=TYPES[name.rsplit(".", 1)[-1]], headers=headers)

    return router
