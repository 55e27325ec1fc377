"""The director's questions: what may be asked when, and what an incident the answers make."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Final, TypeAlias

from facts.errors import Place
from facts.form import Entries, FromFile, PlacedText, ReadBy, Texts, WithPlace, no_entries, text
from facts.incident import Finding, Incident
from facts.readers.incident_file import NAMING
from facts.table import Table, ValueSaid, spelled
from kb.language.folders import Droppable
from kb.language.model import LawNumber


def _answer(value: Any) -> str:
    return text(spelled(value) if isinstance(value, int) else value)


_Answer: TypeAlias = Annotated[PlacedText, WithPlace(ReadBy(_answer, anyway=str))]
AnswerNames: TypeAlias = _Answer | tuple[_Answer, ...]
"""One answer or several; of a number that is none it is said which there are."""
Answered: TypeAlias = Entries[AnswerNames]
"""Questions with the answers to them, as a file names them."""
Among: TypeAlias = Mapping[str, frozenset[str]]
"""The same, read."""


@dataclass(frozen=True, kw_only=True)
class FirstBand(FromFile):
    """What is certain before anything is known."""

    says: Texts
    laws: tuple[LawNumber, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Compass(Droppable):
    """A seat that is asked for."""

    unstated: ClassVar = frozenset({"id", "needs"})
    id: str
    asks: Texts
    help: Texts = field(default_factory=dict)
    chip: Texts
    mark: Texts = field(default_factory=dict)
    """What stands at the seat from then on."""
    first: Texts = field(default_factory=dict)
    """The heading of what is certain, if it has its own."""
    band: FirstBand | None = None
    when: Answered = field(default_factory=no_entries)
    needs: Among = field(default_factory=dict)
    """The answers after which alone it is asked."""


@dataclass(frozen=True, kw_only=True)
class ScreenRow(FromFile):
    unstated: ClassVar = frozenset({"answers", "unknown", "needs"})
    says: Texts
    more: Texts = field(default_factory=dict)
    chip: Texts
    is_: Answered
    when: Answered = field(default_factory=no_entries)
    answers: Among = field(default_factory=dict)
    """Those it gives; every answer of a question stands for «I don't know»."""
    unknown: frozenset[str] = frozenset()
    """The questions to which it says «I don't know»."""
    needs: Among = field(default_factory=dict)
    """The answers to other questions with which alone it can stand; a question not answered yet is no hindrance."""

    def stands(self, chosen: Among) -> bool:
        """Whether these answers leave it possible."""
        return all(answers & chosen.get(name, answers) for name, answers in self.needs.items())


@dataclass(frozen=True, kw_only=True)
class Screen(Droppable):
    """What is asked at once."""

    unstated: ClassVar = frozenset({"id"})
    id: str
    asks: Texts
    help: Texts = field(default_factory=dict)
    declarer_help: Texts = field(default_factory=dict)
    """The help where it was a card of declarer's or dummy's."""
    rows: tuple[ScreenRow, ...] = ()
    unusual: Entries[Texts] = field(default_factory=no_entries)
    """Questions whose first answer goes without saying, each as the row says it."""
    nothing: Texts = field(default_factory=dict)
    nothing_else: Texts = field(default_factory=dict)
    chip: Texts = field(default_factory=dict)
    else_chip: Texts = field(default_factory=dict)

    @property
    def closes(self) -> bool:
        """Whether it only asks what was unusual, and is answered by saying that nothing else was."""
        return not self.rows

    @property
    def questions(self) -> tuple[str, ...]:
        """Those it asks, in the order of its rows."""
        return (
            tuple(self.unusual)
            if self.closes
            else tuple(dict.fromkeys(name for row in self.rows for name in row.answers))
        )


DONT_KNOW: Final = "unknown"
"""The answer «I don't know», which every question has besides its own."""
REVOKE_NAMES: Final = ("first", "second", "third")
"""What the revokes of one incident are called, in their order."""

Answers: TypeAlias = Mapping[str, str]
"""Question -> the answer given; questions not asked are missing."""
Needs: TypeAlias = tuple[Mapping[str, frozenset[str]], ...]
"""Any one of these suffices: each question named has been answered by one of its answers. Empty: nothing is needed."""


@dataclass(frozen=True, slots=True)
class Filling:
    """One key of a revoke that an answer fills in."""

    revoke: int
    """Its number, from 0."""
    key: str
    """``player``, ``trick``, or a finding."""
    value: Any
    """As in a Finding."""
    place: Place


@dataclass(frozen=True, slots=True)
class Answer:
    id: str
    says: Texts
    when: Needs
    fills: tuple[Filling, ...]
    place: Place
    stands: tuple[Filling, ...] = ()
    """What stands for what is not said, where situations are laid out; in no incident."""
    says_of: Texts = field(default_factory=dict)
    """The same of a hand that is known; empty where it names none."""


@dataclass(frozen=True, slots=True)
class Question:
    """One question; its first answer is the ordinary one."""

    id: str
    asks: Texts
    about: Texts
    """The beginning of a statement that an answer completes."""
    help: Texts
    """Empty where nothing needs explaining."""
    when: Needs
    answers: Mapping[str, Answer]
    place: Place

    @property
    def fills(self) -> tuple[Filling, ...]:
        """Whatever its answers fill in."""
        return tuple(filling for answer in self.answers.values() for filling in answer.fills)

    @property
    def of_further(self) -> bool:
        """Whether some of its answers tell of a further revoke, and others of none."""
        tells = (any(fill.revoke and fill.key == "player" for fill in answer.fills) for answer in self.answers.values())
        return len({*tells}) > 1

    def choices(self, chosen: Answers) -> Iterator[Answer]:
        """The answers that make sense after those given; none when the question itself does not."""
        if met(self.when, chosen):
            yield from (answer for answer in self.answers.values() if met(answer.when, chosen))


@dataclass(frozen=True)
class Interview:
    """Every question, each after those that it depends on."""

    questions: Mapping[str, Question]
    unknown: Texts
    """«I don't know»."""
    table: Table
    """What can be said."""
    place: Place
    seats: Mapping[str, Compass] = field(default_factory=dict)
    """The seats that the desk asks for first."""
    screens: Mapping[str, Screen] = field(default_factory=dict)
    """What it asks together, in this order."""

    def incident(self, chosen: Answers) -> Incident:
        """What the answers state, and no more."""
        by_revoke: dict[int, dict[str, Any]] = {0: {}}
        answers = (self.questions[question].answers[answer] for question, answer in chosen.items())
        for filling in (filling for answer in answers for filling in answer.fills):
            by_revoke.setdefault(filling.revoke, {})[filling.key] = filling.value
        revokes = []
        for number in range(max(by_revoke) + 1):
            keys = by_revoke.get(number, {})
            naming = {key: value for key, value in keys.items() if key in NAMING}
            findings = {key: value for key, value in keys.items() if key not in NAMING}
            revokes.append(Finding(**naming, said=findings, of=self.table.of))
        return Incident(place=self.place, revokes=tuple(revokes))


def met(needs: Needs, chosen: Answers) -> bool:
    """Whether the answers given are such as are needed."""
    if not needs:
        return True
    return any(all(chosen.get(question) in answers for question, answers in need.items()) for need in needs)


def filled(answer: ValueSaid) -> Any:
    """What an answer fills in: the value that it means, or its name where that depends, or leaves several."""
    plain = len(answer.values) == 1 and isinstance(answer.values[0], str | int)
    return answer.values[0] if plain else answer.id
