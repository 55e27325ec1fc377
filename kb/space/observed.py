"""The ground facts of every situation of a universe, observed without looking at each situation.

A stage of observing is run on one situation, and it is noted what it reads. In every other situation where all of that
is the same it would see the same facts; so it is run again only where some of it differs, until none is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final, NamedTuple, cast

from facts.cards import Seat
from facts.errors import InputError
from facts.ground import Fact
from facts.incident import Finding, Incident
from facts.observe.findings import OF_A_FINDING
from facts.observe.findings import Stage as OfAFinding
from facts.observe.observe import OF_AN_INCIDENT, Stage
from facts.observe.timeline import Timeline
from kb.engine.set_joins import Bits
from kb.engine.sets import Kinds
from kb.language.model import NOWHERE
from kb.space.bits import first, union
from kb.space.interview import NEEDED, REVOKES, Part, missing, seen_from, twice
from kb.space.universe import Universe

_UNSTATED: Final = {
    "incident": Incident(place=NOWHERE),
    **dict.fromkeys(REVOKES, Finding(hand="N", trick=1)),
}


@dataclass(frozen=True)
class Situations:
    """Situations with their ground facts."""

    everything: Bits
    facts: Kinds

    @staticmethod
    def each(facts: Iterable[Iterable[Fact]]) -> Situations:
        """Situations of which each has its own facts."""
        kinds: dict[str, dict[Fact, Bits]] = {}
        number = 0
        for number, of_one in enumerate(facts, 1):
            for fact in of_one:
                held = kinds.setdefault(cast(str, fact[0]), {})
                held[fact] = held.get(fact, 0) | 1 << number - 1
        return Situations((1 << number) - 1, kinds)


def observed(universe: Universe) -> Situations:
    """Every situation of a universe.

    InputError when some answers leave out whose card it was, or say something twice.
    """
    stated = _Stated(universe)
    kinds: dict[str, dict[Fact, Bits]] = {}
    for stage in OF_AN_INCIDENT:
        _observe(stage, stated, universe.everything, kinds)
    for number, part in enumerate(REVOKES):
        for of_a_finding in OF_A_FINDING:
            stage = partial(_of_one, of_a_finding, number)
            _observe(stage, stated, stated.present[part], kinds)
    return Situations(universe.everything, kinds)


def _of_one(stage: OfAFinding, number: int, incident: Incident, timeline: Timeline) -> Iterable[Fact]:
    return stage(incident, number, timeline)


def _observe(stage: Stage, stated: _Stated, left: Bits, kinds: dict[str, dict[Fact, Bits]]) -> None:
    """Adds the facts of one stage in all these situations."""
    while left:
        look = _Look(stated, first(left), left)
        incident = cast(Incident, _Stand(look, "incident"))
        for fact in list(stage(incident, Timeline.of(incident))):
            held = kinds.setdefault(cast(str, fact[0]), {})
            held[fact] = held[fact] | look.same if fact in held else look.same
        left &= ~look.same


class _Value(NamedTuple):
    """A value that answers give a key."""

    value: Any
    """With a Relative in place of any seat or side."""
    where: Bits
    marks: bytes
    """The same, to look one situation up."""


class _Stated:
    """What the answers fill in, in all situations."""

    def __init__(self, universe: Universe) -> None:
        self.everything = universe.everything
        self.values: dict[tuple[Part, str], list[_Value]] = {}
        self.filled: dict[tuple[Part, str], Bits] = {}
        """Where a key has any value."""
        self._fill(universe)
        self.present = {
            part: union(where for (of, _), where in self.filled.items() if of == part) for part in REVOKES[1:]
        }
        """Where there is such a revoke."""
        self.present[REVOKES[0]] = universe.everything
        for part, where in self.present.items():
            for key in NEEDED:
                if where & ~self.filled.get((part, key), 0):
                    raise InputError([missing(part, key, universe.interview.place)])

    def _fill(self, universe: Universe) -> None:
        found: dict[tuple[Part, str], dict[Any, Bits]] = {}
        for question, given in zip(universe.questions, universe.given, strict=True):
            for answer in question.answers.values():
                for filling in answer.fills:
                    key, where = (filling.part, filling.key), given[answer.id]
                    if self.filled.get(key, 0) & where:
                        raise InputError([twice(filling)])
                    self.filled[key] = self.filled.get(key, 0) | where
                    values = found.setdefault(key, {})
                    values[filling.value] = values.get(filling.value, 0) | where
        for key, values in found.items():
            self._keep(key, values)

    def work_out(self, part: Part, key: str) -> None:
        """The values of a property, as if it were a key of its own: often they are fewer than those it depends on."""
        own = getattr(type(_UNSTATED[part]), key)
        if (part, key) in self.values or not isinstance(own, property) or own.fget is None:
            return
        found: dict[Any, Bits] = {}
        left = self.everything if part == "incident" else self.present[part]
        while left:
            look = _Look(self, first(left), left)
            value = own.fget(_Stand(look, part))
            found[value] = found.get(value, 0) | look.same
            left &= ~look.same
        self._keep((part, key), found)

    def _keep(self, key: tuple[Part, str], found: Mapping[Any, Bits]) -> None:
        size = self.everything.bit_length() // 8 + 1
        self.values[key] = [_Value(value, bits, bits.to_bytes(size, "little")) for value, bits in found.items()]
        self.filled[key] = union(found.values())


class _Look:
    """A look at one situation that notes in which others everything seen is the same."""

    def __init__(self, stated: _Stated, number: int, among: Bits) -> None:
        self.stated = stated
        self.number = number
        self.same = among
        self._seen: dict[tuple[Part, str], Any] = {}

    def value(self, part: Part, key: str) -> Any:
        """The value of a key."""
        if (part, key) not in self._seen:
            self._seen[part, key] = self._value(part, key)
        return self._seen[part, key]

    def _value(self, part: Part, key: str) -> Any:
        self.stated.work_out(part, key)
        byte, bit = self.number >> 3, self.number & 7
        for value, where, marks in self.stated.values.get((part, key), ()):
            if marks[byte] >> bit & 1:
                self.same &= where
                return seen_from(value, lambda of: cast(Seat, self.value(of, "hand")))
        if filled := self.stated.filled.get((part, key)):
            self.same &= ~filled
        return getattr(_UNSTATED[part], key)

    @cached_property
    def revokes(self) -> tuple[_Stand, ...]:
        """A stand-in for each finding there is."""
        there = [part for part in REVOKES if self.stated.present[part] >> self.number & 1]
        for part in REVOKES:
            where = self.stated.present[part]
            self.same &= where if part in there else ~where
        return tuple(_Stand(self, part) for part in there)


class _Stand:
    """Stands for the incident of a situation, or for a finding of it, while it is observed."""

    def __init__(self, look: _Look, part: Part) -> None:
        self._look = look
        self._part = part

    def __getattr__(self, name: str) -> Any:
        value = self._look.revokes if name == "revokes" else self._look.value(self._part, name)
        self.__dict__[name] = value  # to be read at once the next time
        return value
