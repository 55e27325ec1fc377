"""Two editions compared: which rulings differ, over the whole space of situations and over all cases, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from facts.errors import EngineError, InputError
from kb.cases.cases import Case
from kb.cases.situations import Exhibits, side_by_side
from kb.compare.blame import Cause, Clauses, Differences, Substitution, What
from kb.compare.direction import Directions, Found, Scales
from kb.compare.minimal_conditions import Cube, Describer
from kb.engine.set_joins import Bits
from kb.engine.verify import demand_whole
from kb.language.edition import load_edition
from kb.language.model import Edition
from kb.language.vocabulary import Texts
from kb.ruling.law import Law, default_engine
from kb.ruling.rule import rounds
from kb.ruling.ruling import Ruling
from kb.space.bits import first, merged, union
from kb.space.measures import Measures
from kb.space.observed import facts_of, observed
from kb.space.outcome import Effect, effects
from kb.space.sayable import Sayable
from kb.space.universe import Universe

SAMPLE = 60
"""So many situations, evenly spread, are ruled on by the other engines as well."""


@dataclass(frozen=True, slots=True)
class Group:
    """The situations in which the same clauses make the difference."""

    what: What
    clauses: tuple[Clauses, ...]
    """As in Cause."""
    situations: Bits
    asked: int
    """How many situations of the interview itself belong to it; 0 where no clause is named."""
    boxes: tuple[Cube, ...]
    """Together exactly these situations of the interview."""
    effects: tuple[tuple[Effect, Effect, int], ...]
    """Before, after, in how many of the situations; the most frequent first."""
    directions: Directions
    """For the sides that revoked."""
    example: int
    """The situation with the fewest unusual answers."""


@dataclass(frozen=True, slots=True)
class CaseDiffers:
    """A case on which the editions differ."""

    case: Case
    cause: Cause
    before: Effect
    after: Effect


@dataclass(frozen=True)
class Comparison:
    """What a change of the law changes."""

    a: Edition
    b: Edition
    universe: Universe
    changed: Clauses
    """Every clause or definition whose rules differ."""
    related: bool
    """Whether they have an edition in common that they are, or amend; else no difference is ascribed to clauses."""
    groups: tuple[Group, ...]
    """Rulings first, then what is only left to the director; the largest first."""
    directions: Directions
    """For the sides that revoked, wherever anything differs."""
    weighed: tuple[Texts, ...]
    """The parts of the burden by which that is known."""
    cases: tuple[CaseDiffers, ...]
    cases_tried: int
    verified: int
    """Situations in which durable-rules gave the same proofs; 0 where it cannot be used."""

    @property
    def renamed(self) -> Mapping[str, str]:
        """Number in the first -> number in the second, where the second amends the first and counts otherwise."""
        return self.b.renames if self.b.amends == self.a.id else {}

    @property
    def collide(self) -> Clauses | None:
        """Of two drafts with a common base, the clauses that both of them change; None of any other pair."""
        common = [one for one in self.a.folders if one in self.b.folders]
        if len(common) < 2 or len(common) in (len(self.a.folders), len(self.b.folders)):
            return None
        base = load_edition(common[0], common[-1])
        both = _changed(self.a, base) & _changed(self.b, base)
        return tuple(ref for ref in {**base.clauses, **self.a.clauses, **self.b.clauses} if ref in both)

    def differing(self, what: What) -> int:
        """In how many situations the rulings, or only the judgements, differ."""
        return sum(group.situations.bit_count() for group in self.groups if group.what == what)

    @property
    def without_effect(self) -> Clauses:
        """Changed clauses that make no difference in any situation or case; none where clauses cannot be told apart."""
        if not self.related:
            return ()
        causes = [group.clauses for group in self.groups] + [one.cause.clauses for one in self.cases]
        effective = {ref for clauses in causes for together in clauses for ref in together}
        return tuple(ref for ref in self.changed if ref not in effective)


def _changed(edition: Edition, base: Edition) -> set[str]:
    """The clauses that an edition writes or repeals, of those of its base or new."""
    both = {**edition.clauses, **base.clauses}
    return {ref for ref in both if edition.clauses.get(ref) != base.clauses.get(ref)}


def compare(
    a: Edition, b: Edition, asked: Universe, wider: Universe, cases: Sequence[Case], measures: Measures
) -> Comparison:
    """The comparison over the ``wider`` universe; situations are described in terms of the questions ``asked``.

    EngineError when the engines do not agree on the sample.
    """
    by = Substitution(a, b)
    scales = Scales(by, measures)
    changes: list[tuple[tuple[Cause, Effect, Effect], Bits]] = []
    ways: list[Found] = []
    verified = 0
    for start, part in wider.parts():
        differences = by.on(observed(part))
        found = list(_changes(differences))
        changes += [(change, bits << start) for change, bits in found]
        where = union(bits for _, bits in found)
        ways += [(way, bits << start) for way, bits in scales.directions(differences, where)]
        verified += _verified(differences, part, len(wider) // SAMPLE)
    directions = Directions.joined(ways)
    groups = _groups(merged(changes), directions, wider, by.on(observed(asked)).causes(), Describer(asked))
    weighed = tuple(says for part, says in measures.parts.items() if part in scales.weighed)
    ruled = list(_ruled(a, b, cases))
    differing = tuple(_on_cases(by, ruled))
    return Comparison(a, b, wider, by.changed, by.related, groups, directions, weighed, differing, len(ruled), verified)


def _changes(by: Differences) -> Iterator[tuple[tuple[Cause, Effect, Effect], Bits]]:
    """What makes the difference, what becomes of the revokes before and after, and where."""
    for cause, where in by.causes().items():
        for before, part in effects(by.a.ruling, where).items():
            for after, both in effects(by.b.ruling, part).items():
                yield (cause, before, after), both


def _groups(
    changes: Mapping[tuple[Cause, Effect, Effect], Bits],
    directions: Directions,
    wider: Universe,
    asked: Mapping[Cause, Bits],
    describer: Describer,
) -> tuple[Group, ...]:
    """Rulings first, then what is only left to the director; the largest first."""
    groups: list[Group] = []
    for cause, bits in merged((cause, bits) for (cause, _, _), bits in changes.items()).items():
        own = [(before, after, where) for (of, before, after), where in changes.items() if of == cause]
        own.sort(key=lambda change: (-change[2].bit_count(), first(change[2])))
        described = asked.get(cause, 0) if cause.clauses else 0
        groups.append(
            Group(
                cause.what,
                cause.clauses,
                situations=bits,
                asked=described.bit_count(),
                boxes=describer.describe(described) if described else (),
                effects=tuple((before, after, where.bit_count()) for before, after, where in own),
                directions=directions.within(bits),
                example=wider.plainest(bits),
            )
        )
    groups.sort(key=lambda group: (group.what != "ruling", -group.situations.bit_count(), first(group.situations)))
    return tuple(groups)


def _verified(by: Differences, universe: Universe, step: int) -> int:
    """Rules on every so manieth situation on the engines too and counts them; 0 without durable-rules.

    EngineError when anything is concluded otherwise, or a proof is not what the rules say.
    """
    durable = default_engine()[0] == "durable"
    sample = range(0, len(universe), max(1, step))
    for run, engines in ((by.a, by.by.engines[0]), (by.b, by.by.engines[1])):
        for number in sample:
            facts = list(facts_of(run.situations, number))
            proofs = [engine.run(facts) for engine in engines]
            said = ", ".join(f"{question}: {answer}" for question, answer in universe.answers(number).items())
            demand_whole(proofs[0], f"{run.edition.id}, {said}")
            wanted = {fact for fact, bits in run.concluded.items() if bits >> number & 1}
            if any(proof != proofs[0] or {fact for fact, _, _ in proof.firings} != wanted for proof in proofs):
                raise EngineError(f"{run.edition.id}: the engines do not agree when {said}")
    return len(sample) if durable else 0


def _of_both(a: Edition, b: Edition) -> Law:
    """The law of one of two editions, with all that either of them looks at."""
    laws = [Law(edition, engine="python") for edition in (a, b)]
    law = max(laws, key=lambda law: len(law.edition.vocabulary.kinds))
    law.shown = laws[0].shown | laws[1].shown
    law.sayable = Sayable(law.edition.table, law.edition.vocabulary, law.shown)
    return law


def _ruled(a: Edition, b: Edition, cases: Iterable[Case]) -> Iterator[tuple[Case, Ruling]]:
    """The cases with their rulings, without those whose record one of the laws refuses."""
    law = _of_both(a, b)
    for case in cases:
        with suppress(InputError):
            yield case, next(rounds(law, replace(case.incident, edition=law.edition.id)))


def _on_cases(by: Substitution, ruled: Sequence[tuple[Case, Ruling]]) -> Iterator[CaseDiffers]:
    """The cases that differ, whatever is not known of them, each once."""
    for some in side_by_side(ruled):
        exhibits = Exhibits(ruling for _, ruling in some)
        found: dict[int, tuple[Cause, Effect, Effect]] = {}
        for change, bits in _changes(by.on(exhibits.situations)):
            found |= {number: change for number in exhibits.of(bits) if number not in found}
        yield from (CaseDiffers(some[number][0], *found[number]) for number in sorted(found))
