"""What the desk asks together: the seats, screens of several questions, and what goes without saying."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from facts.form import Texts


@dataclass(frozen=True)
class Compass:
    """A seat that is asked for."""

    id: str
    asks: Texts
    help: Texts
    chip: Texts
    mark: Texts
    """What stands at the seat from then on."""
    first: Texts
    """The heading of what is certain, if it has its own."""
    band: Texts
    laws: tuple[str, ...]
    when: Mapping[str, frozenset[str]]
    """The answers after which alone it is asked."""


@dataclass(frozen=True)
class ScreenRow:
    """One tap, and the answers that it gives."""

    says: Texts
    more: Texts
    chip: Texts
    answers: Mapping[str, frozenset[str]]
    """Every answer of a question stands for «I don't know»."""
    unknown: frozenset[str]
    """The questions to which it says «I don't know»."""
    when: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The answers to other questions with which alone it can stand; a question not answered yet is no hindrance."""

    def stands(self, given: Mapping[str, frozenset[str]]) -> bool:
        """Whether these answers leave it possible."""
        return all(answers & given.get(name, answers) for name, answers in self.when.items())


@dataclass(frozen=True)
class Screen:
    """What is asked at once: rows, or what might be unusual."""

    id: str
    asks: Texts
    help: Texts
    declarer_help: Texts
    """The help where it was a card of declarer's or dummy's."""
    rows: tuple[ScreenRow, ...]
    unusual: Mapping[str, Texts] = field(default_factory=dict)
    """Questions whose first answer goes without saying, each as the row says it."""
    nothing: Texts = field(default_factory=dict)
    nothing_else: Texts = field(default_factory=dict)
    chip: Texts = field(default_factory=dict)
    else_chip: Texts = field(default_factory=dict)

    @property
    def questions(self) -> tuple[str, ...]:
        """Those it asks, in the order of its rows."""
        return tuple(dict.fromkeys([*(name for row in self.rows for name in row.answers), *self.unusual]))
