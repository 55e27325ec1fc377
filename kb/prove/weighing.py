"""Two rulings beside each other: whether what is demanded of the second is so."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from kb.engine.sets import Bits
from kb.prove.property import Weighed
from kb.space.burden import Burden, heavier
from kb.space.outcome import EditionRun, Entry, different
from kb.space.universe import shifted


@dataclass(frozen=True)
class Weight:
    """What is compared of rulings, in every situation."""

    burden: Burden
    ruling: Mapping[Entry, Bits]
    """Everything that the rulings say."""

    @staticmethod
    def of(run: EditionRun, burden: Burden) -> Weight:
        """That of an edition's rulings."""
        return Weight(burden, {**run.ruling, **run.judgement})

    def only(self, demanded: Weighed, parties: Collection[str]) -> Weight:
        """As much of it as is compared."""
        parts = () if demanded.ruling else demanded.parts or self.burden.parts
        levels = {key: of for key, of in self.burden.levels.items() if key[0] in parties and key[1] in parts}
        return Weight(replace(self.burden, levels=levels), self.ruling if demanded.ruling else {})

    def apart(self, distance: int, where: Bits) -> tuple[Weight, Weight]:
        """That of the first and that of the second of pairs so far apart, in the place of the first."""

        def moved(bits: Bits) -> Bits:
            return shifted(bits, distance) & where

        second = {entry: moved(bits) for entry, bits in self.ruling.items()}
        first = {entry: bits & where for entry, bits in self.ruling.items()}
        return Weight(self.burden, first), Weight(self.burden.in_each(moved), second)


def otherwise(demanded: Weighed, a: Weight, b: Weight) -> Bits:
    """Where the second ruling is not as demanded beside the first."""
    more = heavier(a.burden, b.burden) if demanded.demand != "never-less" else 0
    less = heavier(b.burden, a.burden) if demanded.demand != "never-more" else 0
    return more | less | different(a.ruling, b.ruling)
