"""Broken folders of rules: each is refused with places, or ruled by on both engines alike, and nothing else.

``python tests/fuzz/rule_folders.py --folders 5000 --seed 1`` runs by hand. Nineteen in twenty are a small code with all
that can stand in one; the others are a draft of a shipped edition, by which a board is ruled on and told in both
languages.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
from collections import Counter
from pathlib import Path
from random import Random
from shutil import copytree, rmtree
from typing import Final

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).resolve().parents[n]) for n in (1, 2)]

from support.fuzz_inputs import mutated

import kb
from facts.errors import BoundsError, InputError, RulesError
from facts.fact import Fact, Value
from facts.readers.incident_file import read_incident
from kb.engine.durable import DurableEngine
from kb.engine.proof import Program
from kb.language.edition import load_edition
from kb.language.model import Edition
from kb.language.vocabulary import Field, Vocabulary

HERE: Final = Path(__file__).resolve().parents[2]
SECONDS: Final = 60.0
"""Of processor time for one folder."""
TINY: Final = HERE / "tests" / "language" / "tiny"
RULES: Final = HERE / "rules"
BASES: Final = ("auction-1912", "duplicate-2017")
BESIDE: Final = ("table.yaml", "vocabulary.yaml", "words.yaml", "interview.yaml")
"""Files of the rules that a draft may lay its own over."""
BOARD: Final = (HERE / "examples" / "revoke.yaml").read_text("utf-8")
DRAFT: Final = """\
edition: draft
title: {{en: A draft, de: Ein Entwurf}}
authority: nobody
in-force: "2030"
amends: {}
"""


class Spoilt(Exception):  # noqa: N818 - the finding of a fuzzer
    """A folder of rules that was neither refused in the proper way nor ruled by."""


def attack(folders: int, seed: int, home: Path, whole: float = 0.05) -> Counter[str]:
    """So many broken folders below ``home``, ``whole`` of them drafts; Spoilt for the first that goes wrong, which is
    left there."""
    chance, seen = Random(seed), Counter[str]()
    before = signal.signal(signal.SIGPROF, _stop)
    try:
        for number in range(folders):
            folder = home / f"{seed}-{number}"
            try:
                signal.setitimer(signal.ITIMER_PROF, SECONDS)
                (_draft if chance.random() < whole else _tiny)(folder, chance, seen)
            except BaseException as error:
                raise Spoilt(f"{folder}: {type(error).__name__}: {error}") from error
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
            seen["folders"] += 1
            rmtree(folder)
    finally:
        signal.signal(signal.SIGPROF, before)
    return seen


def _tiny(folder: Path, chance: Random, seen: Counter[str]) -> None:
    copytree(TINY, folder)
    files = sorted(folder.rglob("*.yaml"))
    for file in chance.sample(files, chance.choice((1, 1, 1, 2))):
        file.write_bytes(mutated(file.read_text("utf-8"), chance.choice(files).read_text("utf-8", "replace"), chance))
    try:
        edition = load_edition(folder, chance.choice(("code", "code", "later")), chance.choice(((), (), ("local",))))
    except RulesError as error:
        assert _told(error), "not told in the proper way"
        seen["refused"] += 1
        return
    facts = [fact for _ in range(4) for fact in _facts(edition, chance)]
    try:
        program = Program(edition.vocabulary, edition.rules)
        by_durable, by_quick = (one.run(facts) for one in (DurableEngine(program), program))
    except BoundsError:
        seen["bounded"] += 1
        return
    assert {*map(str, by_durable.steps)} == {*map(str, by_quick.steps)}, "the engines differ"
    seen["ruled by"] += 1


def _draft(folder: Path, chance: Random, seen: Counter[str]) -> None:
    folder.mkdir()
    base = chance.choice(BASES)
    (folder / "edition.yaml").write_text(DRAFT.format(base), "utf-8")
    laws = [one for one in sorted((RULES / base).glob("*.yaml")) if one.name not in ("edition.yaml", "properties.yaml")]
    file = chance.choice([*laws, *laws, *(RULES / name for name in BESIDE)])
    other = chance.choice(laws).read_text("utf-8")
    (folder / file.name).write_bytes(mutated(file.read_text("utf-8"), other, chance))
    try:
        law = kb.Law(folder)
        board = read_incident(BOARD, "board", lambda _: law.edition.table)
        rulings = [kb.Law(folder, engine=engine).rule(board) for engine in ("durable", "quick")]
        texts = [[one.told(lang) for lang in ("en", "de")] for one in rulings]
    except InputError as error:
        assert _told(error), "not told in the proper way"
        seen["refused"] += 1
        return
    except BoundsError:
        seen["bounded"] += 1
        return
    assert texts[0] == texts[1], "the engines differ"
    seen["drafts ruled by"] += 1


def _told(error: InputError) -> bool:
    """Whether there is a place and a way out in each fault."""
    return all(one.place.line >= 1 and one.what and one.mend for one in error.faults) and bool(error.faults)


def _facts(edition: Edition, chance: Random) -> list[Fact]:
    """A fact of each kind that can be stated."""
    return [
        (kind.name, *[_value(edition.vocabulary, one, chance) for one in kind.fields])
        for kind in edition.vocabulary.kinds.values()
        if kind.name in edition.stated
    ]


def _value(vocabulary: Vocabulary, field: Field, chance: Random) -> Value:
    if field.unknown and chance.random() < 0.3:
        return None
    return chance.choice(vocabulary.values_of(field.type) or range(1, 4))


def _stop(number: int, frame: object) -> None:
    raise TimeoutError(f"more than {SECONDS} s")


def main() -> None:
    """Runs by hand."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folders", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    home = Path(tempfile.mkdtemp())
    os.environ["XDG_CACHE_HOME"] = os.devnull  # nothing of them is to be kept
    print(dict(attack(asked.folders, asked.seed, home)))
    home.rmdir()


if __name__ == "__main__":
    main()
