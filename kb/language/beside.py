"""Rules that stand beside the law: what is measured or claimed of it, and what a director says to the players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Final

from facts.errors import Fault, Faults
from facts.form import Described, Entries, FromFile, Names, Placed, PlacedForm, PlacedText, Texts, no_entries, read_form
from facts.suggestions import did_you_mean
from facts.yaml_reader import Node
from kb.language.checks.registry import of_a_rule
from kb.language.forms import BareRuleForm
from kb.language.model import Rule, SpokenRule, SpokenRules
from kb.language.rule import RuleReader
from kb.language.vocabulary import Kind, KindReader, Vocabulary


@dataclass(frozen=True, kw_only=True)
class BesideForm(PlacedForm):
    """What every file of such rules may hold."""

    words: Entries[Placed[Names]] = field(default_factory=no_entries)
    kinds: Entries[Entries[PlacedText]] = field(default_factory=no_entries)
    """Kinds of fact of its own, with their fields."""
    definitions: Entries[tuple[BareRuleForm, ...]] = field(default_factory=no_entries)


class BesideReader:
    """Reads such files, one after the other, each in the words of the law and of those before it."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.faults = Faults(vocabulary.languages)
        self.rules = RuleReader(vocabulary, self.faults)

    @property
    def vocabulary(self) -> Vocabulary:
        """The words and kinds known so far."""
        return self.rules.vocabulary

    def definitions(self, form: BesideForm) -> Iterator[Rule]:
        """The rules under ``definitions``, once the words and kinds of the file are known."""
        known = self.vocabulary
        words = {**known.words, **{name: tuple(one.value for one in said.value) for name, said in form.words.items()}}
        reader = KindReader(words, known.languages, self.faults)
        own = {
            name: Kind(name, reader.fields(fields), {}, "rules", form.kinds.places[name])
            for name, fields in form.kinds.items()
        }
        for name in known.kinds.keys() & own.keys():
            self.faults.add(own[name].place, f"there is a kind {name} already", "give this one another name")
        self.rules = replace(self.rules, vocabulary=replace(known, words=words, kinds={**known.kinds, **own}))
        for name, rules in form.definitions.items():
            yield from self.read(name, rules)

    def read(self, name: str, forms: tuple[BareRuleForm, ...]) -> Iterator[Rule]:
        """Rules that belong together under a name; what is wrong with them is added to the faults."""
        for number, form in enumerate(forms, 1):
            yield self.checked(self.rules.bare(form, f"{name}.{number}", name, form.place))

    def checked(self, rule: Rule) -> Rule:
        """The rule, with what the checks find wrong with it added to the faults."""
        for check in of_a_rule:
            if rule.place not in self.rules.unread:
                self.faults.extend(check(rule, self.vocabulary))
        return rule


SPOKEN: Final = "spoken.yaml"


@dataclass(frozen=True, kw_only=True)
class SayingForm(PlacedForm):
    """A sentence or two, said wherever its conditions hold."""

    when: Annotated[Node, Described("conditions")]
    unless: Annotated[Node | None, Described("exceptions")] = None
    perhaps: bool = False
    head: Texts = field(default_factory=dict)
    says: Texts = field(default_factory=dict)


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
    says, head = form.says, form.head
    if not says and not head:
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
