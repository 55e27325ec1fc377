"""The ground facts of many situations at once, from what is said in each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, TypeAlias, cast

from facts.errors import Faults
from facts.fact import Fact
from facts.incident import Incident, play_of
from facts.observe import TOLD, facts_of, observe, of_each, played, variables
from facts.table import FindingKind, Table, Template
from kb.engine.sets import Bits, Kinds, Sets
from kb.language.rule import Conclusion, Rule, read_unless, read_when
from kb.language.terms import Variable
from kb.language.texts import fill, holes
from kb.language.vocabulary import Field, Kind, Vocabulary

Key: TypeAlias = tuple[int, str]
"""The number of a revoke, from 0, or BOARD; then ``hand``, ``trick``, a finding, or a key of the incident."""
Group: TypeAlias = tuple[Any, ...]
"""Values of one thing that come to the same."""
BOARD: Final = -1
Values: TypeAlias = Mapping[Key, Mapping[Any, Bits]]
"""What is said, and where; where nothing is, no value stands. TOLD and None state nothing."""


@dataclass(frozen=True)
class Situations:
    """Situations with their ground facts."""

    everything: Bits
    facts: Kinds

    def facts_of(self, situation: int) -> Iterator[Fact]:
        """The facts of one."""
        for held in self.facts.values():
            yield from (fact for fact, bits in held.items() if bits >> situation & 1)


def laid_out(incident: Incident, table: Table, values: Values, everything: Bits) -> Situations:
    """The facts of an incident, of which something else may be said in each situation."""
    layout = _Layout(incident, table, values, everything)
    layout.board()
    for number in sorted({number for number, _ in values if number != BOARD}):
        layout.finding(number)
    return Situations(everything, layout.kinds)


class _Layout:
    def __init__(self, incident: Incident, table: Table, values: Values, everything: Bits) -> None:
        self.incident, self.table, self.values = incident, table, values
        self.everything = everything
        self.kinds: dict[str, dict[Fact, Bits]] = {}

    def board(self) -> None:
        """The facts of the table, the record, the events and the result."""
        keys = [key for key in self.values if key[0] == BOARD]
        for given, where in self.combinations(keys, {}, self.everything):
            for fact in observe(replace(self.incident, **given), self.table):
                self.add(fact, where)

    def finding(self, number: int) -> None:
        """The facts of one revoke found out."""
        for kind in self.table.findings.values():
            self.stated(number, kind)
        keys = [
            (number, name)
            for name in ("hand", "trick", "card")
            if (number, name) in self.values and self.values[number, name] != {TOLD: self.everything}
        ]
        for given, where in self.combinations(keys, {}, self.everything):
            if "hand" in given:
                for fact in played(number, given["trick"], given["hand"], given.get("card"), self.incident):
                    self.add(fact, where)

    def stated(self, number: int, kind: FindingKind) -> None:
        """What one finding of a revoke states."""
        start = {"number": number, "declarer": self.incident.declarer}
        for value, where in self.values.get((number, kind.id), {}).items():
            if value is not None and value is not TOLD:
                for template in kind.templates(value):
                    self.state(number, kind, template, {**start, kind.id: value}, where)

    def state(self, number: int, kind: FindingKind, template: Template, given: Mapping[str, Any], where: Bits) -> None:
        """The facts of one template, wherever the names in it have a value."""
        wanted = {name for used in template.names for name in variables(used, self.table)} - {kind.id}
        if kind.type.many:
            wanted.add("hand")
        keys = [(BOARD if name == "declarer" else number, name) for name in sorted(wanted)]
        for one, here in self.combinations([key for key in keys if key in self.values], given, where):
            if "hand" in one and "trick" in one:
                one["play"] = play_of(number, one["trick"], one["hand"], self.incident)
            for each in of_each(one[kind.id], one):
                for fact in facts_of((template,), each, self.table):
                    self.add(fact, here)

    def combinations(
        self, keys: Iterable[Key], given: Mapping[str, Any], where: Bits
    ) -> Iterator[tuple[dict[str, Any], Bits]]:
        """The values of some keys together, and where they are so."""
        found = [(dict(given), where)] if where else []
        for key in keys:
            name = key[1].replace("-", "_") if key[0] == BOARD and key[1] != "declarer" else key[1]
            more = []
            for said, here in found:
                left = here
                for value, there in self.values[key].items():
                    if here & there:
                        more.append((said if value is TOLD else {**said, name: value}, here & there))
                        left &= ~there
                if left:
                    more.append((said, left))
            found = more
        yield from found

    def add(self, fact: Fact, where: Bits) -> None:
        held = self.kinds.setdefault(cast(str, fact[0]), {})
        held[fact] = held[fact] | where if fact in held else where


def facts_by(
    incident: Incident, table: Table, values: Values, everything: Bits, keys: Iterable[Key]
) -> frozenset[Fact]:
    """The facts that some findings state."""
    layout = _Layout(incident, table, values, everything)
    for number, name in keys:
        layout.stated(number, table.findings[name])
    return frozenset(fact for held in layout.kinds.values() for fact in held)


class Sayable:
    """What can be said of a table under a law, and what of it cannot be together."""

    def __init__(self, table: Table, vocabulary: Vocabulary, reads: frozenset[str] = frozenset()) -> None:
        """``reads``: the kinds of fact that the rules look at."""
        self.table = table
        self.faults = Faults()
        self.rules: list[Rule] = []
        kinds = dict(vocabulary.kinds)
        for number, one in enumerate(table.impossible):
            if one.facts is not None:
                name = f"impossible-{number}"
                fields = tuple(dict.fromkeys(holes(one.because["en"])))
                kinds[name] = Kind(name, tuple(Field(each, "text") for each in fields), {}, one.place)
                then = Conclusion(name, {each: Variable(each) for each in fields}, one.place)
                when = read_when(one.facts, self.faults)
                unless = () if one.unless is None else read_unless(one.unless, self.faults)
                self.rules.append(Rule(one.place, when, (then,), one.because, unless, id=name))
        self.vocabulary = Vocabulary(vocabulary.words, kinds, vocabulary.languages)
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
            rule = self.rules[number]
            for fact, bits in held.items():
                index = self.vocabulary.kinds[rule.id].index
                because = fill(rule.because["en"], {name: str(fact[at]) for name, at in index.items()})
                yield because, bits, self.looks_at[number]
