"""Random programs on every evaluator: facts, steps and proofs must be the same.

Prints the seed before each program, so that the last line names the seed if the C engine takes the process down.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from random import Random

from facts.errors import BoundsError, EngineError
from kb.engine import native
from kb.engine.proof import Program, Proof

from .agree import Agreement
from .random_programs import random_facts, random_program


def check(seed: int, seen: Counter[str]) -> None:
    """AssertionError when evaluators differ on the program of this seed; one with too many firings is passed over."""
    random = Random(seed)
    native.MOST_OF_A_KIND = 56 if seed % 4 else 3  # a fourth of the programs in several rulesets
    made = random_program(random)
    agreement = Agreement(Program(made.vocabulary, made.rules))
    for _ in range(2):
        facts = random_facts(random, made)
        situations = [random.sample(facts, random.randint(0, len(facts))) for _ in range(3)]
        try:
            proof = agreement.proof(facts, situations)
        except BoundsError:
            seen["skipped"] += 1
        else:
            _count(proof, seen)


def _count(proof: Proof, seen: Counter[str]) -> None:
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
