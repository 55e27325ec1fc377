"""What rules read, and their order: `unless`, `count` and `total` only read what is settled."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from facts.errors import Fault, Place, RulesError
from kb.language.rule import Conclusion, Condition, Rule, Tally, Test
from kb.language.vocabulary import Field, Vocabulary


def settled(rule: Rule) -> tuple[Condition | Tally, ...]:
    """What a rule reads of kinds of which every fact must be known before it may fire, in the order of the file."""
    return (*rule.tallies, *rule.unless)


def strata(rules: Iterable[Rule]) -> tuple[tuple[Rule, ...], ...]:
    """The rules stratum by stratum, lowest first, each in the order given.

    Raises RulesError when a rule needs settled what depends on it: see ``cycles``.
    """
    rules = tuple(rules)
    levels, of_kind, readers = [0] * len(rules), dict[str, int](), dict[str, list[tuple[int, int]]]()
    for number, rule in enumerate(rules):
        for above, items in ((0, rule.wanted), (1, settled(rule))):
            for item in items:
                readers.setdefault(item.condition.kind, []).append((number, above))
    waiting = deque(range(len(rules)))
    while waiting:
        level = levels[number := waiting.popleft()]
        if level > len(rules):  # in a circle they climb for ever
            raise RulesError(cycles(rules))
        for kind in (conclusion.kind for conclusion in rules[number].then):
            if of_kind.get(kind, -1) < level:
                of_kind[kind] = level
                for reader, above in readers.get(kind, ()):
                    if levels[reader] < level + above:
                        levels[reader] = level + above
                        waiting.append(reader)
    return tuple(
        tuple(rule for rule, level in zip(rules, levels, strict=True) if level == wanted)
        for wanted in sorted(set(levels))
    )


def cycles(rules: Iterable[Rule], own: Callable[[Rule], bool] = lambda _: True) -> list[Fault]:
    """A fault for every condition that needs settled what depends on its own rule, with a shortest way round.

    Of those of rules that are not the edition's ``own``, which are right without it, one is told for each own rule that
    closes such a circle and is told of in no other way, and at that rule.
    """
    rules = tuple(rules)
    readers: dict[str, list[Rule]] = {}
    for rule in rules:
        for kind in dict.fromkeys(condition.kind for condition in rule.conditions()):
            readers.setdefault(kind, []).append(rule)
    faults, rules_told = list[Fault](), set[str]()
    for rule in sorted(rules, key=lambda rule: not own(rule)):
        for item in settled(rule):
            if (circle := _way_round(rule, item.condition.kind, readers)) is None:
                continue
            chain, closing = circle
            word, kind = item.how if isinstance(item, Tally) else "unless", item.condition.kind
            problem = f"rule {rule.id} reads {kind} under '{word}', but {kind} depends on this very rule"
            if len(chain) > 1:
                problem += " (through " + ", ".join(link.id for link in chain[1:]) + ")"
            mend = f"let '{word}' read a kind that is settled without this rule, or conclude another kind"
            fault = Fault(item.place, problem, mend, ((closing.place, f"{kind} is concluded here"),))
            by = next(filter(own, chain), rule)
            if by is rule:
                faults.append(fault)
            elif by.id not in rules_told:
                faults.append(replace(fault, place=by.then[0].place, others=((fault.place, "read here"),)))
            rules_told.add(by.id)
    return faults


def _way_round(rule: Rule, kind: str, readers: dict[str, list[Rule]]) -> tuple[tuple[Rule, ...], Conclusion] | None:
    """A shortest chain of rules from one rule's conclusions back to the kind it needs settled."""
    waiting: deque[tuple[Rule, ...]] = deque([(rule,)])
    seen: set[str] = set()
    while waiting:
        chain = waiting.popleft()
        for conclusion in chain[-1].then:
            if conclusion.kind == kind:
                return chain, conclusion
            if conclusion.kind not in seen:
                seen.add(conclusion.kind)
                waiting.extend((*chain, reader) for reader in readers.get(conclusion.kind, ()))
    return None


@dataclass(frozen=True, slots=True)
class Use:
    """One variable in one place of a rule."""

    name: str
    place: Place
    part: str
    """``when``, ``is`` (the number of a tally), ``of`` (what a tally counts), ``unless`` or ``then``."""
    item: int
    """Number of the item within its part."""
    bare: bool
    """Whether the field simply equals the variable: not compared, not part of a sum."""
    type: str | None
    """The type that the variable must have here; None when the field is not known."""
    field: Field | None
    """The field it stands in; None for the number of a tally, and where the field is not known."""


def uses(rule: Rule, vocabulary: Vocabulary) -> Iterator[Use]:
    """Every use, in the order of the file."""
    tests: list[tuple[str, int, str, Test]] = []
    for item, demanded in enumerate(rule.when):
        part = "of" if isinstance(demanded, Tally) else "when"
        tests += [(part, item, demanded.condition.kind, test) for test in demanded.condition.tests]
        if isinstance(demanded, Tally):
            tests.append(("is", item, "", demanded.number))
    for item, condition in enumerate(rule.unless):
        tests += [("unless", item, condition.kind, test) for test in condition.tests]
    for item, then in enumerate(rule.then):
        concluded = ((name, term, then.place_of(name)) for name, term in then.terms.items())
        tests += [("then", item, then.kind, Test(name, "=", term, place)) for name, term, place in concluded]
    for part, item, kind, test in tests:
        field, alone = field_of(vocabulary, kind, test.field), test.term.alone is not None
        type_ = (field.type if field else None) if alone and part != "is" else "integer"
        for name in test.term.variables:
            yield Use(name, test.place, part, item, alone and test.operator == "=", type_, field)


def bound(rule: Rule) -> dict[str, int]:
    """The variables that ``when`` gives a value, each with the number of the tally that does; -1: a condition does."""
    numbers: dict[str, int] = {}
    for item, condition in enumerate(rule.when):
        if isinstance(condition, Tally):
            if name := condition.number.binds:
                numbers.setdefault(name, item)
        else:
            numbers.update({name: -1 for test in condition.tests if (name := test.binds) and condition.gives(test)})
    return numbers


def field_of(vocabulary: Vocabulary, kind: str, name: str) -> Field | None:
    """The field of that name; None when kind, field or type is not known."""
    declared = vocabulary.kinds.get(kind)
    field = declared.field_named(name) if declared and name in declared.index else None
    return field if field and field.type else None
