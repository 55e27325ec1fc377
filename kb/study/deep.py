"""What only shows when every situation is ruled on: idle rules and clauses, contradictions, gaps, with witnesses."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from facts.errors import Fault
from facts.ground import Fact
from facts.observe import observe
from kb.engine.proof import RawStep
from kb.language.model import Condition, Edition, Rule
from kb.ruling.law import Law
from kb.ruling.rule import rule as ruling_on
from kb.ruling.ruling import EVIDENCE
from kb.study.cases import Case
from kb.study.contradictions import Contradiction, Sound
from kb.study.situations import Space
from kb.study.spread import spread
from kb.study.substitution import Ruler
from kb.study.trial import evidence_of

FOR_INSTANCE: Final = "for instance when {witness}"


@dataclass
class Seen:
    """What some situations have shown; a situation stands for the facts it gives."""

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
    gaps: list[int] = field(default_factory=list)
    """Situations with an established revoke about which nothing is said."""

    def add(self, other: Seen) -> None:
        """Takes in what further situations have shown."""
        self.fired |= other.fired
        self.kinds |= other.kinds
        self.needed |= other.needed
        self.idle = {**other.idle, **self.idle}
        self.contradictions = {**other.contradictions, **self.contradictions}
        self.gaps += other.gaps


@dataclass(frozen=True, slots=True)
class DeepCheck:
    """What was found wrong with one edition."""

    faults: tuple[Fault, ...]
    """Contradictions and gaps."""
    remarks: tuple[Fault, ...]
    """Rules and clauses that do nothing."""


def deep_check(edition: Edition, space: Space, cases: Sequence[Case], workers: int | None = None) -> DeepCheck:
    """The check of one edition over the space and over cases, which may reach what findings cannot state."""
    probe = Probe(edition, space)
    seen = Seen()
    for part in spread(probe, len(space), workers):
        seen.add(part)
    by_cases = probe.cases(cases)
    told = _Teller(edition, space, len(cases))
    return DeepCheck(
        tuple(sorted({*told.contradictions(seen), *told.contradictions(by_cases, cases), *told.gaps(seen)})),
        tuple(sorted({*told.idle_rules(seen, by_cases), *told.idle_clauses(seen, by_cases)})),
    )


class Probe:
    """Rules on situations and keeps what they show."""

    def __init__(self, edition: Edition, space: Space) -> None:
        self.edition = edition
        self.space = space
        self.ruler = Ruler(edition)
        self.sound = Sound(edition)
        self._without: dict[str, Ruler] = {}
        self._needed: set[str] = set()
        self._seen: set[tuple[Fact, ...]] = set()

    def chunk(self, numbers: range) -> Seen:
        """What these situations show."""
        seen = Seen()
        self._seen.clear()
        for number in numbers:
            facts = observe(self.space.incident(number), self.ruler.engine.program.kinds)
            if facts not in self._seen:
                self._seen.add(facts)
                self._look(facts, number, seen)
        return seen

    def cases(self, cases: Sequence[Case]) -> Seen:
        """The same for cases; they are numbered as they come."""
        seen = Seen()
        law = Law(self.edition, "python")
        for number, case in enumerate(cases):
            facts: tuple[Fact, ...] = observe(case.incident, self.ruler.engine.program.kinds)
            if case.evidence and EVIDENCE in law.program.kinds:
                facts += tuple(evidence_of(case, ruling_on(law, replace(case.incident, edition=self.edition.id))))
            self._look(facts, number, seen)
        return seen

    def _look(self, facts: tuple[Fact, ...], number: int, seen: Seen) -> None:
        _, firings = self.ruler.run(facts)
        seen.fired.update(firing[1] for firing in firings)
        seen.kinds.update(str(fact[0]) for fact in facts)
        seen.kinds.update(str(firing[0][0]) for firing in firings)
        for contradiction in self.sound.contradictions(firings):
            seen.contradictions.setdefault(contradiction, number)
        if self.sound.gap(firings):
            seen.gaps.append(number)
        for clause in self.ruler.fired(firings) - self._needed:
            if self.edition.clauses[clause].law:
                self._spare(clause, facts, firings, number, seen)

    def _spare(
        self, clause: str, facts: tuple[Fact, ...], firings: Collection[RawStep], number: int, seen: Seen
    ) -> None:
        """Rules once more without the clause; nothing can change where it did not fire."""
        if clause not in self._without:
            clauses = {ref: one for ref, one in self.edition.clauses.items() if ref != clause}
            self._without[clause] = Ruler(replace(self.edition, clauses=clauses))
        _, others = self._without[clause].run(facts)
        if self._ruled(firings) == self._ruled(others):
            seen.idle.setdefault(clause, number)
        else:
            self._needed.add(clause)
            seen.needed.add(clause)

    def _ruled(self, firings: Collection[RawStep]) -> frozenset[Fact]:
        """All that stands in the ruling, reasons included."""
        return frozenset(firing[0] for firing in firings if firing[0][0] in self.ruler.reader.kinds)


class _Teller:
    """Says what was seen."""

    def __init__(self, edition: Edition, space: Space, cases: int) -> None:
        self.edition = edition
        self.space = space
        self.tried = f"{len(space)} situations and {cases} cases"

    def contradictions(self, seen: Seen, cases: Sequence[Case] = ()) -> Iterator[Fault]:
        for one, number in seen.contradictions.items():
            rules = [self.edition.rules[rule] for rule in one.rules]
            where = f"in case {cases[number].id}" if cases else FOR_INSTANCE.format(witness=self.witness(number))
            others = tuple((rule.place, "the other rule") for rule in rules[1:])
            named = " and ".join(rule.id for rule in rules)
            yield Fault(rules[0].place, f"{named} {one.what}, {where}", "let one give way to the other", others)

    def gaps(self, seen: Seen) -> Iterator[Fault]:
        if seen.gaps:
            example = FOR_INSTANCE.format(witness=self.witness(min(seen.gaps, key=self.space.unusual)))
            what = f"an established revoke has no consequence, no exemption and nothing open, {example}"
            yield Fault(self.edition.place, f"{self.edition.id}: {what}", "write the rule that settles it")

    def idle_rules(self, seen: Seen, by_cases: Seen) -> Iterator[Fault]:
        kinds = seen.kinds | by_cases.kinds
        for number, rule in enumerate(self.edition.rules):
            if number not in seen.fired | by_cases.fired:
                missing = ", ".join(dict.fromkeys(kind for kind in _read(rule) if kind not in kinds))
                why = f"; none of them gives a fact {missing}" if missing else ""
                what = f"rule {rule.id} fires in none of {self.tried}{why}"
                yield Fault(rule.place, what, "write a case that reaches it, or take it away")

    def idle_clauses(self, seen: Seen, by_cases: Seen) -> Iterator[Fault]:
        for clause, number in seen.idle.items():
            if clause not in seen.needed | by_cases.needed:
                what = f"without {clause} every ruling would be the same, also where it fires, {FOR_INSTANCE}"
                mend = "write a case in which it matters, or take it away"
                yield Fault(self.edition.clauses[clause].place, what.format(witness=self.witness(number)), mend)

    def witness(self, number: int) -> str:
        """The unusual answers of a situation, in the first language of the rules."""
        lang = self.edition.vocabulary.languages[0]
        questions = self.space.interview.questions
        told = [
            f"{questions[question].about[lang]} {questions[question].answers[answer].says[lang]}"
            for question, answer in self.space.answers(number).items()
            if answer != next(iter(questions[question].answers))
        ]
        return ", ".join(told) or "nothing unusual happened"


def _read(rule: Rule) -> list[str]:
    return [item.kind for item in rule.when if isinstance(item, Condition)]
