"""What is certain of an incident under a law, with a proof that uses nothing that is not; and what is not: the question
on which it hinges, what else is open, on what it depends, and what is taken for granted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, product
from typing import Any, Final, TypeAlias

from facts.cards import Side
from facts.fact import Fact, Value, order_key
from facts.table import FindingKind, numbers
from kb.engine.plain import Firing, meets
from kb.engine.proof import Proof, Step, bindings, rests_on
from kb.engine.sets import Bits, Held
from kb.language.relied_on import ADJUSTED, AUTOMATIC, HAND, NONE_YET, POINTS, RESULT, REVOKES, STATUS, TRANSFER, TRICK
from kb.language.rule import Condition
from kb.ruling.laws import Law
from kb.space.bits import Repeated, first, parts, union
from kb.space.choices import domain
from kb.space.completions import Completions
from kb.space.layout import BOARD, FindingKey, ValueGroup
from kb.space.outcomes import EditionRun, OutcomeEntry
from kb.space.seating import LATER, ORDINARY

Ways: TypeAlias = tuple[tuple[Step, ...], ...]
"""Different ways to one conclusion, each the steps of the law that it takes."""
Classes: TypeAlias = Sequence[Bits]
"""Outcomes, each the situations that have it."""
MOST_WAYS: Final = 4
"""So many different ways to the same conclusion are told."""
MOST_OTHERWISE: Final = 2_000_000
"""Situations in which something taken for granted is otherwise; where there are more, all of it is told."""
REST: Final = (BOARD, "rest")
DECIDING_PARTS: Final = frozenset({STATUS, AUTOMATIC, TRANSFER, ADJUSTED, RESULT, POINTS})
"""Parts of a ruling by which the question is chosen; the others are told with a condition."""


@dataclass(frozen=True)
class SplittingQuestion:
    """A question about one thing, and its answers."""

    key: FindingKey
    answers: tuple[tuple[ValueGroup, Bits], ...]
    """Values that come to the same, and the situations left after them."""


@dataclass(frozen=True)
class Open:
    """A finding that is not known and would change the ruling."""

    key: FindingKey
    laws: tuple[str, ...]


@dataclass(frozen=True)
class Perhaps:
    """A conclusion that does not hold in every situation, and what it depends on."""

    fact: Fact
    laws: tuple[str, ...]
    key: FindingKey | None
    """None: on several things."""
    values: ValueGroup = ()


@dataclass(frozen=True)
class Presumed:
    """A finding presumed or following as play usually goes, or that a trick nobody named came before the twelfth."""

    key: FindingKey
    kind: FindingKind | None
    """None for a trick that nobody named."""
    value: Any
    laws: tuple[str, ...]


class Certainty:
    """Some of the situations that an incident leaves possible under a law, and what holds in all of them or in some."""

    def __init__(self, law: Law, completions: Completions, run: EditionRun, among: Bits) -> None:
        self.law, self.completions, self.run, self.among = law, completions, run, among

    def narrowed(self, among: Bits) -> Certainty:
        """The same after an answer."""
        return Certainty(self.law, self.completions, self.run, among)

    @property
    def known(self) -> bool:
        """Whether everything is known, or nothing of what is not could be otherwise."""
        return self.among.bit_count() == 1

    # what is certain

    def holds(self, fact: Fact) -> bool:
        """Whether a fact holds in every situation."""
        facts: Held = self.run.run.facts.get(str(fact[0]), {})
        return not self.among & ~facts.get(fact, 0)

    def facts_of(self, situation: int) -> list[Fact]:
        """The ground facts of one situation that an engine is given."""
        return [fact for fact in self.run.situations.facts_of(situation) if fact[0] in self.law.shown]

    def alone(self, situation: int) -> Proof:
        """The proof of one situation."""
        return self.law.program.run(self.facts_of(situation), self.run.run.alone(situation))

    @cached_property
    def proof(self) -> Proof:
        """What is certain, and the steps that use nothing else; a conclusion that is certain for different reasons
        stands as if it were given."""
        situation = first(self.among)
        if self.known:
            return self.law.engine.run(self.facts_of(situation), self.run.run.alone(situation))
        alone = self.alone(situation)
        raw = [step for step in alone.firings if self._certain(alone, step)]
        shown = {fact for fact, _, _ in raw}
        ground = [fact for fact in alone.ground if self.holds(fact)]
        return Proof(self.law.program, [*ground, *(fact for fact in self._concluded if fact not in shown)], raw)

    @cached_property
    def either(self) -> Mapping[Fact, Ways]:
        """Conclusions that are certain, but not for one reason: the steps of the law behind each, in every way.

        One way alone is certain too: of several acts that each would do, that one has certainly happened.
        """
        if self.known:
            return {}
        bare = self.proof.ground - frozenset(self.run.situations.facts_of(first(self.among)))
        used = {premise for _, _, premises in self.proof.firings for premise in premises}
        kept = [fact for fact in self._concluded if fact in bare and (fact in used or fact[0] in self.run.reader.kinds)]
        return {fact: ways for fact in kept if (ways := self._behind(fact))}

    def _behind(self, fact: Fact) -> Ways:
        ways = tuple(self._ways(fact))
        kept = [{(step.fact, step.rule.id) for step in way} for way in ways]
        same = set.intersection(*kept) if len(ways) > 1 else set[tuple[Fact, str]]()
        return tuple(tuple(step for step in way if (step.fact, step.rule.id) not in same) for way in ways)

    @cached_property
    def _concluded(self) -> tuple[Fact, ...]:
        return tuple(fact for fact in self.run.concluded if self.holds(fact))

    def _ways(self, fact: Fact) -> Iterator[tuple[Step, ...]]:
        """The steps of the law behind a conclusion that are not certain, in situations that together are all."""
        remaining, fired = self.among, self.run.run.fired
        numbers = {rule.id: number for number, rule in enumerate(self.run.run.rules)}
        for _ in range(MOST_WAYS):
            steps = self._law_steps(self.alone(first(remaining)), fact) if remaining else ()
            if not steps:
                return
            yield steps
            same = remaining
            for step in steps:
                same &= fired[numbers[step.rule.id]].get(step.fact, 0)
            remaining &= ~same

    def _law_steps(self, proof: Proof, fact: Fact) -> tuple[Step, ...]:
        """The law's steps that lead to a conclusion by way of something that is not certain."""

        def of_law(step: Step) -> bool:
            return bool(self.law.edition.clauses[step.rule.clause].law)

        behind = proof.behind([fact], lambda step: not (of_law(step) and self.holds(step.fact)))
        return tuple(sorted(filter(of_law, behind), key=lambda step: proof.rank(step.fact)))

    def _certain(self, proof: Proof, step: Firing) -> bool:
        """Whether every premise holds everywhere, and nothing that must be missing is there anywhere."""
        fact, number, premises = step
        if not all(map(self.holds, rests_on(premises))):
            return False
        rule = proof.program.rules[number]
        values = bindings(proof.program.vocabulary, Step(fact, rule, premises))
        absent = not any(True for item in rule.unless for _ in self._fitting(item, values))
        return absent and all(self.holds(fact) for item in rule.tallies for fact in self._fitting(item.of, values))

    def _fitting(self, item: Condition, values: Mapping[str, Value]) -> Iterator[Fact]:
        vocabulary = self.law.program.sets.vocabulary
        facts: Held = self.run.run.facts.get(item.kind, {})
        for fact, bits in facts.items():
            if bits & self.among and meets(vocabulary, item, fact, values):
                yield fact

    # what is not

    @cached_property
    def _entries(self) -> Mapping[OutcomeEntry, Bits]:
        """What stands in some of these rulings and not in all, and in which."""
        entries = {**self.run.ruling, **self.run.judgement}
        cut = ((entry, bits & self.among) for entry, bits in entries.items())
        return {entry: bits for entry, bits in cut if bits and bits != self.among}

    @cached_property
    def classes(self) -> Classes:
        """The outcomes that are still possible, by what matters most; one if that is certain."""
        first = DECIDING_PARTS.union(self.run.edition.vocabulary.sections)
        entries = {entry: bits for entry, bits in self._entries.items() if entry[0] in first}
        return [bits for _, bits in parts(self.among, entries)]

    @property
    def is_open(self) -> bool:
        """Whether what matters most is not certain."""
        return len(self.classes) > 1

    @cached_property
    def asking(self) -> SplittingQuestion | None:
        """The question on which it hinges, after which the least is open; None where what matters most is certain, or
        no question tells anything."""
        best: tuple[tuple[float, ...], SplittingQuestion] | None = None
        askable = [key for key in self._unknown if None not in self._held(key)]
        for number, key in enumerate(askable if self.is_open else ()):
            groups = self._groups(key, self.classes)
            if len(groups) < 2:
                continue
            classes_left = [sum(bool(bits & outcome) for outcome in self.classes) for _, bits in groups]
            cost = (sum(n > 1 for n in classes_left), sum(classes_left) / len(classes_left), len(classes_left), number)
            if best is None or cost < best[0]:
                best = cost, SplittingQuestion(key, tuple(groups))
        return None if best is None else best[1]

    @cached_property
    def _unknown(self) -> Sequence[FindingKey]:
        """What is not known, but for what something else is asked instead."""
        open_ = self.completions.open
        asked = ((self.completions.about(number).findings.get(name)) for number, name in open_)
        instead = {one.instead_of for one in asked if one is not None}
        return [key for key in open_ if key[1] not in instead and len(self._held(key).keys() - {None}) > 1]

    def _held(self, key: FindingKey) -> dict[Any, Bits]:
        """The values that a thing may have, and where; None: where it has none."""
        by_value = self.completions.values[key].items()
        return {value: bits & self.among for value, bits in by_value if bits & self.among}

    def _groups(self, key: FindingKey, classes: Classes, strictly: bool = False) -> list[tuple[ValueGroup, Bits]]:
        """The values that there may be, those that come to the same together, all else equal.

        Values that can never be with all else equal are told apart by the outcomes that they reach; not so strictly.
        """
        by_value, groups = self._held(key), list[list[Any]]()
        by_value.pop(None, None)
        folded = {
            value: [self.completions.folded(key, bits & outcome) for outcome in (bits, *classes)]
            for value, bits in by_value.items()
        }
        for value in by_value:
            same = (group for group in groups if all(_same(folded[value], folded[peer], strictly) for peer in group))
            if group := next(same, None):
                group.append(value)
            else:
                groups.append([value])
        return [(tuple(group), union(by_value[value] for value in group)) for group in groups]

    def _tells(self, key: FindingKey, classes: Classes) -> bool:
        """Whether two answers reach something else, though they may never meet all else equal."""
        return len(self._groups(key, classes)) > 1

    @cached_property
    def statuses(self) -> frozenset[str]:
        """What may become of the revokes."""
        entries = ((entry, bits & self.among) for entry, bits in self.run.ruling.items() if entry[0] == STATUS)
        return frozenset(str(entry[-1]) for entry, bits in entries if bits)

    @cached_property
    def ahead(self) -> bool:
        """Whether it hinges on tricks that are still to be played: of those after the revoke any number was said."""
        number, name = (BOARD, "") if self.asking is None else self.asking.key
        incident, table = self.completions.incident, self.completions.table
        if name != LATER or incident.over:
            return False
        kind, places = table.findings[name], (place for place, _ in self.completions.places(number))
        stated = numbers(incident.revokes[number].said.get(name))
        return len(stated) > 1 and {*domain(kind, places, table)} <= {*stated}

    @cached_property
    def open(self) -> tuple[Open, ...]:
        """The unknown findings that would change what a director acts on, each with the clauses that it matters for."""
        if not self._entries:
            return ()
        classes = [bits for _, bits in parts(self.among, self._entries)]
        open_findings: list[Open] = []
        strict: list[FindingKey] = []
        for key in self._unknown:
            folded = [self.completions.folded(key, bits) for bits in self._held(key).values()]
            some_meet = sum(bits.bit_count() for bits in folded) > union(folded).bit_count()
            if len(self._groups(key, classes, some_meet)) > 1:  # all else equal; or at all, if all else never is
                strict.append(key)
        for key in strict or [key for key in self._unknown if self._tells(key, classes)]:
            laws = self._laws(key)
            open_findings += [Open(open_key, laws) for open_key in (self._after_record() if key == REST else (key,))]
        return tuple(open_findings)

    def _after_record(self) -> list[FindingKey]:
        """The later tricks of each revoke whose automatic tricks depend on the tricks that no record shows; of the
        first that costs any, if none does."""
        plays: dict[OutcomeEntry, set[object]] = {}
        for part, play, *where in self.run.ruling:
            if part == REVOKES:  # a correction may be a revoke as well, by the same hand at the same trick
                plays.setdefault(tuple(where[:2]), set()).add(play)
        revokes = enumerate(self.completions.incident.revokes)
        plays_of = [(number, plays.get((revoke.trick, revoke.hand), set())) for number, revoke in revokes]
        due = {entry[1] for entry, bits in self.run.ruling.items() if entry[0] == AUTOMATIC and bits & self.among}
        unsure = {
            entry[1] for entry, bits in self._entries.items() if entry[0] == AUTOMATIC and self._tells(REST, [bits])
        }
        uncertain = [number for number, played in plays_of if played & unsure]
        return [(number, LATER) for number in uncertain or [number for number, played in plays_of if played & due][:1]]

    def _laws(self, key: FindingKey) -> tuple[str, ...]:
        """The clauses with a rule that applies for some values of a finding and not for others, all else equal."""
        rules, clauses = self.run.run.rules, self.run.edition.clauses
        refs = set()
        for number, facts in self.run.run.fired.items():
            ref, bits = rules[number].clause, union(facts.values()) & self.among
            split = clauses[ref].law and ref not in refs and bits not in (0, self.among)
            if split and self._tells(key, [bits]):
                refs.add(ref)
        return tuple(ref for ref in clauses if ref in refs)

    @property
    def range(self) -> Mapping[Side, tuple[int, int]]:
        """The fewest and the most tricks that each side may gain."""
        gained: dict[Side, set[int]] = {"NS": self._tricks(TRANSFER, "NS"), "EW": self._tricks(TRANSFER, "EW")}
        return {side: (min(tricks), max(tricks)) for side, tricks in gained.items()}

    def fewest(self, play: Value) -> int:
        """The automatic tricks that a revoke certainly costs before the cap."""
        return min(self._tricks(AUTOMATIC, play))

    def _tricks(self, part: str, subject: Value) -> set[int]:
        """The numbers of tricks that a part of the ruling may say of a revoke or a side."""
        entries = ((entry, bits & self.among) for entry, bits in self.run.ruling.items() if entry[0] == part)
        by_tricks = {int(entry[-1]): bits for entry, bits in entries if bits and entry[-2] == subject}  # type: ignore[call-overload]
        return {*by_tricks} if union(by_tricks.values()) == self.among else {0, *by_tricks}

    @cached_property
    def perhaps(self) -> tuple[Perhaps, ...]:
        """What is not certain though what matters most is: each with the one thing on which it depends."""
        if self.is_open:
            return ()
        conclusions, rules, fired = [], self.run.run.rules, self.run.run.fired
        first = DECIDING_PARTS.union(self.run.edition.vocabulary.sections)
        by_key = {key: self._held(key) for key in self._unknown}
        first_rule = {fact: number for number in sorted(fired, reverse=True) for fact in fired[number]}
        for fact in sorted(self.run.ruled, key=lambda fact: (first_rule[fact], order_key(fact))):
            here = self.run.ruled[fact] & self.among
            entry = self.run.reader.entry(fact)
            if here and here != self.among and entry is not None and entry[0] not in first:
                refs = {rules[number].clause for number, facts in fired.items() if facts.get(fact, 0) & self.among}
                laws = tuple(ref for ref, clause in self.run.edition.clauses.items() if ref in refs and clause.law)
                keys = (key for key in by_key if not any(bits & here and bits & ~here for bits in by_key[key].values()))
                key = next(keys, None)
                values = () if key is None else tuple(value for value, bits in by_key[key].items() if bits & here)
                conclusions.append(Perhaps(fact, laws, key, values))
        return tuple(conclusions)

    @cached_property
    def doubtful(self) -> tuple[Fact, ...]:
        """The revokes stated that are not certain to be any."""
        stated = {(revoke.trick, revoke.hand) for revoke in self.completions.incident.revokes}
        kind_of = self.run.edition.vocabulary.kind_of
        return tuple(
            fact
            for fact, bits in self.run.ruled.items()
            if (kind := kind_of(fact)).section == REVOKES
            and 0 != bits & self.among != self.among
            and (fact[kind.index[TRICK]], fact[kind.index[HAND]]) in stated
        )

    @cached_property
    def taken(self) -> frozenset[Fact]:
        """The facts that are stated by nothing but what is presumed."""
        ways = self.completions
        granted = (key for key, choice in ways.choices.items() if choice.granted)
        return frozenset(fact for key in granted for fact, _ in ways.stated(key))

    # what is taken for granted

    @cached_property
    def presumed(self) -> tuple[Presumed, ...]:
        """As much as is needed so that nothing certain changes, whatever one or two of the rest are otherwise.

        What is presumed of several revokes stands once, with the laws of all. What has not come about yet, while
        nothing follows before it does, is not told.
        """
        base, none_yet = self.completions, self.statuses == {NONE_YET}
        granted = {
            key: choice
            for key, choice in base.choices.items()
            if choice.granted
            and base.values[key].keys() != {None}  # as it says nothing there
            and not (none_yet and choice.values == (choice.kind.before,) != (choice.kind.presumed,))
        }
        named = [number for number, _ in enumerate(base.incident.revokes) if "trick" in base.about(number).names]
        unnamed = [(number, "trick") for number in named if base.incident.revokes[number].trick is None]
        keys = [
            key for how in ("presumed", "follows") for key, choice in granted.items() if choice.how == how
        ] + unnamed
        laws_by_key = self._told(keys)
        by_finding: dict[tuple[str, Any], Presumed] = {}
        for key in sorted(laws_by_key, key=[*granted, *unnamed].index):
            kind, value = (granted[key].kind, granted[key].values[0]) if key in granted else (None, None)
            earlier = by_finding.get((key[1], value), Presumed(key, kind, value, ()))
            by_finding[key[1], value] = replace(earlier, laws=tuple(dict.fromkeys((*earlier.laws, *laws_by_key[key]))))
        return tuple(by_finding.values())

    def _told(self, keys: Sequence[FindingKey]) -> Mapping[FindingKey, Sequence[str]]:
        """Those of which another value changes what is certain, all else equal, with the laws for which it matters;
        then, of two that change it only together, the first."""
        base, granted, within = self.completions, frozenset(keys), self.among
        if within == base.possible:  # and what may be possible when something taken for granted is otherwise
            within = base.whole & ~union(cut.where for cut in base.excluded if cut.looks_at.isdisjoint(granted))
        settings = {key: [*other_settings(base, key)] for key in keys}
        laws_by_key: dict[FindingKey, Sequence[str]] = {}
        for many in (1, 2):
            together = [group for group in combinations(keys, many) if laws_by_key.keys().isdisjoint(group)]
            blocks = [
                (group, {key: value for setting in way for key, value in setting.items()})
                for group in together
                for way in product(*(settings[key] for key in reversed(group)))
            ]
            if len(blocks) * within.bit_count() > MOST_OTHERWISE:
                return laws_by_key | {key: () for key in keys if settings[key] and key not in laws_by_key}
            if blocks:
                repeated = Repeated(within, len(blocks))
                ways = base.varied(repeated, [setting for _, setting in blocks])
                run = EditionRun(self.law.edition, ways.situations, self.law.program.sets)
                blocks_of: dict[tuple[FindingKey, ...], list[int]] = {}
                for number in self._changed(run, repeated):
                    blocks_of.setdefault(blocks[number][0], []).append(number)
                for group, changed in blocks_of.items():
                    if laws_by_key.keys().isdisjoint(group):
                        laws_by_key[group[0]] = self._laws_of(run, repeated(0, dict.fromkeys(changed, True)))
        return laws_by_key

    def _changed(self, run: EditionRun, repeated: Repeated) -> Sequence[int]:
        """The blocks in which something certain is lost, or other tricks are moved."""
        old, among, varied, here = self.run.ruling, self.among, run.ruling, run.situations.everything
        lost = [here & ~varied.get(entry, 0) for entry, bits in old.items() if not among & ~bits]
        moved = [repeated(bits) ^ varied.get(entry, 0) for entry, bits in old.items() if entry[0] == TRANSFER]
        new = [bits & here for entry, bits in varied.items() if entry[0] == TRANSFER and entry not in old]
        return repeated.where(union(lost) | union(moved) & here & repeated(among) | union(new))

    def _laws_of(self, run: EditionRun, changed: Bits) -> tuple[str, ...]:
        """The clauses that apply in some changed situations and in nothing that is possible, but for those left to
        judgement; or else those that apply no more."""
        clauses = {ref: clause for ref, clause in run.edition.clauses.items() if clause.law}
        refs_before = {ref for ref, bits in self.run.clauses.items() if bits & self.among}
        refs_after = {ref for ref, bits in run.clauses.items() if bits & changed}
        new = [ref for ref in clauses if ref in refs_after - refs_before]
        ruled = [ref for ref in new if clauses[ref].encoded_as != "director"]
        return tuple(ruled or new or [ref for ref in clauses if ref in refs_before - refs_after])


def _same(value_bits: Sequence[Bits], other_bits: Sequence[Bits], strictly: bool) -> bool:
    """Whether two values come to the same outcomes, wherever both can be; if nowhere, whether they reach the same."""
    both = value_bits[0] & other_bits[0]
    if not both and not strictly:
        return [bool(bits) for bits in value_bits] == [bool(bits) for bits in other_bits]
    return all(not (a ^ b) & both for a, b in zip(value_bits[1:], other_bits[1:], strict=True))


def other_settings(base: Completions, key: FindingKey) -> Iterator[dict[FindingKey, Any]]:
    """What might have been instead of what is presumed, of numbers the least; with what then has a value and else has
    none."""
    number, name = key
    if key not in base.choices:
        yield {key: ORDINARY + 1}
        return
    one, table = base.choices[key], base.about(number)
    kind, (taken,) = one.kind, one.values
    places = [place for place, _ in base.places(number)]
    asked = [child for child in table.findings.values() if base.values.get((number, child.id), {}).keys() == {None}]
    below = [(child, {value for when in child.when for value in when.get(name, ())}) for child in asked if child.when]
    others = [value for value in domain(kind, places, table) if value != taken]
    for value in others if kind.type.name != "number" else others[:1]:
        settings: list[dict[FindingKey, Any]] = [{key: value}]
        for child, values in below:
            if value in values:
                theirs = domain(child, places, table)
                settings = [{**setting, (number, child.id): its} for setting in settings for its in theirs]
        yield from settings
