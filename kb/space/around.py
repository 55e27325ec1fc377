"""The situations around an incident: those in which something found out about one revoke would be otherwise."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, TypeAlias

from facts.cards import PARTNER, SEATS, Seat, part_of
from facts.incident import Incident, Player
from facts.observe import TOLD, Given
from facts.table import NOTHING
from kb.engine.sets import Bits
from kb.space.bits import lacking, parts, union
from kb.space.choices import NOT_SAID, NOTICED, Choice, Chooser, domain, meant
from kb.space.completions import Completions, with_revoke
from kb.space.layout import Group, Key, Sayable, Values

Own: TypeAlias = frozenset[Any]
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
    found, kinds = base.incident.revokes[number], base.about(number).findings.values()
    named = {kind.id: found.said[kind.id] for kind in kinds if kind.not_stated == NOTHING and kind.id in found.said}
    return Elsewhere(with_revoke(base.incident, number, replace(found, said=named)), number)


def on_other_tricks(one: Elsewhere) -> Iterator[Elsewhere]:
    """The twelfth trick instead of an earlier one, and the other way round; a record has its revoke where it is."""
    found = one.incident.revokes[one.number]
    others: tuple[int | None, ...] = {LATE: (None,), LATE + 1: (None, LATE)}.get(found.trick or 0, (LATE,))
    for trick in others if one.incident.play is None else ():
        elsewhere = with_revoke(one.incident, one.number, replace(found, trick=trick))
        yield Elsewhere(elsewhere, one.number, (*one.moved, "trick"))


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
            other = replace(found, hand=seat, player=None if seat else player)
            yield Elsewhere(with_revoke(one.incident, one.number, other), one.number, (*one.moved, "player"))


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
        findings = base.about(one.number).findings
        self.otherwise = findings if otherwise is None else otherwise
        of_others = (key for key in base.free if key[0] != one.number)
        super().__init__(one.incident, sayable, frozenset([*((one.number, name) for name in findings), *of_others]))

    def _seen(self, one: Choice, chooser: Chooser) -> tuple[Any, ...]:
        """The plain values: which of them are kept is asked of each by itself."""
        noticed = chooser.number == self.number and one.kind.id == NOTICED
        if noticed and chooser.finding.shown and one.values != (TOLD,):
            return domain(one.kind, (), self.table)  # of a record it is presumed, whatever is free
        return one.values

    def _kept(self, number: int, name: str, values: tuple[Any, ...]) -> Collection[Any]:
        if number != self.number:
            return values
        own = self._own(name)
        if name not in self.otherwise:
            return values if own is None else _nearest(own, values)
        if name not in self.few or self.about(number).findings[name].type.name != "number":
            return values
        return {*sorted(values)[:FEW], *_nearest(own or frozenset(), values)}

    def _own(self, name: str) -> Own | None:
        """Its values as it is, wherever the revoke may have been; None if they are not known."""
        places = self.choosers[self.number].places()
        found = [own for given in places if (own := self.own(name, given)) is not None]
        return frozenset().union(*found) if found else None

    def own(self, name: str, given: Given) -> Own | None:
        """Its values as it is, seen from a place; None if it is not known.

        What has no value as it is would ordinarily have the first of its answers.
        """
        key = (self.number, name)
        one = self.base.choices[key]
        if one.how == "stated":
            said = self.base.incident.revokes[self.number].said[name]
            return frozenset() if said is None else frozenset(meant(one.kind, said, given, self.table))
        if self.lacks(name):
            answer = next(iter(one.kind.answers), None)
            found = () if answer is None else meant(one.kind, answer, given, self.table)
            return frozenset([*(found or domain(one.kind, [given], self.table))][:1])
        return None if one.how == "unknown" or one.values == NOT_SAID else frozenset(one.values)

    def lacks(self, name: str) -> bool:
        """Whether a finding has no value as it is, because of another."""
        kind, values = self.about(self.number).findings[name], self.base.values[self.number, name]
        return bool(kind.when) and set(values) <= {None, TOLD}

    @cached_property
    def same(self) -> Mapping[Key, Bits]:
        """Where each finding that is known is as it is; what cannot be asked there counts as being so."""
        found: dict[Key, Bits] = {}
        for name in self.about(self.number).findings:
            held = self.values.get((self.number, name), {})
            if len(held) > 1 and self._own(name) is not None:
                same = held.get(None, 0)
                for given, where in self.places(self.number):
                    here = {value: bits & where for value, bits in held.items() if bits & where}
                    own = self.own(name, given)
                    kept = None if own is None else _nearest(own, tuple(one for one in here if one is not None))
                    same |= where if kept is None else union(here[value] for value in kept)
                found[self.number, name] = same
        return found


def _nearest(own: Own, values: tuple[Any, ...]) -> Own:
    """Its own values; of numbers, the end of the range if they lie beyond it."""
    if own.isdisjoint(values) and own and all(type(one) is int for one in (*own, *values)) and values:
        return frozenset([max(values) if min(own) > max(values) else min(values)])
    return own & frozenset(values)


@dataclass(frozen=True)
class NearestWay:
    """One way in which something could be so: what would have to be otherwise, and what else must hold."""

    around: Around
    changes: Mapping[Key, Group]
    """Findings that are known, each with values that it would need, any of them."""
    given: Mapping[Key, Group]
    """The same of what is not known, or has no value as it is."""


def nearest(found: Bits, same: Iterable[Bits]) -> tuple[int, Bits]:
    """The least number of marks that situations of a set can lack, and those that lack so many; (0, 0) if it is empty.

    ``same``: for each mark the situations that have it.
    """
    return next(((number, bits) for number, bits in enumerate(lacking(found, same)) if bits), (0, 0))


def ways(around: Around, found: Bits, near: Bits) -> Iterator[NearestWay]:
    """The ways to get into a set from what is so: together they lead to all of ``near``, its nearest situations.

    Every possible situation that fits what a way tells, and is else as it is, is in the set.
    """
    otherwise = {key: around.whole & ~bits for key, bits in around.same.items()}
    for changed, part in parts(near, otherwise):
        left = part
        while left:
            way, reached = _way(around, found, left, [key for key in around.same if key in changed])
            yield way
            left &= ~reached


def _way(around: Around, found: Bits, near: Bits, changed: list[Key]) -> tuple[NearestWay, Bits]:
    """The way by which these findings would change, narrowed down until everything that fits it is in the set, and the
    situations that it leads to."""
    held, here = around.values, around.possible
    for key, bits in around.same.items():
        if key not in changed and not around.lacks(key[1]):
            here &= bits
    told = {key: tuple(value for value, bits in held[key].items() if bits & near) for key in changed}
    for key, values in told.items():
        here &= union(held[key][value] for value in values)
    while here & ~found:
        key, values = _narrower(held, [*changed, *(key for key in held if key not in changed)], found, near, here)
        told[key] = values
        here &= union(held[key][value] for value in values)
    changes = {key: told[key] for key in changed}
    return NearestWay(around, changes, {key: one for key, one in told.items() if key not in changes}), here


def _narrower(held: Values, keys: Iterable[Key], found: Bits, near: Bits, here: Bits) -> tuple[Key, Group]:
    """The finding, and the values of it, after which the least is left that is not in the set.

    One value alone where all leave as much.
    """
    best: tuple[float, Key, Group] | None = None
    for key in keys:
        left = {value: here & bits for value, bits in held[key].items() if here & bits}
        if len(left) > 1 and None not in left:
            shares = {value: (bits & found).bit_count() / bits.bit_count() for value, bits in left.items()}
            able = [value for value, bits in left.items() if bits & near]
            most = max(shares[value] for value in able)
            group = tuple(value for value, share in shares.items() if share == most)
            rank = most if len(group) < len(shares) else -1.0
            if best is None or rank > best[0]:
                best = rank, key, group if rank >= 0 else (able[0],)
    assert best is not None, "a single situation is in the set or is not"
    return best[1:]
