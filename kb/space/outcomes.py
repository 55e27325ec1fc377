"""What rulings come to for the players, in every situation at once.

Two rulings are the same when the same revokes are found, each with the same status and number of automatic tricks, and
the transfer, the adjusted score, the rectifications, points, options and remarks, and what is still open are the same.
By which clauses that is so, and why a revoke costs nothing, makes no difference. What is left to the director's
judgement is compared apart: an outcome may be the same while he is pointed to something else.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import cached_property
from itertools import chain
from typing import Any, Final, TypeAlias

from facts.fact import Fact, Value
from kb.engine.sets import Bits, Held, Run, Sets
from kb.language.model import Edition
from kb.language.relied_on import AUTOMATIC, DIRECTOR, EXEMPT, HAND, PLAY, REVOKES, STATUS, SUIT, TRANSFER, TRICK
from kb.language.vocabulary import Kind, Vocabulary
from kb.space.bits import K, first, merged, parts, union
from kb.space.layout import Situations

OutcomeEntry: TypeAlias = tuple[object, ...]
"""Section, then what stands in it."""
OutcomeEntries: TypeAlias = Mapping[OutcomeEntry, Bits]
"""What stands in rulings, and in which."""
Effect: TypeAlias = tuple[tuple[str, int], ...]
"""Status and automatic tricks of each revoke, in the order of play."""
Acts: TypeAlias = frozenset[OutcomeEntry]
"""Everything a director acts on, what is left to his judgement included. Which trick it was does not belong to it, for
the director knows the trick and a universe only has one to stand for it; nor does a moment in time."""

REASONS: Final = frozenset({SUIT, EXEMPT})
"""Parts that explain a ruling and do not belong to what it comes to."""


class OutcomeReader:
    def __init__(self, vocabulary: Vocabulary) -> None:
        sections = {kind.name: kind for kind in vocabulary.kinds.values() if kind.section is not None}
        self.kinds = frozenset(sections)
        """Every kind that stands in a ruling, reasons included."""
        ruled = {name: kind for name, kind in sections.items() if kind.section not in REASONS}
        self._alone = {name: kind for name, kind in ruled.items() if kind.section != AUTOMATIC}
        self._orders = {name: _order(kind) for name, kind in self._alone.items()}
        self._judged = frozenset(name for name, kind in ruled.items() if kind.section == DIRECTOR)
        self._automatic = {
            name: (kind.index[PLAY], kind.index["tricks"]) for name, kind in ruled.items() if kind.section == AUTOMATIC
        }

    def ruling(self, concluded: Held) -> OutcomeEntries:
        """What these facts put into rulings, and into which."""
        facts = ((fact, bits) for fact, bits in concluded.items() if fact[0] not in self._judged)
        return {**self._read(facts), **self._sums(concluded)}

    def judgement(self, concluded: Held) -> OutcomeEntries:
        """What they ask the director to consider, and where."""
        return self._read((fact, bits) for fact, bits in concluded.items() if fact[0] in self._judged)

    def entry(self, fact: Fact) -> OutcomeEntry | None:
        """What one fact puts into an outcome by itself; None if nothing."""
        kind = self._alone.get(str(fact[0]))
        if kind is None:
            return None
        if kind.shows and kind.section not in (REVOKES, STATUS):
            return kind.section, *sorted(shown_values(kind, fact).items())
        return kind.section, *(fact[position] for position in self._orders[kind.name])

    def acts(self, concluded: Held, within: Bits) -> dict[Acts, Bits]:
        """Everything that directors may have to act on, and where; in the order of the first situation of each."""
        entries = {**self.ruling(concluded), **self.judgement(concluded)}
        revokes = {entry: entries.pop(entry) for entry in [*entries] if entry[0] == REVOKES}
        by_acts: dict[Acts, Bits] = {}
        for played, where in parts(within, revokes):
            plain = _without_times(played)
            found_there = merged((plain(entry), bits & where) for entry, bits in entries.items() if bits & where)
            for acts, there in parts(where, found_there):
                whole = acts.union(map(plain, played))
                by_acts[whole] = by_acts.get(whole, 0) | there
        return dict(sorted(by_acts.items(), key=lambda item: first(item[1])))

    def _read(self, facts: Iterable[tuple[Fact, Bits]]) -> dict[OutcomeEntry, Bits]:
        return merged((entry, bits) for fact, bits in facts if (entry := self.entry(fact)) is not None)

    def _sums(self, concluded: Held) -> dict[OutcomeEntry, Bits]:
        """The automatic tricks of each revoke, whichever they are."""
        sums: dict[Value, dict[int, Bits]] = {}
        for fact, bits in concluded.items():
            if fact[0] in self._automatic:
                play, tricks = self._automatic[str(fact[0])]
                sums[fact[play]] = _added(sums.get(fact[play], {}), int(fact[tricks] or 0), bits)
        return {(AUTOMATIC, play, tricks): bits for play, by_sum in sums.items() for tricks, bits in by_sum.items()}


def _added(sums: Mapping[int, Bits], more: int, where: Bits) -> dict[int, Bits]:
    """Sums of numbers, each with the situations that have it, after one more number in some situations."""
    split = [(n, bits & ~where) for n, bits in sums.items()] + [(n + more, bits & where) for n, bits in sums.items()]
    for bits in sums.values():
        where &= ~bits
    return merged((n, bits) for n, bits in [*split, (more, where)] if bits)


def different(a: Mapping[K, Bits], b: Mapping[K, Bits]) -> Bits:
    """The situations in which not the same stands in two rulings."""
    return union(a.get(entry, 0) ^ b.get(entry, 0) for entry in a.keys() | b.keys())


def effects(ruling: OutcomeEntries, within: Bits, own: Collection[str] = ()) -> dict[Effect, Bits]:
    """The short of it in these situations: what becomes of each revoke, and of what stands in parts of its ``own``."""
    said = {entry: bits for entry, bits in ruling.items() if entry[0] in (STATUS, AUTOMATIC, *own)}
    by_effect = list[tuple[Effect, Bits]]()
    for entries, where in parts(within, said):
        tricks = {entry[1]: entry[2] for entry in entries if entry[0] == AUTOMATIC}
        states = sorted((entry[1], entry[-1]) for entry in entries if entry[0] == STATUS)
        effect = tuple((str(state), int(tricks.get(play, 0))) for play, state in states)  # type: ignore[call-overload]
        more = (shown[1] for part, *rest in entries if part in own for shown in rest if shown[0] == "is")  # type: ignore[index]
        effect += tuple((str(word), 0) for word in sorted(more))
        by_effect.append((effect, where))
    return merged(by_effect)


def _without_times(played: Collection[OutcomeEntry]) -> Callable[[OutcomeEntry], OutcomeEntry]:
    """Leaves of an entry neither trick nor time; ``played``: the revokes of the outcome, which are told in order."""
    revokes: list[Any] = sorted(entry[1:4] for entry in played)
    plays: dict[object, int] = {play: number for number, (play, _, _) in enumerate(revokes)}
    hands: dict[object, object] = {play: hand for play, _, hand in revokes}
    tricks: dict[object, int] = {trick: nth for nth, trick in enumerate(sorted({trick for _, trick, _ in revokes}))}

    def plain(entry: OutcomeEntry) -> OutcomeEntry:
        section, *rest = entry
        if section == REVOKES:
            return section, plays[rest[0]], hands[rest[0]]
        if section in (STATUS, AUTOMATIC):
            return section, plays.get(rest[0]), rest[-1]
        return section, *map(ordered, rest)

    def ordered(shown: object) -> object:
        return (TRICK, tricks.get(shown[1])) if isinstance(shown, tuple) and shown[0] == TRICK else shown

    return plain


def shown_values(kind: Kind, fact: Fact) -> dict[str, Any]:
    """What a fact of the kind shows in a ruling."""
    shows = ((key, value, isinstance(value, str) and value.startswith("$")) for key, value in kind.shows.items())
    return {key: fact[kind.index[str(value)[1:]]] if is_field else value for key, value, is_field in shows}


_BEGINS: Final[Mapping[str | None, tuple[str, ...]]] = {REVOKES: (PLAY, TRICK, HAND), STATUS: (PLAY,)}
_ENDS: Final[Mapping[str | None, tuple[str, ...]]] = {STATUS: ("is",), TRANSFER: ("to", "tricks")}
"""Part of the ruling -> the fields with which its entries begin and end, wherever they stand in the fact."""


def _order(kind: Kind) -> list[int]:
    """The positions of the fields of a fact, in the order of its entry."""
    begins, ends = _BEGINS.get(kind.section, ()), _ENDS.get(kind.section, ())
    between = (name for name in kind.index if name not in begins + ends)
    return [kind.index[name] for name in (*begins, *between, *ends)]


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

    @cached_property
    def concluded(self) -> Held:
        """Every fact that some rule concludes, and where."""
        return merged(chain.from_iterable(facts.items() for facts in self.run.fired.values()))

    @cached_property
    def ruled(self) -> Held:
        """All that stands in rulings, reasons included, and where."""
        return {fact: bits for fact, bits in self.concluded.items() if fact[0] in self.reader.kinds}

    @cached_property
    def ruling(self) -> OutcomeEntries:
        """What stands in rulings, and in which."""
        return self.reader.ruling(self.concluded)

    @cached_property
    def judgement(self) -> OutcomeEntries:
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
        return merged((rules[nth].clause, bits) for nth, facts in self.run.fired.items() for bits in facts.values())
