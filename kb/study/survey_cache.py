"""Surveys kept between runs. Nothing depends on it: a file that is missing, old or damaged is made anew.

A file is found only under the very rules, interview and program that it was made with, and carries a checksum.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import facts
import kb.engine
import kb.language
import kb.study
from kb.language.folders import VOCABULARY
from kb.language.model import Edition
from kb.study.diagram import Diagram, State
from kb.study.interview import Interview
from kb.study.read_interview import INTERVIEW
from kb.study.survey import Progress, Survey, survey

KEPT: Final = 40
"""So many surveys are kept, the latest used; one takes some 100 kB."""


def kept_survey(
    root: Path,
    edition: Edition,
    interview: Interview,
    workers: int | None = None,
    progress: Progress | None = None,
    folder: Path | None = None,
) -> Survey:
    """The survey from the cache, or else made and put there; ``folder`` is where it lies, if not at the usual place."""
    folder = folder or _folder()
    file = folder / f"{_key(root, edition)}.json"
    known = _read(file, edition, interview)
    if known is None:
        known = survey(edition, interview, workers, progress)
        _write(file, known)
    return known


def _folder() -> Path:
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return (named if named.is_absolute() else Path.home() / ".cache") / "revoke-kb-surveys"


def _key(root: Path, edition: Edition) -> str:
    digest = hashlib.sha256(edition.digest.encode() + _program().encode())
    for name in (VOCABULARY, INTERVIEW):
        digest.update((root / name).read_bytes())
    return digest.hexdigest()[:32]


def _folder_of(package: ModuleType) -> Path:
    return Path(str(package.__file__)).parent


@cache
def _program() -> str:
    """The digest of those parts of the program that a survey depends on."""
    digest = hashlib.sha256()
    whole = [file for package in (facts, kb.engine, kb.language) for file in _folder_of(package).rglob("*.py")]
    for file in sorted([*whole, *_folder_of(kb.study).glob("*.py")]):
        digest.update(file.read_bytes())
    return digest.hexdigest()


def _read(file: Path, edition: Edition, interview: Interview) -> Survey | None:
    """The survey in a file that only its owner, the user, could have written; None if there is none or it is broken."""
    try:
        status = file.stat()
        if status.st_mode & 0o022 or status.st_uid != os.getuid():
            return None
        checksum, _, text = file.read_text("utf-8").partition("\n")
        if checksum != hashlib.sha256(text.encode()).hexdigest():
            return None
        file.touch()
    except (OSError, UnicodeError, AttributeError):  # AttributeError: a system without owners keeps no cache
        return None
    held: Any = json.loads(text)
    diagram = Diagram()
    examples = tuple(tuple((question, answer) for question, answer in one) for one in held["examples"])
    return Survey(edition, interview, diagram, _restored(diagram, held["nodes"]), examples)


def _write(file: Path, made: Survey) -> None:
    text = json.dumps({"nodes": _nodes(made.diagram, made.whole), "examples": made.examples})
    own = file.with_suffix(f".{os.getpid()}")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        own.touch(0o600)
        own.write_text(f"{hashlib.sha256(text.encode()).hexdigest()}\n{text}", "utf-8")
        own.replace(file)
        for old in sorted(file.parent.glob("*.json"), key=lambda one: one.stat().st_mtime)[:-KEPT]:
            old.unlink()
    except OSError:
        return  # without a cache it only takes longer the next time


def _nodes(diagram: Diagram, state: State) -> list[Any]:
    """Every node, each after those below it: the number of an outcome, or question and edges."""
    order = diagram.below(state)[::-1]
    at = {node: number for number, node in enumerate(order)}
    return [
        diagram.outcome[node]
        if diagram.outcome[node] >= 0
        else [diagram.question[node], [[answer, at[below], times] for answer, below, times in diagram.edges[node]]]
        for node in order
    ]


def _restored(diagram: Diagram, nodes: Sequence[Any]) -> State:
    states: list[State] = []
    for node in nodes:
        if isinstance(node, int):
            states.append(diagram.end(node))
        else:
            question, edges = node
            states.append(diagram.node(question, [(answer, states[at], times) for answer, at, times in edges])[0])
    return states[-1]
