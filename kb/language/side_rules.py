"""Rules that stand beside the law: what is measured or claimed of it, and what a director says to the players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, TypeVar

from facts.errors import Faults
from facts.form import Entries, Names, PlacedForm, PlacedText, Record, form_of, no_entries
from facts.yaml_reader import Node
from kb.language.belonging import completed
from kb.language.checks import found_by, rule_faults
from kb.language.checks.of_rules import because
from kb.language.rule import BareRule, Rule, SpokenRule, SpokenRules
from kb.language.vocabulary import Kind, Vocabulary, read_fields


@dataclass(frozen=True, kw_only=True)
class SideRulesForm(PlacedForm):
    """What every file of such rules may hold."""

    words: Entries[Names] = field(default_factory=no_entries)
    kinds: Entries[Entries[PlacedText]] = field(default_factory=no_entries)
    """Kinds of fact of its own, with their fields."""
    definitions: Entries[tuple[BareRule, ...]] = field(default_factory=no_entries)


_Form = TypeVar("_Form", bound=SideRulesForm)


class SideRulesReader:
    """Reads such files, one after the other, each in the words of the law and of those before it."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.faults = Faults(vocabulary.languages)
        self.vocabulary = vocabulary
        """The words and kinds known so far."""

    def form(self, kind: type[_Form], node: Node) -> _Form:
        """What such a file holds; its own kinds are known in all of it."""
        own_kinds = node.entries["kinds"].entries if "kinds" in node.entries else {}
        self.faults.kinds = {**self.vocabulary.fields, **{name: fields.entries for name, fields in own_kinds.items()}}
        form: _Form = Record(kind).read(node, self.faults)
        return form

    def definitions(self, form: SideRulesForm) -> Iterator[Rule]:
        """The rules under ``definitions``, once the words and kinds of the file are known."""
        vocabulary = self.vocabulary
        words = {**vocabulary.words, **{name: tuple(values) for name, values in form.words.items()}}
        own_kinds = {
            name: Kind(name, read_fields(fields, words, self.faults), {}, form.kinds.places[name])
            for name, fields in form.kinds.items()
        }
        for name in vocabulary.kinds.keys() & own_kinds.keys():
            self.faults.add(own_kinds[name].place, f"there is a kind {name} already", "give this one another name")
        self.vocabulary = replace(vocabulary, words=words, kinds={**vocabulary.kinds, **own_kinds})
        for name, rules in form.definitions.items():
            yield from self.read(name, rules)

    def read(self, name: str, rules: tuple[Rule, ...]) -> Iterator[Rule]:
        """Rules that belong together under a name."""
        for number, rule in enumerate(rules, 1):
            yield self.checked(rule.numbered(name, number))

    def checked(self, rule: Rule) -> Rule:
        """The rule completed, with what the checks find wrong with it added to the faults."""
        rule = completed(rule, self.vocabulary)
        self.faults.extend(rule_faults(rule, self.vocabulary))
        return rule


SPOKEN_FILE: Final = "spoken.yaml"


def read_spoken(node: Node, vocabulary: Vocabulary, faults: Faults) -> SpokenRules:
    """What the file holds; what is wrong with it is added to ``faults``."""
    faults.kinds = vocabulary.fields
    spoken: SpokenRules = form_of(SpokenRules).read(node, faults)
    sayings = tuple(_saying(saying, number, vocabulary, faults) for number, saying in enumerate(spoken.sayings, 1))
    for name in spoken.unspoken:
        faults.demand("kind", name, name.place, vocabulary.kinds)
    return replace(spoken, sayings=sayings)


def _saying(read: SpokenRule, number: int, vocabulary: Vocabulary, faults: Faults) -> SpokenRule:
    says, head = read.says, read.head
    if not says and not head:
        faults.add(read.place, "nothing is said", "add says: or head:")
    rule = replace(read, id=f"{Path(read.place.file).stem}.{number}", because=says or head)
    rule = completed(rule, vocabulary)
    faults.extend(rule_faults(rule, vocabulary))
    if rule.whole and says and head:
        faults.extend(found_by([because], replace(rule, because=rule.head), vocabulary))
    return rule
