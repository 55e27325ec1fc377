"""What only shows when every situation is ruled on: idle rules and clauses, contradictions, gaps, with witnesses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from facts.errors import Fault
from kb.cases.cases import Case
from kb.engine.sets import Bits, Sets
from kb.language.model import Edition, Rule
from kb.prove.contradictions import Contradiction, Sound
from kb.prove.deciding import Deciding, ruled_anyway
from kb.ruling.law import Law
from kb.space.bits import first
from kb.space.layout import Situations
from kb.space.outcome import EditionRun
from kb.space.universe import Universe, observed


@dataclass
class Shown:
    """What some situations have shown."""

    fired: set[int] = field(default_factory=set)
    """Numbers of rules."""
    kinds: set[str] = field(default_factory=set)
    """Kinds of which there was a fact."""
    needed: set[str] = field(default_factory=set)
    """Clauses without which some ruling would be another."""
    idle: dict[str, int] = field(default_factory=dict)
    """Clause -> a situation in which it fires and makes no difference."""
    contradictions: dict[Contradiction, int] = field(default_factory=dict)
    """Contradiction -> the first situation in which it shows."""
    gaps: Bits = 0
    """Situations with an established revoke about which nothing is said."""


@dataclass(frozen=True, slots=True)
class DeepCheck:
    """What was found wrong with one edition."""

    faults: tuple[Fault, ...]
    """Contradictions and gaps."""
    remarks: tuple[Fault, ...]
    """Rules and clauses that do nothing."""


def deep_check(edition: Edition, universe: Universe, cases: Sequence[Case]) -> DeepCheck:
    """The check of one edition over a universe and over cases, which may reach what findings cannot state."""
    probe = Probe(edition)
    seen, by_cases = Shown(), Shown()
    for start, part in universe.parts():
        probe.look(observed(part), seen, known=seen, number=start)
    law = Law(edition, engine="quick")
    shown: dict[Contradiction, Case] = {}
    for case in cases:
        probe.look(ruled_anyway(law, case).situations, by_cases, known=seen)
        shown |= {one: case for one in by_cases.contradictions if one not in shown}
    told = _Teller(edition, universe, len(cases))
    return DeepCheck(
        tuple(sorted({*told.contradictions(seen), *told.in_cases(shown), *told.gaps(seen)})),
        tuple(sorted({*told.idle_rules(seen, by_cases), *told.idle_clauses(seen, by_cases)})),
    )


class Probe:
    """Rules on situations and keeps what they show."""

    def __init__(self, edition: Edition) -> None:
        self.edition = edition
        self.sound = Sound(edition)
        self.sets = Sets(edition.vocabulary, edition.rules)
        self.deciding = Deciding(edition, self.sets)

    def look(self, situations: Situations, seen: Shown, known: Shown, number: int = 0) -> None:
        """Adds what these show, numbered from ``number`` on; clauses ``known`` to be needed are not looked at."""
        run = EditionRun(self.edition, situations, self.sets)
        seen.fired.update(run.run.fired)
        seen.kinds.update(kind for kind, held in run.run.facts.items() if held)
        seen.gaps |= self.sound.gaps(run) << number
        for contradiction, bits in self.sound.contradictions(run).items():
            seen.contradictions.setdefault(contradiction, number + first(bits))
        for clause, fires in run.clauses.items():
            if self.edition.clauses[clause].law and clause not in seen.needed | known.needed:
                if self.deciding.decides(run, clause):
                    seen.needed.add(clause)
                else:
                    seen.idle.setdefault(clause, number + first(fires))


class _Teller:
    """Says what was seen."""

    def __init__(self, edition: Edition, universe: Universe, cases: int) -> None:
        self.edition = edition
        self.universe = universe
        self.tried = f"{len(universe)} situations and {cases} cases"

    def contradictions(self, seen: Shown) -> Iterator[Fault]:
        for one, number in seen.contradictions.items():
            yield self.contradiction(one, f"for instance when {self.witness(number)}")

    def in_cases(self, shown: Mapping[Contradiction, Case]) -> Iterator[Fault]:
        for one, case in shown.items():
            yield self.contradiction(one, f"in case {case.id}")

    def contradiction(self, one: Contradiction, where: str) -> Fault:
        rules = [self.edition.rules[rule] for rule in one.rules]
        others = tuple((rule.place, "the other rule") for rule in rules[1:])
        named = " and ".join(rule.id for rule in rules)
        return Fault(rules[0].place, f"{named} {one.what}, {where}", "let one give way to the other", others)

    def gaps(self, seen: Shown) -> Iterator[Fault]:
        if seen.gaps:
            example = f"for instance when {self.witness(self.universe.plainest(seen.gaps))}"
            what = f"an established revoke has no consequence and no exemption, {example}"
            yield Fault(self.edition.place, f"{self.edition.id}: {what}", "write the rule that settles it")

    def idle_rules(self, seen: Shown, by_cases: Shown) -> Iterator[Fault]:
        kinds = seen.kinds | by_cases.kinds
        for number, rule in enumerate(self.edition.rules):
            if number not in seen.fired | by_cases.fired:
                missing = ", ".join(dict.fromkeys(kind for kind in _read(rule) if kind not in kinds))
                why = f"; none of them gives a fact {missing}" if missing else ""
                what = f"rule {rule.id} fires in none of {self.tried}{why}"
                yield Fault(rule.place, what, "write a case that reaches it, or take it away")

    def idle_clauses(self, seen: Shown, by_cases: Shown) -> Iterator[Fault]:
        for clause, number in seen.idle.items():
            if clause not in seen.needed | by_cases.needed:
                what = f"without {clause} every ruling would be the same, also where it fires"
                mend = "write a case in which it matters, or take it away"
                place = self.edition.clauses[clause].place
                yield Fault(place, f"{what}, for instance when {self.witness(number)}", mend)

    def witness(self, number: int) -> str:
        return self.universe.unusual(number, self.edition.vocabulary.languages[0])


def _read(rule: Rule) -> list[str]:
    return [item.kind for item in rule.wanted]
