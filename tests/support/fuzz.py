"""Random programs on the naive evaluator and on both engines: facts, steps and proofs must be the same.

Prints the seed before each program, so that the last line names the seed if the C engine takes the process down.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from random import Random

from facts.errors import EngineError
from facts.ground import Fact
from kb.engine import native
from kb.engine.durable import DurableEngine
from kb.engine.program import Program
from kb.engine.proof import Proof
from kb.engine.python import PythonEngine

from .naive import TooManyError, evaluate
from .random_programs import RandomProgram, random_facts, random_program

MOST = 1_500
"""Firings of one run; programs with more are passed over."""


def check(seed: int, seen: Counter[str]) -> None:
    """AssertionError when the engines differ on the program of this seed, or with each other."""
    random = Random(seed)
    native.MOST_OF_A_KIND = 56 if seed % 4 else 3  # a fourth of the programs in several rulesets
    made = random_program(random)
    program = Program(made.vocabulary, made.rules)
    engines = [PythonEngine(program), DurableEngine(program)]
    for _ in range(2):
        facts = random_facts(random, made)
        try:
            wanted = Proof(program, facts, list(evaluate(made.vocabulary, made.rules, facts, program.strata, MOST)))
        except TooManyError:
            seen["skipped"] += 1
            continue
        for engine in engines:
            _compare(wanted, engine.run(facts), type(engine).__name__)
        _count(made, wanted, seen)


def _compare(wanted: Proof, proof: Proof, engine: str) -> None:
    steps, expected = set(map(_key, proof.steps)), set(map(_key, wanted.steps))
    assert steps == expected, f"{engine}: too many {steps - expected}, missing {expected - steps}"
    assert proof == wanted, f"{engine}: the same steps in another order"


def _key(step: tuple[Fact, object, tuple[Fact, ...]]) -> tuple[object, ...]:
    fact, rule, premises = step
    return fact, rule.id, premises  # type: ignore[attr-defined]


def _count(made: RandomProgram, proof: Proof, seen: Counter[str]) -> None:
    """How much of the language was at work."""
    seen["runs"] += 1
    for step in proof.steps:
        seen["firings"] += 1
        seen["unless"] += bool(step.rule.unless)
        seen["tally"] += any(premise[0] in ("count", "total") for premise in step.premises)
        seen["zero"] += any(premise[:2] in (("count", 0), ("total", 0)) for premise in step.premises)
        seen["recursive"] += any(premise[0] == step.fact[0] for premise in step.premises)
        seen["unknown"] += None in step.fact


def main() -> int:
    """The command line; 1 when there was a difference."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=int, default=2_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    seen: Counter[str] = Counter()
    for seed in range(given.seed, given.seed + given.programs):
        print(f"seed {seed}", flush=True)
        try:
            check(seed, seen)
        except (AssertionError, EngineError) as error:
            print(f"difference at seed {seed}: {error}")
            return 1
    print(" ".join(f"{name}={number}" for name, number in sorted(seen.items())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
