"""What a ruling takes for granted: findings presumed or following as play usually goes, and that a trick nobody named
came before the twelfth, of which another value would change what is certain."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any, Final

from facts.table import FindingKind
from kb.engine.sets import Bits
from kb.language.known import NONE_YET, TRANSFER
from kb.ruling.opening import Opening
from kb.space.bits import Repeated, union
from kb.space.choices import Choice, domain
from kb.space.completions import Completions
from kb.space.layout import Key
from kb.space.outcome import EditionRun
from kb.space.seating import ORDINARY

MOST: Final = 2_000_000
"""Situations laid out at once; where there are more, everything is told that is taken for granted."""


@dataclass(frozen=True)
class Presumed:
    """A finding that the ruling takes for granted."""

    key: Key
    kind: FindingKind | None
    """None for a trick that nobody named."""
    value: Any
    laws: tuple[str, ...]


def presumed(opening: Opening) -> tuple[Presumed, ...]:
    """What is taken for granted: as much as is needed so that nothing certain changes, whatever one or two of the rest
    are otherwise.

    What is presumed of several revokes stands once, with the laws of all.
    """
    base = opening.completions
    granted = {key: one for key, one in base.choices.items() if one.granted and not _waits(one, opening)}
    unnamed = [(number, "trick") for number, found in enumerate(base.incident.revokes) if found.trick is None]
    keys = [key for how in ("presumed", "follows") for key, one in granted.items() if one.how == how] + unnamed
    told = _told(opening, keys)
    found: dict[tuple[str, Any], Presumed] = {}
    for key in sorted(told, key=[*granted, *unnamed].index):
        kind, value = (granted[key].kind, granted[key].values[0]) if key in granted else (None, None)
        before = found.get((key[1], value), Presumed(key, kind, value, ()))
        found[key[1], value] = replace(before, laws=tuple(dict.fromkeys((*before.laws, *told[key]))))
    return tuple(found.values())


def _told(opening: Opening, keys: Sequence[Key]) -> Mapping[Key, Sequence[str]]:
    """Those of which another value changes what is certain, all else equal, with the laws for which it matters; then,
    of two that change it only together, the first."""
    settings = {key: [*other_settings(opening.completions, key)] for key in keys}
    told: dict[Key, Sequence[str]] = {}
    within = _within(opening, keys)
    for many in (1, 2):
        together = [some for some in combinations(keys, many) if told.keys().isdisjoint(some)]
        blocks = [
            (some, {key: value for one in way for key, value in one.items()})
            for some in together
            for way in product(*(settings[key] for key in reversed(some)))
        ]
        if len(blocks) * within.bit_count() > MOST:
            return told | {key: () for key in keys if settings[key] and key not in told}
        if blocks:
            repeated = Repeated(within, len(blocks))
            ways = opening.completions.varied(repeated, [setting for _, setting in blocks])
            run = EditionRun(opening.law.edition, ways.situations, opening.law.sets)
            of: dict[tuple[Key, ...], list[int]] = {}
            for number in _changed(opening, run, repeated):
                of.setdefault(blocks[number][0], []).append(number)
            for some, changed in of.items():
                if told.keys().isdisjoint(some):
                    told[some[0]] = _laws(opening, run, repeated.only(changed))
    return told


def _within(opening: Opening, keys: Collection[Key]) -> Bits:
    """The possible situations, and those that may be possible when something taken for granted is otherwise."""
    base, granted = opening.completions, frozenset(keys)
    if opening.among != base.possible:
        return opening.among
    return base.whole & ~union(one.where for one in base.excluded if one.looks_at.isdisjoint(granted))


def _waits(one: Choice, opening: Opening) -> bool:
    """Whether a finding has not come about yet, and nothing follows before it does."""
    return one.values == (one.kind.before,) != (one.kind.presumed,) and opening.statuses == {NONE_YET}


def _changed(opening: Opening, run: EditionRun, repeated: Repeated) -> Sequence[int]:
    """The blocks in which something certain is lost, or other tricks are moved."""
    before, among, after, here = opening.run.ruling, opening.among, run.ruling, run.situations.everything
    lost = [here & ~after.get(one, 0) for one, bits in before.items() if not among & ~bits]
    moved = [repeated(bits) ^ after.get(one, 0) for one, bits in before.items() if one[0] == TRANSFER]
    new = [bits & here for one, bits in after.items() if one[0] == TRANSFER and one not in before]
    return repeated.where(union(lost) | union(moved) & here & repeated(among) | union(new))


def _laws(opening: Opening, run: EditionRun, changed: Bits) -> tuple[str, ...]:
    """The clauses that apply in some changed situations and in nothing that is possible, but for those left to
    judgement; or else those that apply no more."""
    clauses = {ref: one for ref, one in run.edition.clauses.items() if one.law}
    before = {ref for ref, bits in opening.run.clauses.items() if bits & opening.among}
    after = {ref for ref, bits in run.clauses.items() if bits & changed}
    new = [ref for ref in clauses if ref in after - before]
    ruled = [ref for ref in new if clauses[ref].encoded_as != "director"]
    return tuple(ruled or new or [ref for ref in clauses if ref in before - after])


def other_settings(base: Completions, key: Key) -> Iterator[dict[Key, Any]]:
    """What might have been instead of what is presumed, of numbers the least; with what then has a value and else has
    none."""
    number, name = key
    if key not in base.choices:
        yield {key: ORDINARY + 1}
        return
    one, table = base.choices[key], base.table
    kind, (taken,) = one.kind, one.values
    given = [given for given, _ in base.places(number)]
    asked = [one for one in table.findings.values() if base.values.get((number, one.id), {}).keys() == {None}]
    below = [(child, {value for when in child.when for value in when.get(name, ())}) for child in asked if child.when]
    others = [value for value in domain(kind, given, table) if value != taken]
    for value in others if kind.type.name != "number" else others[:1]:
        settings: list[dict[Key, Any]] = [{key: value}]
        for child, values in below:
            if value in values:
                theirs = domain(child, given, table)
                settings = [{**one, (number, child.id): its} for one in settings for its in theirs]
        yield from settings
