"""What a ruling comes to: the sentences of its headline, without the words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, cast

from facts.cards import DECK, OTHER_SIDE, SEATS, SIDE, Seat, Side
from facts.fact import Fact
from facts.incident import Incident
from facts.observe.observe import ALL
from kb.language.known import (
    ADJUSTED,
    CORRECTED,
    ESTABLISHED,
    HAND,
    MUST_CORRECT,
    NONE_YET,
    OPTIONS,
    POINTS,
    REVOKES,
)
from kb.ruling.opening import Opening
from kb.ruling.ruling import RevokeRuled, Ruling

SURE: Final = (ESTABLISHED, MUST_CORRECT, CORRECTED)
"""What may be known of one revoke while the ruling on others is open."""
STANDING: Final = {MUST_CORRECT: "correct", ESTABLISHED: "exempt", NONE_YET: "none-yet", CORRECTED: "corrected"}
WITHOUT_TRICKS: Final = {
    "correct": "correct-otherwise",
    "exempt": "exempt-otherwise",
    "corrected": "corrected-otherwise",
}
"""What a code says that moves no tricks by itself."""

CORRECTING: Final = ("correct", "correct-otherwise")
RANGE: Final = "between"
"""Says how many tricks may go to a side: no phrase of its own, as numbers are told in many ways."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a headline: what it says, and of what."""

    says: str
    """The key of its phrase."""
    revoke: RevokeRuled | None = None
    side: Side | None = None
    tricks: int = 0
    """That go to the side, or that it is given; the most of them, where ``least`` is fewer."""
    least: int = 0


def headline(ruling: Ruling) -> tuple[Sentence, ...]:
    """The ruling in one line; at least one sentence."""
    if ruling.opening is not None and ruling.opening.is_open:
        return tuple(_open(ruling, ruling.opening)) or (Sentence("undecided"),)
    if not ruling.revokes:
        return (Sentence(_no_revoke(ruling)),)
    if adjusted := ruling.sections.facts(ADJUSTED):
        return (_adjusted(ruling, adjusted[0]),)
    moves = tuple(Sentence("moves", None, side, tricks) for side, tricks in ruling.transfer.items() if tricks)
    if moves and len({revoke.status for revoke in ruling.revokes}) > 1:
        return (*_each(one for one in ruling.revokes if one.status != ESTABLISHED), *moves)
    if not moves and len(ruling.revokes) > 1:
        return (*_each(ruling.revokes), *_nothing_moved(ruling))
    return moves or (_unless_accepted(ruling) or Sentence(_standing(ruling)),)


def _unless_accepted(ruling: Ruling) -> Sentence | None:
    """Of a revoke that is corrected only if the other side does not choose to leave the card."""
    for one in ruling.chosen_first if _standing(ruling) in CORRECTING else ():
        hand = cast(Seat, one.fact[ruling.edition.vocabulary.kind_of(one.fact).index[HAND]])
        return Sentence("correct-unless-accepted", None, OTHER_SIDE[SIDE[hand]])
    return None


def _no_revoke(ruling: Ruling) -> str:
    if REVOKES not in ruling.sections.kinds:
        return "nothing-ruled"
    if ruling.says_more:
        return "no-revoke-done"
    return "no-revoke" if _all_seen(ruling.incident) else "no-revoke-seen"


def _open(ruling: Ruling, opening: Opening) -> Iterator[Sentence]:
    """What is certain of a ruling that hinges on something: how revokes stand, and how many tricks may go."""
    yield from _each(one for one in ruling.revokes if one.status in SURE)
    for side, (least, most) in opening.range.items():
        if least < most:
            yield Sentence(RANGE, None, side, most, least)
        elif least:
            yield Sentence("moves", None, side, least)


def _each(revokes: Iterable[RevokeRuled]) -> Iterator[Sentence]:
    """How each of several revokes stands."""
    for one in revokes:
        if one.status == NONE_YET:
            yield Sentence("goes-on" if one.exempt_by else "none-yet")
        else:
            yield Sentence(f"certain-{one.status}", one)


def _nothing_moved(ruling: Ruling) -> Iterator[Sentence]:
    if ruling.items(POINTS) or ruling.items(OPTIONS):
        return
    if any(one.status == ESTABLISHED for one in ruling.revokes):
        yield Sentence("none-moved" if ruling.edition.scored == "duplicate" else "none-moved-otherwise")


def _adjusted(ruling: Ruling, fact: Fact) -> Sentence:
    """The score that is assigned, in declarer's tricks where he is known."""
    index, declarer = ruling.edition.vocabulary.kind_of(fact).index, ruling.incident.declarer
    side, tricks = fact[index["side"]], int(fact[index["tricks"]] or 0)
    if declarer is not None and SIDE[declarer] != side:
        side, tricks = SIDE[declarer], ALL - tricks
    return Sentence("adjusted", None, side, tricks)  # type: ignore[arg-type]


def _all_seen(incident: Incident) -> bool:
    """Whether a revoke could not have escaped: findings speak of one, or every card is known that could show it."""
    if incident.revokes or incident.play is None:
        return bool(incident.revokes)
    cards = [card for _, _, _, card in incident.play.plays()]
    dealt = incident.deal is not None and all(incident.deal[seat] is not None for seat in SEATS)
    return None not in cards and (dealt or len(cards) == len(DECK))


def _standing(ruling: Ruling) -> str:
    """The phrase for a ruling that moves no trick."""
    states = {revoke.status for revoke in ruling.revokes}
    if ruling.items(POINTS) or ruling.items(OPTIONS):
        return "settled-otherwise" if ESTABLISHED in states else "settled-in-time"
    if any(revoke.status == NONE_YET and revoke.exempt_by for revoke in ruling.revokes):
        return "goes-on"
    key = next(key for state, key in STANDING.items() if state in states)
    return key if ruling.edition.scored == "duplicate" or key == "none-yet" else WITHOUT_TRICKS[key]
