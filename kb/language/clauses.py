"""The clauses of an edition: read from its law files, laid over what it amends, and counted otherwise than there.

A clause replaces that of its number, is added, or is taken away. An edition may take a clause over under another number
and into another law, which then has the title of the one that it was in, unless the edition gives it one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from facts.errors import Fault, Faults, Place, nearest_name
from facts.form import Entries, Names, PlacedText, Texts, form_of
from facts.yaml_reader import Node
from kb.language.belonging import completed
from kb.language.model import Clause, Clauses, Edition, EditionForm, ElectionForm, LawFile, LawForm, Repeal
from kb.language.rule import Rule
from kb.language.texts import texts_mapped
from kb.language.vocabulary import Vocabulary


def book_order(ref: str) -> tuple[tuple[int, str], ...]:
    """Sort key by which 7C2 stands before 7C10 and after 7C."""
    return tuple((int(number or 0), letters) for number, letters in re.findall(r"(\d+)|(\D+)", ref))


def belongs_to(ref: str, law: str) -> bool:
    """Whether 7A1 is a clause of Law 7; a clause of Law 70 is not."""
    return ref.startswith(law) and not ref[len(law) :][:1].isdigit()


@dataclass
class Overlay:
    """What a folder says: its clauses, which of them it takes away, and the titles of its laws."""

    faults: Faults
    vocabulary: Vocabulary
    laws: dict[str, Texts] = field(default_factory=dict)
    law_places: dict[str, Place] = field(default_factory=dict)
    clauses: dict[str, Clause] = field(default_factory=dict)
    repealed: dict[str, Place] = field(default_factory=dict)

    def read_file(self, node: Node) -> None:
        file: LawFile = form_of(LawFile).read(node, self.faults)
        if file.law:
            self._law(file.law, file.law.place, LawForm(title=file.title, clauses=file.clauses))
        elif file.law is None and file.clauses:
            self.faults.add(
                file.clauses.place, "it is not said of which law these clauses are", "add law: with its number"
            )
        for number, law in file.laws.items():
            self._law(number, file.laws.places[number], law)
        for name, definition in file.definitions.items():
            place = file.definitions.places[name]
            if name[:1].isdigit():
                problem = f"{name} cannot be the name of a definition: it looks like a clause of the law"
                self.faults.add(place, problem, "begin it with a letter")
            self._clause(name, "", definition, place)

    def _law(self, number: str, place: Place, law: LawForm) -> None:
        if number in self.law_places:
            there = (self.law_places[number], "first here")
            problem = f"Law {number} stands here for the second time"
            self.faults.add(place, problem, "put it together with the first", there)
        self.law_places.setdefault(number, place)
        if law.title:
            self.laws[number] = law.title
        self.read_clauses(law.clauses, number)

    def read_clauses(self, clauses: Clauses, law: str | None) -> None:
        """Adds clauses of one law; ``law`` None: of any, as in an election."""
        for ref, clause in clauses.items():
            place = clauses.places[ref]
            if law and not belongs_to(ref, law):
                mend = "move it to its own law, or mend the number"
                self.faults.add(place, f"{ref} is not a clause of Law {law}", mend)
            usual = re.sub(r"^\d+[a-z](?=\d)", lambda begins: begins[0].upper(), "".join(ref.split()))
            if usual != ref:  # or every other file would have to write it so
                self.faults.add(place, f"the clause {ref} is not numbered as clauses are", f"write {usual}")
            self._clause(ref, law if law is not None else law_of(ref), clause, place)

    def _clause(self, ref: str, law: str, form: Clause | Repeal, place: Place) -> None:
        there = self.clauses[ref].place if ref in self.clauses else self.repealed.get(ref)
        if there:
            problem = f"{ref} stands here for the second time"
            self.faults.add(place, problem, "keep one of the two", (there, "first here"))
        if isinstance(form, Repeal):
            self.repealed[ref] = place
            return
        rules = tuple(
            completed(rule.numbered(ref, number), self.vocabulary) for number, rule in enumerate(form.rules, 1)
        )
        self.clauses[ref] = replace(form, ref=ref, law=law, place=place, rules=rules)


def law_of(ref: str) -> str:
    """The law that a clause of this number is of, unless a book says otherwise: 7 for 7A1."""
    number = re.match(r"\d+", ref)
    return number[0] if number else ref


def lay_over(
    base: Edition | None, overlay: Overlay, form: EditionForm | ElectionForm, faults: Faults
) -> dict[str, Clause]:
    """The clauses in the order of the book, then the definitions.

    ``base`` is None for a code of its own, which must list its clauses; ``form`` is the file that says so.
    """
    base_clauses = base.clauses if base else {}
    for ref, there in overlay.repealed.items():
        faults.demand("clause", ref, there, base_clauses)
    faults.extend(_misplaced(base, overlay, form))
    kept = {ref: clause for ref, clause in base_clauses.items() if ref not in overlay.repealed}
    merged = {**kept, **overlay.clauses}
    if isinstance(form, EditionForm) and form.clauses is not None:
        order = _listed(form.clauses, form.place.file, merged, faults)
    else:
        order = [ref for ref in kept if kept[ref].law]  # each new one before the first that a book would print after it
        for ref in sorted(
            (ref for ref, clause in overlay.clauses.items() if clause.law and ref not in order), key=book_order
        ):
            later = (i for i, listed in enumerate(order) if book_order(listed) > book_order(ref))
            order.insert(next(later, len(order)), ref)
    definitions = [ref for ref, clause in merged.items() if not clause.law]
    return {ref: merged[ref] for ref in (*order, *definitions)}


def _misplaced(base: Edition | None, overlay: Overlay, form: EditionForm | ElectionForm) -> Iterator[Fault]:
    """Clauses that neither replace one nor are said to be new, and those that are said to be and are not."""
    for ref, clause in overlay.clauses.items():
        if base is None and clause.new:
            yield Fault(clause.place, f"{ref} cannot be new: the edition amends none", "take new: true away")
        elif base is not None and ref in base.clauses and clause.new:
            mend = "take new: true away, so that it is replaced, or give the new one another number"
            renames = form.renames if isinstance(form, EditionForm) else {}
            has = next((f"{old} is renamed to it" for old, new in renames.items() if new == ref), f"{base.id} has it")
            yield Fault(clause.place, f"{ref} is not new: {has}", mend)
        elif base is not None and ref not in base.clauses and not clause.new:
            near = nearest_name(ref, base.clauses)
            mend = "write new: true in it if it is to be added" + (f"; did you mean {near}?" if near else "")
            yield Fault(clause.place, f"{ref} replaces nothing in {base.id}", mend)


def _listed(listed: Names, file: str, merged: Mapping[str, Clause], faults: Faults) -> list[str]:
    order: dict[str, Place] = {}
    for ref in listed:
        if ref in order:
            faults.add(ref.place, f"{ref} stands twice in the list", "keep one of the two", (order[ref], "first here"))
        elif ref and (ref not in merged or not merged[ref].law):
            problem = f"{ref} is in the list, but there is no such clause"
            faults.add(ref.place, problem, "write the clause, or take it from the list")
        elif ref:
            order[ref] = ref.place
    for clause in merged.values():
        if clause.law and clause.ref not in order:
            problem = f"{clause.ref} is not in the edition's list of clauses"
            faults.add(clause.place, problem, f"add it to clauses: in {file}")
    return list(order)


def read_renames(base: Edition | None, written: Entries[PlacedText], faults: Faults) -> dict[str, str]:
    """Number in what is amended -> number here; what cannot be renamed so is a fault, and left out."""
    clauses = {} if base is None else {ref: clause for ref, clause in base.clauses.items() if clause.law}
    names: dict[str, str] = {}
    for old, new in written.items():
        faults.demand("clause", old, written.places[old], clauses)
        if new in (*(clauses.keys() - written.keys()), *names.values()):
            faults.add(new.place, f"there is a {new} already", "give it a number of its own, or rename that too")
        elif old in clauses:
            names[old] = new
    return names


def numbers_of(base: Edition, names: Mapping[str, str], edition: Edition) -> dict[Path, dict[str, str]]:
    """What the clauses of all editions that this one goes back to are called in it, by the folders of those."""
    taken = {*names.values()} - names.keys()  # whoever had such a number is gone
    here = {ref: names.get(ref, ref) for ref in base.clauses if ref not in taken}
    numbers = {**base.numbers, Path(base.place.file).parent: {ref: ref for ref in base.clauses}}
    return {
        folder: {old: here[ref] for old, ref in refs.items() if here.get(ref) in edition.clauses}
        for folder, refs in numbers.items()
    }


def texts_renumbered(texts: Texts, names: Mapping[str, str]) -> Texts:
    """Sentences with the clauses that they name under their new numbers."""
    new = {old: number for old, number in names.items() if old != number}
    if not new:
        return texts
    words = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(new, key=len, reverse=True)))})(?![\w(])")
    return texts_mapped(texts, lambda text: words.sub(lambda match: new[match[0]], text))


def renamed(edition: Edition, names: Mapping[str, str]) -> Edition:
    """The edition with these clauses under their new numbers, also where a sentence names them."""
    if not names:
        return edition
    renumber = partial(texts_renumbered, names=names)

    def renamed_rule(rule: Rule) -> Rule:
        ref = names.get(rule.clause, rule.clause)
        return replace(rule, id=f"{ref}{rule.id.removeprefix(rule.clause)}", clause=ref, because=renumber(rule.because))

    clauses: dict[str, Clause] = {}
    for old, clause in edition.clauses.items():
        ref = names.get(old, old)
        clauses[ref] = replace(
            clause,
            ref=ref,
            law=clause.law if belongs_to(ref, clause.law) else law_of(ref),
            says=renumber(clause.says),
            rules=tuple(map(renamed_rule, clause.rules)),
            reason=renumber(clause.reason),
            minutes=tuple(replace(note, says=renumber(note.says)) for note in clause.minutes),
            notes=tuple(replace(note, says=renumber(note.says)) for note in clause.notes),
        )
    if any(not belongs_to(new, edition.clauses[old].law) for old, new in names.items()):
        clauses = dict(
            sorted(clauses.items(), key=lambda item: (not item[1].law, bool(item[1].law) and book_order(item[0])))
        )
    titles = {clauses[new].law: edition.laws[edition.clauses[old].law] for old, new in names.items()}
    kept = {law: title for law, title in edition.laws.items() if any(clause.law == law for clause in clauses.values())}
    return replace(
        edition,
        laws={**kept, **titles},
        clauses=clauses,
        offers={names.get(ref, ref): offered for ref, offered in edition.offers.items()},
    )
