"""Facts, reasons and values as sentences of one language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from facts.ground import Fact, Value
from facts.play import Irregularity
from kb.engine.program import variables
from kb.engine.proof import Proof, Step
from kb.explain.words import Words
from kb.language.checks.variables import uses
from kb.language.model import Condition, Rule, Vocabulary
from kb.ruling.matching import value_of


class Voice:
    """Says the facts of one vocabulary in one language."""

    def __init__(self, words: Words, vocabulary: Vocabulary, lang: str) -> None:
        self.words = words
        self.vocabulary = vocabulary
        self.lang = lang
        self._types: dict[int, dict[str, str]] = {}

    def phrase(self, key: str, **places: object) -> str:
        """A fixed phrase with its places filled."""
        return self.words.phrase(key, self.lang, **places)

    def tricks(self, number: int) -> str:
        """«1 trick», «2 tricks»."""
        return self.phrase("one-trick") if number == 1 else self.phrase("tricks", n=number)

    def laws(self, laws: Iterable[str]) -> str:
        """«Law 7A1, 7B2»; nothing for none."""
        listed = ", ".join(laws)
        return self.phrase("law", law=listed) if listed else ""

    def value(self, value: Value, kind: str) -> str:
        """A value of a type, as it is said."""
        if value is None:
            return self.phrase("unknown")
        if kind == "card":
            suit, rank = str(value)[0], str(value)[1]
            return self.words.name("symbol", suit, self.lang) + self.words.name("rank", rank, self.lang)
        return self.words.name(kind, str(value), self.lang)

    def fact(self, fact: Fact) -> str:
        """A fact as its kind says it."""
        kind = self.vocabulary.kinds[str(fact[0])]
        places = {f.name: self.value(fact[at], f.type) for at, f in enumerate(kind.fields, 1)}
        return kind.says[self.lang].format(**places)

    def pattern(self, condition: Condition, bindings: Mapping[str, Value]) -> str:
        """A fact that is looked for, as its kind says it; … for what may be anything."""
        kind = self.vocabulary.kinds[condition.kind]
        places = dict.fromkeys(kind.index, "…")
        for test in condition.tests:
            type_ = kind.field_named(test.field).type
            if test.among:
                places[test.field] = "/".join(self.value(value, type_) for value in test.among)
            elif test.operator == "=" and all(name in bindings for name in variables(test.term)):
                places[test.field] = self.value(value_of(test.term, bindings), type_)
        return kind.says[self.lang].format(**places)

    def oddity(self, odd: Irregularity) -> str:
        """What is irregular in a record."""
        hand, card = self.value(odd.hand, "seat"), self.value(odd.card.text if odd.card else None, "card")
        return self.words.names["oddity"][odd.kind][self.lang].format(hand=hand, card=card, trick=odd.trick)

    def presumed(self, kind: str) -> str:
        """What is taken for granted when no fact of the kind is stated."""
        texts = self.vocabulary.kinds[kind].presumed
        return "" if texts is None else texts[self.lang]

    def because(self, proof: Proof, step: Step) -> str:
        """Why a step was taken, in the words of its rule."""
        return self.reason(step.rule, proof.bindings(step))

    def reason(self, rule: Rule, bindings: Mapping[str, Value]) -> str:
        """The words of a rule with the values of its variables."""
        types = self._types_of(rule)
        places = {name: self.value(value, types.get(name, "text")) for name, value in bindings.items()}
        return rule.because[self.lang].format(**places)

    def _types_of(self, rule: Rule) -> dict[str, str]:
        known = self._types.get(id(rule))
        if known is None:
            known = {use.name: use.type for use in uses(rule, self.vocabulary) if use.type is not None}
            self._types[id(rule)] = known
        return known
