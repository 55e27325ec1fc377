"""An edition with its rules several times over: each copy concludes, from the same ground facts, kinds of its own."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

from kb.engine.proof import Program
from kb.language.rule import Conclusion, Condition, Rule, Tally
from kb.language.vocabulary import Kind, Vocabulary

Item = TypeVar("Item", Condition, Tally, Conclusion)


def grown(program: Program, times: int) -> Program:
    """The rules, and ``times - 1`` copies that fire just as often."""
    vocabulary = program.vocabulary
    kinds: dict[str, Kind] = dict(vocabulary.kinds)
    rules: list[Rule] = list(program.rules)
    for number in range(2, times + 1):
        names = {kind: f"{kind}-{number}" for kind in program.concluded}
        kinds.update({new: replace(vocabulary.kinds[kind], name=new) for kind, new in names.items()})
        rules += [_copy(rule, names, number) for rule in program.rules]
    return Program(Vocabulary(vocabulary.words, kinds, vocabulary.languages), rules)


def _copy(rule: Rule, names: dict[str, str], number: int) -> Rule:
    def renamed(item: Item) -> Item:
        if isinstance(item, Tally):
            return replace(item, of=renamed(item.of))
        return replace(item, kind=names.get(item.kind, item.kind))

    return replace(
        rule,
        id=f"{rule.id}-{number}",
        when=tuple(map(renamed, rule.when)),
        unless=tuple(map(renamed, rule.unless)),
        then=tuple(map(renamed, rule.then)),
    )
