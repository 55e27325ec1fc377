"""Clauses under other numbers: an edition takes over what it amends and counts it otherwise."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from facts.form import Entries
from facts.suggestions import did_you_mean
from kb.language.faults import Faults
from kb.language.forms import PlacedText
from kb.language.model import Clause, Edition, Note, Rule
from kb.language.names import belongs_to
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
        elif not belongs_to(new.value, clauses[old].law):
            faults.add(new.place, f"{new.value} is not a clause of Law {clauses[old].law}", "keep it in its law")
        else:
            names[old] = new.value
    return names


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
        return replace(
            one,
            ref=names.get(one.ref, one.ref),
            says=said(one.says),
            rules=tuple(map(rule, one.rules)),
            reason=said(one.reason),
            minutes=tuple(map(note, one.minutes)),
            notes=tuple(map(note, one.notes)),
        )

    return replace(
        edition,
        clauses={names.get(ref, ref): clause(one) for ref, one in edition.clauses.items()},
        offers={names.get(ref, ref): offered for ref, offered in edition.offers.items()},
    )
