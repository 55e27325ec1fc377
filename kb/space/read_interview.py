"""Reading ``interview.yaml``: every fault in it at once, each with its place.

A question that bears the name of a finding has its texts, its answers and what they fill in from the declaration of the
finding, as far as the file does not say otherwise.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Annotated, Any, Final, TypeAlias

from facts.errors import Place, RulesError
from facts.form import Described, Entries, FromFile, Placed, no_entries
from facts.readers.form import read_form
from facts.readers.said import read_findings
from facts.suggestions import did_you_mean
from facts.table import FindingKind, Names, Table, written
from facts.yaml_reader import Node, Sequence
from kb.language.faults import Faults
from kb.language.forms import LawNumber, PlacedText, Sentences
from kb.language.layers import Droppable, files_of, kept, laid_together
from kb.language.model import Edition
from kb.language.texts import holes, read_texts
from kb.language.vocabulary import Texts
from kb.space.interview import UNKNOWN, Answer, Compass, Filling, Interview, Needs, Question, Screen, ScreenRow, filled


def together(tables: Iterable[Table]) -> Table:
    """The findings of all these tables, of which there is one at least."""
    whole, *more = tables
    for table in more:
        whole = replace(
            whole,
            findings={**whole.findings, **table.findings},
            of_a_trick={**whole.of_a_trick, **table.of_a_trick},
            of_a_board={**whole.of_a_board, **table.of_a_board},
            fields={**whole.fields, **table.fields},
            parts=tuple(dict.fromkeys((*whole.parts, *table.parts))),
        )
    return whole


def reads(editions: Iterable[Edition]) -> frozenset[str]:
    """The kinds of fact that some rule looks at."""
    return frozenset(item.kind for edition in editions for rule in edition.rules for item in rule.conditions())


def further(table: Table, read: frozenset[str], known: Mapping[str, Question], needs: Needs) -> dict[str, Question]:
    """A question for each finding that is declared with one, of which a rule reads what it states, and that no answer
    to the questions known fills in of the first revoke."""
    answers = (answer for question in known.values() for answer in question.answers.values())
    asked = {filling.key for answer in answers for filling in answer.fills if filling.revoke == 0}
    found: dict[str, Question] = {}
    for kind in table.findings.values():
        states = {one.kind for some in (kind.states, *kind.by_value.values()) for one in some}
        when = _when(kind, known, needs)
        if kind.asks and kind.answers and kind.id not in asked and states & read and (when or not kind.when):
            found[kind.id] = Question(kind.id, kind.asks, kind.about, kind.help, when, _answers(kind), kind.place)
    return found


def _answers(kind: FindingKind) -> dict[str, Answer]:
    """The answers of the declaration; what is presumed is the ordinary one."""
    presumed = [one for one in kind.answers.values() if kind.not_stated == "presumed" and kind.presumed in one.values]
    return {
        one.id: Answer(one.id, one.says, (), (Filling(0, kind.id, filled(one), kind.place),), kind.place)
        for one in (*presumed, *kind.answers.values())
    }


def _when(kind: FindingKind, known: Mapping[str, Question], needs: Needs) -> Needs:
    """When the finding has a value as well as what else is needed."""
    if not kind.when:
        return needs
    return tuple({**need, **way} for need in needs or ({},) for when in kind.when for way in _ways(when, known))


def _ways(when: Names, known: Mapping[str, Question]) -> Iterator[Mapping[str, frozenset[str]]]:
    """The answers that meet all of some conditions on findings of the first revoke, one question for each condition."""
    for way in product(*(list(_fitting(name, {*map(written, wanted)}, known)) for name, wanted in when.items())):
        yield dict(way)


def _fitting(name: str, wanted: set[str], known: Mapping[str, Question]) -> Iterator[tuple[str, frozenset[str]]]:
    for question in known.values():
        fitting = frozenset(
            answer.id
            for answer in question.answers.values()
            for one in answer.fills
            if (one.revoke, one.key) == (0, name) and written(one.value) in wanted
        )
        if fitting:
            yield question.id, fitting


Answered: TypeAlias = Entries[PlacedText | tuple[PlacedText, ...]]
"""Questions with one answer or several."""
PLACES: Final = ("hand", "partner", "left", "right", "declarer", "other", "side", "other-side")
"""What a text of a screen may name, of the revoke that is asked about."""


@dataclass(frozen=True, kw_only=True)
class BandForm(FromFile):
    """What is certain before anything is known."""

    says: Sentences
    laws: tuple[LawNumber, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CompassForm(Droppable):
    """A seat that is asked for."""

    asks: Sentences
    help: Sentences | None = None
    chip: Sentences
    mark: Sentences | None = None
    first: Sentences | None = None
    band: BandForm | None = None
    when: Answered = field(default_factory=no_entries)


@dataclass(frozen=True, kw_only=True)
class RowForm(FromFile):
    """One tap."""

    says: Sentences
    more: Sentences | None = None
    chip: Sentences
    is_: Answered
    when: Answered = field(default_factory=no_entries)


@dataclass(frozen=True, kw_only=True)
class ScreenForm(Droppable):
    """What is asked at once."""

    asks: Sentences
    help: Sentences | None = None
    declarer_help: Sentences | None = None
    rows: tuple[RowForm, ...] = ()
    unusual: Entries[Sentences] = field(default_factory=no_entries)
    nothing: Sentences | None = None
    nothing_else: Sentences | None = None
    chip: Sentences | None = None
    else_chip: Sentences | None = None


def read_compass(id_: str, form: CompassForm, reading: ScreenReader) -> Compass:
    """A seat that is asked for."""
    texts = reading.texts
    return Compass(
        id_,
        texts(form.asks),
        texts(form.help),
        texts(form.chip),
        texts(form.mark),
        texts(form.first),
        texts(form.band.says) if form.band else {},
        form.band.laws if form.band else (),
        {name: reading.among(name, form.when)[0] for name in form.when},
    )


def read_screen(id_: str, form: ScreenForm, reading: ScreenReader) -> Screen:
    """One screen; a fault for a question or an answer that there is not."""
    texts = reading.texts
    for name in form.unusual:
        reading.known_question(name, form.unusual)
    return Screen(
        id_,
        texts(form.asks),
        texts(form.help),
        texts(form.declarer_help),
        tuple(_row(row, reading) for row in form.rows),
        {name: texts(says) for name, says in form.unusual.items()},
        texts(form.nothing),
        texts(form.nothing_else),
        texts(form.chip),
        texts(form.else_chip),
    )


def _row(form: RowForm, reading: ScreenReader) -> ScreenRow:
    found = {name: reading.among(name, form.is_) for name in form.is_}
    unknown = frozenset(name for name, (_, open_) in found.items() if open_)
    texts = reading.texts
    answers = {name: answers for name, (answers, _) in found.items()}
    when = {name: reading.among(name, form.when)[0] for name in form.when}
    return ScreenRow(texts(form.says), texts(form.more), texts(form.chip), answers, unknown, when)


@dataclass(frozen=True)
class ScreenReader:
    """What is needed to read a screen."""

    known: Mapping[str, Question]
    languages: tuple[str, ...]
    faults: Faults

    def texts(self, said: Entries[Placed[str]] | None) -> Texts:
        """A text with its places, all of them such as there are."""
        found = read_texts(said, self.languages, self.faults)
        for lang, text in found.items():
            for name in holes(text):
                if name not in PLACES:
                    self.faults.add(found.places[lang], f"there is no place {name}", did_you_mean(name, PLACES))
        return found

    def known_question(self, name: str, entries: Entries[Any]) -> bool:
        """Whether there is such a question; if not, a fault."""
        if name not in self.known:
            self.faults.add(entries.places[name], f"there is no question {name}", did_you_mean(name, self.known))
        return name in self.known

    def among(self, name: str, entries: Answered) -> tuple[frozenset[str], bool]:
        """The answers to a question, and whether they are «I don't know»."""
        if not self.known_question(name, entries):
            return frozenset(), False
        said, answers = entries[name], self.known[name].answers
        named = (said,) if isinstance(said, Placed) else said
        if [one.value for one in named] == [UNKNOWN]:
            return frozenset(answers), True
        for one in named:
            if one.value not in answers:
                self.faults.add(one.place, f"{name} has no answer {one.value}", did_you_mean(one.value, answers))
        return frozenset(one.value for one in named), False


INTERVIEW: Final = "interview.yaml"
WIDER: Final = "wider.yaml"
LEVELS: Final = 5
"""From the file down to an answer: questions, question, answers, answer."""

Named: TypeAlias = tuple[Placed[str], ...]
NeedsForm: TypeAlias = tuple[Entries[Placed[str] | Named], ...] | Entries[Placed[str] | Named]
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

    says: Sentences | None = None
    when: NeedsForm | None = None
    stands: StandsForm | None = None


@dataclass(frozen=True, kw_only=True)
class QuestionForm(Droppable):
    """One question."""

    asks: Sentences | None = None
    about: Sentences | None = None
    help: Sentences | None = None
    when: NeedsForm | None = None
    answers: Named | Entries[AnswerForm] | None = None


@dataclass(frozen=True, kw_only=True)
class InterviewForm(FromFile):
    """interview.yaml"""

    unknown: Sentences
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
    question: str, named: Placed[str] | Named, place: Place, known: Mapping[str, Question], faults: Faults
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
        self.table, self.languages = table, languages
        self.faults = Faults()
        self.known: dict[str, Question] = {}

    def interview(self, node: Node, read: frozenset[str]) -> Interview:
        form: InterviewForm = read_form(InterviewForm, node, self.faults)
        questions = kept(form.questions, self.faults)
        for id_, question in questions.items():
            self.known[id_] = self.question(id_, question, questions.places[id_])
        if form.further is not None:
            self.known |= further(self.table, read, self.known, self.needs(form.further))
        reading = ScreenReader(self.known, self.languages, self.faults)
        seats = {id_: read_compass(id_, one, reading) for id_, one in kept(form.seats, self.faults).items()}
        screens = {id_: read_screen(id_, one, reading) for id_, one in kept(form.screens, self.faults).items()}
        return Interview(self.known, self.texts(form.unknown), self.table, node.place, seats, screens)

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
            self.texts(form.help) if form.help is not None else kind.help if kind else {},
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

    def said(self, key: str, own: Entries[Placed[str]] | None, declared: Texts, place: Place) -> Texts:
        """A text of the file, or else of the declaration."""
        if own is not None:
            return self.texts(own)
        if not declared:
            self.faults.add(place, f"{key} is missing", f"add {key}: with the text in each language")
        return declared

    def texts(self, said: Entries[Placed[str]]) -> Texts:
        return read_texts(said, self.languages, self.faults)

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
