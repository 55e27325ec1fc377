"""What a ruling takes for granted: findings presumed, and that a trick nobody named came before the twelfth, of which
another value would change what is certain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from kb.engine.set_joins import Bits
from kb.language.known import NONE_YET, STATUS, TRANSFER
from kb.ruling.opening import Opening
from kb.space.bits import renumbered, union
from kb.space.choices import Choice, domain
from kb.space.completions import Completions
from kb.space.edition_run import EditionRun
from kb.space.layout import Key, Situations, laid_out
from kb.space.outcome import Entry
from kb.space.places import ORDINARY

MOST: Final = 2_000_000
"""Situations laid out at once; where there are more, what is presumed is not told."""


@dataclass(frozen=True)
class Presumed:
    """A finding that the ruling takes for granted."""

    key: Key
    says: Mapping[str, str]
    """In each language, as its declaration tells it; nothing for a trick that nobody named."""
    laws: tuple[str, ...]


def presumed(opening: Opening) -> tuple[Presumed, ...]:
    """What is taken for granted: findings presumed of which another value would change what is certain.

    What is presumed of several revokes stands once, with the laws of all.
    """
    found: dict[str, Presumed] = {}
    for one in _each(opening):
        before = found.get(one.key[1], one)
        found[one.key[1]] = replace(before, laws=tuple(dict.fromkeys((*before.laws, *one.laws))))
    return tuple(found.values())


def _each(opening: Opening) -> Iterator[Presumed]:
    """Each presumed finding exchanged for its other values, all else equal, in one run."""
    base = opening.completions
    keys = [key for key, one in base.choices.items() if one.how == "presumed" and not _waits(one, opening)]
    keys += [(number, "trick") for number, found in enumerate(base.incident.revokes) if found.trick is None]
    if not keys:
        return
    blocks = [(setting, key) for key in keys for setting in other_settings(base, key)]
    if not blocks or len(blocks) * opening.among.bit_count() > MOST:
        return
    varied = _Varied(base, opening.among, blocks)
    law = opening.certain.law
    run = EditionRun(law.edition, varied.situations, law.sets)
    before = varied.before(run.ruling, opening)
    for key in keys:
        changed = varied.changed(key, before, run.ruling)
        if changed and (laws := _new_laws(run, changed, opening)):
            yield Presumed(key, base.choices[key].kind.presumed_says if key in base.choices else {}, laws)


def _waits(one: Choice, opening: Opening) -> bool:
    """Whether a finding has not come about yet, and nothing follows before it does."""
    return one.values == (one.kind.before,) != (one.kind.presumed,) and not any(
        entry[0] == STATUS and entry[-1] != NONE_YET and bits & opening.among
        for entry, bits in opening.run.ruling.items()
    )


def _new_laws(run: EditionRun, changed: Bits, opening: Opening) -> tuple[str, ...]:
    """The clauses that apply in changed situations and in none that are possible; but for those left to judgement."""
    before = {ref for ref, bits in opening.run.clauses.items() if bits & opening.among}
    clauses = run.edition.clauses.items()
    new = [(ref, one) for ref, one in clauses if one.law and run.clauses.get(ref, 0) & changed and ref not in before]
    ruled = tuple(ref for ref, one in new if one.encoded_as != "director")
    return ruled or tuple(ref for ref, _ in new)


class _Varied:
    """The possible situations again and again, each time with another value of one presumed finding."""

    def __init__(self, base: Completions, among: Bits, blocks: Sequence[tuple[Mapping[Key, Any], Key]]) -> None:
        self.size, self.blocks, self.within = among.bit_count(), blocks, renumbered(among)
        whole = (1 << self.size) - 1
        first = union(1 << number * self.size for number in range(len(blocks)))
        """The first situation of each block; what is multiplied by it stands in all of them."""
        values = {
            key: {value: block * first for value, bits in held.items() if (block := self.within(bits))}
            for key, held in base.values.items()
        }
        for number, (setting, _) in enumerate(blocks):
            block = whole << number * self.size
            for key, value in setting.items():
                held = {other: bits & ~block for other, bits in values[key].items()}
                values[key] = held | {value: held.get(value, 0) | block}
        laid = laid_out(base.incident, base.table, values, whole * first)
        self.everything = laid.everything & ~union(bits for _, bits, _ in base.sayable.forbidden(laid))
        self.situations = Situations(self.everything, laid.facts)

    def before(self, entries: Mapping[Entry, Bits], opening: Opening) -> Mapping[Entry, Bits]:
        """What is certain, and the tricks that are moved before or after, in the situations of one block."""
        ruling = opening.run.ruling
        certain = [one for one, bits in ruling.items() if not opening.among & ~bits]
        moved = [one for one in (*entries, *ruling) if one[0] == TRANSFER]
        return {one: self.within(ruling.get(one, 0)) for one in dict.fromkeys((*certain, *moved))}

    def changed(self, key: Key, before: Mapping[Entry, Bits], entries: Mapping[Entry, Bits]) -> Bits:
        """The situations with another value of a finding that lose something certain, or move other tricks."""
        found = 0
        for number, (_, changed) in enumerate(self.blocks):
            if changed == key:
                shift = number * self.size
                mask = self.everything & (((1 << self.size) - 1) << shift)
                for entry, bits in before.items():
                    found |= mask & (entries.get(entry, 0) ^ bits << shift)
        return found


def other_settings(base: Completions, key: Key) -> Iterator[dict[Key, Any]]:
    """What might have been instead of what is presumed, with what then has a value and else has none."""
    number, name = key
    if key not in base.choices:
        yield {key: ORDINARY + 1}
        return
    kind, table = base.choices[key].kind, base.table
    given = [given for given, _ in base.places(number)]
    asked = [one for one in table.findings.values() if base.values.get((number, one.id), {}).keys() == {None}]
    below = [(child, {value for when in child.when for value in when.get(name, ())}) for child in asked if child.when]
    for value in kind.others or domain(kind.type, kind, iter(given), table):
        if value == kind.presumed:
            continue
        settings: list[dict[Key, Any]] = [{key: value}]
        for child, values in below:
            if value in values:
                theirs = domain(child.type, child, iter(given), table)
                settings = [{**one, (number, child.id): its} for one in settings for its in theirs]
        yield from settings
