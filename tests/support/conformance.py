"""Cases of the rule language that every evaluator must conform to: one file each, named after what it is about.

A file holds ``note``, ``kinds`` (with their fields and types), ``rules`` as in a law file, ``facts`` (kind, then values;
``unknown`` is None), and either ``concludes``, every fact that is derived, or ``fault``, what is said of such rules.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from facts.errors import Faults, RulesError
from facts.fact import Fact
from facts.form import form_of
from facts.yaml_reader import read_text, read_yaml
from kb.language.rule import BareRule, Rule
from kb.language.vocabulary import Vocabulary

from .rules import vocabulary

FOLDER = Path(__file__).parents[1] / "engine" / "conformance"
NAMES = sorted(file.stem for file in FOLDER.glob("*.yaml"))


@dataclass(frozen=True)
class Conformance:
    """One file."""

    vocabulary: Vocabulary
    rules: tuple[Rule, ...]
    facts: tuple[Fact, ...]
    concludes: frozenset[Fact]
    fault: str
    """Empty: there is none."""


def conformance(name: str) -> Conformance:
    """The file of that name; RulesError when its rules cannot be read."""
    node = read_yaml(read_text(FOLDER / f"{name}.yaml"), name)
    at: dict[str, Any] = node.plain()
    assert at.keys() == {"note", "kinds", "rules", "facts", "fault" if "fault" in at else "concludes"}
    kinds = vocabulary(*(f"{kind}({_fields(fields)})" for kind, fields in at["kinds"].items()))
    faults = Faults()
    faults.kinds = kinds.fields
    read = [form_of(BareRule).read(rule, faults) for rule in node.entries["rules"].items]
    rules = tuple(rule.numbered(name, number) for number, rule in enumerate(read, 1))
    if faults:
        raise RulesError([*faults])
    facts, concludes = (tuple(map(_fact, at.get(key, ()))) for key in ("facts", "concludes"))
    return Conformance(kinds, rules, facts, frozenset(concludes), at.get("fault", ""))


def _fields(fields: dict[str, str]) -> str:
    return ", ".join(f"{name}: {of}" for name, of in fields.items())


def _fact(values: list[Any]) -> Fact:
    return tuple(None if value == "unknown" else value for value in values)
