"""Reading the seats and screens of ``interview.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from facts.errors import Faults
from facts.form import Entries, FromFile, Placed, PlacedText, Texts, no_entries
from facts.suggestions import did_you_mean
from kb.language.folders import Droppable
from kb.language.forms import LawNumber
from kb.language.model import NOWHERE
from kb.language.texts import each, holes
from kb.space.interview import UNKNOWN, Question
from kb.space.screens import Compass, Screen, ScreenRow

Answered: TypeAlias = Entries[PlacedText | tuple[PlacedText, ...]]
"""Questions with one answer or several."""
PLACES: Final = ("hand", "partner", "left", "right", "declarer", "other", "side", "other-side")
"""What a text of a screen may name, of the revoke that is asked about."""


@dataclass(frozen=True, kw_only=True)
class BandForm(FromFile):
    """What is certain before anything is known."""

    says: Texts
    laws: tuple[LawNumber, ...] = ()


@dataclass(frozen=True, kw_only=True)
class CompassForm(Droppable):
    """A seat that is asked for."""

    asks: Texts
    help: Texts = field(default_factory=dict)
    chip: Texts
    mark: Texts = field(default_factory=dict)
    first: Texts = field(default_factory=dict)
    band: BandForm | None = None
    when: Answered = field(default_factory=no_entries)


@dataclass(frozen=True, kw_only=True)
class RowForm(FromFile):
    """One tap."""

    says: Texts
    more: Texts = field(default_factory=dict)
    chip: Texts
    is_: Answered
    when: Answered = field(default_factory=no_entries)


@dataclass(frozen=True, kw_only=True)
class ScreenForm(Droppable):
    """What is asked at once."""

    asks: Texts
    help: Texts = field(default_factory=dict)
    declarer_help: Texts = field(default_factory=dict)
    rows: tuple[RowForm, ...] = ()
    unusual: Entries[Texts] = field(default_factory=no_entries)
    nothing: Texts = field(default_factory=dict)
    nothing_else: Texts = field(default_factory=dict)
    chip: Texts = field(default_factory=dict)
    else_chip: Texts = field(default_factory=dict)


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
    faults: Faults

    def texts(self, said: Texts) -> Texts:
        """A text, all of whose places are such as there are."""
        for _, text, place in each(said, NOWHERE):
            for name in holes(text):
                if name not in PLACES:
                    self.faults.add(place, f"there is no place {name}", did_you_mean(name, PLACES))
        return said

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
