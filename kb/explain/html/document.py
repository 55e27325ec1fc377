"""The whole file: one article for each ruling, the style and the script within it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from markupsafe import Markup

from kb.explain.html.pieces import Pieces
from kb.explain.html.proof import proof
from kb.explain.html.stepper import stepper
from kb.explain.html.table import deal, tricks
from kb.explain.html.templates import file
from kb.explain.page import Page
from kb.explain.say import Speaker
from kb.explain.text import contract_text
from kb.ruling.ruling import Ruling
from kb.ruling.unfold import Unfolding


@dataclass(frozen=True, slots=True)
class Article:
    """One ruling with everything that is shown of it."""

    ruling: Ruling
    unfolding: Unfolding
    page: Page
    """The ruling in the chosen voice."""
    speaker: Speaker


def document(articles: Sequence[Article]) -> str:
    """The file; at least one article."""
    return "\n".join(_document(articles)) + "\n"


def article(one: Article) -> Markup:
    """One ruling by itself, for a page that has the styles and the script ``step.js`` from elsewhere."""
    return Markup("\n".join(_article(one, "")))


def _document(articles: Sequence[Article]) -> Iterator[str]:
    speaker = articles[0].speaker
    title = escape(articles[0].page.title or articles[0].ruling.edition.called(speaker.lang))
    yield "<!doctype html>"
    yield f'<html lang="{escape(speaker.lang)}"><head><meta charset="utf-8">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield '<link rel="icon" href="data:,">'
    yield f"<title>{title}</title>"
    yield f"<style>{file('explain/html/base.css')}{file('explain/html/ruling.css')}</style></head><body>"
    yield "<main>"
    for number, one in enumerate(articles, 1):
        yield from _article(one, "" if len(articles) == 1 else f"{number}-")
    yield "</main>"
    yield f"<script>{file('explain/html/step.js')}</script></body></html>"


def _article(article: Article, prefix: str) -> Iterator[str]:
    ruling, speaker = article.ruling, article.speaker.of(article.ruling)
    pieces = Pieces(speaker, ruling.edition, prefix)
    says_law = any(part.title == speaker.phrase("appeal-law") for part in article.page.parts)
    kind = ' class="says-law"' if says_law else ""
    yield f'<article{kind} aria-labelledby="{prefix}title"><header>'
    yield from _head(ruling, speaker, prefix)
    yield "</header>"
    yield pieces.opening("ruling", "appeal-ruling", "ruling")
    yield from pieces.page(article.page)
    yield "</section>"
    yield '<div class="table">'
    yield from deal(ruling, pieces)
    yield from tricks(ruling, pieces)
    yield "</div>"
    yield from stepper(article.unfolding, pieces)
    yield from proof(ruling, pieces)
    yield f"{pieces.opening('laws', 'appeal-law', 'laws')}<dl>"
    yield from pieces.clauses()
    yield "</dl></section><footer>"
    yield f"<p>{escape(article.page.foot)}</p>"
    yield from (f'<p class="sign">{pieces.phrase(key)}</p>' for key in ("html-sign", "html-date"))
    yield "</footer></article>"


def _head(ruling: Ruling, speaker: Speaker, prefix: str) -> Iterator[str]:
    incident = ruling.incident
    board = (
        speaker.phrase("board", board=incident.board) if incident.board is not None else speaker.phrase("html-title")
    )
    yield f'<h1 id="{prefix}title">{escape(board)}</h1>'
    facts = [ruling.edition.called(speaker.lang)]
    if incident.contract is not None:
        told = contract_text(speaker, incident.contract)
        declarer = incident.declarer and speaker.value(incident.declarer, "seat")
        facts.append(speaker.phrase("html-contract", contract=told, declarer=declarer) if declarer else told)
    if incident.dealer is not None:
        facts.append(speaker.phrase("html-dealer", dealer=speaker.value(incident.dealer, "seat")))
    if incident.vulnerable is not None:
        facts.append(speaker.phrase("html-vulnerable", who=speaker.value(incident.vulnerable, "vulnerable")))
    yield f"<p>{' · '.join(map(escape, facts))}</p>"
