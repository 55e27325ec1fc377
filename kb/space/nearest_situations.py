"""The situations around an incident: those in which something found out about one revoke would be otherwise."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, TypeAlias

from facts.cards import PARTNER, SEATS, Seat, part_of
from facts.incident import Incident, Player
from facts.observe import TOLD
from facts.table import NOTHING
from facts.templates import NamedValues
from kb.engine.sets import Bits
from kb.space.bits import lacking_marks, parts, union
from kb.space.choices import NOT_SAID, NOTICED, Choice, Chooser, domain, meant
from kb.space.completions import Completions, with_revoke
from kb.space.layout import FindingKey, Sayable, ValueBits, ValueGroup

Actual: TypeAlias = frozenset[Any]
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
    naming = {kind.id: found.said[kind.id] for kind in kinds if kind.not_stated == NOTHING and kind.id in found.said}
    return Elsewhere(with_revoke(base.incident, number, replace(found, said=naming)), number)


def other_tricks(start: Elsewhere) -> Iterator[Elsewhere]:
    """The twelfth trick instead of an earlier one, and the other way round; a record has its revoke where it is."""
    revoke = start.incident.revokes[start.number]
    others: tuple[int | None, ...] = {LATE: (None,), LATE + 1: (None, LATE)}.get(revoke.trick or 0, (LATE,))
    for trick in others if start.incident.play is None else ():
        incident = with_revoke(start.incident, start.number, replace(revoke, trick=trick))
        yield Elsewhere(incident, start.number, (*start.moved, "trick"))


def other_parts(start: Elsewhere, able: Collection[str]) -> Iterator[Elsewhere]:
    """Another part instead of the one who revoked, of those that he is ``able`` to play, as far as they are known."""
    revoke, declarer = start.incident.revokes[start.number], start.incident.declarer
    if start.incident.play is not None or (declarer is None and revoke.hand is not None):
        return
    parts: dict[Player, Seat | None] = {"declarer": None, "dummy": None, "defender": None}
    if declarer is not None:
        beside: Seat = SEATS[(SEATS.index(declarer) + 1) % 4]
        parts = {"declarer": declarer, "dummy": PARTNER[declarer], "defender": beside}
    part = revoke.player if revoke.hand is None else part_of(revoke.hand, declarer)
    for player, hand in parts.items():
        if part is not None and player != part and player in able:
            seat = None if revoke.hand is None else hand
            changed = replace(revoke, hand=seat, player=None if seat else player)
            yield Elsewhere(with_revoke(start.incident, start.number, changed), start.number, (*start.moved, "player"))


class Around(Completions):
    """Every situation in which something found out about one revoke may be otherwise, the rest being as it is."""

    def __init__(
        self,
        base: Completions,
        start: Elsewhere,
        sayable: Sayable,
        otherwise: Collection[str] | None = None,
        few: Collection[str] = (),
    ) -> None:
        """``otherwise``: the findings that may be, if not every one; ``few``: those of which only low numbers are.

        InputError when there are too many situations.
        """
        self.base, self.number, self.moved, self.few = base, start.number, start.moved, few
        findings = base.about(start.number).findings
        self.otherwise = findings if otherwise is None else otherwise
        of_others = (key for key in base.free if key[0] != start.number)
        super().__init__(start.incident, sayable, frozenset([*((start.number, name) for name in findings), *of_others]))

    def _seen(self, choice: Choice, chooser: Chooser) -> tuple[Any, ...]:
        """The plain values: which of them are kept is asked of each by itself."""
        noticed = chooser.number == self.number and choice.kind.id == NOTICED
        if noticed and chooser.finding.shown and choice.values != (TOLD,):
            return domain(choice.kind, (), self.table)  # of a record it is presumed, whatever is free
        return choice.values

    def _kept(self, number: int, name: str, values: tuple[Any, ...]) -> Collection[Any]:
        if number != self.number:
            return values
        actual = self._actual(name)
        if name not in self.otherwise:
            return values if actual is None else _nearest(actual, values)
        if name not in self.few or self.about(number).findings[name].type.name != "number":
            return values
        return {*sorted(values)[:FEW], *_nearest(actual or frozenset(), values)}

    def _actual(self, name: str) -> Actual | None:
        """Its values as it is, wherever the revoke may have been; None if they are not known."""
        places = self.choosers[self.number].places()
        per_place = [actual for place in places if (actual := self.actual(name, place)) is not None]
        return frozenset().union(*per_place) if per_place else None

    def actual(self, name: str, place: NamedValues) -> Actual | None:
        """Its values as it is, seen from a place; None if it is not known.

        What has no value as it is would ordinarily have the first of its answers.
        """
        key = (self.number, name)
        choice = self.base.choices[key]
        if choice.how == "stated":
            stated = self.base.incident.revokes[self.number].said[name]
            return frozenset() if stated is None else frozenset(meant(choice.kind, stated, place, self.table))
        if self.lacks(name):
            answer = next(iter(choice.kind.answers), None)
            values = () if answer is None else meant(choice.kind, answer, place, self.table)
            return frozenset([*(values or domain(choice.kind, [place], self.table))][:1])
        return None if choice.how == "unknown" or choice.values == NOT_SAID else frozenset(choice.values)

    def lacks(self, name: str) -> bool:
        """Whether a finding has no value as it is, because of another."""
        kind, values = self.about(self.number).findings[name], self.base.values[self.number, name]
        return bool(kind.when) and set(values) <= {None, TOLD}

    @cached_property
    def same(self) -> Mapping[FindingKey, Bits]:
        """Where each finding that is known is as it is; what cannot be asked there counts as being so."""
        unchanged: dict[FindingKey, Bits] = {}
        for name in self.about(self.number).findings:
            by_value = self.values.get((self.number, name), {})
            if len(by_value) > 1 and self._actual(name) is not None:
                same = by_value.get(None, 0)
                for place, where in self.places(self.number):
                    here = {value: bits & where for value, bits in by_value.items() if bits & where}
                    now = self.actual(name, place)
                    kept = None if now is None else _nearest(now, tuple(value for value in here if value is not None))
                    same |= where if kept is None else union(here[value] for value in kept)
                unchanged[self.number, name] = same
        return unchanged


def _nearest(actual: Actual, values: tuple[Any, ...]) -> Actual:
    """Its own values; of numbers, the end of the range if they lie beyond it."""
    if actual.isdisjoint(values) and actual and all(type(value) is int for value in (*actual, *values)) and values:
        return frozenset([max(values) if min(actual) > max(values) else min(values)])
    return actual & frozenset(values)


@dataclass(frozen=True)
class NearestWay:
    """One way in which something could be so: what would have to be otherwise, and what else must hold."""

    around: Around
    changes: Mapping[FindingKey, ValueGroup]
    """Findings that are known, each with values that it would need, any of them."""
    conditions: Mapping[FindingKey, ValueGroup]
    """The same of what is not known, or has no value as it is."""


def nearest(situations: Bits, same: Iterable[Bits]) -> tuple[int, Bits]:
    """The least number of marks that situations of a set can lack, and those that lack so many; (0, 0) if it is empty.

    ``same``: for each mark the situations that have it.
    """
    return next(((number, bits) for number, bits in enumerate(lacking_marks(situations, same)) if bits), (0, 0))


def ways_into(around: Around, goal: Bits, near: Bits) -> Iterator[NearestWay]:
    """The ways to get into a set from what is so: together they lead to all of ``near``, its nearest situations.

    Every possible situation that fits what a way tells, and is else as it is, is in the set.
    """
    otherwise = {key: around.whole & ~bits for key, bits in around.same.items()}
    for changed, part in parts(near, otherwise):
        unreached = part
        while unreached:
            way, reached = _way(around, goal, unreached, [key for key in around.same if key in changed])
            yield way
            unreached &= ~reached


def _way(around: Around, goal: Bits, near: Bits, changed: list[FindingKey]) -> tuple[NearestWay, Bits]:
    """The way by which these findings would change, narrowed down until everything that fits it is in the set, and the
    situations that it leads to."""
    by_key, here = around.values, around.possible
    for key, bits in around.same.items():
        if key not in changed and not around.lacks(key[1]):
            here &= bits
    needed = {key: tuple(value for value, bits in by_key[key].items() if bits & near) for key in changed}
    for key, values in needed.items():
        here &= union(by_key[key][value] for value in values)
    while here & ~goal:
        key, values = _narrower(by_key, [*changed, *(key for key in by_key if key not in changed)], goal, near, here)
        needed[key] = values
        here &= union(by_key[key][value] for value in values)
    changes = {key: needed[key] for key in changed}
    return NearestWay(around, changes, {key: group for key, group in needed.items() if key not in changes}), here


def _narrower(
    by_key: ValueBits, keys: Iterable[FindingKey], goal: Bits, near: Bits, here: Bits
) -> tuple[FindingKey, ValueGroup]:
    """The finding, and the values of it, after which the least is left that is not in the set.

    One value alone where all leave as much.
    """
    best: tuple[float, FindingKey, ValueGroup] | None = None
    for key in keys:
        by_value = {value: here & bits for value, bits in by_key[key].items() if here & bits}
        if len(by_value) > 1 and None not in by_value:
            shares = {value: (bits & goal).bit_count() / bits.bit_count() for value, bits in by_value.items()}
            able = [value for value, bits in by_value.items() if bits & near]
            most = max(shares[value] for value in able)
            group = tuple(value for value, share in shares.items() if share == most)
            rank = most if len(group) < len(shares) else -1.0
            if best is None or rank > best[0]:
                best = rank, key, group if rank >= 0 else (able[0],)
    assert best is not None, "a single situation is in the set or is not"
    return best[1:]
