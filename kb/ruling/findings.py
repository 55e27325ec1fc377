"""What was found out at the table and the ruling rests on, in the order in which it happened."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from facts.fact import Fact
from kb.language.known import AT, EVIDENCE, PLAY, SEATED, TRICK
from kb.ruling.reasons import premises
from kb.ruling.ruling import Ruling

TRICKS: Final = "tricks"
COUNTED: Final = 20_000
"""The moment of what is counted when the play is over."""
FIXED: Final = frozenset({SEATED, EVIDENCE})
"""Kinds of fact that nobody finds out: who sits where, and what was computed from the cards."""


def findings(ruling: Ruling) -> tuple[Fact, ...]:
    """The observed facts that a ruling rests on, in the order of play and then of the proof."""
    observed = {fact for fact in premises(ruling.citations) if _stated(ruling, fact)}
    return _in_order(ruling, observed - _taken(ruling))


def happened(ruling: Ruling) -> tuple[Fact, ...]:
    """The findings, and in their order what is taken for granted of the very cards that revoked."""
    plays, ground = {one.play for one in ruling.revokes}, _taken(ruling) & ruling.proof.ground
    kind = ruling.edition.vocabulary.kind_of
    of_cards = {fact for fact in ground if fact[kind(fact).index.get(PLAY, 0)] in plays}
    return _in_order(ruling, {*findings(ruling), *of_cards})


def _taken(ruling: Ruling) -> frozenset[Fact]:
    return frozenset() if ruling.opening is None else ruling.opening.taken


def _in_order(ruling: Ruling, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    return tuple(sorted(facts, key=lambda fact: (_moment(ruling, fact), ruling.proof.rank(fact))))


def _stated(ruling: Ruling, fact: Fact) -> bool:
    """Whether it was observed, and is not just how the table is laid out."""
    by_rules = ruling.edition.vocabulary.kind_of(fact).stated_by == "rules"
    return fact in ruling.proof.ground and not by_rules and fact[0] not in FIXED


def _moment(ruling: Ruling, fact: Fact) -> int:
    """When it was; without a moment it comes first, or at the end of its trick; tricks counted come last."""
    index = ruling.edition.vocabulary.kind_of(fact).index
    if TRICKS in index:
        return COUNTED
    for name, scale, end in ((AT, 1, 0), (PLAY, 1, 0), (TRICK, 1000, 700)):
        if name in index:
            return scale * int(fact[index[name]] or 0) + end
    return 0
