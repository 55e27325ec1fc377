"""An edition as a book to be read: its clauses, what each rests on, how it differs from the one it amends.

Then which clauses feed which, and the family of the laws: which was made from which, and what each step changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from facts.form import Texts
from kb.language.calendar import calendar_of
from kb.language.model import Clause, Edition
from kb.language.rule import Rule
from kb.ruling.law import Laws


@dataclass(frozen=True, slots=True)
class Changed:
    """What differs in a clause."""

    before: Clause
    new: frozenset[str]
    """The ids of its rules that are not in the other."""
    gone: tuple[Rule, ...]
    """The rules of the other that are not in it."""

    def reworded(self, now: Clause, lang: str) -> bool:
        """Whether its sentence is another."""
        return self.before.says[lang].split() != now.says[lang].split()


def changed(before: Clause, now: Clause) -> Changed | None:
    """How a clause differs from the one in its place; None if it says the same and has the same rules."""

    def said(one: Clause) -> tuple[object, ...]:
        return one.says, one.encoded_as, one.notes, one.reason

    # all of a rule but its name and its place
    old, new = ([([*rule.said][1:], dict(rule.because)) for rule in one.rules] for one in (before, now))
    added = frozenset(rule.id for rule, one in zip(now.rules, new, strict=True) if one not in old)
    gone = tuple(rule for rule, one in zip(before.rules, old, strict=True) if one not in new)
    return None if said(before) == said(now) and not added and not gone else Changed(before, added, gone)


@dataclass(frozen=True, slots=True)
class BookEntry:
    """A clause or definition as the book tells it."""

    clause: Clause
    changed: Changed | None
    """How it differs from the clause of the amended edition in whose place it stands."""
    new: bool
    """Whether the amended edition has no such clause."""
    number: str
    """Its number in the amended edition, where that is another; else empty."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A law with its clauses."""

    number: str
    title: Texts
    entries: tuple[BookEntry, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """An edition to be read."""

    edition: Edition
    base: Edition | None
    """The edition it amends."""
    chapters: tuple[Chapter, ...]
    definitions: tuple[BookEntry, ...]
    repealed: tuple[Clause, ...]
    feeds: tuple[Feeds, ...]
    """Which clauses rest on which."""

    @property
    def entries(self) -> Iterator[BookEntry]:
        """All its clauses and definitions."""
        return chain(*(chapter.entries for chapter in self.chapters), self.definitions)


def book(edition: Edition, base: Edition | None) -> Book:
    """The book of an edition; ``base``: the one it amends."""
    numbers = {new: old for old, new in edition.renames.items()}
    gone = (base.clauses.keys() - numbers.values()) - edition.clauses.keys() if base else set()
    repealed = tuple(clause for ref, clause in (base.clauses if base else {}).items() if ref in gone)

    def entry(clause: Clause) -> BookEntry:
        number = numbers.get(clause.ref, "")
        taken = not number and clause.ref in edition.renames  # the base's clause of that number has another here
        old = base.clauses.get(number or clause.ref) if base and not taken else None
        return BookEntry(
            clause,
            changed(old, clause) if old is not None and old.place != clause.place else None,
            base is not None and old is None,
            number,
        )

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
    return Book(edition, base, found, definitions, repealed, tuple(feeds(edition)))


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
    """The kinds of fact that its rules look at."""
    return [*dict.fromkeys(item.kind for rule in clause.rules for item in rule.conditions())]


def feeds(edition: Edition) -> Iterator[Feeds]:
    """Every two clauses of which one feeds the other, in the order of the book."""
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


def mermaid(edition: Edition, clause: str | None) -> str:
    """The flowchart; a thick arrow where the kinds on it come from nowhere else. InputError without such a clause."""
    if clause is not None:
        edition.clause(clause)
    found = [one for one in feeds(edition) if clause in (None, one.clause, one.into)]
    refs = dict.fromkeys(ref for one in found for ref in (one.clause, one.into))
    names = {ref: f"c{number}" for number, ref in enumerate(refs if clause is None else {clause: None, **refs})}
    lines = ["flowchart LR", *(f'  {name}["{ref}"]' for ref, name in names.items())]
    for one in found:
        arrow = "==>" if one.alone else "-->"
        lines.append(f'  {names[one.clause]} {arrow}|"{", ".join(one.alone or one.kinds)}"| {names[one.into]}')
    if clause is not None:
        lines.append(f"  style {names[clause]} stroke-width:4px")
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class FamilyMember:
    """A law in its family, and what it changed in the one it was made from; clauses only, no definitions."""

    edition: Edition
    before: Edition | None = None
    """None of a law that was made from none of the others."""
    changed: tuple[tuple[Clause, Clause], ...] = ()
    """Each as it was and as it became."""
    added: tuple[Clause, ...] = ()
    gone: tuple[Clause, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    """The old number and the new."""


def family(laws: Laws) -> tuple[FamilyMember, ...]:
    """The shipped editions that have days, the earliest first.

    Of two editions of which one amends the other, the later was made from the earlier, whichever is written as the
    amendment."""
    editions = [laws.of(one.edition).edition for one in calendar_of(laws.root).editions]
    made = [_made(one, laws.of(one.amends).edition) for one in editions if one.amends]
    known = {one.edition.id: one for one in made}
    return tuple(known.get(one.id, FamilyMember(one)) for one in editions)


def _made(edition: Edition, base: Edition) -> FamilyMember:
    """The later of the two."""
    bound = book(edition, base)
    changed = tuple((one.changed.before, one.clause) for one in bound.entries if one.changed and one.clause.law)
    added = tuple(one.clause for one in bound.entries if one.new and one.clause.law)
    gone = tuple(one for one in bound.repealed if one.law)
    renamed = tuple(edition.renames.items())
    if edition.in_force >= base.in_force:
        return FamilyMember(edition, base, changed, added, gone, renamed)
    changed = tuple((old, new) for new, old in changed)  # the same step the other way round
    return FamilyMember(base, edition, changed, gone, added, tuple((old, new) for new, old in renamed))
