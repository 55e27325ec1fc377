"""Reading ``interview.yaml``: every fault in it at once, each with its place.

A question that bears the name of a finding has its texts, its answers and what they fill in from the declaration of the
finding, as far as the file does not say otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Final, TypeAlias

from facts.errors import Faults, Place, RulesError
from facts.form import Described, Entries, FromFile, Placed, Texts, no_entries, read_form
from facts.readers.said import read_findings
from facts.suggestions import did_you_mean
from facts.table import FindingKind, Table
from facts.yaml_reader import Node, Sequence
from kb.language.folders import Droppable, files_of, kept, laid_together
from kb.language.model import Edition
from kb.space.further import further, reads, together
from kb.space.interview import UNKNOWN, Answer, Filling, Interview, Needs, Question, filled
from kb.space.read_screens import CompassForm, ScreenForm, ScreenReader, read_compass, read_screen

INTERVIEW: Final = "interview.yaml"
WIDER: Final = "wider.yaml"
LEVELS: Final = 5
"""From the file down to an answer: questions, question, answers, answer."""

Names: TypeAlias = tuple[Placed[str], ...]
NeedsForm: TypeAlias = tuple[Entries[Placed[str] | Names], ...] | Entries[Placed[str] | Names]
"""Questions with the answers to them, or several such alternatives."""


@dataclass(frozen=True, kw_only=True)
class StandsForm(FromFile):
    """What is filled in of each revoke."""

    first: Annotated[Node | None, Described("finding")] = None
    second: Annotated[Node | None, Described("finding")] = None
    third: Annotated[Node | None, Described("finding")] = None


@dataclass(frozen=True, kw_only=True)
class AnswerForm(StandsForm, Droppable):
    """One answer."""

    says: Texts = field(default_factory=dict)
    when: NeedsForm | None = None
    stands: StandsForm | None = None


@dataclass(frozen=True, kw_only=True)
class QuestionForm(Droppable):
    """One question."""

    asks: Texts = field(default_factory=dict)
    about: Texts = field(default_factory=dict)
    help: Texts = field(default_factory=dict)
    when: NeedsForm | None = None
    answers: Names | Entries[AnswerForm] | None = None


@dataclass(frozen=True, kw_only=True)
class InterviewForm(FromFile):
    """interview.yaml"""

    unknown: Texts
    further: NeedsForm | None = None
    seats: Entries[CompassForm] = field(default_factory=no_entries)
    screens: Entries[ScreenForm] = field(default_factory=no_entries)
    questions: Entries[QuestionForm]


def load_interview(root: Path, *editions: Edition, wider: bool = False) -> Interview:
    """The interview beside the vocabulary, about what can be said under all of these editions, of which there is one
    at least; RulesError with every fault.

    ``wider``: with what ``wider.yaml`` tells apart beyond it, if there is such a file.
    """
    layers = [*dict.fromkeys(folder for edition in editions for folder in edition.folders[1:])]
    names = (INTERVIEW, WIDER) if wider else (INTERVIEW,)
    over = [file for folder in (root, *layers) for file in files_of([folder], *names) if file != root / INTERVIEW]
    languages = editions[0].vocabulary.languages
    node = laid_together([root / INTERVIEW, *over], LEVELS, languages)
    for edition in editions:
        node = edition.vocabulary.translations.over(node)
    reader = _Reader(together(edition.table for edition in editions), languages)
    interview = reader.interview(node, reads(editions))
    if reader.faults:
        raise RulesError(sorted(set(reader.faults)))
    return interview


def read_needs(form: NeedsForm | None, known: Mapping[str, Question], faults: Faults) -> Needs:
    """The answers to known questions that are needed; a fault for a question or an answer that there is not."""
    alternatives = form if isinstance(form, tuple) else () if form is None else (form,)
    return tuple({q: _among(q, one, alt.places[q], known, faults) for q, one in alt.items()} for alt in alternatives)


def _among(
    question: str, named: Placed[str] | Names, place: Place, known: Mapping[str, Question], faults: Faults
) -> frozenset[str]:
    """The answers to a question that a condition allows."""
    if question not in known:
        faults.add(place, f"{question} is no question before this one", did_you_mean(question, known))
        return frozenset()
    answers = known[question].answers
    other = isinstance(named, Placed) and named.value.startswith("not ")
    some = (named,) if isinstance(named, Placed) else named
    names = {one.value.removeprefix("not ") if other else one.value: one.place for one in some}
    for name, at in names.items():
        if name not in answers:
            faults.add(at, f"{question} has no answer {name}", did_you_mean(name, answers))
    return frozenset(answers).difference(names) if other else frozenset(names)


class _Reader:
    def __init__(self, table: Table, languages: tuple[str, ...]) -> None:
        self.table = table
        self.faults = Faults(languages)
        self.known: dict[str, Question] = {}

    def interview(self, node: Node, read: frozenset[str]) -> Interview:
        form: InterviewForm = read_form(InterviewForm, node, self.faults)
        questions = kept(form.questions, self.faults)
        for id_, question in questions.items():
            self.known[id_] = self.question(id_, question, questions.places[id_])
        if form.further is not None:
            self.known |= further(self.table, read, self.known, self.needs(form.further))
        reading = ScreenReader(self.known, self.faults)
        seats = {id_: read_compass(id_, one, reading) for id_, one in kept(form.seats, self.faults).items()}
        screens = {id_: read_screen(id_, one, reading) for id_, one in kept(form.screens, self.faults).items()}
        return Interview(self.known, form.unknown, self.table, node.place, seats, screens)

    def question(self, id_: str, form: QuestionForm, place: Place) -> Question:
        kind = self.table.findings.get(id_)
        own = self.own(form, kind, place)
        answers = {name: self.answer(name, one, own.places[name], kind) for name, one in own.items()}
        if UNKNOWN in answers:
            self.faults.add(answers[UNKNOWN].place, f"{UNKNOWN} is the answer of every question", "leave it out")
        if not answers:
            self.faults.add(place, f"{id_} has no answer", "add answers: with at least two")
        return Question(
            id_,
            self.said("asks", form.asks, kind.asks if kind else {}, place),
            self.said("about", form.about, kind.about if kind else {}, place),
            form.help or (kind.help if kind else {}),
            self.needs(form.when),
            answers,
            place,
        )

    def own(self, form: QuestionForm, kind: FindingKind | None, place: Place) -> Entries[AnswerForm]:
        """The answers of the file, or else of the declaration."""
        if isinstance(form.answers, Entries):
            return kept(form.answers, self.faults)
        declared = dict.fromkeys(kind.answers if kind else (), place)
        names = declared if form.answers is None else {one.value: one.place for one in form.answers}
        return Entries(dict.fromkeys(names, AnswerForm()), names, place)

    def answer(self, id_: str, form: AnswerForm, place: Place, kind: FindingKind | None) -> Answer:
        declared = kind.answers.get(id_) if kind else None
        fills = {(one.revoke, one.key): one for one in self.fillings(form)}
        if kind and declared:
            fills.setdefault((0, kind.id), Filling(0, kind.id, filled(declared), place))
        says = self.said("says", form.says, declared.says if declared else {}, place)
        stands = tuple(self.fillings(form.stands)) if form.stands is not None else ()
        return Answer(id_, says, self.needs(form.when), tuple(fills.values()), place, stands)

    def said(self, key: str, own: Texts, declared: Texts, place: Place) -> Texts:
        """A text of the file, or else of the declaration."""
        if not own and not declared:
            self.faults.add(place, f"{key} is missing", f"add {key}: with the text in each language")
        return own or declared

    def needs(self, form: NeedsForm | None) -> Needs:
        return read_needs(form, self.known, self.faults)

    def fillings(self, form: StandsForm) -> Iterator[Filling]:
        """The keys filled in of each revoke, read as those of an incident file."""
        for number, one in enumerate((form.first, form.second, form.third)):
            if one is None:
                continue
            places = one.keys
            if "hand" in places:
                self.faults.add(places["hand"], "nobody's seat is known", "write such as player: defender")
            for finding in read_findings(Sequence((one,), one.place), self.table, self.faults):
                naming = {"player": finding.player, "trick": finding.trick}
                said = {**{key: value for key, value in naming.items() if value is not None}, **finding.said}
                yield from (Filling(number, key, value, places[key]) for key, value in said.items())
