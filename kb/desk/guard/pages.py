"""The guard's own pages: the door, and refusals."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from kb.desk.guard.body import RefusedError
from kb.desk.guard.guarded import visit_of
from kb.desk.pages import language
from kb.desk.settings import Settings
from kb.explain.html.templates import render
from kb.explain.words import Words, load_words
from kb.language.edition import load_edition
from kb.language.folders import DEFAULT_EDITION


class Pages:
    """Pages in the visitor's language, from the phrases of the rules."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    @property
    def words(self) -> Words:
        """The words beside the rules."""
        return _words(self.settings.rules)

    def said(self, request: Request, refused: RefusedError) -> str:
        """Why something was refused."""
        return self.words.phrase(refused.phrase, self._language(request), s=refused.wait)

    def door(self, request: Request, after: str, refused: RefusedError | None = None) -> Response:
        """The page that asks for the passphrase, and says why the last attempt was refused."""
        said = "" if refused is None else self.said(request, refused)
        status, wait = (200, 0) if refused is None else (refused.status, refused.wait)
        token = visit_of(request).form_token()
        page = self._page(request, "login.html", status, token=token, after=after, said=said)
        page.headers["Cache-Control"] = "no-store"
        return _waiting(page, wait)

    def refusal(self, request: Request, refused: RefusedError) -> Response:
        """What is answered instead of what was asked for."""
        said, path = self.said(request, refused), str(request.scope["path"])
        if path.startswith("/api/"):
            fault = {"file": "request", "line": 1, "column": 1, "what": said, "mend": ""}
            answer: Response = JSONResponse({"faults": [fault]}, refused.status)
        elif refused.status == 401 and request.method in ("GET", "HEAD"):
            query = request.scope["query_string"].decode("latin-1")
            after = quote(f"{quote(path)}?{query}" if query else quote(path), safe="")
            answer = RedirectResponse(f"/login?after={after}", 303)
        else:
            answer = self._page(request, "refusal.html", refused.status, said=said)
        if refused.status == 401:
            answer.headers["WWW-Authenticate"] = "Bearer"
        return _waiting(answer, refused.wait)

    def _page(self, request: Request, template: str, status: int, **values: object) -> Response:
        lang = self._language(request)
        values |= {"lang": lang, "say": lambda phrase: self.words.phrase(phrase, lang)}
        return HTMLResponse(render(f"desk/guard/{template}", **values), status)

    def _language(self, request: Request) -> str:
        return language(request, self.words, self.settings.lang)


def wait_seconds(wait: float) -> int:
    """A wait in whole seconds, at least one."""
    return max(1, math.ceil(wait))


def _waiting(answer: Response, wait: int) -> Response:
    if wait:
        answer.headers["Retry-After"] = str(wait)
    return answer


@lru_cache(maxsize=2)
def _words(rules: Path) -> Words:
    return load_words(rules, load_edition(rules, DEFAULT_EDITION).vocabulary)
