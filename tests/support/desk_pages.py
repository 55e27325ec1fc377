"""The desk's pages in tests: a desk on rules with a short interview, and a browser without script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path

import pytest

# A module of tests that opens the desk's pages is skipped where the extra is not installed.
pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from fastapi.testclient import TestClient
from httpx import Response

from kb.desk.app import create_app
from kb.desk.guard import Settings
from support.desk import client_of, settings_in
from support.drafts import SMALL_INTERVIEW, rules_with_interview

INCIDENT = """\
board: 12
contract: 4S
declarer: S
vulnerable: EW
tricks: 9
revokes:
  - {hand: W, trick: 5, suit: H, card: S4, won-by: W, later-tricks: 2, next-trick: led}
"""


class Page(HTMLParser):
    """What stands in a page: links, forms with their fields, ids and labels, and the text that is read."""

    def __init__(self, response: Response) -> None:
        super().__init__(convert_charrefs=True)
        self.status, self.source = response.status_code, response.text
        self.links: list[str] = []
        self.forms: list[dict[str, str]] = []
        self.ids: list[str] = []
        self.labelled: set[str] = set()
        self.fields: list[str] = []
        self.tags: list[str] = []
        self.words: list[str] = []
        self.handlers: list[str] = []
        self._area, self._option = "", ""
        self.feed(response.text)

    @property
    def text(self) -> str:
        """Everything that is read, without line breaks."""
        return " ".join(" ".join(self.words).split())

    def form(self, action: str) -> dict[str, str]:
        """The fields of the form that goes there, filled as they are."""
        return dict(next(form for form in self.forms if form[""] == action)) | {"": action}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {name: value or "" for name, value in attrs}
        self.tags.append(tag)
        self.handlers += [name for name in at if name.startswith("on")]
        if "id" in at:
            self.ids.append(at["id"])
        if tag == "a" and "href" in at and "hreflang" not in at:
            self.links.append(at["href"])
        elif tag == "form":
            self.forms.append({"": at.get("action", "")})
        elif tag == "label":
            self.labelled.add(at.get("for", ""))
        elif tag in ("input", "textarea", "select"):
            self._field(tag, at)
        elif tag == "option" and self.forms and self._option and "selected" in at:
            self.forms[-1][self._option] = at.get("value", "")

    def _field(self, tag: str, at: dict[str, str]) -> None:
        if at.get("type") != "hidden" and "id" in at:
            self.fields.append(at["id"])
        left = at.get("type") == "file" or (at.get("type") == "radio" and "checked" not in at)
        if self.forms and "name" in at and not left:
            self.forms[-1][at["name"]] = at.get("value", "")
        self._area = at.get("name", "") if tag == "textarea" else ""
        self._option = at.get("name", "") if tag == "select" else ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "textarea":
            self._area = ""

    def handle_data(self, data: str) -> None:
        if self._area and self.forms:
            self.forms[-1][self._area] += data
        elif not self.tags or self.tags[-1] not in ("script", "style"):
            self.words.append(data.replace("\u2060", ""))  # it only keeps a line from ending there


class Visitor:
    """A director with a browser without script."""

    def __init__(self, client: TestClient) -> None:
        self.client = client
        self.at = "/"

    def go(self, path: str, **query: str) -> Page:
        """Opens an address."""
        return self._page(self.client.get(path, params=query or None, follow_redirects=True))

    def send(self, page: Page, action: str, **changes: str) -> Page:
        """Fills in the form of a page and sends it."""
        fields = {**page.form(action), **changes}
        del fields[""]
        return self._page(self.client.post(action, data=fields, follow_redirects=True))

    def rule(self, text: str = INCIDENT, law: str = "") -> str:
        """Pastes a record; the word of its ruling."""
        page = self.send(self.go("/record"), "/record", text=text, law=law)
        assert page.status == 200, page.text
        return str(self.at.partition("f=")[2])

    def _page(self, response: Response) -> Page:
        self.at = str(response.url.raw_path.decode())
        return Page(response)


@contextmanager
def opened(folder: Path, editions: Mapping[str, Mapping[str, str]] | None = None) -> Iterator[tuple[Visitor, Settings]]:
    """A desk whose interview is short; ``editions``: more of them, each with its files."""
    rules = rules_with_interview(folder / "rules", SMALL_INTERVIEW)
    for name, files in (editions or {}).items():
        (rules / name).mkdir()
        for file, text in files.items():
            (rules / name / file).write_text(text, "utf-8")
    settings = Settings(rules, settings_in(folder).register)
    with client_of(create_app(settings)) as client:
        yield Visitor(client), settings
