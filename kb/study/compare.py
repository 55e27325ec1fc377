"""Two editions compared: which rulings differ, over the whole space of situations and over all cases, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from facts.errors import EngineError
from facts.observe import observe
from kb.engine import Program, engine_for
from kb.language.model import Edition
from kb.ruling.law import default_engine
from kb.study.cases import Case, read_cases
from kb.study.describe import Box, Describer, bits
from kb.study.outcome import Effect
from kb.study.situations import Space
from kb.study.spread import spread
from kb.study.substitution import Cause, Clauses, Substitution, What
from kb.study.trial import case_folders

SAMPLE = 200
"""So many situations, evenly spread, are ruled on by durable-rules as well."""

Reason: TypeAlias = tuple[What, tuple[Clauses, ...]]
"""What differs, and the clauses that make it so."""


@dataclass(frozen=True, slots=True)
class Group:
    """The situations in which the same clauses make the difference."""

    what: What
    clauses: tuple[Clauses, ...]
    """As in Cause."""
    situations: tuple[int, ...]
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


@dataclass(frozen=True)
class Comparison:
    """What a change of the law changes."""

    a: Edition
    b: Edition
    space: Space
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
        return sum(len(group.situations) for group in self.groups if group.what == what)

    @property
    def without_effect(self) -> Clauses:
        """Changed clauses that make no difference in any situation or case; none where clauses cannot be told apart."""
        if not self.related:
            return ()
        causes = [group.clauses for group in self.groups] + [one.cause.clauses for one in self.cases]
        effective = {ref for clauses in causes for together in clauses for ref in together}
        return tuple(ref for ref in self.changed if ref not in effective)


def compare(a: Edition, b: Edition, space: Space, cases: Sequence[Case], workers: int | None = None) -> Comparison:
    """The comparison; EngineError when the engines do not agree on the sample."""
    verified = sum(verify(edition, space) for edition in (a, b)) // 2
    by = Substitution(a, b)
    work = _Differences(space, by)
    found: dict[Reason, list[int]] = {}
    effects: dict[Reason, Counter[tuple[Effect, Effect]]] = {}
    for differing in spread(work, len(space), workers):
        for number, cause in differing:
            reason = (cause.what, cause.clauses)
            found.setdefault(reason, []).append(number)
            effects.setdefault(reason, Counter())[cause.before, cause.after] += 1
    describer = Describer(space)
    groups = [_group(describer, reason, numbers, effects[reason]) for reason, numbers in found.items()]
    groups.sort(key=lambda group: (group.what != "ruling", -len(group.situations)))
    return Comparison(a, b, space, by.changed, by.related, tuple(groups), work.cases(cases), len(cases), verified)


def verify(edition: Edition, space: Space) -> int:
    """Rules on a sample with both engines and counts it; 0 without durable-rules. EngineError when they differ."""
    if default_engine()[0] != "durable":
        return 0
    program = Program(edition.vocabulary, edition.rules)
    reference, quick = engine_for("durable", program), engine_for("python", program)
    sample = range(0, len(space), max(1, len(space) // SAMPLE))
    for number in sample:
        facts = observe(space.incident(number), program.kinds)
        if reference.run(facts) != quick.run(facts):
            answers = ", ".join(f"{question}: {answer}" for question, answer in space.answers(number).items())
            raise EngineError(f"{edition.id}: the engines do not agree when {answers}")
    return len(sample)


def cases_of(root: Path, editions: Iterable[str]) -> tuple[Case, ...]:
    """The cases beside these editions or drafts, each once."""
    folders = [folder.path for folder in case_folders(root, tuple(editions))]
    cases = {case.id: case for folder in dict.fromkeys(folders) if folder.is_dir() for case in read_cases(folder)}
    return tuple(cases.values())


class _Differences:
    """The situations on which two editions differ."""

    def __init__(self, space: Space, by: Substitution) -> None:
        self.space = space
        self.by = by
        self._causes: dict[tuple[object, ...], Cause | None] = {}

    def chunk(self, numbers: range) -> list[tuple[int, Cause]]:
        """Each situation that differs, with the cause."""
        a, b = self.by.rulers
        wanted = a.engine.program.kinds | b.engine.program.kinds
        found: list[tuple[int, Cause]] = []
        self._causes.clear()
        for number in numbers:
            facts = observe(self.space.incident(number), wanted)
            if facts not in self._causes:
                self._causes[facts] = self.by.cause(facts)
            cause = self._causes[facts]
            if cause is not None:
                found.append((number, cause))
        return found

    def cases(self, cases: Iterable[Case]) -> tuple[CaseDiffers, ...]:
        """The cases that differ."""
        causes = ((case, self.by.cause(observe(case.incident))) for case in cases)
        return tuple(CaseDiffers(case, cause) for case, cause in causes if cause is not None)


def _group(describer: Describer, reason: Reason, numbers: list[int], effects: Counter[tuple[Effect, Effect]]) -> Group:
    return Group(
        *reason,
        situations=tuple(numbers),
        boxes=describer.describe(bits(numbers)) if reason[1] else (),
        effects=tuple((before, after, times) for (before, after), times in effects.most_common()),
        example=min(numbers, key=describer.space.unusual),
    )
