"""Where every page is made, of the templates beside each feature; and rulings as one HTML file that needs nothing else.

In the one environment whatever is said comes out escaped. Of a ruling there is one article, the style within the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from facts import __version__
from facts.cards import SEATS, SUITS
from kb.explain.page import Page
from kb.explain.words import Speaker
from kb.ruling.ruling import Ruling

PACKAGES: Final = ("jinja2", "markupsafe")
"""Those that make pages."""
KB: Final = Path(__file__).parents[1]
"""Names of templates, styles and scripts are paths below this: each lies beside its feature."""


@cache
def environment() -> Environment:
    """The environment; a name that a template is not given is an error."""
    made = Environment(
        loader=FileSystemLoader(KB),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_unbroken,
    )
    made.globals |= {"file": file, "version": __version__}
    made.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return made


def _unbroken(value: Any) -> Any:
    """What is shown, with «North–South» on one line: no line ends after a dash between two words."""
    return re.sub(r"(?<=\w)–(?=\w)", "–\u2060", value) if type(value) is str and "–" in value else value


def render(template: str, **context: Any) -> Markup:
    return Markup(environment().get_template(template).render(context))


def file(name: str) -> Markup:
    return Markup((KB / name).read_text("utf-8"))


ALIKE: Final = 0.5
"""Of two sentences less alike the one is told after the other: struck and inserted in turn, nobody could read them."""


def redline(old: str, new: str) -> tuple[Markup, Markup, Markup]:
    """A sentence with what is struck from the old one and what is new, nothing if they have too little in common; and
    each of the two by itself with the words that the other has not set off."""
    a, b = old.split(), new.split()
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    if matcher.ratio() < ALIKE:
        return Markup(), escape(old), escape(new)
    both, old_marked, new_marked = list[Markup](), list[Markup](), list[Markup]()
    for how, start, end, first, last in matcher.get_opcodes():
        if how == "equal":
            for markup in (both, old_marked, new_marked):
                markup.append(escape(" ".join(b[first:last])))
            continue
        if start < end:
            gone = Markup("<del>%s</del>") % " ".join(a[start:end])
            both.append(gone)
            old_marked.append(gone)
        if first < last:
            came = Markup("<ins>%s</ins>") % " ".join(b[first:last])
            both.append(came)
            new_marked.append(came)
    blank = Markup(" ")
    return blank.join(both), blank.join(old_marked), blank.join(new_marked)


_HERE: Final = "\x00"
"""Stands for the numbers of the clauses in the words around them."""


def document(tellings: Sequence[tuple[Ruling, Page, Speaker]]) -> str:
    """The file: each ruling, told in the chosen voice; at least one."""
    ruling, page, speaker = tellings[0]
    several = len(tellings) > 1
    return render(
        "explain/html/document.html",
        lang=speaker.lang,
        title=page.title or ruling.law_called(speaker.lang),
        articles=[article(*telling, f"{number}-" if several else "") for number, telling in enumerate(tellings, 1)],
    )


def article(ruling: Ruling, page: Page, speaker: Speaker, prefix: str = "") -> Markup:
    """One ruling by itself, for a page that has the styles from elsewhere; some pages ask before they answer."""
    speaker, board = speaker.of(ruling), ruling.incident.board
    asks = any(part.folded for part in page.parts)
    return render(
        "explain/html/ruling.html",
        page=page,
        speaker=speaker,
        lang=speaker.lang,
        board=speaker.phrase("html-title") if board is None else speaker.phrase("board", board=board),
        facts=list(_facts(ruling, speaker)),
        linked=set(ruling.cited),
        law_words=speaker.phrase("law", law=_HERE).partition(_HERE),
        asks=asks,
        **deal_context(ruling, prefix, asks),
    )


def deal_context(ruling: Ruling, prefix: str = "", asks: bool = False) -> dict[str, Any]:
    """What ``table.html`` needs besides speaker and lang to show the deal and the tricks; the revoke is marked unless
    the page asks for it."""
    revoked = set() if asks else {(revoke.trick, revoke.hand) for revoke in ruling.revokes}
    return {"ruling": ruling, "prefix": prefix, "revoked": revoked, "seats": SEATS, "suits": SUITS}


def _facts(ruling: Ruling, speaker: Speaker) -> Iterator[str]:
    incident = ruling.incident
    yield ruling.law_called(speaker.lang)
    if incident.contract is not None:
        contract = speaker.contract(incident.contract)
        declarer = incident.declarer and speaker.value(incident.declarer, "seat")
        yield speaker.phrase("html-contract", contract=contract, declarer=declarer) if declarer else contract
    if incident.dealer is not None:
        yield speaker.phrase("html-dealer", dealer=speaker.value(incident.dealer, "seat"))
    if incident.vulnerable is not None:
        yield speaker.phrase("html-vulnerable", who=speaker.value(incident.vulnerable, "vulnerable"))
