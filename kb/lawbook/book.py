"""What the book says of each clause: what it rests on, what rests on it, its cases, what is claimed, how it differs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TypeAlias

from facts.errors import Fault
from facts.form import Texts
from kb.cases.cases import Case, Hearing
from kb.explain.headline import headline
from kb.explain.say import Speaker
from kb.explain.words import Words
from kb.language.model import Clause, Edition
from kb.language.rule import Rule
from kb.lawbook.graph import feeds, looked_at
from kb.prove.properties import property_files
from kb.prove.prove import Proving
from kb.prove.telling import ProofReport, ToldVerdict


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


def claimed(
    root: Path, edition: Edition, cases: Callable[[], Sequence[Case]], words: Words, lang: str
) -> list[ToldVerdict]:
    """The verdict on each property that names a clause; RulesError when what is claimed cannot be read."""
    if not property_files(edition):
        return []
    proving = Proving(root, edition, cases)
    report = ProofReport(proving, words, lang)
    named = [one.id for one in proving.claimed.properties.values() if one.laws]
    return [report.told(one) for one in proving.verdicts(named)] if named else []


CASES_SHOWN = 8
"""Of a clause; the rest is counted."""


Link: TypeAlias = tuple[str, tuple[str, ...]]
"""Another clause or definition, and the kinds of fact that lead from one to the other."""


@dataclass(frozen=True, slots=True)
class CaseLine:
    """A case in one line."""

    id: str
    title: str
    outcome: str
    fails: tuple[str, ...] = ()
    """How it is ruled on otherwise than it expects."""


@dataclass(frozen=True, slots=True)
class BookEntry:
    """A clause or definition as the book tells it."""

    clause: Clause
    observed: tuple[str, ...]
    """The kinds of fact it reads that the incident states."""
    rests_on: tuple[Link, ...]
    rested_on_by: tuple[Link, ...]
    cases: tuple[CaseLine, ...]
    more_cases: int
    claimed: tuple[ToldVerdict, ...]
    """What is claimed of the law and speaks of this clause, what fails first."""
    changed: Changed | None
    """How it differs from the clause of the amended edition in whose place it stands."""
    new: bool
    """Whether the amended edition has no such clause."""
    number: str
    """Its number in the amended edition, where that is another; else empty."""

    @property
    def fails(self) -> bool:
        """Whether something that is said of it is not so."""
        return any(one.fails for one in self.cases) or any(one.fails for one in self.claimed)


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
    failing: tuple[str, ...] = ()
    """What the cases expect and is not so."""

    @property
    def entries(self) -> Iterator[BookEntry]:
        """All its clauses and definitions."""
        return chain(*(chapter.entries for chapter in self.chapters), self.definitions)

    @property
    def changes(self) -> dict[str, tuple[BookEntry, ...]]:
        """What is changed in the amended edition, and what is new in it; as far as there is such a thing."""
        found = {
            "changed": tuple(one for one in self.entries if one.changed),
            "added": tuple(one for one in self.entries if one.new),
        }
        return {how: some for how, some in found.items() if some}


def book(
    edition: Edition,
    base: Edition | None,
    heard: Sequence[Hearing],
    claimed: Sequence[ToldVerdict],
    speaker: Speaker,
    failing: Iterable[Fault] = (),
) -> Book:
    """The book of an edition; ``base``: the one it amends, ``heard``: its cases, ``claimed``: what is claimed of it,
    ``failing``: what is wrong with its cases."""
    cited = _cited(heard, speaker)
    rests_on, rested_on_by = dict[str, list[Link]](), dict[str, list[Link]]()
    for one in feeds(edition):
        rests_on.setdefault(one.into, []).append((one.clause, one.kinds))
        rested_on_by.setdefault(one.clause, []).append((one.into, one.kinds))
    numbers = {new: old for old, new in edition.renames.items()}
    gone = (base.clauses.keys() - numbers.values()) - edition.clauses.keys() if base else set()
    repealed = tuple(clause for ref, clause in (base.clauses if base else {}).items() if ref in gone)

    def entry(clause: Clause) -> BookEntry:
        lines = cited.get(clause.ref, [])
        number = numbers.get(clause.ref, "")
        taken = not number and clause.ref in edition.renames  # the base's clause of that number has another here
        old = base.clauses.get(number or clause.ref) if base and not taken else None
        return BookEntry(
            clause,
            tuple(kind for kind in looked_at(clause) if kind in edition.stated),
            tuple(rests_on.get(clause.ref, ())),
            tuple(rested_on_by.get(clause.ref, ())),
            tuple(lines[:CASES_SHOWN]),
            max(0, len(lines) - CASES_SHOWN),
            tuple(sorted((one for one in claimed if clause.ref in one.laws), key=lambda one: not one.fails)),
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
    return Book(edition, base, found, definitions, repealed, tuple(fault.what for fault in failing))


def _cited(heard: Sequence[Hearing], speaker: Speaker) -> dict[str, list[CaseLine]]:
    """The cases of each clause, those first that expect it."""
    cited: dict[str, list[CaseLine]] = {}
    lines: dict[int, CaseLine] = {}
    for one in heard:
        made = " + ".join(one.ruling.edition.elected[name][speaker.lang] for name in one.ruling.edition.elections)
        title = f"{one.case.title} ({made})" if made else one.case.title
        lines[id(one)] = CaseLine(one.case.id, title, headline(one.ruling, speaker), one.differences)
    for expects in (True, False):
        for one in heard:
            wanted = one.expected.cited if one.differences else ()
            for ref in dict.fromkeys([*one.ruling.cited, *wanted]):
                if (ref in one.expected.cited) == expects and lines[id(one)] not in cited.setdefault(ref, []):
                    cited[ref].append(lines[id(one)])
    return cited


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
