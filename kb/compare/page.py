"""A comparison of editions as one HTML file."""

from __future__ import annotations

from markupsafe import Markup

from kb.compare.direction import SCOPES
from kb.compare.wording import Wording
from kb.explain.html.templates import render
from kb.space.burden import DIRECTIONS


def page(wording: Wording) -> str:
    """The file."""
    title = wording.phrase("compare-title", a=wording.a, b=wording.b)
    return render("compare/page.html", lang=wording.lang, title=title, body=body(wording)).rstrip("\n")


def body(wording: Wording) -> Markup:
    """What stands in it, for a page that has the style from elsewhere."""
    return render("compare/body.html", wording=wording, found=wording.found, scopes=SCOPES, ways=DIRECTIONS)
