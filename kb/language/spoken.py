"""Reading spoken.yaml: what a director says to the players, and of which facts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Final

from facts.errors import Fault
from facts.form import Described, FromFile
from facts.readers.form import read_form
from facts.suggestions import did_you_mean
from facts.yaml_nodes import Node
from kb.language.checks.registry import of_a_rule
from kb.language.faults import Faults
from kb.language.forms import Names, PlacedForm, Sentences
from kb.language.model import Rule, SpokenRule, SpokenRules
from kb.language.rule import RuleReader
from kb.language.texts import read_texts
from kb.language.vocabulary import Texts, Vocabulary

SPOKEN: Final = "spoken.yaml"


@dataclass(frozen=True, kw_only=True)
class SayingForm(PlacedForm):
    """A sentence or two, said wherever its conditions hold."""

    when: Annotated[Node, Described("conditions")]
    unless: Annotated[Node | None, Described("exceptions")] = None
    perhaps: bool = False
    head: Sentences | None = None
    says: Sentences | None = None


@dataclass(frozen=True, kw_only=True)
class SpokenFile(FromFile):
    """spoken.yaml"""

    unspoken: Names = ()
    sayings: tuple[SayingForm, ...] = field(default_factory=tuple)


def read_spoken(node: Node, vocabulary: Vocabulary, faults: Faults) -> SpokenRules:
    """What the file holds; what is wrong with it is added to ``faults``."""
    form: SpokenFile = read_form(SpokenFile, node, faults)
    reader = RuleReader(vocabulary, faults)
    sayings = tuple(_saying(one, number, reader) for number, one in enumerate(form.sayings, 1))
    for name in form.unspoken:
        if name.value not in vocabulary.kinds:
            faults.add(name.place, f"unknown kind {name.value}", did_you_mean(name.value, vocabulary.kinds))
    return SpokenRules(sayings, frozenset(name.value for name in form.unspoken))


def _saying(form: SayingForm, number: int, reader: RuleReader) -> SpokenRule:
    before = len(reader.faults)
    when, unless = tuple(reader.when(form.when)), tuple(reader.unless(form.unless))
    says, head = (read_texts(said, reader.vocabulary.languages, reader.faults) for said in (form.says, form.head))
    if form.says is None and form.head is None:
        reader.faults.add(form.place, "nothing is said", "add says: or head:")
    rule = Rule(f"{Path(form.place.file).stem}.{number}", "", when, unless, (), says or head, form.place)
    if len(reader.faults) == before:
        reader.faults.extend(_checked(rule, head, reader.vocabulary))
    return SpokenRule(rule, says, head, form.perhaps)


def _checked(rule: Rule, head: Texts, vocabulary: Vocabulary) -> Iterator[Fault]:
    """What is wrong with its conditions and with both of its texts."""
    for check in of_a_rule:
        yield from check(rule, vocabulary)
        if head and check.id == "because":
            yield from check(replace(rule, because=head), vocabulary)
