"""A rule changed in one place, in every way that could matter; and the survivors that an edition knows of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from facts.errors import Fault, Faults, InputError, Place
from facts.fact import Value
from facts.form import FromFile, Placed, read_form
from facts.yaml_reader import read_text, read_yaml
from kb.language.folders import MUTANTS
from kb.language.known import AT, CARD, HAND, PLAY, TRICK
from kb.language.model import Conclusion, Condition, Operator, Rule, Tally, Test
from kb.language.terms import Term
from kb.language.vocabulary import Vocabulary

FLIPS: Final[dict[Operator, tuple[Operator, ...]]] = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "!=": ("=",),
}
"""A comparison, and what it might have been instead: its border moved, or the opposite."""
SETTLES: Final = {PLAY: (TRICK, HAND), CARD: (HAND,)}
"""A play is one hand's play to one trick, and a card is in one hand: conditions that share it need not share these."""

T = TypeVar("T")
Change: TypeAlias = tuple[str, Place, Rule | None]
"""What is changed, where, and the rule after it; None when the rule is gone."""


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change of one rule."""

    name: str
    """``7A1.1 unless put-right at: < $b -> <= $b``; each mutant of an edition has a name of its own."""
    rule: Rule
    """As it stands in the file."""
    changed: Rule | None
    """None: the rule is left out."""
    place: Place
    """Where the file would be changed."""


def mutants_of(rule: Rule, vocabulary: Vocabulary) -> Iterator[Mutant]:
    """Every mutant of a rule, in the order of the file; some of them the loader would refuse."""
    for what, place, changed in (*_whole(rule), *_Parts(rule, vocabulary).changes()):
        yield Mutant(f"{rule.id}{what}", rule, changed, place)


def rule_of(name: str) -> str:
    """The id of the rule that the mutant of this name changes."""
    return name.split(" ", maxsplit=1)[0].rstrip(":")


def _whole(rule: Rule) -> Iterator[Change]:
    yield ": dropped", rule.place, None


class _Parts:
    """Changes within one rule."""

    def __init__(self, rule: Rule, vocabulary: Vocabulary) -> None:
        self.rule = rule
        self.vocabulary = vocabulary

    def changes(self) -> Iterator[Change]:
        yield from self._of_when()
        yield from self._of_unless()
        yield from self._of_then()

    def _of_when(self) -> Iterator[Change]:
        when = self.rule.when
        for number, item in enumerate(when):
            name = _named("when", when, number)
            if len(when) > 1:
                yield f"{name}: dropped", item.place, replace(self.rule, when=_without(when, number))
            for what, place, condition in self._of_condition(item.condition, when):
                changed = replace(item, of=condition) if isinstance(item, Tally) else condition
                yield f"{name} {what}", place, replace(self.rule, when=_with(when, number, changed))
            if isinstance(item, Tally):
                for what, test in self._of_test(item.number, "integer"):
                    tally = replace(item, operator=test.operator, term=test.term)
                    yield f"{name} {what}", test.place, replace(self.rule, when=_with(when, number, tally))

    def _of_unless(self) -> Iterator[Change]:
        unless = self.rule.unless
        for number, item in enumerate(unless):
            name = _named("unless", unless, number)
            yield f"{name}: dropped", item.place, replace(self.rule, unless=_without(unless, number))
            for what, place, condition in self._of_condition(item, self.rule.when):
                yield f"{name} {what}", place, replace(self.rule, unless=_with(unless, number, condition))

    def _of_then(self) -> Iterator[Change]:
        then = self.rule.then
        for number, item in enumerate(then):
            name = _named("then", then, number)
            if len(then) > 1:
                yield f"{name}: dropped", item.place, replace(self.rule, then=_without(then, number))
            for field, term in item.terms.items():
                type_ = self.vocabulary.kinds[item.kind].field_named(field).type
                for other in self._others(term, type_):
                    conclusion = replace(item, terms={**item.terms, field: other})
                    what = f"{name} {field}: {term} -> {other}"
                    place = item.place_of(field)
                    yield what, place, replace(self.rule, then=_with(then, number, conclusion))

    def _of_condition(
        self, condition: Condition, beside: Sequence[Condition | Tally]
    ) -> Iterator[tuple[str, Place, Condition]]:
        tests = condition.tests
        for number, test in enumerate(tests):
            if not _settled(test, condition, beside):
                yield f"{test.field}: dropped", test.place, replace(condition, tests=_without(tests, number))
            type_ = self.vocabulary.kinds[condition.kind].field_named(test.field).type
            for what, changed in self._of_test(test, type_):
                yield what, test.place, replace(condition, tests=_with(tests, number, changed))

    def _of_test(self, test: Test, type_: str) -> Iterator[tuple[str, Test]]:
        changed: list[Test] = []
        if len(test.among) > 1:
            changed += [replace(test, among=_without(test.among, number)) for number in range(len(test.among))]
        if not test.among:
            # no two happenings share a moment: of theirs only the opposite is a change, before is as good as not after
            flips = FLIPS.get(test.operator, ())
            changed += [replace(test, operator=flip) for flip in (flips[-1:] if test.field == AT else flips)]
            changed += [replace(test, term=term) for term in self._others(test.term, type_)]
        for one in changed:
            yield f"{test} -> {one.demand}", one

    def _others(self, term: Term, type_: str) -> Iterator[Term]:
        """What might have been written instead of a constant."""
        words = self.vocabulary.values_of(type_)
        changed = (term.mapped(partial(_another, words=words, step=step)) for step in (1, -1))
        yield from (other for other in dict.fromkeys(changed) if other != term)


def _settled(test: Test, condition: Condition, beside: Sequence[Condition | Tally]) -> bool:
    """Whether another condition on the same play or card says the same already."""
    if not test.binds:
        return False
    return any(
        test.field in settled
        and (shared := _variable_of(condition, key)) is not None
        and _variable_of(other, key) == shared
        and _variable_of(other, test.field) == test.binds
        for other in beside
        if isinstance(other, Condition) and other is not condition
        for key, settled in SETTLES.items()
    )


def _variable_of(condition: Condition, field: str) -> str | None:
    """The variable that a field equals."""
    return next((test.binds for test in condition.tests if test.field == field and test.binds), None)


def _named(part: str, items: Sequence[Condition | Tally | Conclusion], number: int) -> str:
    """``when revoke``, or ``when revoke #2`` where it is the second of its kind."""
    titles = [item.title for item in items]
    before = titles[:number].count(titles[number])
    return f" {part} {titles[number]}" + (f" #{before + 1}" if before else "")


def _another(value: Value, words: Sequence[Value], step: int) -> Value:
    """What might have been written instead of a value: the other of yes and no, a number beside it, the next word."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + step
    return words[(words.index(value) + 1) % len(words)] if value in words else value


def _without(items: Sequence[T], number: int) -> tuple[T, ...]:
    return (*items[:number], *items[number + 1 :])


def _with(items: Sequence[T], number: int, item: T) -> tuple[T, ...]:
    return (*items[:number], item, *items[number + 1 :])


@dataclass(frozen=True, slots=True)
class Known(FromFile):
    """Mutants that survive for one reason."""

    why: str
    mutants: tuple[Placed[str], ...]
    """Their names, as ``revoke test --mutate`` tells them."""


def known_survivors(folder: Path) -> dict[str, tuple[str, Place]]:
    """Name of a mutant -> why it survives, and where that stands; nothing where there is no such file."""
    file = folder / MUTANTS
    if not file.is_file():
        return {}
    faults = Faults()
    groups: tuple[Known, ...] = read_form(tuple[Known, ...], read_yaml(read_text(file), str(file)), faults)
    known: dict[str, tuple[str, Place]] = {}
    for group in groups:
        for name in group.mutants:
            if name.value in known:
                faults.append(Fault(name.place, f"{name.value} stands here twice", "keep one of the two"))
            known[name.value] = (" ".join(group.why.split()), name.place)
    if faults:
        raise InputError(sorted(faults))
    return known
