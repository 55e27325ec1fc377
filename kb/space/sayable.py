"""What cannot be by the facts of a whole board: conditions as those of a rule, run on every way at once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from facts.errors import Faults
from facts.fact import Fact
from facts.table import Table
from kb.engine.set_joins import Bits
from kb.engine.sets import Sets
from kb.language.model import Conclusion, Rule
from kb.language.rule import RuleReader
from kb.language.terms import Variable
from kb.language.texts import fill, holes
from kb.language.vocabulary import Field, Kind, Vocabulary
from kb.space.layout import Situations


class Sayable:
    """What can be said of a table under a law, and what of it cannot be together."""

    def __init__(self, table: Table, vocabulary: Vocabulary, reads: frozenset[str] = frozenset()) -> None:
        """``reads``: the kinds of fact that the rules look at."""
        self.table = table
        reader = RuleReader(vocabulary, Faults())
        self.rules: list[Rule] = []
        kinds = dict(vocabulary.kinds)
        for number, one in enumerate(table.impossible):
            if one.facts is not None:
                name = f"impossible-{number}"
                fields = tuple(dict.fromkeys(holes(one.because["en"])))
                kinds[name] = Kind(name, tuple(Field(each, "text") for each in fields), {}, "rules", one.place)
                then = Conclusion(name, {each: Variable(each) for each in fields}, one.place)
                when, unless = tuple(reader.when(one.facts)), tuple(reader.unless(one.unless))
                self.rules.append(Rule(name, "", when, unless, (then,), one.because, one.place))
        self.vocabulary = Vocabulary(vocabulary.words, kinds, vocabulary.languages)
        self.faults = reader.faults
        self.reads = reads | {item.kind for rule in self.rules for item in rule.conditions()}
        """The kinds of fact that matter."""

    @cached_property
    def sets(self) -> Sets:
        """The rules, ready to run."""
        return Sets(self.vocabulary, self.rules)

    @cached_property
    def looks_at(self) -> list[frozenset[str]]:
        """For each rule, the findings that state any of the facts that it looks at."""
        kinds = [{item.kind for item in rule.conditions()} for rule in self.rules]
        return [frozenset(one.id for one in self.table.findings.values() if one.kinds & some) for some in kinds]

    def forbidden(self, laid: Situations) -> Iterator[tuple[str, Bits, frozenset[str]]]:
        """Why some ways cannot be, which, and the findings that this depends on."""
        run = self.sets.run(laid.facts, laid.everything)
        for number, held in run.fired.items():
            for fact, bits in held.items():
                yield self._because(fact, self.rules[number]), bits, self.looks_at[number]

    def _because(self, fact: Fact, rule: Rule) -> str:
        index = self.vocabulary.kinds[rule.id].index
        return fill(rule.because["en"], {name: str(fact[at]) for name, at in index.items()})
