"""Clauses under other numbers: an edition takes over what it amends and counts it otherwise.

A clause may go into another law, which then has the title of the one that it was in, unless the edition gives it one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from facts.form import Entries
from facts.suggestions import did_you_mean
from kb.language.faults import Faults
from kb.language.forms import PlacedText
from kb.language.model import Clause, Edition, Note, Rule
from kb.language.names import belongs_to, book_order, law_of
from kb.language.texts import PlacedTexts
from kb.language.vocabulary import Texts


def read_renames(base: Edition | None, written: Entries[PlacedText], faults: Faults) -> dict[str, str]:
    """Number in what is amended -> number here; what cannot be renamed so is a fault, and left out."""
    clauses = {} if base is None else {ref: one for ref, one in base.clauses.items() if one.law}
    names: dict[str, str] = {}
    for old, new in written.items():
        if old not in clauses:
            faults.add(written.places[old], f"there is no {old} to rename", did_you_mean(old, clauses))
        elif new.value in (*(clauses.keys() - written.keys()), *names.values()):
            faults.add(new.place, f"there is a {new.value} already", "give it a number of its own, or rename that too")
        else:
            names[old] = new.value
    return names


def numbers_of(base: Edition, names: Mapping[str, str], edition: Edition) -> dict[Path, dict[str, str]]:
    """What the clauses of all editions that this one goes back to are called in it, by the folders of those."""
    taken = {*names.values()} - names.keys()  # whoever had such a number is gone
    here = {ref: names.get(ref, ref) for ref in base.clauses if ref not in taken}
    before = {**base.numbers, Path(base.place.file).parent: {ref: ref for ref in base.clauses}}
    return {
        folder: {old: here[ref] for old, ref in known.items() if here.get(ref) in edition.clauses}
        for folder, known in before.items()
    }


def renamed(edition: Edition, names: Mapping[str, str]) -> Edition:
    """The edition with these clauses under their new numbers, also where a sentence names them."""
    if not names:
        return edition
    words = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?![\w(])")

    def said(texts: Texts) -> Texts:
        new = {lang: words.sub(lambda found: names[found[0]], text) for lang, text in texts.items()}
        return PlacedTexts(new, texts.places) if isinstance(texts, PlacedTexts) else new

    def rule(one: Rule) -> Rule:
        ref, old = names.get(one.clause, one.clause), f"{one.clause}."
        id = f"{ref}.{one.id.removeprefix(old)}" if one.id.startswith(old) else one.id
        return replace(one, id=id, clause=ref, because=said(one.because))

    def note(one: Note) -> Note:
        return replace(one, says=said(one.says))

    def clause(one: Clause) -> Clause:
        ref = names.get(one.ref, one.ref)
        return replace(
            one,
            ref=ref,
            law=one.law if belongs_to(ref, one.law) else law_of(ref),
            says=said(one.says),
            rules=tuple(map(rule, one.rules)),
            reason=said(one.reason),
            minutes=tuple(map(note, one.minutes)),
            notes=tuple(map(note, one.notes)),
        )

    clauses = {names.get(ref, ref): clause(one) for ref, one in edition.clauses.items()}
    if any(not belongs_to(new, edition.clauses[old].law) for old, new in names.items()):
        clauses = dict(
            sorted(clauses.items(), key=lambda one: (not one[1].law, bool(one[1].law) and book_order(one[0])))
        )
    titles = {clauses[new].law: edition.laws[edition.clauses[old].law] for old, new in names.items()}
    kept = {
        number: title for number, title in edition.laws.items() if any(one.law == number for one in clauses.values())
    }
    return replace(
        edition,
        laws={**kept, **titles},
        clauses=clauses,
        offers={names.get(ref, ref): offered for ref, offered in edition.offers.items()},
    )
