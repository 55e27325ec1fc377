"""An edition as a book to be read: its clauses, what each rests on, how it differs from the one it amends.

Then which clauses feed which, and the family of the laws: which was made from which, and what each step changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Final

from facts.errors import InputError
from facts.form import Texts
from kb.language.calendar import calendar_of
from kb.language.model import Clause, Edition
from kb.language.rule import Rule
from kb.ruling.law import Laws


@dataclass(frozen=True, slots=True)
class BookEntry:
    """A clause or definition as the book tells it, beside the edition it goes back to."""

    clause: Clause
    before: Clause | None
    """As it stood there, where it says something else or has other rules."""
    added: frozenset[str]
    """The ids of its rules that it had not there."""
    gone: tuple[Rule, ...]
    """The rules that it had only there."""
    new: bool
    """Whether there is no such clause there."""
    number: str
    """Its number there, where that is another; else empty."""


@dataclass(frozen=True, slots=True)
class Chapter:
    number: str
    title: Texts
    entries: tuple[BookEntry, ...]


@dataclass(frozen=True)
class Book:
    edition: Edition
    base: Edition | None
    """The one it goes back to."""
    chapters: tuple[Chapter, ...]
    definitions: tuple[BookEntry, ...]
    repealed: tuple[Clause, ...]

    @property
    def entries(self) -> Iterator[BookEntry]:
        return chain(*(chapter.entries for chapter in self.chapters), self.definitions)

    @cached_property
    def feeds(self) -> tuple[Feeds, ...]:
        return tuple(feeds(self.edition))


def book(edition: Edition, base: Edition | None) -> Book:
    """The book of an edition; ``base``: the one it goes back to, be it that this is written as an amendment of it."""
    before, numbers = base.clauses if base else {}, dict[str, str]()
    if base is not None:
        inverted = base.amends == edition.id
        numbers = dict(base.renames) if inverted else {new: old for old, new in edition.renames.items()}
    gone = before.keys() - numbers.values() - edition.clauses.keys()

    def said(one: Clause) -> tuple[object, ...]:
        return one.says, one.encoded_as, one.notes, one.reason

    def rules(one: Clause | None) -> list[tuple[Rule, object]]:
        """Each with all of it but its name and its place."""
        return [(rule, ([*rule.said][1:], dict(rule.because))) for rule in one.rules] if one else []

    def entry(clause: Clause) -> BookEntry:
        number = numbers.get(clause.ref, "")
        taken = not number and clause.ref in numbers.values()  # the base's clause of that number has another here
        old = None if taken else before.get(number or clause.ref)
        was, now = rules(old), rules(clause if old else None)
        added = frozenset(rule.id for rule, told in now if told not in (one for _, one in was))
        lost = tuple(rule for rule, told in was if told not in (one for _, one in now))
        same = old is None or (said(old) == said(clause) and not added and not lost)
        return BookEntry(clause, None if same else old, added, lost, base is not None and old is None, number)

    files: dict[str, set[str]] = {}
    for clause in edition.clauses.values():
        if clause.law:
            files.setdefault(clause.place.file, set()).add(clause.law)
    shared = {law for laws in files.values() if len(laws) > 1 for law in laws}
    """The laws of which only single clauses matter: they share a file with others, and stand after the rest."""
    chapters = [
        Chapter(number, title, tuple(entry(clause) for clause in edition.clauses.values() if clause.law == number))
        for number, title in sorted(edition.laws.items(), key=lambda law: law[0] in shared)
    ]
    definitions = tuple(entry(clause) for clause in edition.clauses.values() if not clause.law)
    found = tuple(one for one in chapters if one.entries)
    repealed = tuple(clause for ref, clause in before.items() if ref in gone)
    return Book(edition, base, found, definitions, repealed)


def found(book: Book, asked: str, lang: str) -> list[BookEntry]:
    """The clauses in which every word stands, those whose number begins with the first one before the others."""
    words = asked.casefold().replace("§", " ").split()
    hits: list[BookEntry] = []
    for one in book.entries if words else ():
        clause = one.clause
        remarks = (f"{note.says[lang]} {note.signed}" for note in (*clause.minutes, *clause.notes))
        texts = (clause.ref, clause.says[lang], *remarks, *(rule.because[lang] for rule in clause.rules))
        text = " ".join(texts).casefold()
        if all(word in text for word in words):
            hits.append(one)
    return sorted(hits, key=lambda one: not one.clause.ref.casefold().startswith(words[0]))


@dataclass(frozen=True, slots=True)
class Feeds:
    """What one clause or definition concludes, and another looks at."""

    clause: str
    into: str
    kinds: tuple[str, ...]
    alone: tuple[str, ...]
    """Those of the kinds that nothing else concludes or states: without the clause the other has nothing to look at."""


def looked_at(clause: Clause) -> list[str]:
    return [*dict.fromkeys(item.kind for rule in clause.rules for item in rule.conditions())]


def feeds(edition: Edition) -> Iterator[Feeds]:
    concluding: dict[str, dict[str, None]] = {}
    for ref, clause in edition.clauses.items():
        for rule in clause.rules:
            for head in rule.then:
                concluding.setdefault(head.kind, {})[ref] = None
    for into, clause in edition.clauses.items():
        read = looked_at(clause)
        for ref in edition.clauses:
            shared = tuple(kind for kind in read if ref in concluding.get(kind, ()) and ref != into)
            alone = (kind for kind in shared if len(concluding[kind]) == 1 and kind not in edition.stated)
            if shared:
                yield Feeds(ref, into, shared, tuple(alone))


MOST_ARROWS: Final = 500
"""Mermaid draws no flowchart with more, and no file can ask it to."""


def mermaid(edition: Edition, clause: str | None) -> str:
    """The flowchart; a thick arrow where the kinds on it come from nowhere else. InputError without such a clause, and
    where it could not be drawn."""
    if clause is not None:
        edition.clause(clause)
    found = [one for one in feeds(edition) if clause in (None, one.clause, one.into)]
    if len(found) > MOST_ARROWS:
        what = f"{len(found)} arrows are more than the {MOST_ARROWS} that Mermaid draws"
        raise InputError.of(edition.id, what, f"name a clause, such as {found[0].clause}")
    refs = dict.fromkeys(ref for one in found for ref in (one.clause, one.into))
    names = {ref: f"c{number}" for number, ref in enumerate(refs if clause is None else {clause: None, **refs})}
    lines = ["flowchart LR", *(f'  {name}["{ref}"]' for ref, name in names.items())]
    for one in found:
        arrow = "==>" if one.alone else "-->"
        lines.append(f'  {names[one.clause]} {arrow}|"{", ".join(one.alone or one.kinds)}"| {names[one.into]}')
    if clause is not None:
        lines.append(f"  style {names[clause]} stroke-width:4px")
    return "\n".join(lines) + "\n"


def family(laws: Laws) -> tuple[Book, ...]:
    """The shipped editions that have days, the earliest first, each beside the one from which it was made.

    Of two editions of which one amends the other that is the earlier, whichever is written as the amendment.
    """
    editions = [laws.of(one.edition).edition for one in calendar_of(laws.root).editions]
    made_from: dict[str, Edition] = {}
    for one, base in ((one, laws.of(one.amends).edition) for one in editions if one.amends):
        earlier, later = (base, one) if one.in_force >= base.in_force else (one, base)
        made_from[later.id] = earlier
    return tuple(book(one, made_from.get(one.id)) for one in editions)
