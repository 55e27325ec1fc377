"""Clauses found by their number or by words in them."""

from __future__ import annotations

from collections.abc import Iterator

from kb.lawbook.book import Book, BookEntry


def found(book: Book, asked: str, lang: str) -> list[BookEntry]:
    """The clauses in which every word stands, those whose number begins with the first one before the others."""
    words = asked.casefold().replace("§", " ").split()
    if not words:
        return []
    entries = (one for part in (*(chapter.entries for chapter in book.chapters), book.definitions) for one in part)
    fit = [(one, " ".join(_texts(one, lang)).casefold()) for one in entries]
    hits = [one for one, text in fit if all(word in text for word in words)]
    return sorted(hits, key=lambda one: not one.clause.ref.casefold().startswith(words[0]))


def _texts(one: BookEntry, lang: str) -> Iterator[str]:
    clause = one.clause
    yield clause.ref
    yield clause.says[lang]
    yield clause.notes[lang] if clause.notes else ""
    yield from (rule.because[lang] for rule in clause.rules)
