"""The book as one HTML page that needs nothing else, and single laws of it for pages that lead to each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from markupsafe import Markup, escape

from kb.explain.html.templates import render
from kb.explain.say import Speaker
from kb.lawbook.book import Book, BookEntry
from kb.lawbook.changes import redline
from kb.lawbook.sentences import Sentences

MARKS: Final = {"gone": "del", "new": "ins"}
"""How what is struck and inserted is set off."""


def page(book: Book, speaker: Speaker) -> str:
    """The whole page; ``#`` and a reference lead to a clause."""
    return render("lawbook/page.html", title=book.edition.title[speaker.lang], **_given(book, speaker, _below))


def body(book: Book, speaker: Speaker) -> Markup:
    """The book by itself, for a page that has the style ``lawbook/page.css`` from elsewhere."""
    return render("lawbook/book.html", **_given(book, speaker, _below))


def clauses(book: Book, entries: Sequence[BookEntry], speaker: Speaker, at: Callable[[str], str]) -> Markup:
    """Some of its clauses, their rules folded; ``at`` gives the address of a clause by its reference."""
    return render("lawbook/chapter.html", entries=entries, **_given(book, speaker, at))


def _below(ref: str) -> str:
    return f"#{ref}"


def _given(book: Book, speaker: Speaker, at: Callable[[str], str]) -> dict[str, Any]:
    """``said`` gives a rule's sentences, ready for the page: its variables are set off in them."""
    sentences = Sentences(speaker, lambda letter: f"<var>{escape(letter)}</var>", lambda text: str(escape(text)))
    given = {"book": book, "speaker": speaker, "lang": speaker.lang, "said": sentences.rule, "at": at}
    return {**given, "redline": redline, "marks": MARKS}
