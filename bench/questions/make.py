"""Questions on revokes whose answers the engine proves, as JSON Lines, for whoever wants to know how well one rules.

    uv run bench/questions/make.py --items 2000 --seed 1 > items.jsonl

A third are ruled by the law as it stands; a third by a law that is changed in one rule, which is told and turns the
answer; a third cannot be decided, and the right answer names what is missing. Every story is told once.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any, Final

sys.path[:0] = [str(Path(__file__).resolve().parents[2])]

from facts.incident import DEFAULT_EDITION  # noqa: E402
from facts.to_yaml import plain  # noqa: E402 - the project need not be installed
from kb.cases.mutation import Bench, loader_refuses, mutants_of  # noqa: E402
from kb.explain.hinge import question_words  # noqa: E402
from kb.explain.words import Speaker, load_words  # noqa: E402
from kb.language.folders import rules_root  # noqa: E402
from kb.language.relied_on import ESTABLISHED  # noqa: E402
from kb.language.rule import Rule  # noqa: E402
from kb.lawbook.telling import RuleSentences  # noqa: E402
from kb.quiz.exercises import Exercise, exercises  # noqa: E402
from kb.quiz.telling import story  # noqa: E402
from kb.ruling.laws import Law, Laws  # noqa: E402
from kb.ruling.ruling import Ruling  # noqa: E402

QUESTION: Final = "Is the revoke corrected, or how many tricks go to the other side by law, before any judgement?"
UNDECIDED: Final = "cannot be decided"
ANSWERS: Final = ("corrected", "no trick", "1 trick", "2 tricks", UNDECIDED)
MOST: Final = 0.25
"""Of all items, how many may have one answer, but that it cannot be decided, which a third have."""
ALIKE: Final = 0.2
"""Of all items, how many may lack the same finding, or be changed in the same way."""
LEVELS: Final = {"as it stands": ("easy", "middle", "hard"), "amended": ("easy", "middle"), "undecided": ("hard",)}


def main() -> None:
    asked_for = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked_for.add_argument("--items", type=int, default=300)
    asked_for.add_argument("--seed", type=int, default=1)
    given = asked_for.parse_args()
    for item in items(Laws(rules_root(), "quick").of(DEFAULT_EDITION), Random(given.seed), given.items):
        print(json.dumps(item, ensure_ascii=False))


def items(law: Law, rng: Random, wanted: int) -> Iterator[dict[str, Any]]:
    """So many items, each with a story of its own, and none with an answer that too many have."""
    speaker = Speaker(load_words(law.root, law.edition.vocabulary), law.edition.vocabulary, "en")
    counted, told, bench = Counter[str](), set[str](), Bench(law, ())
    for number, kind in enumerate(islice(cycle(LEVELS), wanted), 1):
        most = wanted if kind == "undecided" else MOST * wanted
        for found in _of_kind(bench, rng, kind, speaker):
            answer = found["answer"]
            turns = str(found.get("missing") or found.get("amendment") or found["facts"])
            if found["facts"] not in told and counted[answer] < most and counted[turns] < max(2, ALIKE * wanted):
                counted.update((answer, turns))
                told.add(found["facts"])
                yield {"id": number, "kind": kind, **found}
                break


def _of_kind(bench: Bench, rng: Random, kind: str, speaker: Speaker) -> Iterator[dict[str, Any]]:
    while True:
        exercise = next(exercises(bench.law, rng, rng.choice(LEVELS[kind])))
        ruling = exercise.ruling
        if kind == "undecided":
            if ruling.is_open and ruling.certainty.asking is not None and _tricks_differ(ruling):
                missing = ruling.certainty.asking.key
                more = {
                    "missing": missing[1],
                    "missing-question": question_words(ruling.certainty, missing, speaker.of(ruling)),
                }
                yield _item(exercise, ruling, UNDECIDED, speaker) | more
        elif not ruling.is_open and (answer := _answer(ruling)):
            if kind == "amended":
                yield from _amended(bench, rng, exercise, answer, speaker)
            else:
                yield _item(exercise, ruling, answer, speaker)


def _amended(bench: Bench, rng: Random, exercise: Exercise, before: str, speaker: Speaker) -> Iterator[dict[str, Any]]:
    """The exercise under a law of which one rule, with a clause that is cited, is another and turns the answer."""
    edition = bench.edition
    changes = [
        mutant
        for ref in exercise.ruling.decisive
        for rule in edition.clauses[ref].rules
        for mutant in mutants_of(rule, edition.vocabulary)
        if mutant.changed is not None and _plain(rule, mutant.changed)
    ]
    for mutant in rng.sample(changes, min(3, len(changes))):
        if mutant.changed is None or loader_refuses(mutant, edition):
            continue
        other = exercise.ruled_by(bench.under(mutant))
        answer = "" if other.is_open else _answer(other)
        if answer and answer != before:
            ref = mutant.rule.clause
            was, now = (_sentence(rule, speaker) for rule in (mutant.rule, mutant.changed))
            yield _item(exercise, other, answer, speaker) | {"amendment": {"clause": ref, "was": was, "now": now}}
            return


def _plain(rule: Rule, changed: Rule) -> bool:
    """Whether a reader sees in the sentence what is changed: not where a condition merely joins less to the others."""
    before, after = ([len(item.condition.tests) for item in (*one.when, *one.unless)] for one in (rule, changed))
    return len(before) != len(after) or sum(before) == sum(after)


def _sentence(rule: Rule, speaker: Speaker) -> str:
    """«When …, and …, unless …: …»."""
    said = RuleSentences(rule, speaker)
    unless = f", unless {', or '.join(said.unless)}" if said.unless else ""
    return f"When {', and '.join(said.when)}{unless}: {', and '.join(said.then)}."


def _item(exercise: Exercise, ruling: Ruling, answer: str, speaker: Speaker) -> dict[str, Any]:
    return {
        "law": ruling.edition.id,
        "facts": story(exercise, speaker.of(exercise.ruling)),
        "question": QUESTION,
        "choices": [*ANSWERS],
        "answer": answer,
        "laws": [*ruling.cited],
        "incident": plain(exercise.ruling.incident),
        "receipt": ruling.receipt,
    }


def _answer(ruling: Ruling) -> str:
    """Of one revoke; empty where it is of several kinds, or more than two tricks go."""
    if len(ruling.revokes) != 1:
        return ""
    tricks = sum(ruling.transfer.values())
    if ruling.revokes[0].status != ESTABLISHED:
        return "" if tricks else "corrected"
    return ("no trick", "1 trick", "2 tricks")[tricks] if tricks < 3 else ""


def _tricks_differ(ruling: Ruling) -> bool:
    """Whether some answer to what is not known leads to one result and another to a second."""
    return len({str(_answer(after) or after.transfer) for _, after in ruling.answers}) > 1


if __name__ == "__main__":
    main()
