"""From what is said of a table to facts: the templates of a declaration with their names put in."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias, cast

from facts.cards import CLOCKWISE, OTHER_SIDE, PARTNER, SIDE, Card, Seat
from facts.fact import Fact, Value
from facts.table import SUFFIXES, Formula, Table, Template, Term, written

Given: TypeAlias = Mapping[str, Any]
"""Names with their values; one that is missing, or None, is not stated."""

_OF_HAND: Final[Mapping[str, int]] = {"hand": 0, "left": 1, "partner": 2, "right": 3}
_OF_DECLARER: Final = ("declarer", "dummy", "declaring", "defending")


def variables(name: str, table: Table) -> frozenset[str]:
    """What a name depends on: ``hand``, ``trick``, ``declarer``, or findings."""
    base, suffix = _parted(name)
    own = frozenset(["hand"]) if suffix == "-own" else frozenset[str]()
    if base in _OF_HAND or base in ("side", "other-side"):
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
    of_hand = base in _OF_HAND or base in ("side", "other-side")
    return not suffix and (of_hand or base in _OF_DECLARER or base in table.of_a_trick or base in table.of_a_board)


def facts_of(templates: tuple[Template, ...], given: Given, table: Table) -> Iterator[Fact]:
    """The facts that templates state; those that name something not stated are left out."""
    for template in templates:
        if template.given is not None and given.get(template.given) is None:
            continue
        if any(given.get(name) is not None for name in template.lacking):
            continue
        if template.less is not None and not _less(template.less, given, table):
            continue
        fact = _fact(template, given, table)
        if fact is not None:
            yield fact


def of_each(value: Any, given: Given) -> Iterator[dict[str, Any]]:
    """The names with ``value``: once, or for a list once for each hand of it, clockwise from the hand that revoked."""
    if not isinstance(value, tuple):
        yield {**given, "value": value}
        return
    around = CLOCKWISE[cast(Seat, given["hand"])]
    for nth, hand in enumerate([hand for hand in around if hand in value], 1):
        yield {**given, "value": hand, "nth": nth}


def _less(two: tuple[Formula, Formula], given: Given, table: Table) -> bool:
    first, second = (evaluated(one, given, table) for one in two)
    return first is not None and second is not None and first < second


def _fact(template: Template, given: Given, table: Table) -> Fact | None:
    terms = dict(template.terms)
    values: list[Value] = [template.kind]
    for field in table.fields[template.kind]:
        value = evaluated(terms[field], given, table)
        if value is None and terms[field] is not None:
            return None
        values.append(value)
    return tuple(values)


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
        return moment_of(name, given, table) if name in table.findings and _timed(name, table) else _plain(given[name])
    base, suffix = _parted(name)
    if suffix:
        return _belonging(given.get(base), suffix, given)
    hand, declarer, trick = given.get("hand"), given.get("declarer"), given.get("trick")
    if base in _OF_HAND or base in ("side", "other-side"):
        return None if hand is None else _seen_from(hand, base)
    if base in _OF_DECLARER:
        return None if declarer is None else _of_declarer(declarer, base)
    of_a_trick = None if trick is None or base not in table.of_a_trick else 1000 * trick + table.of_a_trick[base]
    return table.of_a_board.get(base, of_a_trick)


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
    if name in ("other-side",):
        return name, ""
    return next(((name.removesuffix(suffix), suffix) for suffix in SUFFIXES if name.endswith(suffix)), (name, ""))


def _plain(value: Any) -> Any:
    return value.text if isinstance(value, Card) else value


def _belonging(value: Any, suffix: str, given: Given) -> Any:
    if value is None:
        return None
    if isinstance(value, Card):
        return value.suit if suffix == "-suit" else value.rank
    side = SIDE[cast(Seat, value)]
    return side if suffix == "-side" else int(side == SIDE[given["hand"]])


def _seen_from(hand: Seat, name: str) -> str:
    if name in _OF_HAND:
        return CLOCKWISE[hand][_OF_HAND[name]]
    return SIDE[hand] if name == "side" else OTHER_SIDE[SIDE[hand]]


def _of_declarer(declarer: Seat, name: str) -> str:
    if name in ("declarer", "dummy"):
        return declarer if name == "declarer" else PARTNER[declarer]
    return SIDE[declarer] if name == "declaring" else OTHER_SIDE[SIDE[declarer]]
