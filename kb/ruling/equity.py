"""A ruling with double-dummy evidence: what would have been without each revoke, stated as facts for the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from facts.cards import BY_TEXT, OTHER_SIDE, Card, Side
from facts.double_dummy import NotComputed, Solver, WhyNotComputed
from facts.equity import Evidence, Revoke, ToldAnswers, evidence
from facts.fact import Fact
from facts.incident import Incident
from kb.language.known import CARD, ESTABLISHED, EVIDENCE, HAND, HELD
from kb.ruling.law import Law
from kb.ruling.rule import refuse_contradictions, rule
from kb.ruling.ruling import RevokeRuled, Ruling

WHOLE_DEAL: Final = 13

Found: TypeAlias = Mapping[int, Evidence | NotComputed]
"""What was found of each revoke, by the moment that names the play."""


def rule_with_evidence(law: Law, incident: Incident, solver: Solver | ToldAnswers | None = None) -> Ruling:
    """The ruling with evidence for each revoke that stands; errors as of ``rule``.

    ``solver``: the best one there is, if none is named; or the answers that an earlier ruling told. Where nothing can
    be computed the ruling is the same as without. An edition whose rules read no evidence gets none.
    """
    ruling = rule(law, incident)
    if EVIDENCE not in law.program.kinds:
        return ruling
    found = weigh(ruling, [revoke for revoke in ruling.revokes if revoke.status == ESTABLISHED], solver)
    known = {play: one for play, one in found.items() if isinstance(one, Evidence)}
    facts = [fact for play, one in known.items() for fact in _facts_of(play, one)]
    return restated(law, ruling, facts, found)


def weigh(ruling: Ruling, revokes: Iterable[RevokeRuled], solver: Solver | ToldAnswers | None = None) -> Found:
    """Double dummy's answer for each of these revokes of a ruling."""
    found: dict[int, Evidence | NotComputed] = {}
    for revoke in revokes:
        if revoke.card is None:
            found[revoke.play] = NotComputed(WhyNotComputed.NOT_KNOWN, "the card of the revoke is not known; state it")
            continue
        asked = Revoke(revoke.trick, revoke.hand, BY_TEXT[revoke.card], _instead(ruling, revoke))
        (found[revoke.play],) = evidence(ruling.incident, [asked], solver)
    return found


def restated(law: Law, ruling: Ruling, facts: Iterable[Fact], found: Found | None = None) -> Ruling:
    """The ruling once more, with facts of evidence added and what was found shown beside it."""
    added = frozenset(facts)
    certain = ruling.opening is None or ruling.opening.among.bit_count() == 1
    proof = law.engine.run(ruling.proof.ground | added) if added and certain else ruling.proof
    again = replace(ruling, proof=proof, evidence=found or {})
    refuse_contradictions(again)
    return again


def stated(play: int, side: Side, least: int, most: int, replays: tuple[int, int]) -> Iterator[Fact]:
    """The facts of the evidence on one revoke, for either side.

    ``least`` and ``most`` are tricks in all of ``side``, the one that did not revoke here, with best play by all after
    some legal card; ``replays`` its fewest and most tricks with the cards that were played.
    """
    other = OTHER_SIDE[side]
    fewest, highest = replays
    for measure, tricks in (("least", least), ("most", most), ("replay", highest)):
        yield EVIDENCE, play, side, measure, tricks
    for measure, tricks in (("least", most), ("most", least), ("replay", fewest)):
        yield EVIDENCE, play, other, measure, WHOLE_DEAL - tricks


def _facts_of(play: int, one: Evidence) -> Iterator[Fact]:
    """None of an ending alone: its tricks cannot be compared with those of the board."""
    if one.out_of == WHOLE_DEAL:
        yield from stated(play, one.side, one.low, one.high, one.replays)


def _instead(ruling: Ruling, revoke: RevokeRuled) -> tuple[Card, ...]:
    """The cards that had to be played, where that was not to follow suit; empty where they are not known."""
    final = ruling.incident.timeline.final
    if final is None or revoke.suit is None or revoke.trick > len(final.tricks):
        return ()
    if final.tricks[revoke.trick - 1].led == revoke.suit:
        return ()
    held = ruling.proof.read(HELD, HAND, "suit", CARD, "until")
    whose = (revoke.hand, revoke.suit)
    return tuple(BY_TEXT[card] for *of, card, until in held if (*of,) == whose and until >= revoke.trick)
