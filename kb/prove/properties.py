"""What is claimed of a law: the files of properties, what a property is, and what is wrong with one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations
from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal, TypeAlias

from facts.errors import Place, RulesError, did_you_mean
from facts.fact import Value
from facts.form import NOWHERE, ONE_OR_MORE, Entries, Names, PlacedForm, PlacedText, Texts, no_entries
from facts.table import REVOKE
from kb.language.clauses import texts_renumbered
from kb.language.folders import (
    PROPERTIES,
    Droppable,
    edition_ids,
    elections,
    files_of,
    laid_together,
    matter_folder,
    without_dropped,
)
from kb.language.model import Edition
from kb.language.rule import BareRule, Conclusion, Condition, Conditions, Exceptions, Rule, Tally, Test, demand_field
from kb.language.side_rules import SideRulesForm, SideRulesReader
from kb.language.strata import uses
from kb.language.terms import Constant
from kb.language.vocabulary import Field, Kind
from kb.space.interview import Interview, Needs, Question
from kb.space.measures import Measures, load_measures, of_matters
from kb.space.read_interview import NeedsForm, read_needs

Parts: TypeAlias = Annotated[Names, ONE_OR_MORE]
"""Parts of the measures; ``burden`` for all of them, ``ruling`` for everything that a ruling says."""


@dataclass(frozen=True, kw_only=True)
class ExceptionForm(PlacedForm):
    """Where a property is known not to hold, and why the law means it so."""

    among: NeedsForm | None = None
    when: Conditions | None = None
    not_elected: Annotated[Names, ONE_OR_MORE] = ()
    """Elections under which it is no exception."""
    because: Texts


@dataclass(frozen=True, kw_only=True)
class MostForm(PlacedForm):
    """At most so many facts, or so many in all of one of their fields."""

    of: Exceptions
    total: PlacedText | None = None
    is_: int


@dataclass(frozen=True, kw_only=True)
class PropertyForm(PlacedForm, Droppable):
    """One property."""

    gone: ClassVar = {"always": "it went with 0.2.0: write then", "disjoint": "it went with 0.2.0: write never"}

    whole: bool
    says: Texts
    because: Texts
    laws: Names = ()
    not_elected: Annotated[Names, ONE_OR_MORE] = ()
    """Elections under which it is not claimed."""
    among: NeedsForm | None = None
    rules: tuple[BareRule, ...] = ()

    never: Conditions | None = None
    equivalent: Exceptions = ()
    if_: Conditions | None = None
    unless: Exceptions = ()
    then: Exceptions = ()
    one_of: Exceptions = ()
    exactly_one: Exceptions = ()
    at_most: MostForm | None = None

    when_only: Annotated[Names, ONE_OR_MORE] = ()
    from_to: Names = ()
    against: PlacedText | None = None
    never_more: Parts = ()
    never_less: Parts = ()
    the_same: Parts = ()

    expected: tuple[ExceptionForm, ...] = ()


@dataclass(frozen=True, kw_only=True)
class PropertiesFile(SideRulesForm):
    """properties.yaml"""

    properties: Entries[PropertyForm] = field(default_factory=no_entries)


REFUTED: Final = "property-refuted"
"""The kind of fact by which a property's rules say that it does not hold: its name."""
APPLIES: Final = "property-applies"
"""By it they say that the property speaks of a situation."""
EXCEPTED: Final = "property-excepted"
"""By it they say that it is not expected to hold: its name, and the number of the exception."""
KINDS: Final = {
    kind: Kind(kind, fields, {}, NOWHERE)
    for kind, fields in {
        REFUTED: (Field("property", "text"),),
        APPLIES: (Field("property", "text"),),
        EXCEPTED: (Field("property", "text"), Field("number", "integer")),
    }.items()
}

WHOLE_RULING: Final = "ruling"
"""Everything that a ruling says and a director acts on."""
WHOLE_BURDEN: Final = "burden"
"""Every part of what a ruling weighs."""
Demand: TypeAlias = Literal["never-more", "never-less", "the-same"]

Pairing: TypeAlias = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
"""Of situations that differ in one answer only, each question with the answers of the first and of the second."""


@dataclass(frozen=True)
class Expected:
    number: int
    because: Texts
    place: Place
    among: Needs = ()
    rules: tuple[Rule, ...] = ()
    """They say which facts make it one; none: any."""


@dataclass(frozen=True)
class Property:
    id: str
    says: Texts
    because: Texts
    """Why it ought to hold."""
    laws: tuple[str, ...]
    """The clauses that it speaks of."""
    place: Place
    sort: str
    """The key that says what is claimed: ``never``, ``always``, ``if`` …"""
    among: Needs = ()
    """The answers to which it is confined; none: to no answers."""
    rules: tuple[Rule, ...] = ()
    """Its own, those that refute it, and those that say where it applies."""
    demand: Demand | None = None
    """What is demanded of the second of two rulings beside the first, if it compares any."""
    parts: tuple[str, ...] = ()
    """What of them is compared: parts of the measures, WHOLE, RULING."""
    pairing: Pairing | None = None
    against: str | None = None
    """The edition that it compares with."""
    expected: tuple[Expected, ...] = ()

    @property
    def applies(self) -> bool:
        """Whether its rules say where it applies; else it does everywhere."""
        return any(then.kind == APPLIES for rule in self.rules for then in rule.then)


SORTS: Final = (
    "never",
    "equivalent",
    "then",
    "one-of",
    "exactly-one",
    "at-most",
    "when-only",
    "against",
)
"""The keys of which a property has one: what it claims."""
DEMANDS: Final[tuple[Demand, ...]] = ("never-more", "never-less", "the-same")
ALLOWED_BESIDE: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("never", "equivalent"), ("among", "unless")),
    **dict.fromkeys(("then", "one-of", "exactly-one", "at-most"), ("among", "if", "unless")),
    "when-only": ("among", "from-to", *DEMANDS),
    "against": ("among", *DEMANDS),
}
"""What may stand beside them and only there."""
MERGE_DEPTH: Final = 3
"""From the file down to the keys of a property."""


@dataclass(frozen=True)
class Properties:
    measures: Measures
    """In the words of the edition and of its properties."""
    rules: tuple[Rule, ...]
    """Every rule beside those of the measures: what several properties share, and what each brings."""
    properties: Mapping[str, Property]


def property_files(edition: Edition, of: str = REVOKE) -> list[Path]:
    """The files with what is claimed of an edition in one matter, those of what it amends first."""
    return files_of((matter_folder(folder, of) for folder in edition.folders[1:]), PROPERTIES)


def load_properties(root: Path, edition: Edition, interview: Interview) -> Properties:
    """The properties of an edition; RulesError with every fault."""
    measures = load_measures(root, edition.vocabulary, of_matters(edition))
    vocabulary = measures.vocabulary
    reader = SideRulesReader(replace(vocabulary, kinds={**vocabulary.kinds, **KINDS}))
    rules, properties = tuple[Rule, ...](), dict[str, Property]()
    if files := property_files(edition, interview.table.of):
        form = reader.form(PropertiesFile, edition.vocabulary.translations.over(laid_together(files, MERGE_DEPTH)))
        reading = _Reader(reader, interview, edition, root)
        shared = [*reader.definitions(form)]
        forms = without_dropped(form.properties, reader.faults)
        read = {name: reading.read(name, claim_form, forms.places[name]) for name, claim_form in forms.items()}
        properties = {name: claim for name, claim in read.items() if reading.stands(forms[name].not_elected)}
        rule_sets = ((claim.rules, *(each.rules for each in claim.expected)) for claim in properties.values())
        rules = (*shared, *(rule for of_claim in rule_sets for each in of_claim for rule in each))
    if reader.faults:
        raise RulesError(sorted(set(reader.faults)))
    return Properties(replace(measures, vocabulary=reader.vocabulary), rules, properties)


class _Reader:
    def __init__(self, reader: SideRulesReader, interview: Interview, edition: Edition, root: Path) -> None:
        self.reader, self.edition = reader, edition
        self.known, self.elections = edition_ids(root), tuple(elections(*edition.folders))
        self.questions: Mapping[str, Question] = interview.questions
        self.faults = reader.faults

    def stands(self, not_elected: Names) -> bool:
        """Whether something is so under the elections that were made; a fault for one that there is not."""
        for election in not_elected:
            if election not in self.elections:
                mend = did_you_mean(election, self.elections)
                self.faults.add(election.place, f"there is no election {election}", mend)
        return {*not_elected}.isdisjoint(self.edition.elections)

    def read(self, id: str, form: PropertyForm, place: Place) -> Property:
        """One property: its own rules, those that refute it, and those that say where it applies."""
        self.id, self.form, self.number = id, form, 0
        sort = self.sort(id, form, place)
        clauses, among = self.clauses(form.laws), read_needs(form.among, self.questions, self.faults)
        rules = [*self.reader.read(id, form.rules), *self._refuting()]
        self._misspelt(rules)
        if form.if_ is not None:
            rules.append(self._rule(APPLIES, form.if_, ()))
        demand, parts = self.demanded(sort, form, place)
        pairing = self.pairing(form) if sort == "when-only" else None
        against = form.against
        if form.against is not None and against not in self.known:
            mend = did_you_mean(form.against, self.known)
            self.faults.add(form.against.place, f"there is no edition {against}", mend)
        numbered = enumerate(form.expected)
        expected = tuple(self.exception(number, entry) for number, entry in numbered if self.stands(entry.not_elected))
        numbers = self.edition.numbers.get(Path(place.file).parent, {})
        stated = id, texts_renumbered(form.says, numbers), texts_renumbered(form.because, numbers), clauses, place, sort
        return Property(*stated, among, tuple(rules), demand, parts, pairing, against, expected)

    def sort(self, id: str, form: PropertyForm, place: Place) -> str:
        """What it claims; a fault where it claims nothing, or two things."""
        stated = [key for key in SORTS if key in form.places]
        if len(stated) != 1:
            problem = f"{id} claims {'nothing' if not stated else ' and '.join(stated)}"
            self.faults.add(place, problem, f"give it one of {', '.join(SORTS)}")
        sort = stated[0] if stated else SORTS[0]
        all_keys = {key for keys in ALLOWED_BESIDE.values() for key in keys}
        for key in form.places.keys() & (all_keys - {*ALLOWED_BESIDE.get(sort, ())}) if len(stated) == 1 else ():
            self.faults.add(form.places[key], f"{key} says nothing beside {sort}", "leave it out")
        for key in stated:
            conditions = getattr(form, key.replace("-", "_"))
            if conditions == () and form.whole:  # which would claim nothing
                self.faults.add(form.places[key], f"{key} is empty", "write what it is about")
            elif key == "equivalent" and len(conditions) == 1:
                problem = "equivalent stands between several conditions, and there is one"
                self.faults.add(form.places[key], problem, "write the others")
        return sort

    def demanded(self, sort: str, form: PropertyForm, place: Place) -> tuple[Demand | None, tuple[str, ...]]:
        asked: dict[Demand, Names] = dict(zip(DEMANDS, (form.never_more, form.never_less, form.the_same), strict=True))
        stated = {demand: parts for demand, parts in asked.items() if parts}
        if sort in ("when-only", "against") and len(stated) != 1:
            problem = f"of two rulings {'nothing' if not stated else ' and '.join(stated)} is demanded"
            self.faults.add(place, problem, f"give it one of {', '.join(DEMANDS)}")
        for demand, parts in stated.items():
            all_parts = (*self.reader.vocabulary.words.get("measure-part", ()), WHOLE_BURDEN, WHOLE_RULING)
            for part in parts:
                if part not in all_parts:
                    self.faults.add(part.place, f"{part} is no part of it", did_you_mean(part, all_parts))
                elif part == WHOLE_RULING and demand != "the-same":
                    self.faults.add(part.place, "of rulings as a whole none is more than another", "write the-same")
            return demand, tuple(parts)
        return None, ()

    def pairing(self, form: PropertyForm) -> Pairing:
        """The questions in which two situations may differ, with the answers in their order."""
        steps: dict[str, tuple[tuple[str, str], ...]] = {}
        for key in form.when_only:
            if key not in self.questions:
                self.faults.add(key.place, f"there is no question {key}", did_you_mean(key, self.questions))
                continue
            answers = self.questions[key].answers
            order = [name for name in form.from_to or answers if name in answers]
            steps[key] = tuple(combinations(order, 2))
        all_answers = [answer for question in steps for answer in self.questions[question].answers]
        for number, name in enumerate(form.from_to):
            if name in form.from_to[:number]:
                self.faults.add(name.place, f"{name} comes twice", "name each answer once")
            if all_answers and name not in all_answers:
                self.faults.add(name.place, f"there is no answer {name}", did_you_mean(name, all_answers))
        return tuple(steps.items())

    def clauses(self, laws: Names) -> tuple[str, ...]:
        """Those that the edition has, by its own numbers; in its own file any others are a fault."""
        own_folder, clauses, refs = Path(self.edition.place.file).parent, self.edition.clauses, dict[str, None]()
        for law in laws:
            folder = Path(law.place.file).parent
            ref = self.edition.numbers.get(folder, {}).get(law, "") if folder != own_folder else law
            if ref in clauses:
                refs[ref] = None
            elif folder == own_folder:
                self.faults.add(law.place, f"{self.edition.id} has no clause {ref}", did_you_mean(ref, clauses))
        return tuple(refs)

    def exception(self, number: int, form: ExceptionForm) -> Expected:
        """One exception; a fault where it says of nothing that it is one, and so would be true of everything."""
        if not form.places.keys() & {"among", "when"}:
            self.faults.add(form.place, "the exception does not say where it holds", "add among or when")
        rules = tuple[Rule, ...]()  # they say where it holds; none if it names no facts
        if form.when is not None:
            rules = (self._rule(EXCEPTED, form.when, (), form.place, number),)
        among = read_needs(form.among, self.questions, self.faults)
        return Expected(number, form.because, form.place, among, rules)

    def _refuting(self) -> Iterator[Rule]:
        form, unless = self.form, self.form.unless  # of which there may be none: so a draft claims it of all
        if form.never is not None:
            yield self._rule(REFUTED, form.never, unless)
        for condition, equivalent in permutations(form.equivalent, 2):
            yield self._rule(REFUTED, (condition,), (equivalent, *unless))
        when = form.if_ or ()  # what follows from it, or from nothing at all
        for condition in form.then:
            yield self._rule(REFUTED, when, (condition, *unless))
        if form.one_of:
            yield self._rule(REFUTED, when, (*form.one_of, *unless))
        for condition in form.exactly_one:
            count = Tally("count", condition, None, Test("is", "!=", Constant(1), condition.place), condition.place)
            yield self._rule(REFUTED, (*when, count), unless)
        for more in self._more(form.at_most):
            yield self._rule(REFUTED, (*when, more), unless)

    def _misspelt(self, rules: Iterable[Rule]) -> None:
        """A fault for each variable that one exception alone names, which would be any and claim less than it seems."""
        used = {(use.name, use.place): use for rule in rules for use in uses(rule, self.reader.vocabulary)}
        times = Counter(name for name, _ in used)
        for use in used.values():
            if use.part == "unless" and times[use.name] == 1:
                self.faults.add(use.place, f"${use.name} is used nowhere else", "leave the field out, or mend the name")

    def _more(self, most: MostForm | None) -> Iterator[Tally]:
        """More than there may be."""
        if most is None:
            return
        if not most.of and self.form.whole:
            self.faults.add(most.place_of("of"), "there is no condition", "write a condition")
        for condition in most.of:
            number = Test("is", ">", Constant(most.is_), condition.place)
            if most.total is None:
                yield Tally("count", condition, None, number, condition.place)
                continue
            demand_field(condition.kind, most.total, most.total.place, self.faults)
            yield Tally("total", condition, most.total, number, condition.place)

    def _rule(
        self,
        kind: str,
        when: tuple[Condition | Tally, ...],
        unless: tuple[Condition, ...],
        place: Place | None = None,
        number: int | None = None,
    ) -> Rule:
        place = place or self.form.place
        self.number += 1
        values: dict[str, Value] = {"property": self.id} | ({} if number is None else {"number": number})
        terms = {name: Constant(value) for name, value in values.items()}
        then = (Conclusion(kind, terms, place),)
        rule = Rule(place, when, then, {}, unless, id=f"{self.id}:{self.number}", clause=self.id)
        return self.reader.checked(rule)
