"""Reading ``interview.yaml``: every fault in it at once, each with its place.

A question that bears the name of a finding has its texts, its answers and what they fill in from the declaration of the
finding, as far as the file does not say otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Annotated, Final, TypeAlias

from facts.errors import Faults, Place, RulesError, did_you_mean
from facts.form import NOWHERE, Described, Entries, FromFile, InEveryLanguage, PlacedText, Texts, form_of, no_entries
from facts.readers.incident_file import read_findings
from facts.table import REVOKE, FindingKind, Table, spelled
from facts.yaml_reader import Node, Sequence
from kb.language.folders import Droppable, files_of, laid_together, matter_folder, without_dropped
from kb.language.model import Edition
from kb.language.texts import each, holes
from kb.space.interview import (
    DONT_KNOW,
    Answer,
    Answered,
    Compass,
    Filling,
    Interview,
    Needs,
    Question,
    Screen,
    ScreenRow,
    filled,
)


def together(tables: Iterable[Table]) -> Table:
    """The findings of all these tables, of which there is one at least."""
    whole, *more = tables
    for table in more:
        whole = replace(
            whole,
            findings={**whole.findings, **table.findings},
            moments={subject: {**whole.moments[subject], **table.moments[subject]} for subject in whole.moments},
            fields={**whole.fields, **table.fields},
            parts=tuple(dict.fromkeys((*whole.parts, *table.parts))),
        )
    return whole


def reads(editions: Iterable[Edition]) -> frozenset[str]:
    """The kinds of fact that some rule looks at."""
    return frozenset(item.kind for edition in editions for rule in edition.rules for item in rule.conditions())


def _when(kind: FindingKind, questions: Mapping[str, Question], needs: Needs) -> Needs:
    """When the finding has a value as well as what else is needed."""
    if not kind.when:
        return needs
    return tuple(
        {**need, **dict(way)}
        for need in needs or ({},)
        for when in kind.when
        for way in product(*(_fitting(name, {*map(spelled, wanted)}, questions) for name, wanted in when.items()))
    )


def _fitting(name: str, wanted: set[str], questions: Mapping[str, Question]) -> Iterator[tuple[str, frozenset[str]]]:
    """The questions whose answers fill in a finding of the first revoke, and those that fill in what is wanted."""
    for question in questions.values():
        fitting = frozenset(
            answer.id
            for answer in question.answers.values()
            for filling in answer.fills
            if (filling.revoke, filling.key) == (0, name) and spelled(filling.value) in wanted
        )
        if fitting:
            yield question.id, fitting


PLACES: Final = ("hand", "partner", "left", "right", "declarer", "other", "side", "other-side")
"""What a text of a screen may name, of the revoke that is asked about."""


INTERVIEW: Final = "interview.yaml"
WIDER: Final = "wider.yaml"
FILE_LEVELS: Final = 5
"""From the file down to an answer: questions, question, answers, answer."""

NeedsForm: TypeAlias = tuple[Answered, ...] | Answered
"""One alternative or several."""


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
    answers: tuple[PlacedText, ...] | Entries[AnswerForm] | None = None


@dataclass(frozen=True, kw_only=True)
class InterviewForm(FromFile):
    """interview.yaml"""

    unknown: Texts
    further: NeedsForm | None = None
    seats: Entries[Compass] = field(default_factory=no_entries)
    screens: Entries[Screen] = field(default_factory=no_entries)
    questions: Entries[QuestionForm]


def load_interview(root: Path, *editions: Edition, wider: bool = False, of: str = REVOKE) -> Interview:
    """The interview beside the vocabulary, about what can be said under all of these editions, of which there is one
    at least; RulesError with every fault.

    ``wider``: with what ``wider.yaml`` tells apart beyond it, if there is such a file.
    """
    if of != REVOKE:
        editions = tuple(one for one in editions if of in one.table.matters)
    layers = [*dict.fromkeys(folder for edition in editions for folder in edition.folders[1:])]
    names = (INTERVIEW, WIDER) if wider else (INTERVIEW,)
    where = [matter_folder(folder, of) for folder in (root, *layers)]
    files = [file for folder in where for file in files_of([folder], *names)]
    if not files:
        what, mend = f"{of} has no {INTERVIEW}", "write its questions, and who is asked for first under seats: revoke:"
        raise RulesError.of(where[0], what, mend)
    languages = editions[0].vocabulary.languages
    node = laid_together(files, FILE_LEVELS, languages)
    for edition in editions:
        node = edition.vocabulary.translations.over(node)
    reader = _Reader(together(edition.table.about(of) for edition in editions), languages)
    interview = reader.interview(node, reads(editions))
    if reader.faults:
        raise RulesError(sorted(set(reader.faults)))
    return interview


def read_needs(form: NeedsForm | None, questions: Mapping[str, Question], faults: Faults) -> Needs:
    """The answers to known questions that are needed; a fault for a question or an answer that there is not."""
    alternatives = form if isinstance(form, tuple) else () if form is None else (form,)
    return tuple(_among(alternative, questions, faults) for alternative in alternatives)


def _among(
    form: Answered, questions: Mapping[str, Question], faults: Faults, unknown: frozenset[str] = frozenset()
) -> dict[str, frozenset[str]]:
    """Questions with the answers that a condition allows, or with all of them where these are ``unknown``."""
    allowed: dict[str, frozenset[str]] = {}
    for question, text in form.items():
        answers = questions[question].answers if question in questions else {}
        if question not in questions:
            faults.add(form.places[question], *_no_question(question, questions))
        negated = isinstance(text, str) and text.startswith("not ")
        words = () if question in unknown or question not in questions else (text,) if isinstance(text, str) else text
        names = {answer.removeprefix("not ") if negated else answer: answer.place for answer in words}
        for name, place in names.items():
            if name not in answers:
                faults.add(place, f"{question} has no answer {name}", did_you_mean(name, answers))
        all_but = negated or question in unknown
        allowed[question] = frozenset(answers).difference(names) if all_but else frozenset(names)
    return allowed


def _no_question(name: str, questions: Mapping[str, Question]) -> tuple[str, str]:
    """What is wrong with the name of a question that there is not, and the mend."""
    return f"{name} is no question before this one", did_you_mean(name, questions)


class _Reader:
    def __init__(self, table: Table, languages: tuple[str, ...]) -> None:
        self.table = table
        self.faults = Faults(languages)
        self.questions: dict[str, Question] = {}

    def interview(self, node: Node, read: frozenset[str]) -> Interview:
        form: InterviewForm = form_of(InterviewForm).read(node, self.faults)
        questions = without_dropped(form.questions, self.faults)
        for id_, question in questions.items():
            self.questions[id_] = self.question(id_, question, questions.places[id_])
        if form.further is not None:
            self.questions |= self.further(read, read_needs(form.further, self.questions, self.faults))
        seats = {id_: self.compass(seat) for id_, seat in without_dropped(form.seats, self.faults).items()}
        screens = {id_: self.screen(screen) for id_, screen in without_dropped(form.screens, self.faults).items()}
        return Interview(self.questions, form.unknown, self.table, node.place, seats, screens)

    def further(self, read: frozenset[str], needs: Needs) -> dict[str, Question]:
        """A question for each finding that is declared with one, of which a rule reads what it states, and that no
        answer to the questions known fills in of the first revoke."""
        asked = {fill.key for question in self.questions.values() for fill in question.fills if fill.revoke == 0}
        questions: dict[str, Question] = {}
        for kind in self.table.findings.values():
            when = _when(kind, self.questions, needs)
            if kind.asks and kind.answers and kind.id not in asked and kind.kinds & read and (when or not kind.when):
                ordinary = [answer.id for answer in kind.answers.values() if kind.presumed in answer.values]
                answers = dict.fromkeys((*ordinary, *kind.answers), AnswerForm())
                form = QuestionForm(answers=Entries(answers, dict.fromkeys(answers, kind.place), kind.place))
                questions[kind.id] = replace(self.question(kind.id, form, kind.place), when=when)
        return questions

    def question(self, id_: str, form: QuestionForm, place: Place) -> Question:
        kind = self.table.findings.get(id_)
        if isinstance(form.answers, Entries):
            forms = without_dropped(form.answers, self.faults)
        else:  # those of the declaration, or some of them
            declared = dict.fromkeys(kind.answers if kind else (), place)
            names = declared if form.answers is None else {str(answer): answer.place for answer in form.answers}
            forms = Entries(dict.fromkeys(names, AnswerForm()), names, place)
        answers = {name: self.answer(name, answer, forms.places[name], kind) for name, answer in forms.items()}
        if DONT_KNOW in answers:
            self.faults.add(answers[DONT_KNOW].place, f"{DONT_KNOW} is the answer of every question", "leave it out")
        if not answers:
            self.faults.add(place, f"{id_} has no answer", "add answers: with at least two")
        return Question(
            id_,
            self.text_of("asks", form.asks, kind.asks if kind else {}, place),
            self.text_of("about", form.about, kind.about if kind else {}, place),
            form.help or (kind.help if kind else {}),
            read_needs(form.when, self.questions, self.faults),
            answers,
            place,
        )

    def answer(self, id_: str, form: AnswerForm, place: Place, kind: FindingKind | None) -> Answer:
        declared = kind.answers.get(id_) if kind else None
        fills = {(filling.revoke, filling.key): filling for filling in self.fillings(form)}
        if kind and declared:
            fills.setdefault((0, kind.id), Filling(0, kind.id, filled(declared), place))
        says = self.text_of("says", form.says, declared.says if declared else {}, place)
        stands = tuple(self.fillings(form.stands)) if form.stands is not None else ()
        needs = read_needs(form.when, self.questions, self.faults)
        says_of = declared.says_of if declared and not form.says else {}
        return Answer(id_, says, needs, tuple(fills.values()), place, stands, says_of)

    def text_of(self, key: str, texts: Texts, declared: Texts, place: Place) -> Texts:
        """A text of the file, or else of the declaration."""
        if not texts and not declared:
            self.faults.add(place, f"{key} is missing", f"add {key}: with the text in each language")
        return texts or declared

    def fillings(self, form: StandsForm) -> Iterator[Filling]:
        """The keys filled in of each revoke, read as those of an incident file."""
        for number, node in enumerate((form.first, form.second, form.third)):
            if node is None:
                continue
            places = node.keys
            if "hand" in places:
                self.faults.add(places["hand"], "nobody's seat is known", "write such as player: defender")
            for finding in read_findings(Sequence((node,), node.place), self.table, self.faults):
                naming = {"player": finding.player, "trick": finding.trick}
                values = {**{key: value for key, value in naming.items() if value is not None}, **finding.said}
                yield from (Filling(number, key, value, places[key]) for key, value in values.items())

    def compass(self, form: Compass) -> Compass:
        """A seat that is asked for."""
        self.demand_places(form)
        if form.band:
            self.demand_places(form.band)
        return replace(form, needs=_among(form.when, self.questions, self.faults))

    def screen(self, form: Screen) -> Screen:
        """One screen; a fault for a question or an answer that there is not."""
        self.demand_places(form)
        for name in form.unusual:
            if name not in self.questions:
                self.faults.add(form.unusual.places[name], *_no_question(name, self.questions))
        return replace(form, rows=tuple(self.row(row) for row in form.rows))

    def row(self, form: ScreenRow) -> ScreenRow:
        self.demand_places(form)
        unknown = frozenset(name for name, reply in form.is_.items() if reply == DONT_KNOW).intersection(self.questions)
        answers = _among(form.is_, self.questions, self.faults, unknown)
        needs = _among(form.when, self.questions, self.faults)
        return replace(form, answers=answers, unknown=unknown, needs=needs)

    def demand_places(self, form: FromFile) -> None:
        """A fault for a place that a text of the form names, if there is no such place."""
        values = vars(form).values()
        items = (item for value in values for item in (value.values() if isinstance(value, Entries) else (value,)))
        for texts in items:
            for _, text, place in each(texts, NOWHERE) if isinstance(texts, InEveryLanguage) else ():
                for name in holes(text):
                    if name not in PLACES:
                        self.faults.add(place, f"there is no place {name}", did_you_mean(name, PLACES))
