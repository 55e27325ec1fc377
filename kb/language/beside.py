"""Rules that stand beside the law: they say what is measured or claimed of it, and conclude nothing in a ruling."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from facts.form import Entries, Placed, no_entries
from kb.language.checks.registry import of_a_rule
from kb.language.faults import Faults
from kb.language.forms import BareRuleForm, Names, PlacedForm, PlacedText
from kb.language.model import Rule
from kb.language.read_vocabulary import KindReader
from kb.language.rule import RuleReader
from kb.language.vocabulary import Kind, Vocabulary


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
        self.faults = Faults()
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
