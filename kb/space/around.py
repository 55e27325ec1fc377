"""The situations around an incident: those in which something found out about one revoke would be otherwise."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import product
from typing import Any, Final, TypeAlias

from facts.cards import PARTNER, SEATS, Seat, part_of
from facts.incident import Finding, Incident, Player
from facts.observe.observe import TOLD
from facts.observe.statements import Given
from facts.table import NOTHING, FindingKind
from kb.engine.set_joins import Bits
from kb.space.bits import union
from kb.space.children import Children
from kb.space.choices import NOT_SAID, NOTICED, Choice, Chooser, domain, meant
from kb.space.completions import Completions
from kb.space.layout import BOARD, Key
from kb.space.places import trick_of
from kb.space.sayable import Sayable

Values: TypeAlias = frozenset[Any]
FEW: Final = 4
"""Numbers from the least one on that are looked at where there are too many situations for all of them."""
LATE: Final = 12
"""The trick from which on another law may hold."""


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """An incident in which nothing is said of one revoke but where it was, which may be elsewhere."""

    incident: Incident
    number: int
    moved: tuple[str, ...] = ()
    """What is otherwise beside the findings: ``trick``, ``player``, ``tricks``."""


def blank(base: Completions, number: int) -> Elsewhere:
    """The incident with nothing said of one revoke but what names it."""
    found, kinds = base.incident.revokes[number], base.table.findings.values()
    named = {kind.id: found.said[kind.id] for kind in kinds if kind.not_stated == NOTHING and kind.id in found.said}
    return with_revoke(Elsewhere(base.incident, number), replace(found, said=named))


def with_revoke(one: Elsewhere, found: Finding, *moved: str) -> Elsewhere:
    """The same with another revoke in place of the one it is about."""
    revokes = one.incident.revokes
    put = (*revokes[: one.number], found, *revokes[one.number + 1 :])
    return Elsewhere(replace(one.incident, revokes=put), one.number, (*one.moved, *moved))


def on_other_tricks(one: Elsewhere) -> Iterator[Elsewhere]:
    """The twelfth trick instead of an earlier one, and the other way round; a record has its revoke where it is."""
    found = one.incident.revokes[one.number]
    others: tuple[int | None, ...] = {LATE: (None,), LATE + 1: (None, LATE)}.get(found.trick or 0, (LATE,))
    for trick in others if one.incident.play is None else ():
        yield with_revoke(one, replace(found, trick=trick), "trick")


def in_other_parts(one: Elsewhere, able: Collection[str]) -> Iterator[Elsewhere]:
    """Another part instead of the one who revoked, of those that he is ``able`` to play, as far as they are known."""
    found, declarer = one.incident.revokes[one.number], one.incident.declarer
    if one.incident.play is not None or (declarer is None and found.hand is not None):
        return
    parts: dict[Player, Seat | None] = {"declarer": None, "dummy": None, "defender": None}
    if declarer is not None:
        beside: Seat = SEATS[(SEATS.index(declarer) + 1) % 4]
        parts = {"declarer": declarer, "dummy": PARTNER[declarer], "defender": beside}
    own = found.player if found.hand is None else part_of(found.hand, declarer)
    for player, hand in parts.items():
        if own is not None and player != own and player in able:
            seat = None if found.hand is None else hand
            yield with_revoke(one, replace(found, hand=seat, player=None if seat else player), "player")


class Around(Completions):
    """Every situation in which something found out about one revoke may be otherwise, the rest being as it is."""

    def __init__(
        self,
        base: Completions,
        one: Elsewhere,
        sayable: Sayable,
        otherwise: Collection[str] | None = None,
        few: Collection[str] = (),
    ) -> None:
        """``otherwise``: the findings that may be, if not every one; ``few``: those of which only low numbers are.

        InputError when there are too many situations.
        """
        self.base, self.number, self.moved, self.few = base, one.number, one.moved, few
        findings = sayable.table.findings
        self.otherwise = findings if otherwise is None else otherwise
        of_others = (key for key in base.free if key[0] != one.number)
        super().__init__(one.incident, sayable, frozenset([*((one.number, name) for name in findings), *of_others]))

    def _seen(self, one: Choice, chooser: Chooser) -> tuple[Any, ...]:
        """The plain values: which of them are kept is asked of each by itself."""
        return one.values

    def _add(self, key: Key, values: tuple[Any, ...], children: Children | None = None, number: int = 0) -> None:
        before = len(self.digits)
        if key == (self.number, NOTICED) and self.incident.revokes[self.number].shown and values != (TOLD,):
            kind = self.table.findings[NOTICED]  # of a record it is presumed, whatever is free
            values = domain(kind.type, kind, iter(()), self.table)
        super()._add(key, values, children, number)
        if len(self.digits) > before and key[0] == self.number and key[1] in self.table.findings:
            digit, kept = self.digits[-1], self._kept(key[1], values)
            self.digits[-1] = replace(digit, settings=tuple(one for one in digit.settings if one[0] in kept))

    def _kept(self, name: str, values: tuple[Any, ...]) -> Collection[Any]:
        """The values to be looked at, of those that there are."""
        own = self._own(name)
        if name not in self.otherwise:
            return values if own is None else _nearest(own, values)
        if name not in self.few or self.table.findings[name].type.name != "number":
            return values
        return {*sorted(values)[:FEW], *_nearest(own or frozenset(), values)}

    def _own(self, name: str) -> Values | None:
        """Its values as it is, wherever the revoke may have been; None if they are not known."""
        declarers = tuple(self.base.values.get((BOARD, "declarer"), (self.incident.declarer,)))
        places = product(self.seating.hands[self.number], (trick_of(self.incident, self.number),), declarers)
        seen = (dict(zip(("hand", "trick", "declarer"), place, strict=True)) for place in places)
        found = [own for given in seen if (own := self.own(name, given)) is not None]
        return frozenset().union(*found) if found else None

    def own(self, name: str, given: Given) -> Values | None:
        """Its values as it is, seen from a place; None if it is not known.

        What has no value as it is would ordinarily have the first of its answers.
        """
        key = (self.number, name)
        one = self.base.choices[key]
        if one.how == "stated":
            said = self.base.incident.revokes[self.number].said[name]
            return frozenset() if said is None else frozenset(meant(one.kind, said, given, self.table))
        if self.lacks(name):
            return frozenset([_ordinary(one.kind, given, self)])
        return None if one.how == "unknown" or one.values == NOT_SAID else frozenset(one.values)

    def lacks(self, name: str) -> bool:
        """Whether a finding has no value as it is, because of another."""
        return bool(self.table.findings[name].when) and set(self.base.values[self.number, name]) <= {None, TOLD}

    @cached_property
    def same(self) -> Mapping[Key, Bits]:
        """Where each finding that is known is as it is; what cannot be asked there counts as being so."""
        found: dict[Key, Bits] = {}
        for name in self.table.findings:
            held = self.values.get((self.number, name), {})
            if len(held) > 1 and self._own(name) is not None:
                as_it_is = union(self._same_at(name, *place) for place in self.places(self.number))
                found[self.number, name] = held.get(None, 0) | as_it_is
        return found

    def _same_at(self, name: str, given: Given, where: Bits) -> Bits:
        held = {value: bits & where for value, bits in self.values[self.number, name].items() if bits & where}
        values = tuple(value for value in held if value is not None)
        own = self.own(name, given)
        return where if own is None else union(held[value] for value in _nearest(own, values))


def _nearest(own: Values, values: tuple[Any, ...]) -> Values:
    """Its own values; of numbers, the end of the range if they lie beyond it."""
    if own.isdisjoint(values) and own and all(type(one) is int for one in (*own, *values)) and values:
        return frozenset([max(values) if min(own) > max(values) else min(values)])
    return own & frozenset(values)


def _ordinary(kind: FindingKind, given: Given, ways: Completions) -> Any:
    first = next(iter(kind.answers), None)
    found = () if first is None else meant(kind, first, given, ways.table)
    return next(iter(found or domain(kind.type, kind, iter([given]), ways.table)))
