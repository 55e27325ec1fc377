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
from kb.ruling.laws import Laws


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
    base_clauses, numbers = base.clauses if base else {}, dict[str, str]()
    if base is not None:
        inverted = base.amends == edition.id
        numbers = dict(base.renames) if inverted else {new: old for old, new in edition.renames.items()}
    gone = base_clauses.keys() - numbers.values() - edition.clauses.keys()

    def content(clause: Clause) -> tuple[object, ...]:
        return clause.says, clause.encoded_as, clause.notes, clause.reason

    def rules(clause: Clause | None) -> list[tuple[Rule, object]]:
        """Each with all of it but its name and its place."""
        return [(rule, ([*rule.said][1:], dict(rule.because))) for rule in clause.rules] if clause else []

    def entry(clause: Clause) -> BookEntry:
        number = numbers.get(clause.ref, "")
        taken = not number and clause.ref in numbers.values()  # the base's clause of that number has another here
        old = None if taken else base_clauses.get(number or clause.ref)
        was, now = rules(old), rules(clause if old else None)
        added = frozenset(rule.id for rule, body in now if body not in (old_body for _, old_body in was))
        lost = tuple(rule for rule, body in was if body not in (new_body for _, new_body in now))
        same = old is None or (content(old) == content(clause) and not added and not lost)
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
    filled = tuple(chapter for chapter in chapters if chapter.entries)
    repealed = tuple(clause for ref, clause in base_clauses.items() if ref in gone)
    return Book(edition, base, filled, definitions, repealed)


def search(book: Book, asked: str, lang: str) -> list[BookEntry]:
    """The clauses in which every word stands, those whose number begins with the first one before the others."""
    words = asked.casefold().replace("§", " ").split()
    hits: list[BookEntry] = []
    for entry in book.entries if words else ():
        clause = entry.clause
        remarks = (f"{note.says[lang]} {note.signed}" for note in (*clause.minutes, *clause.notes))
        texts = (clause.ref, clause.says[lang], *remarks, *(rule.because[lang] for rule in clause.rules))
        text = " ".join(texts).casefold()
        if all(word in text for word in words):
            hits.append(entry)
    return sorted(hits, key=lambda entry: not entry.clause.ref.casefold().startswith(words[0]))


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
    arrows = [feed for feed in feeds(edition) if clause in (None, feed.clause, feed.into)]
    if len(arrows) > MOST_ARROWS:
        problem = f"{len(arrows)} arrows are more than the {MOST_ARROWS} that Mermaid draws"
        raise InputError.of(edition.id, problem, f"name a clause, such as {arrows[0].clause}")
    refs = dict.fromkeys(ref for feed in arrows for ref in (feed.clause, feed.into))
    names = {ref: f"c{number}" for number, ref in enumerate(refs if clause is None else {clause: None, **refs})}
    lines = ["flowchart LR", *(f'  {name}["{ref}"]' for ref, name in names.items())]
    for feed in arrows:
        arrow = "==>" if feed.alone else "-->"
        lines.append(f'  {names[feed.clause]} {arrow}|"{", ".join(feed.alone or feed.kinds)}"| {names[feed.into]}')
    if clause is not None:
        lines.append(f"  style {names[clause]} stroke-width:4px")
    return "\n".join(lines) + "\n"


def family(laws: Laws) -> tuple[Book, ...]:
    """The shipped editions that have days, the earliest first, each beside the one from which it was made.

    Of two editions of which one amends the other that is the earlier, whichever is written as the amendment.
    """
    editions = [laws.of(dated.edition).edition for dated in calendar_of(laws.root).editions]
    made_from: dict[str, Edition] = {}
    for edition, base in ((edition, laws.of(edition.amends).edition) for edition in editions if edition.amends):
        earlier, later = (base, edition) if edition.in_force >= base.in_force else (edition, base)
        made_from[later.id] = earlier
    return tuple(book(edition, made_from.get(edition.id)) for edition in editions)
