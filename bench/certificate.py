"""The certificate of the whole space: every evaluator on every situation of every edition and election.

    uv run bench/certificate.py [--every 1] [--law duplicate-2017 ...]

The rules are run on sets once; then every different set of facts that a situation of the interview can have is run by
the quick engine and durable-rules, firing by firing, and held against the plain definition of the rules and the oracle
of the tests where that decides. What is claimed of the law, and what its rulings weigh, is concluded by the Python
engine too. Under an election the plain definition is asked about one set of facts in ten. Of the
wider universe a sample is observed and run by the quick engine. What is printed: how many situations, how many
different sets of facts, how much was compared, the differences (there must be none), and a digest of everything that is
concluded in every situation. Status 1 when there is any difference.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from support import oracle_findings  # noqa: E402 - the project need not be installed
from support.drafts import concrete, facts_alone  # noqa: E402
from support.evaluators import evaluate  # noqa: E402

from bench.measure import table  # noqa: E402
from facts.fact import Fact  # noqa: E402
from facts.form import NOWHERE  # noqa: E402
from facts.incident import Incident  # noqa: E402
from facts.table import REVOKE  # noqa: E402
from kb.engine.durable import DurableEngine  # noqa: E402
from kb.engine.plain import Firing  # noqa: E402
from kb.engine.proof import Program, Proof, proof_faults  # noqa: E402
from kb.engine.sets import Bits  # noqa: E402
from kb.language.edition import load_edition  # noqa: E402
from kb.language.folders import edition_ids, rules_root  # noqa: E402
from kb.language.model import Edition  # noqa: E402
from kb.prove.prove import Proving  # noqa: E402
from kb.ruling.certainty import Certainty  # noqa: E402
from kb.ruling.laws import Law, default_engine  # noqa: E402
from kb.ruling.ruling import Ruling  # noqa: E402
from kb.ruling.verdict import verdict  # noqa: E402
from kb.space.bits import members  # noqa: E402
from kb.space.completions import Completions  # noqa: E402
from kb.space.outcomes import EditionRun  # noqa: E402
from kb.space.read_interview import load_interview  # noqa: E402
from kb.space.universe import Universe, observed  # noqa: E402

WIDER = 2_000
"""Of the situations of the wider universe one in so many is looked at."""
FROM_SCRATCH = 25
"""The plain definition is held against all that was concluded, everywhere; one time in so many it also begins anew."""
ELECTED = 10
"""Under an election the plain definition is asked about one set of facts in so many; the other engines about all."""
DUPLICATE = "duplicate-"
"""The editions of which the oracle knows."""

T = TypeVar("T")


@dataclass
class Certificate:
    """What was compared under one law, and what differed."""

    law: str
    situations: int = 0
    sets_of_facts: int = 0
    firings: int = 0
    durable: int = 0
    """Sets of facts that durable-rules was asked about; so with the others."""
    plain: int = 0
    decided: int = 0
    """Sets of facts of which the oracle knows status and automatic tricks of every revoke."""
    claims: int = 0
    """Sets of facts in which the quick engine was asked what is claimed of the law and what its rulings weigh."""
    wider: int = 0
    digest: str = ""
    seconds: float = 0
    """CPU time."""
    differences: list[str] = field(default_factory=list)

    @property
    def row(self) -> list[str]:
        """The numbers, for a table."""
        counts = (
            self.situations,
            self.sets_of_facts,
            self.firings,
            self.durable,
            self.plain,
            self.decided,
            self.claims,
        )
        numbers = [f"{number:,}" for number in (*counts, self.wider, len(self.differences))]
        return [self.law, *numbers, self.digest, f"{self.seconds:.0f}"]


HEADINGS = [
    "law",
    "situations",
    "different facts",
    "firings",
    "durable-rules",
    "plain",
    "oracle",
    "claims",
    "of a million",
    "differences",
    "digest",
    "CPU s",
]


def laws(root: Path) -> Iterator[str]:
    """Every edition, alone and with each of its elections."""
    for edition in edition_ids(root):
        yield edition
        offers = load_edition(root, edition).offers
        yield from (f"{edition}+{one}" for one in sorted({one for offered in offers.values() for one in offered}))


def _edition(name: str) -> Edition:
    base, *elected = name.split("+")
    return load_edition(rules_root(), base, elected)


def certify(name: str, every: int = 1, of: str = REVOKE) -> Certificate:
    """The certificate of one law on a matter; ``every``: only one in so many of the different sets of facts, and of the
    sample."""
    begun = time.process_time()
    comparison = _Comparison(name, of)
    if "+" not in name:  # an election changes rules, not what is observed
        comparison.observing(every)
    comparison.engines(every)
    comparison.wider(every)
    comparison.made.seconds = time.process_time() - begun
    return comparison.made


class _Comparison:
    """One law on one matter, compared."""

    def __init__(self, name: str, of: str) -> None:
        root = rules_root()
        self.edition: Edition = _edition(name)
        self.law = Law(self.edition, engine="quick")
        self.universe = Universe(load_interview(root, self.edition, of=of))
        self.million = Universe(load_interview(root, self.edition, wider=True, of=of))
        self.run = EditionRun(self.edition, observed(self.universe))
        self.made = Certificate(name if of == REVOKE else f"{name}, {of}", len(self.universe), digest=_digest(self.run))

    @cached_property
    def facts(self) -> list[list[Fact]]:
        """The ground facts of each situation, of the kinds that rules read."""
        kinds = self.law.program.kinds
        held = (one for kind, of in self.run.situations.facts.items() if kind in kinds for one in of.items())
        return _by_situation(held, len(self.universe))

    @cached_property
    def concluded(self) -> list[list[tuple[Fact, int]]]:
        """What is concluded in each, and by which rules."""
        fired = ((fact, rule, bits) for rule, held in self.run.run.fired.items() for fact, bits in held.items())
        return _by_situation((((fact, rule), bits) for fact, rule, bits in fired), len(self.universe))

    @cached_property
    def claims(self) -> _Claims:
        """What is claimed of the law."""
        return _Claims(Proving(rules_root(), self.edition, self.universe.interview.table.of))

    def read(self, facts: Iterable[Fact]) -> Iterator[Fact]:
        """Those that rules read."""
        return (fact for fact in facts if fact[0] in self.law.program.kinds)

    def differ(self, number: int, what: str) -> None:
        """Notes a difference."""
        said = ", ".join(f"{question}: {answer}" for question, answer in self.universe.answers(number).items())
        self.made.differences.append(f"{self.made.law}: {what} when {said}")

    def observing(self, every: int) -> None:
        """The facts in sets are those of each situation by itself."""
        for number in range(0, len(self.universe), every):
            if {*self.facts[number]} != {*self.read(facts_alone(self.universe, number))}:
                self.differ(number, "the facts are others")

    def engines(self, every: int) -> None:
        """Every engine concludes the same, and situations with the same facts do not differ."""
        alike: dict[tuple[Fact, ...], list[int]] = {}
        for number, facts in enumerate(self.facts):
            alike.setdefault(tuple(facts), []).append(number)
        self.made.sets_of_facts = len(alike)
        durable = DurableEngine(self.law.program) if default_engine()[0] == "durable" else None
        for facts, numbers in list(alike.items())[::every]:
            proof = self.law.engine.run(facts)
            firings: set[Firing] = set(proof.firings)
            self.made.firings += len(firings)
            wanted = {(fact, rule) for fact, rule, _ in firings}
            for number in numbers:
                if {*self.concluded[number]} != wanted:
                    self.differ(number, "sets and the quick engine differ")
            if durable is not None:
                self.made.durable += 1
                if {*durable.run(facts).firings} != firings:
                    self.differ(numbers[0], "durable-rules and the quick engine differ")
            if not self.edition.elections or self.made.durable % ELECTED == 0:
                self.plainly(numbers[0], proof)
            self.oracle(numbers[0], proof)
            self.made.claims += 1
            if not self.claims.agree(numbers[0], proof):
                self.differ(numbers[0], "what is claimed of the law differs between sets and the quick engine")

    def plainly(self, number: int, proof: Proof) -> None:
        """What was concluded is what the rules say, and sometimes, from the ground facts on, the very same steps."""
        self.made.plain += 1
        whole = not any(True for _ in proof_faults(proof))
        if whole and self.made.plain % FROM_SCRATCH == 1:
            whole = evaluate(self.edition.vocabulary, self.edition.rules, proof.ground) == {*proof.firings}
        if not whole:
            self.differ(number, "the plain evaluator and the quick engine differ")

    def oracle(self, number: int, proof: Proof) -> None:
        """The oracle says the same, where it decides."""
        of_revokes = self.universe.interview.table.of == REVOKE
        if not self.edition.id.startswith(DUPLICATE) or self.edition.elections or not of_revokes:
            return
        stated, nothing = concrete(self.universe, number), Incident(place=NOWHERE)
        here = Certainty(self.law, Completions(nothing, self.law.sayable), self.run, 1 << number)
        ruling = Ruling(nothing, here, proof)
        revokes, _ = oracle_findings.rule(stated, self.edition.id)
        self.made.decided += all(one.status is not None and one.tricks is not None for one in revokes)
        for one in oracle_findings.disagreements(self.edition.id, stated, verdict(ruling)):
            self.differ(number, f"the oracle: {one}")

    def wider(self, every: int) -> None:
        """A sample of the wider universe, observed and run one by one."""
        for _, part in self.million.parts():
            run = EditionRun(self.edition, observed(part), self.run.sets)
            for number in range(0, len(part), WIDER * every):
                facts = facts_alone(part, number)
                held = {fact for of in run.situations.facts.values() for fact, bits in of.items() if bits >> number & 1}
                wanted = {(fact, rule) for fact, rule, _ in self.law.engine.run(facts).firings}
                fired = run.run.fired.items()
                here = {(fact, rule) for rule, of in fired for fact, bits in of.items() if bits >> number & 1}
                self.made.wider += 1
                if held != {*facts} or here != wanted:
                    said = ", ".join(f"{question}: {answer}" for question, answer in part.answers(number).items())
                    self.made.differences.append(f"{self.made.law}: sets differ when {said}")


class _Claims:
    """What is claimed of a law, and what its rulings weigh: on sets, and by the quick engine."""

    def __init__(self, proving: Proving) -> None:
        beside = [*proving.claimed.measures.rules, *proving.claimed.rules]
        rules = [rule for rule in beside if rule.wanted]  # an engine cannot begin with nothing, or with a number
        self.program = Program(proving.claimed.measures.vocabulary, rules)
        numbers = {id(rule): number for number, rule in enumerate(rules)}
        fired = [(rule, proving.beside.fired.get(at, {})) for at, rule in enumerate(proving.beside.rules)]
        held = (
            ((fact, numbers[id(rule)]), bits) for rule, of in fired if id(rule) in numbers for fact, bits in of.items()
        )
        size = len(proving.universe)
        self.concluded = _by_situation(held, size)
        read = self.program.kinds - Program(proving.edition.vocabulary, proving.edition.rules).kinds
        facts = (one for kind, of in proving.run.situations.facts.items() if kind in read for one in of.items())
        self.unread = _by_situation(facts, size)
        """The facts that the law does not read."""

    def agree(self, number: int, proof: Proof) -> bool:
        """Whether both conclude the same of a situation on which this is the proof of its ruling."""
        settled = {*proof.ground, *self.unread[number], *(fact for fact, _, _ in proof.firings)}
        firings = self.program.run([fact for fact in settled if fact[0] in self.program.kinds]).firings
        return {*self.concluded[number]} == {(fact, rule) for fact, rule, _ in firings}


def _by_situation(held: Iterable[tuple[T, Bits]], size: int) -> list[list[T]]:
    """For each situation what holds in it, always in the same order."""
    found: list[list[T]] = [[] for _ in range(size)]
    for one, bits in held:
        for number in members(bits):
            found[number].append(one)
    return found


def _digest(run: EditionRun) -> str:
    """A short id of everything that is concluded in every situation."""
    digest = hashlib.sha256()
    for fact, bits in sorted((repr(fact), f"{bits:x}") for fact, bits in run.concluded.items()):
        digest.update(f"{fact} {bits}\n".encode())
    return digest.hexdigest()[:16]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--every", type=int, default=1, help="only one in so many of the different sets of facts")
    parser.add_argument("--law", action="append", default=None, help="only this edition, or edition+election")
    given = parser.parse_args()
    names = given.law or list(laws(rules_root()))
    each = [(name, given.every, of) for name in names for of in _edition(name).matters]
    with ProcessPoolExecutor() as pool:
        made = list(pool.map(certify, *zip(*each, strict=True)))
    print(table("The certificate of the whole space", HEADINGS, [one.row for one in made]))
    differences = [difference for one in made for difference in one.differences]
    print("\n".join(differences[:100]))
    total = sum(one.situations for one in made)
    print(f"{total:,} situations under {len(made)} laws, {len(differences)} differences")
    sys.exit(bool(differences))


if __name__ == "__main__":
    main()
