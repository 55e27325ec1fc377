"""Reading ``properties.yaml``: what is claimed of an edition, with what is claimed of the editions that it amends.

A property of the same name takes over what the edition amended says of it, key by key; ``dropped: true`` takes it away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import reduce
from itertools import combinations
from pathlib import Path
from typing import Final

from facts.errors import InputError, Place, RulesError
from facts.form import Names, read_form
from facts.suggestions import did_you_mean
from facts.yaml_reader import Node, read_text, read_yaml
from kb.language.beside import BesideReader
from kb.language.folders import PROPERTIES, editions, elections, files_of, kept, laid_over
from kb.language.model import Edition, Rule
from kb.prove.compiled import Compiler
from kb.prove.forms import ExceptionForm, PropertiesFile, PropertyForm
from kb.prove.property import KINDS, RULING, WHOLE, Demand, Expected, Pairing, Property, Weighed
from kb.space.burden import Measures, load_measures
from kb.space.interview import Interview, Question
from kb.space.read_interview import read_needs

SORTS: Final = (
    "never",
    "always",
    "disjoint",
    "equivalent",
    "then",
    "one-of",
    "exactly-one",
    "at-most",
    "when-only",
    "against",
    "decides",
)
"""The keys of which a property has one: what it claims."""
DEMANDS: Final[tuple[Demand, ...]] = ("never-more", "never-less", "the-same")
BESIDE: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("never", "always", "disjoint", "equivalent"), ("among", "unless")),
    **dict.fromkeys(("then", "one-of", "exactly-one", "at-most"), ("among", "if", "unless")),
    "when-only": ("among", "from-to", "asked-alike", *DEMANDS),
    "against": ("among", *DEMANDS),
}
"""What may stand beside them and only there."""
LEVELS: Final = 3
"""From the file down to the keys of a property."""


@dataclass(frozen=True)
class Properties:
    """What is claimed of an edition."""

    measures: Measures
    """In the words of the edition and of its properties."""
    rules: tuple[Rule, ...]
    """What several properties share."""
    properties: Mapping[str, Property]

    @property
    def all_rules(self) -> tuple[Rule, ...]:
        """Every rule beside those of the measures."""
        return (*self.rules, *(rule for one in self.properties.values() for rule in one.all_rules))


def property_files(edition: Edition) -> list[Path]:
    """The files with an edition's properties, those of what it amends first."""
    return files_of(edition.folders[1:], PROPERTIES)


def load_properties(root: Path, edition: Edition, interview: Interview) -> Properties:
    """The properties of an edition; RulesError with every fault."""
    measures = load_measures(root, edition.vocabulary)
    known = measures.vocabulary
    reader = BesideReader(replace(known, kinds={**known.kinds, **KINDS}))
    try:
        nodes = [read_yaml(read_text(file), str(file)) for file in property_files(edition)]
    except InputError as error:
        raise RulesError(error.faults) from None
    reading = _Reader(reader, interview, edition, root)
    translated = edition.vocabulary.translations.over
    found = reading.file(translated(reduce(_over, nodes))) if nodes else ((), {})
    if reader.faults:
        raise RulesError(sorted(set(reader.faults)))
    return Properties(replace(measures, vocabulary=reader.vocabulary), *found)


def _over(base: Node, over: Node) -> Node:
    return laid_over(base, over, LEVELS)


class _Reader:
    def __init__(self, reader: BesideReader, interview: Interview, edition: Edition, root: Path) -> None:
        self.reader, self.edition = reader, edition
        self.known, self.elections = editions(root), tuple(elections(*edition.folders))
        self.questions: Mapping[str, Question] = interview.questions
        self.faults = reader.faults

    def file(self, node: Node) -> tuple[tuple[Rule, ...], dict[str, Property]]:
        """What several properties share, and the properties."""
        form: PropertiesFile = read_form(PropertiesFile, node, self.faults)
        rules = tuple(self.reader.definitions(form))
        held = kept(form.properties, self.faults)
        read = {name: self.read(name, one, held.places[name]) for name, one in held.items()}
        return rules, {name: one for name, one in read.items() if self.stands(held[name].not_elected)}

    def stands(self, not_elected: Names) -> bool:
        """Whether something is so under the elections that were made; a fault for one that there is not."""
        for one in not_elected:
            if one.value not in self.elections:
                mend = did_you_mean(one.value, self.elections)
                self.faults.add(one.place, f"there is no election {one.value}", mend)
        return {one.value for one in not_elected}.isdisjoint(self.edition.elections)

    def read(self, id: str, form: PropertyForm, place: Place) -> Property:
        """One property."""
        compiler = Compiler(self.reader, id, form)
        sort = self.sort(id, form, place)
        return Property(
            id,
            form.says,
            form.because,
            self.clauses(form.laws),
            place,
            sort,
            read_needs(form.among, self.questions, self.faults),
            tuple(compiler.rules()),
            self.weighed(sort, form, place),
            self.pairing(form) if sort == "when-only" else None,
            self.against(form),
            tuple(
                self.exception(compiler, sort, number, one)
                for number, one in enumerate(form.expected)
                if self.stands(one.not_elected)
            ),
        )

    def sort(self, id: str, form: PropertyForm, place: Place) -> str:
        """What it claims; a fault where it claims nothing, or two things."""
        stated = [key for key in SORTS if key in form.places]
        if len(stated) != 1:
            what = f"{id} claims {'nothing' if not stated else ' and '.join(stated)}"
            self.faults.add(place, what, f"give it one of {', '.join(SORTS)}")
        sort = stated[0] if stated else SORTS[0]
        known = {key for keys in BESIDE.values() for key in keys}
        for key in form.places.keys() & (known - {*BESIDE.get(sort, ())}) if len(stated) == 1 else ():
            self.faults.add(form.places[key], f"{key} says nothing beside {sort}", "leave it out")
        return sort

    def weighed(self, sort: str, form: PropertyForm, place: Place) -> Weighed | None:
        """What it demands of two rulings, if it compares any."""
        said: dict[Demand, Names] = dict(zip(DEMANDS, (form.never_more, form.never_less, form.the_same), strict=True))
        stated = {demand: parts for demand, parts in said.items() if parts}
        if sort in ("when-only", "against") and len(stated) != 1:
            what = f"of two rulings {'nothing' if not stated else ' and '.join(stated)} is demanded"
            self.faults.add(place, what, f"give it one of {', '.join(DEMANDS)}")
        for demand, parts in stated.items():
            known = (*self.reader.vocabulary.words.get("measure-part", ()), WHOLE, RULING)
            for one in parts:
                if one.value not in known:
                    self.faults.add(one.place, f"{one.value} is no part of it", did_you_mean(one.value, known))
                elif one.value == RULING and demand != "the-same":
                    self.faults.add(one.place, "of rulings as a whole none is more than another", "write the-same")
            names = [one.value for one in parts]
            return Weighed(demand, () if WHOLE in names else tuple(names), RULING in names)
        return None

    def pairing(self, form: PropertyForm) -> Pairing:
        """The questions in which two situations may differ, with the answers in their order."""
        steps: dict[str, tuple[tuple[str, str], ...]] = {}
        if not form.when_only and "when-only" in form.places:
            self.faults.add(form.places["when-only"], "it names no question", "write the one whose answer differs")
        for one in form.when_only:
            if one.value not in self.questions:
                self.faults.add(one.place, f"there is no question {one.value}", did_you_mean(one.value, self.questions))
                continue
            answers = self.questions[one.value].answers
            order = [name.value for name in form.from_to] or [*answers]
            steps[one.value] = tuple(combinations([name for name in order if name in answers], 2))
        known = [answer for one in steps for answer in self.questions[one].answers]
        for number, name in enumerate(form.from_to):
            if name.value in [one.value for one in form.from_to[:number]]:
                self.faults.add(name.place, f"{name.value} comes twice", "name each answer once")
            if known and name.value not in known:
                self.faults.add(name.place, f"there is no answer {name.value}", did_you_mean(name.value, known))
        return Pairing(tuple(steps.items()), form.asked_alike)

    def against(self, form: PropertyForm) -> str | None:
        """The edition that it compares with."""
        if form.against is None:
            return None
        if form.against.value not in self.known:
            mend = did_you_mean(form.against.value, self.known)
            self.faults.add(form.against.place, f"there is no edition {form.against.value}", mend)
        return form.against.value

    def clauses(self, named: Names) -> tuple[str, ...]:
        """Those that the edition has, by its own numbers; in its own file any others are a fault."""
        own, clauses, found = Path(self.edition.place.file).parent, self.edition.clauses, dict[str, None]()
        for one in named:
            folder = Path(one.place.file).parent
            ref = self.edition.numbers.get(folder, {}).get(one.value, "") if folder != own else one.value
            if ref in clauses:
                found[ref] = None
            elif folder == own:
                self.faults.add(one.place, f"{self.edition.id} has no clause {ref}", did_you_mean(ref, clauses))
        return tuple(found)

    def exception(self, compiler: Compiler, sort: str, number: int, form: ExceptionForm) -> Expected:
        """One exception; a fault where it says of nothing that it is one, and so would be true of everything."""
        where = ("clauses",) if sort == "decides" else ("among", "when", "cases")
        if not form.places.keys() & {*where}:
            self.faults.add(form.place, "the exception does not say where it holds", f"add one of {', '.join(where)}")
        return Expected(
            number,
            form.because,
            form.place,
            read_needs(form.among, self.questions, self.faults),
            tuple(compiler.exception(number, form)),
            self.clauses(form.clauses),
            tuple(one.value for one in form.cases),
        )
