"""From what is said of a table to facts: the templates of a declaration with their names put in."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, TypeAlias, cast

from facts.cards import CLOCKWISE, NEXT, OTHER_SIDE, PARTNER, SIDE, SUITS, Card, Seat
from facts.fact import STANDS_FOR, Fact, Value
from facts.table import NAME_SUFFIXES, Formula, Table, Template, TemplateTerm, spelled

NamedValues: TypeAlias = Mapping[str, Any]
"""Names with their values; one that is missing, or None, is not stated."""

_OF: Final[Mapping[str, tuple[str, Callable[[Seat], str]]]] = {
    "hand": ("hand", lambda hand: hand),
    "left": ("hand", lambda hand: NEXT[hand]),
    "partner": ("hand", lambda hand: PARTNER[hand]),
    "right": ("hand", lambda hand: PARTNER[NEXT[hand]]),
    "side": ("hand", lambda hand: SIDE[hand]),
    "other-side": ("hand", lambda hand: OTHER_SIDE[SIDE[hand]]),
    "declarer": ("declarer", lambda declarer: declarer),
    "dummy": ("declarer", lambda declarer: PARTNER[declarer]),
    "declaring": ("declarer", lambda declarer: SIDE[declarer]),
    "defending": ("declarer", lambda declarer: OTHER_SIDE[SIDE[declarer]]),
}
"""Names of seats and sides, and whose they are: those of the hand, or those of declarer."""
NAMES_OF_HAND: Final = tuple(name for name, (whose, _) in _OF.items() if whose == "hand")
"""The names in a question about a hand that is known."""


def variables(name: str, table: Table) -> frozenset[str]:
    """What a name depends on: ``hand``, ``trick``, ``declarer``, or findings."""
    base, suffix = _parted(name)
    by_suffix = frozenset(["hand"] if suffix == "-own" else [])
    if base in _OF:
        return by_suffix | {_OF[base][0]}
    if base in table.findings:
        return by_suffix | ({base, "trick"} if not suffix and _timed(base, table) else {base})
    if base == "play":
        return by_suffix | {"trick", "hand"}
    return by_suffix | ({"trick"} if base == "trick" or base in table.of_a_trick else set())


def known_names(name: str, names: Container[str], table: Table) -> bool:
    """Whether a name means something: one of these, what belongs to it, or something of the hand, trick or declarer."""
    base, suffix = _parted(name)
    if name in names or (suffix and base in names):
        return True
    return not suffix and any(base in group for group in (_OF, table.of_a_trick, table.of_a_board))


def facts_of(templates: tuple[Template, ...], values: NamedValues, table: Table) -> Iterator[Fact]:
    """The facts that templates state; those that name something not stated are left out."""
    for template in templates:
        if any(is_named(values.get(name)) for name in template.unless):
            continue
        if template.if_ is not None:
            first, second = (evaluated(formula, values, table) for formula in template.if_)
            if first is None or second is None or first >= second:
                continue
        wanted = [template.terms[field] for field in table.fields[template.kind]]
        field_values: list[Value] = [evaluated(term, values, table) for term in wanted]
        if all(value is not None or term is None for value, term in zip(field_values, wanted, strict=True)):
            yield template.kind, *field_values


def is_named(value: Any) -> bool:
    """Whether a value is stated, and does not stand for a name."""
    return value is not None and not (isinstance(value, str) and value.startswith(STANDS_FOR))


def of_each(value: Any, values: NamedValues) -> Iterator[dict[str, Any]]:
    """The names with ``value``: once, or for a list once for each suit or hand of it, clockwise from that at fault."""
    if not isinstance(value, tuple):
        yield {**values, "value": value}
        return
    for nth, one in enumerate(in_order(value, values["hand"]), 1):
        yield {**values, "value": one, "nth": nth}


def in_order(several: tuple[str, ...], hand: Seat) -> tuple[str, ...]:
    """Hands clockwise from one, or suits."""
    return tuple(one for one in dict.fromkeys((*CLOCKWISE[hand], *SUITS)) if one in several)


def evaluated(term: TemplateTerm, values: NamedValues, table: Table) -> Any:
    """The value of a term; None where a name in it is not stated."""
    if not isinstance(term, Formula):
        return term
    total: Any = 0
    for sign, factors in term.products:
        product: Any = 1
        for factor in factors:
            value = factor if isinstance(factor, int) else value_of(factor[1:], values, table)
            if value is None:
                return None
            if not isinstance(value, int) or isinstance(value, bool):
                return value
            product *= value
        total += sign * product
    return total


def value_of(name: str, values: NamedValues, table: Table) -> Any:
    """The value that a name stands for; None where it is not stated."""
    if name in values:
        if name in table.findings and _timed(name, table):
            return moment_of(name, values, table)
        value = values[name]
        return value.text if isinstance(value, Card) else value
    base, suffix = _parted(name)
    if suffix:
        return _belonging(values.get(base), suffix, values)
    if base in _OF:
        whose, named_of = _OF[base]
        return None if values.get(whose) is None else named_of(values[whose])
    if base in table.of_a_trick and values.get("trick") is not None:
        return 1000 * values["trick"] + table.of_a_trick[base]
    return table.of_a_board.get(base)


def moment_of(finding: str, values: NamedValues, table: Table) -> int | None:
    """The moment that the value of a finding names, if it names one."""
    word = spelled(values.get(finding))
    if word not in table.findings[finding].type.words:
        word = spelled(table.findings[finding].presumed)
    if word in table.of_a_board:
        return table.of_a_board[word]
    return 1000 * values["trick"] + table.of_a_trick[word] if word in table.of_a_trick else None


def _timed(finding: str, table: Table) -> bool:
    """Whether the values of a finding are moments."""
    return not table.of_a_trick.keys().isdisjoint(table.findings[finding].type.words)


@lru_cache(1_000)
def _parted(name: str) -> tuple[str, str]:
    if name == "other-side":
        return name, ""
    return next(((name.removesuffix(suffix), suffix) for suffix in NAME_SUFFIXES if name.endswith(suffix)), (name, ""))


def _belonging(value: Any, suffix: str, values: NamedValues) -> Any:
    if not is_named(value):
        return None
    if isinstance(value, Card):
        return value.suit if suffix == "-suit" else value.rank
    side = SIDE[cast(Seat, value)]
    return side if suffix == "-side" else int(side == SIDE[values["hand"]])
