"""A ruling with double-dummy evidence: what would have been without each revoke, stated as facts for the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Final, TypeAlias

from facts.cards import BY_TEXT, OTHER_SIDE, Card, Side
from facts.equity import Evidence, NotComputed, Revoke, Solver, WhyNotComputed, double_dummy, evidence
from facts.fact import Fact
from facts.incident import Incident
from kb.language.relied_on import CARD, ESTABLISHED, EVIDENCE, HAND, HELD
from kb.ruling.laws import Law
from kb.ruling.make_ruling import refuse_contradictions, rule
from kb.ruling.ruling import RevokeRuled, Ruling

WHOLE_DEAL: Final = 13

EvidenceByPlay: TypeAlias = Mapping[int, Evidence | NotComputed]
"""What was found of each revoke, by the moment that names the play."""


def rule_with_evidence(law: Law, incident: Incident, solver: Solver = double_dummy) -> Ruling:
    """The ruling with evidence for each revoke that stands; errors as of ``rule``.

    Where nothing can be computed the ruling is the same as without. An edition whose rules read no evidence gets none.
    """
    ruling = rule(law, incident)
    if EVIDENCE not in law.program.kinds:
        return ruling
    evidence_by_play: dict[int, Evidence | NotComputed] = {}
    facts: list[Fact] = []
    for revoke in ruling.revokes:
        if revoke.status != ESTABLISHED:
            continue
        try:
            if revoke.card is None:
                raise NotComputed(WhyNotComputed.NOT_KNOWN, "the card of the revoke is not known; state it")
            asked = Revoke(revoke.trick, revoke.hand, BY_TEXT[revoke.card], _instead(ruling, revoke))
            evidence_by_play[revoke.play] = computed = evidence(ruling.incident, asked, solver)
        except NotComputed as why_not:
            evidence_by_play[revoke.play] = why_not
            continue
        if computed.out_of == WHOLE_DEAL:  # the tricks of an ending alone cannot be compared with those of the board
            facts += stated(revoke.play, computed.side, computed.low, computed.high, computed.replays)
    return with_facts(law, ruling, facts, evidence_by_play)


def with_facts(law: Law, ruling: Ruling, facts: Iterable[Fact], by_play: EvidenceByPlay | None = None) -> Ruling:
    """The ruling once more, with facts of evidence added and what was found shown beside it."""
    added = frozenset(facts)
    certain = ruling.certainty.known
    proof = law.engine.run(ruling.proof.ground | added) if added and certain else ruling.proof
    again = replace(ruling, proved=proof, evidence=by_play or {})
    refuse_contradictions(again)
    return again


def stated(play: int, side: Side, least: int, most: int, replays: tuple[int, int]) -> Iterator[Fact]:
    """The facts of the evidence on one revoke, for either side.

    ``least`` and ``most`` are tricks in all of ``side``, the one that did not revoke here, with best play by all after
    some legal card; ``replays`` its fewest and most tricks with the cards that were played.
    """
    other_side = OTHER_SIDE[side]
    fewest, highest = replays
    for measure, tricks in (("least", least), ("most", most), ("replay", highest)):
        yield EVIDENCE, play, side, measure, tricks
    for measure, tricks in (("least", most), ("most", least), ("replay", fewest)):
        yield EVIDENCE, play, other_side, measure, WHOLE_DEAL - tricks


def _instead(ruling: Ruling, revoke: RevokeRuled) -> tuple[Card, ...]:
    """The cards that had to be played, where that was not to follow suit; empty where they are not known."""
    final = ruling.incident.timeline.final
    if final is None or revoke.suit is None or revoke.trick > len(final.tricks):
        return ()
    if final.tricks[revoke.trick - 1].led == revoke.suit:
        return ()
    cards_held = ruling.proof.read(HELD, HAND, "suit", CARD, "until")
    whose = (revoke.hand, revoke.suit)
    return tuple(BY_TEXT[card] for *owner, card, until in cards_held if (*owner,) == whose and until >= revoke.trick)
