"""From what is said of a table to facts: the templates of a declaration with their names put in."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias, cast

from facts.cards import CLOCKWISE, NEXT, OTHER_SIDE, PARTNER, SIDE, Card, Seat
from facts.fact import Fact, Value
from facts.table import SUFFIXES, Formula, Table, Template, Term, written

Given: TypeAlias = Mapping[str, Any]
"""Names with their values; one that is missing, or None, is not stated."""

_OF_HAND: Final[Mapping[str, Callable[[Seat], str]]] = {
    "hand": lambda hand: hand,
    "left": lambda hand: NEXT[hand],
    "partner": lambda hand: PARTNER[hand],
    "right": lambda hand: PARTNER[NEXT[hand]],
    "side": lambda hand: SIDE[hand],
    "other-side": lambda hand: OTHER_SIDE[SIDE[hand]],
}
_OF_DECLARER: Final[Mapping[str, Callable[[Seat], str]]] = {
    "declarer": lambda declarer: declarer,
    "dummy": lambda declarer: PARTNER[declarer],
    "declaring": lambda declarer: SIDE[declarer],
    "defending": lambda declarer: OTHER_SIDE[SIDE[declarer]],
}


def variables(name: str, table: Table) -> frozenset[str]:
    """What a name depends on: ``hand``, ``trick``, ``declarer``, or findings."""
    base, suffix = _parted(name)
    own = frozenset(["hand"]) if suffix == "-own" else frozenset[str]()
    if base in _OF_HAND:
        return own | {"hand"}
    if base in _OF_DECLARER:
        return own | {"declarer"}
    if base in table.findings:
        return own | ({base, "trick"} if not suffix and _timed(base, table) else {base})
    if base == "play":
        return own | {"trick", "hand"}
    return own | ({"trick"} if base == "trick" or base in table.of_a_trick else set())


def known_names(name: str, names: Container[str], table: Table) -> bool:
    """Whether a name means something: one of these, what belongs to it, or something of the hand, trick or declarer."""
    base, suffix = _parted(name)
    if name in names or (suffix and base in names):
        return True
    return not suffix and any(base in some for some in (_OF_HAND, _OF_DECLARER, table.of_a_trick, table.of_a_board))


def facts_of(templates: tuple[Template, ...], given: Given, table: Table) -> Iterator[Fact]:
    """The facts that templates state; those that name something not stated are left out."""
    for template in templates:
        if any(given.get(name) is not None for name in template.lacking):
            continue
        if template.less is not None:
            first, second = (evaluated(one, given, table) for one in template.less)
            if first is None or second is None or first >= second:
                continue
        terms = dict(template.terms)
        wanted = [terms[field] for field in table.fields[template.kind]]
        values: list[Value] = [evaluated(term, given, table) for term in wanted]
        if all(value is not None or term is None for value, term in zip(values, wanted, strict=True)):
            yield template.kind, *values


def of_each(value: Any, given: Given) -> Iterator[dict[str, Any]]:
    """The names with ``value``: once, or for a list once for each hand of it, clockwise from the hand that revoked."""
    if not isinstance(value, tuple):
        yield {**given, "value": value}
        return
    around = CLOCKWISE[cast(Seat, given["hand"])]
    for nth, hand in enumerate([hand for hand in around if hand in value], 1):
        yield {**given, "value": hand, "nth": nth}


def evaluated(term: Term, given: Given, table: Table) -> Any:
    """The value of a term; None where a name in it is not stated."""
    if not isinstance(term, Formula):
        return term
    total: Any = 0
    for sign, factors in term.products:
        product: Any = 1
        for factor in factors:
            value = factor if isinstance(factor, int) else named(factor[1:], given, table)
            if value is None:
                return None
            if not isinstance(value, int) or isinstance(value, bool):
                return value
            product *= value
        total += sign * product
    return total


def named(name: str, given: Given, table: Table) -> Any:
    """The value that a name stands for; None where it is not stated."""
    if name in given:
        if name in table.findings and _timed(name, table):
            return moment_of(name, given, table)
        value = given[name]
        return value.text if isinstance(value, Card) else value
    base, suffix = _parted(name)
    if suffix:
        return _belonging(given.get(base), suffix, given)
    for known, of in ((_OF_HAND, given.get("hand")), (_OF_DECLARER, given.get("declarer"))):
        if base in known:
            return None if of is None else known[base](of)
    if base in table.of_a_trick and given.get("trick") is not None:
        return 1000 * given["trick"] + table.of_a_trick[base]
    return table.of_a_board.get(base)


def moment_of(finding: str, given: Given, table: Table) -> int | None:
    """The moment that the value of a finding names, if it names one."""
    word = written(given.get(finding))
    if word not in table.findings[finding].type.words:
        word = written(table.findings[finding].presumed)
    if word in table.of_a_board:
        return table.of_a_board[word]
    return 1000 * given["trick"] + table.of_a_trick[word] if word in table.of_a_trick else None


def _timed(finding: str, table: Table) -> bool:
    """Whether the values of a finding are moments."""
    return not table.of_a_trick.keys().isdisjoint(table.findings[finding].type.words)


@lru_cache(1_000)
def _parted(name: str) -> tuple[str, str]:
    if name == "other-side":
        return name, ""
    return next(((name.removesuffix(suffix), suffix) for suffix in SUFFIXES if name.endswith(suffix)), (name, ""))


def _belonging(value: Any, suffix: str, given: Given) -> Any:
    if value is None:
        return None
    if isinstance(value, Card):
        return value.suit if suffix == "-suit" else value.rank
    side = SIDE[cast(Seat, value)]
    return side if suffix == "-side" else int(side == SIDE[given["hand"]])
