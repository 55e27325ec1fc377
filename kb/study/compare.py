"""Two editions compared: which rulings differ, over the whole space of situations and over all cases, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from facts.errors import EngineError
from facts.observe import observe
from kb.engine import Program, engine_for
from kb.language.model import Edition
from kb.engine.sets import Bits
from kb.ruling.law import default_engine
from kb.space.bits import first
from kb.space.observed import Situations, observed
from kb.space.outcome import Effect, effects
from kb.space.universe import Universe
from kb.study.cases import Case, read_cases
from kb.study.describe import Box, Describer
from kb.study.substitution import Cause, Clauses, Differences, Substitution, What
from kb.study.trial import case_folders

SAMPLE = 200
"""So many situations, evenly spread, are ruled on by durable-rules as well."""

@dataclass(frozen=True, slots=True)
class Group:
    """The situations in which the same clauses make the difference."""

    what: What
    clauses: tuple[Clauses, ...]
    """As in Cause."""
    situations: Bits
    boxes: tuple[Box, ...]
    """Together exactly these situations; none where no clause is named."""
    effects: tuple[tuple[Effect, Effect, int], ...]
    """Before, after, in how many of the situations; the most frequent first."""
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
    cases: tuple[CaseDiffers, ...]
    cases_tried: int
    verified: int
    """Situations in which durable-rules gave the same proofs; 0 where it cannot be used."""

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


def compare(a: Edition, b: Edition, universe: Universe, cases: Sequence[Case]) -> Comparison:
    """The comparison; EngineError when the engines do not agree on the sample."""
    verified = sum(verify(edition, universe) for edition in (a, b)) // 2
    by = Substitution(a, b)
    differences, describer = by.on(observed(universe)), Describer(universe)
    groups = [_group(describer, differences, cause, bits) for cause, bits in differences.causes().items()]
    groups.sort(key=lambda group: (group.what != "ruling", -group.situations.bit_count(), first(group.situations)))
    return Comparison(a, b, universe, by.changed, by.related, tuple(groups), tuple(_on_cases(by, cases)), len(cases), verified)


def verify(edition: Edition, universe: Universe) -> int:
    """Rules on a sample with both engines and counts it; 0 without durable-rules. EngineError when they differ."""
    if default_engine()[0] != "durable":
        return 0
    program = Program(edition.vocabulary, edition.rules)
    reference, quick = engine_for("durable", program), engine_for("python", program)
    sample = range(0, len(universe), max(1, len(universe) // SAMPLE))
    for number in sample:
        facts = observe(universe.incident(number), program.kinds)
        if reference.run(facts) != quick.run(facts):
            answers = ", ".join(f"{question}: {answer}" for question, answer in universe.answers(number).items())
            raise EngineError(f"{edition.id}: the engines do not agree when {answers}")
    return len(sample)


def cases_of(root: Path, editions: Iterable[str]) -> tuple[Case, ...]:
    """The cases beside these editions or drafts, each once."""
    folders = [folder.path for folder in case_folders(root, tuple(editions))]
    cases = {case.id: case for folder in dict.fromkeys(folders) if folder.is_dir() for case in read_cases(folder)}
    return tuple(cases.values())


def _on_cases(by: Substitution, cases: Iterable[Case]) -> Iterator[CaseDiffers]:
    """The cases that differ."""
    for case in cases:
        on = by.on(Situations.each([observe(case.incident)]))
        for cause in on.causes():
            (before,), (after,) = effects(on.a.ruling, 1), effects(on.b.ruling, 1)
            yield CaseDiffers(case, cause, before, after)


def _group(describer: Describer, by: Differences, cause: Cause, bits: Bits) -> Group:
    return Group(
        cause.what,
        cause.clauses,
        situations=bits,
        boxes=describer.describe(bits) if cause.clauses else (),
        effects=tuple((before, after, where.bit_count()) for before, after, where in _changes(by, bits)),
        example=describer.universe.plainest(bits),
    )


def _changes(by: Differences, where: Bits) -> list[tuple[Effect, Effect, Bits]]:
    """What becomes of the revokes before and after, and where; the most frequent first."""
    found = [
        (before, after, both)
        for before, part in effects(by.a.ruling, where).items()
        for after, both in effects(by.b.ruling, part).items()
    ]
    return sorted(found, key=lambda change: (-change[2].bit_count(), first(change[2])))
