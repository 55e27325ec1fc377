"""The ground facts of many situations at once, from what is said in each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Final, TypeAlias, cast

from facts.errors import Faults
from facts.fact import STANDS_FOR, Fact
from facts.form import Texts
from facts.incident import Incident, moment_of_play
from facts.observe import TOLD, observe, played
from facts.table import REVOKE, Table
from facts.templates import NamedValues, facts_of, of_each, variables
from kb.engine.sets import Bits, Facts, Kinds, Sets
from kb.language.belonging import rule_of
from kb.language.rule import Conclusion, Rule
from kb.language.terms import Variable
from kb.language.texts import fill, holes, texts_mapped
from kb.language.vocabulary import Field, Kind, Vocabulary
from kb.space.bits import merged

FindingKey: TypeAlias = tuple[int, str]
"""The number of a revoke, from 0, or BOARD; then ``hand``, ``trick``, a finding, or a key of the incident."""
ValueGroup: TypeAlias = tuple[Any, ...]
"""Values of one thing that come to the same."""
BOARD: Final = -1
ValueBits: TypeAlias = Mapping[FindingKey, Mapping[Any, Bits]]
"""What is said, and where; where nothing is, no value stands. TOLD and None state nothing."""


@dataclass(frozen=True)
class Situations:
    """Situations with their ground facts."""

    everything: Bits
    facts: Kinds

    def facts_of(self, situation: int) -> Iterator[Fact]:
        """The facts of one."""
        for facts in self.facts.values():
            yield from (fact for fact, bits in facts.items() if bits >> situation & 1)


class Layout:
    """Situations in which something else may be said of an incident, and the facts that this states."""

    def __init__(self, incident: Incident, table: Table, values: ValueBits, whole: Bits) -> None:
        self.incident, self.table, self.values, self.whole = incident, table, values, whole

    def about(self, number: int) -> Table:
        """What can be said of the matter that a finding is."""
        found = self.incident.revokes
        return self.table.about(found[number].of) if 0 <= number < len(found) else self.table

    def places(self, number: int) -> Iterator[tuple[NamedValues, Bits]]:
        """Hand, trick and declarer of a revoke, and where they are so."""
        for hand, of_hand in self.values[number, "hand"].items():
            for trick, of_trick in self.values[number, "trick"].items():
                for declarer, of_declarer in self.values.get((BOARD, "declarer"), {self.incident.declarer: -1}).items():
                    if where := of_hand & of_trick & of_declarer & self.whole:
                        yield {"hand": hand, "trick": trick, "declarer": declarer}, where

    @property
    def situations(self) -> Situations:
        """All of them, with their facts."""
        return Situations(self.whole, self.facts)

    @cached_property
    def facts(self) -> Kinds:
        """The facts of all situations, and where each stands."""
        by_kind: dict[str, Facts] = {}
        for fact, bits in merged(self._found()).items():
            by_kind.setdefault(cast(str, fact[0]), Facts())[fact] = bits
        return by_kind

    def _found(self) -> Iterator[tuple[Fact, Bits]]:
        """The facts of the table, the record, the events and the result, then those of each revoke found out."""
        keys = [key for key in self.values if key[0] == BOARD]
        for setting, where in self._combinations(keys, {}, self.whole):
            for fact in observe(replace(self.incident, **setting), self.table):
                yield fact, where

        for number in sorted({number for number, _ in self.values if number != BOARD}):
            for kind in self.about(number).findings.values():
                yield from self.stated((number, kind.id))
            if self.about(number).of != REVOKE:
                continue
            naming = [(number, name) for name in ("hand", "trick", "card")]
            keys = [key for key in naming if key in self.values and self.values[key] != {TOLD: self.whole}]
            for setting, where in self._combinations(keys, {}, self.whole):
                if "hand" in setting:
                    for fact in played(number, setting["trick"], setting["hand"], setting.get("card"), self.incident):
                        yield fact, where

    def stated(self, key: FindingKey) -> Iterator[tuple[Fact, Bits]]:
        """What one finding of a revoke states."""
        (number, name), table = key, self.about(key[0])
        kind = table.findings[name]
        start = {"number": number, "declarer": self.incident.declarer}
        for value, where in self.values.get(key, {}).items():
            for template in kind.templates(value) if value is not None and value is not TOLD else ():
                names = {*template.names, *template.unless}
                wanted = {one for used in names for one in variables(used, table)} - {name}
                if kind.type.many:
                    wanted.add("hand")
                keys = [(BOARD if variable == "declarer" else number, variable) for variable in sorted(wanted)]
                base, laid_out = {**start, name: value}, [key for key in keys if key in self.values]
                for setting, here in self._combinations(laid_out, base, where):  # wherever the names in it have a value
                    if "hand" in setting and "trick" in setting:
                        setting["play"] = moment_of_play(number, setting["trick"], setting["hand"], self.incident)
                    unnamed = (each for each in table.names if each in table.findings and setting.get(each) is None)
                    setting.update(dict.fromkeys(unnamed, f"{STANDS_FOR}{number + 1}"))
                    for each in of_each(setting[name], setting):
                        yield from ((fact, here) for fact in facts_of((template,), each, table))

    def _combinations(
        self, keys: Iterable[FindingKey], start: NamedValues, where: Bits
    ) -> Iterator[tuple[dict[str, Any], Bits]]:
        """The values of some keys together, and where they are so."""
        combined = [(dict(start), where)] if where else []
        for key in keys:
            name = key[1].replace("-", "_") if key[0] == BOARD and key[1] != "declarer" else key[1]
            more = []
            for setting, here in combined:
                remaining = here
                for value, there in self.values[key].items():
                    if here & there:
                        more.append((setting if value is TOLD else {**setting, name: value}, here & there))
                        remaining &= ~there
                if remaining:
                    more.append((setting, remaining))
            combined = more
        yield from combined


class Sayable:
    """What can be said of a table under a law, and what of it cannot be together."""

    def __init__(self, table: Table, vocabulary: Vocabulary, reads: frozenset[str] = frozenset()) -> None:
        """``reads``: the kinds of fact that the rules look at."""
        self.table = table
        self.rules: list[Rule] = []
        kinds = dict(vocabulary.kinds)
        for number, one in enumerate(one for each in table.every for one in each.impossible):
            if one.facts is not None:
                name = f"impossible-{number}"
                rule = rule_of(one, vocabulary, Faults())
                fields = tuple(dict.fromkeys(hole for text in rule.because.values() for hole in holes(text)))
                kinds[name] = Kind(name, tuple(Field(each, "text") for each in fields), {}, one.place)
                then = Conclusion(name, {each: Variable(each) for each in fields}, one.place)
                self.rules.append(replace(rule, then=(then,), id=name))
        self.vocabulary = Vocabulary(vocabulary.words, kinds, vocabulary.languages)
        self.reads = reads | {item.kind for rule in self.rules for item in rule.conditions()}
        """The kinds of fact that matter."""

    @cached_property
    def sets(self) -> Sets:
        return Sets(self.vocabulary, self.rules)

    def forbidden(self, layout: Layout) -> Iterator[tuple[Texts, Bits, frozenset[str]]]:
        """Why some situations cannot be, which, and the findings that this depends on."""
        run = self.sets.run(layout.facts, layout.whole)
        for number, facts in run.fired.items():
            rule = self.rules[number]
            looks_at = {item.kind for item in rule.conditions()}
            findings = frozenset(
                one.id for table in self.table.every for one in table.findings.values() if one.kinds & looks_at
            )
            for fact, bits in facts.items():
                index = self.vocabulary.kinds[rule.id].index
                names = {name: str(fact[position]) for name, position in index.items()}
                yield texts_mapped(rule.because, partial(fill, values=names)), bits, findings
