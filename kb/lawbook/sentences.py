"""Rules as sentences: each condition in the words of its kind, variables as letters."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from facts.fact import Value
from kb.explain.say import Speaker
from kb.language.known import PLAY
from kb.language.model import Condition, Operator, Rule, Tally, Test
from kb.language.strata import uses
from kb.language.terms import Term
from kb.language.texts import fill, holes
from kb.language.vocabulary import TIMES, Kind, said_as

COMPARED: Final[Mapping[Operator, tuple[str, str]]] = {
    "<": ("less", "before"),
    "<=": ("at-most", "not-after"),
    ">": ("more", "after"),
    ">=": ("at-least", "not-before"),
}
"""Phrases for a comparison: of numbers, of times."""


@dataclass(frozen=True, slots=True)
class RuleSentences:
    """One rule in words."""

    id: str
    when: tuple[str, ...]
    unless: tuple[str, ...]
    then: tuple[str, ...]
    because: str


class Sentences:
    """Says rules; ``mark`` sets off a variable, ``plain`` readies all other text for the page."""

    def __init__(self, speaker: Speaker, mark: Callable[[str], str], plain: Callable[[str], str]) -> None:
        self.speaker = speaker
        self.mark = mark
        self.plain = plain
        self.kinds = speaker.vocabulary.kinds

    def rule(self, rule: Rule) -> RuleSentences:
        """The rule in words."""
        context = _Context(rule)
        when = tuple(
            self._tally(item, context) if isinstance(item, Tally) else self._condition(item, context)
            for item in rule.when
        )
        unless = tuple(self._condition(item, context) for item in rule.unless)
        then = tuple(self._filled(self.kinds[one.kind], one.terms, context) for one in rule.then)
        types = {use.name for use in uses(rule, self.speaker.vocabulary)}
        because = fill(rule.because[self.speaker.lang], {name: self._letter(name) for name in types}, self.plain)
        return RuleSentences(rule.id, when, unless, then, because)

    def phrase(self, key: str, **places: object) -> str:
        """A phrase of the book; what fills its places is ready for the page."""
        text = self.speaker.words.phrases[f"book-{key}"][self.speaker.lang]
        return fill(text, {name: None if value is None else str(value) for name, value in places.items()}, self.plain)

    def _condition(self, condition: Condition, context: _Context) -> str:
        kind = self.kinds[condition.kind]
        said = self._filled(kind, {test.field: test for test in condition.tests}, context)
        shown = holes(kind.says[self.speaker.lang])
        hidden = [
            self._hidden(test, kind) for test in condition.tests if test.field not in shown and context.matters(test)
        ]
        return said + (f" ({', '.join(hidden)})" if hidden else "")

    def _hidden(self, test: Test, kind: Kind) -> str:
        """A test of a field that the kind's sentence does not mention."""
        name = self.plain(self.speaker.words.name("field", test.field, self.speaker.lang))
        return f"{name} {self._tested(test, kind.field_named(test.field).type)}"

    def _tally(self, tally: Tally, context: _Context) -> str:
        field = tally.field and self.plain(self.speaker.words.name("field", tally.field, self.speaker.lang))
        of = self._condition(tally.of, context)
        return self.phrase(tally.how, fact=of, field=field, number=self._tested(tally.number, "integer"))

    def _filled(self, kind: Kind, given: Mapping[str, Test] | Mapping[str, Term], context: _Context) -> str:
        """The sentence of a kind; what is not given is known from elsewhere, or may be anything."""
        values = {}
        for field in kind.fields:
            what = given.get(field.name) if field.name in given else context.known(given, field.name)
            if isinstance(what, Test):
                values[field.name] = self._tested(what, field.type)
            elif what is None:
                values[field.name] = self._any(field.type)
            else:
                values[field.name] = self._term(what, field.type)
        return fill(kind.says[self.speaker.lang], values, self.plain)

    def _tested(self, test: Test, type_: str) -> str:
        if test.among:
            return self.phrase("or").join(self._value(value, type_) for value in test.among)
        term = self._term(test.term, type_)
        if test.operator == "=":
            return term
        if test.operator == "!=":
            return self.phrase("other-than", any=self._any(type_), x=term)
        if type_ not in TIMES and (least := test.inclusive) is not None:
            return self.phrase(COMPARED[least[0]][0], x=str(least[1]))
        return self.phrase(COMPARED[test.operator][type_ in TIMES], x=term)

    def _any(self, type_: str) -> str:
        texts = self.speaker.words.names.get("any", {}).get(said_as(type_))
        return "…" if texts is None else self.plain(texts[self.speaker.lang])

    def _term(self, term: Term, type_: str) -> str:
        return term.spelt(self._letter, lambda value: self._value(value, type_))

    def _value(self, value: Value, type_: str) -> str:
        return self.plain(self.speaker.value(value, type_))

    def _letter(self, name: str) -> str:
        return self.mark(name.upper())


class _Context:
    """What a rule says of its variables as a whole."""

    def __init__(self, rule: Rule) -> None:
        self.used: list[str] = [name for term in rule.terms() for name in term.variables]
        self.of_play: dict[str, dict[str, Term]] = {}
        for item in rule.when:
            self._learn({t.field: t.term for t in item.condition.tests if t.operator == "=" and not t.among})
        for conclusion in rule.then:
            self._learn(conclusion.terms)

    def _learn(self, terms: Mapping[str, Term]) -> None:
        play = terms.get(PLAY)
        if play and play.alone:
            for field, term in terms.items():
                self.of_play.setdefault(play.alone, {}).setdefault(field, term)

    def known(self, given: Mapping[str, Test] | Mapping[str, Term], field: str) -> Term | None:
        """What is known elsewhere in the rule of a field of the same play."""
        named = given.get(PLAY)
        play = named.binds if isinstance(named, Test) else named and named.alone
        return self.of_play[play].get(field) if play in self.of_play else None

    def matters(self, test: Test) -> bool:
        """Whether a test says more than a name that is needed nowhere else, or than which play is meant."""
        if test.field == PLAY and test.operator == "=":
            return False
        return not (test.binds and self.used.count(test.binds) < 2)
