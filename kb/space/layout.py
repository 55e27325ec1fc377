"""The ground facts of many situations at once, from what is said in each of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, TypeAlias, cast

from facts.errors import Faults
from facts.incident import Incident, play_of
from facts.observe import STANDS_FOR, TOLD, Fact, Given, facts_of, observe, of_each, played, variables
from facts.table import REVOKE, Table
from kb.engine.sets import Bits, Facts, Kinds, Sets
from kb.language.rule import Conclusion, Rule, read_unless, read_when
from kb.language.terms import Variable
from kb.language.texts import fill, holes
from kb.language.vocabulary import Field, Kind, Vocabulary
from kb.space.bits import merged

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


class Layout:
    """Situations in which something else may be said of an incident, and the facts that this states."""

    def __init__(self, incident: Incident, table: Table, values: Values, whole: Bits) -> None:
        self.incident, self.table, self.values, self.whole = incident, table, values, whole

    def about(self, number: int) -> Table:
        """What can be said of the matter that a finding is."""
        found = self.incident.revokes
        return self.table.about(found[number].of) if 0 <= number < len(found) else self.table

    def places(self, number: int) -> Iterator[tuple[Given, Bits]]:
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
        found: dict[str, Facts] = {}
        for fact, bits in merged(self._found()).items():
            found.setdefault(cast(str, fact[0]), Facts())[fact] = bits
        return found

    def _found(self) -> Iterator[tuple[Fact, Bits]]:
        """The facts of the table, the record, the events and the result, then those of each revoke found out."""
        keys = [key for key in self.values if key[0] == BOARD]
        for given, where in self._combinations(keys, {}, self.whole):
            for fact in observe(replace(self.incident, **given), self.table):
                yield fact, where

        for number in sorted({number for number, _ in self.values if number != BOARD}):
            for kind in self.about(number).findings.values():
                yield from self.stated((number, kind.id))
            if self.about(number).of != REVOKE:
                continue
            named = [(number, name) for name in ("hand", "trick", "card")]
            keys = [key for key in named if key in self.values and self.values[key] != {TOLD: self.whole}]
            for given, where in self._combinations(keys, {}, self.whole):
                if "hand" in given:
                    for fact in played(number, given["trick"], given["hand"], given.get("card"), self.incident):
                        yield fact, where

    def stated(self, key: Key) -> Iterator[tuple[Fact, Bits]]:
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
                named = [(BOARD if one == "declarer" else number, one) for one in sorted(wanted)]
                given, known = {**start, name: value}, [one for one in named if one in self.values]
                for one, here in self._combinations(known, given, where):  # wherever the names in it have a value
                    if "hand" in one and "trick" in one:
                        one["play"] = play_of(number, one["trick"], one["hand"], self.incident)
                    unnamed = (each for each in table.names if each in table.findings and one.get(each) is None)
                    one.update(dict.fromkeys(unnamed, f"{STANDS_FOR}{number + 1}"))
                    for each in of_each(one[name], one):
                        yield from ((fact, here) for fact in facts_of((template,), each, table))

    def _combinations(self, keys: Iterable[Key], given: Given, where: Bits) -> Iterator[tuple[dict[str, Any], Bits]]:
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
                fields = tuple(dict.fromkeys(holes(one.because["en"])))
                kinds[name] = Kind(name, tuple(Field(each, "text") for each in fields), {}, one.place)
                then = Conclusion(name, {each: Variable(each) for each in fields}, one.place)
                when = read_when(one.facts, Faults())
                unless = () if one.unless is None else read_unless(one.unless, Faults())
                self.rules.append(Rule(one.place, when, (then,), one.because, unless, id=name))
        self.vocabulary = Vocabulary(vocabulary.words, kinds, vocabulary.languages)
        self.reads = reads | {item.kind for rule in self.rules for item in rule.conditions()}
        """The kinds of fact that matter."""

    @cached_property
    def sets(self) -> Sets:
        return Sets(self.vocabulary, self.rules)

    def forbidden(self, layout: Layout) -> Iterator[tuple[str, Bits, frozenset[str]]]:
        """Why some situations cannot be, which, and the findings that this depends on."""
        run = self.sets.run(layout.facts, layout.whole)
        for number, held in run.fired.items():
            rule = self.rules[number]
            looks_at = {item.kind for item in rule.conditions()}
            findings = frozenset(
                one.id for table in self.table.every for one in table.findings.values() if one.kinds & looks_at
            )
            for fact, bits in held.items():
                index = self.vocabulary.kinds[rule.id].index
                because = fill(rule.because["en"], {name: str(fact[at]) for name, at in index.items()})
                yield because, bits, findings
