"""One edition run on all situations of a universe."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from itertools import chain

from kb.engine.set_joins import Bits, Held
from kb.engine.sets import Run, Sets
from kb.language.model import Edition
from kb.space.bits import merged
from kb.space.layout import Situations
from kb.space.outcome import Acts, Entries, OutcomeReader


class EditionRun:
    """What an edition concludes in every situation; EngineError when there is no end to it."""

    def __init__(
        self, edition: Edition, situations: Situations, sets: Sets | None = None, before: Run | None = None
    ) -> None:
        """``sets``: the rules, if they are ready; ``before``: a run of nearly the same rules on these situations."""
        self.edition = edition
        self.situations = situations
        self.sets = sets or Sets(edition.vocabulary, edition.rules)
        self.run = self.sets.run(situations.facts, situations.everything, before)

    @cached_property
    def reader(self) -> OutcomeReader:
        """Reads outcomes in the words of the edition."""
        return OutcomeReader(self.edition.vocabulary)

    def amended(self, sets: Sets) -> EditionRun:
        """The edition with other rules of the same vocabulary, most of them its own, on the same situations."""
        return EditionRun(self.edition, self.situations, sets, self.run)

    @cached_property
    def concluded(self) -> Held:
        """Every fact that some rule concludes, and where."""
        return merged(chain.from_iterable(held.items() for held in self.run.fired.values()))

    @cached_property
    def ruled(self) -> Held:
        """All that stands in rulings, reasons included, and where."""
        return {fact: bits for fact, bits in self.concluded.items() if fact[0] in self.reader.kinds}

    @cached_property
    def ruling(self) -> Entries:
        """What stands in rulings, and in which."""
        return self.reader.ruling(self.concluded)

    @cached_property
    def judgement(self) -> Entries:
        """What is left to the director, and where."""
        return self.reader.judgement(self.concluded)

    @cached_property
    def acts(self) -> Mapping[Acts, Bits]:
        """Everything that directors may have to act on, and where; in the order of the first situation of each."""
        return self.reader.acts(self.concluded, self.situations.everything)

    @cached_property
    def clauses(self) -> Mapping[str, Bits]:
        """Where each clause has a part in what is concluded; without those that have none."""
        rules = self.run.rules
        return merged((rules[number].clause, bits) for number, held in self.run.fired.items() for bits in held.values())
