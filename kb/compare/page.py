"""A comparison of editions as one HTML file."""

from __future__ import annotations

from markupsafe import Markup

from kb.compare.direction import SCOPES
from kb.compare.wording import Wording
from kb.explain.html.templates import render
from kb.space.burden import DIRECTIONS


def page(said: Wording) -> str:
    """The file."""
    title = said.phrase("compare-title", a=said.a, b=said.b)
    return render("compare/page.html", lang=said.lang, title=title, body=body(said)).rstrip("\n")


def body(said: Wording) -> Markup:
    """What stands in it, for a page that has the style from elsewhere."""
    return render("compare/body.html", said=said, found=said.found, scopes=SCOPES, ways=DIRECTIONS)
