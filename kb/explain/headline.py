"""A ruling in one line: the sayings of the rules that fit it, or what it comes to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, cast

from facts.cards import DECK, OTHER_SIDE, SEATS, SIDE, Seat, Side
from facts.fact import Fact, by_kind
from facts.form import Texts
from facts.observe import ALL
from kb.engine.plain import Way, ways
from kb.engine.proof import counted
from kb.explain.page import Line
from kb.explain.say import Speaker, capitals
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
from kb.language.rule import SpokenRule
from kb.language.texts import StandsFor, fill
from kb.ruling.ruling import RevokeRuled, Ruling


@dataclass(frozen=True, slots=True)
class ToldSaying:
    """A saying that fits a ruling."""

    line: Line | None
    head: str
    facts: frozenset[Fact] = frozenset()
    """What of the ruling it tells."""


def told(ruling: Ruling, speaker: Speaker) -> Iterator[ToldSaying]:
    """The sayings that fit, each with the facts that no other has told before it."""
    before, kind_of = set[Fact](), speaker.vocabulary.kind_of
    for saying in ruling.edition.spoken.sayings:
        for way in _ways(ruling, speaker, saying):
            facts = [*_flat(way)]
            parts = {fact for fact in facts if kind_of(fact).section}
            if not before.isdisjoint(parts):
                continue
            before |= parts
            ruled = (fact for fact in facts if kind_of(fact).section not in (None, REVOKES))
            laws = (law for fact in ruled for law in ruling.perhaps.get(fact) or ruling.citations.laws(fact))
            line = None
            if saying.says:
                line = Line(_filled(speaker, saying, saying.says, way), ruling.citations.sort(laws))
            head = _filled(speaker, saying, saying.head, way) if saying.head else ""
            yield ToldSaying(line, head, frozenset(parts))


def _ways(ruling: Ruling, speaker: Speaker, saying: SpokenRule) -> Iterator[Way]:
    """The ways in which a saying fits; of what may be so, with something that is not certain."""
    if not saying.perhaps:
        yield from ways(speaker.vocabulary, saying, ruling.known)
    elif perhaps := ruling.perhaps.keys():
        possible = by_kind([*(fact for held in ruling.known.values() for fact in held), *perhaps])
        some = ways(speaker.vocabulary, saying, possible)
        yield from (way for way in some if not perhaps.isdisjoint(_flat(way)))


def _filled(speaker: Speaker, saying: SpokenRule, texts: Texts, way: Way) -> str:
    places = speaker.places(saying, way.values).items()
    # what stands for a name that nobody has given is not known: nobody can be spoken to by it
    said = {name: StandsFor(one, one.after) if isinstance(one, StandsFor) else one for name, one in places}
    return capitals(fill(texts[speaker.lang], said, number=speaker.in_words))


def _flat(way: Way) -> Iterator[Fact]:
    """The facts of a way, those of a tally one by one."""
    for premise in way.premises:
        yield from counted(premise) or (() if counted(premise) is not None else (premise,))


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


def sentences(ruling: Ruling) -> tuple[Sentence, ...]:
    """The ruling in one line; at least one sentence."""
    if ruling.is_open:
        return tuple(_open(ruling)) or (Sentence("undecided"),)
    if not ruling.revokes:
        return (Sentence(_no_revoke(ruling)),)
    if adjusted := ruling.facts(ADJUSTED):
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
    """The phrase for a ruling without a revoke; one could not have escaped where every card is known."""
    if REVOKES not in ruling.parts:
        return "nothing-ruled"
    if ruling.says_more:
        return "no-revoke-done"
    incident = ruling.incident
    if incident.revokes or incident.play is None:
        return "no-revoke" if incident.revokes else "no-revoke-seen"
    cards = [card for _, _, _, card in incident.play.plays()]
    dealt = incident.deal is not None and all(incident.deal[seat] is not None for seat in SEATS)
    return "no-revoke" if None not in cards and (dealt or len(cards) == len(DECK)) else "no-revoke-seen"


def _open(ruling: Ruling) -> Iterator[Sentence]:
    """What is certain of a ruling that hinges on something: how revokes stand, and how many tricks may go."""
    yield from _each(one for one in ruling.revokes if one.status in SURE)
    for side, (least, most) in ruling.opening.range.items():
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
    settled = ruling.entries(POINTS) or ruling.entries(OPTIONS)
    if not settled and any(one.status == ESTABLISHED for one in ruling.revokes):
        yield Sentence("none-moved" if ruling.edition.scored == "duplicate" else "none-moved-otherwise")


def _adjusted(ruling: Ruling, fact: Fact) -> Sentence:
    """The score that is assigned, in declarer's tricks where he is known."""
    index, declarer = ruling.edition.vocabulary.kind_of(fact).index, ruling.incident.declarer
    side, tricks = fact[index["side"]], int(fact[index["tricks"]] or 0)
    if declarer is not None and SIDE[declarer] != side:
        side, tricks = SIDE[declarer], ALL - tricks
    return Sentence("adjusted", None, side, tricks)  # type: ignore[arg-type]


def _standing(ruling: Ruling) -> str:
    """The phrase for a ruling that moves no trick."""
    states = {revoke.status for revoke in ruling.revokes}
    if ruling.entries(POINTS) or ruling.entries(OPTIONS):
        return "settled-otherwise" if ESTABLISHED in states else "settled-in-time"
    if any(revoke.status == NONE_YET and revoke.exempt_by for revoke in ruling.revokes):
        return "goes-on"
    key = next(key for state, key in STANDING.items() if state in states)
    return key if ruling.edition.scored == "duplicate" or key == "none-yet" else WITHOUT_TRICKS[key]


def headline(ruling: Ruling, speaker: Speaker) -> str:
    """The ruling in one line; without a revoke as the sayings of the rules name it, where one of them does."""
    named = next((one.head for one in told(ruling, speaker) if one.head), "") if ruling.says_more else ""
    return f"{named}." if named else " ".join(_said(one, speaker) for one in sentences(ruling))


def going(least: int, most: int, side: Side, speaker: Speaker, ahead: bool = False) -> str:
    """How many tricks may go to a side: «no trick or one», «one or two tricks», «up to four»; ``ahead``: one trick
    more, still to be won, makes the whole difference."""
    if ahead:
        key = "head-ahead" if least else "head-ahead-none"
    elif least:
        key = "head-range" if most == least + 1 else "head-between"
    else:
        key = "head-none-or-one" if most == 1 else "head-up-to"
    return speaker.counting(key, least=least, most=most, to=side, own=OTHER_SIDE[side])


def _said(one: Sentence, speaker: Speaker) -> str:
    if one.says == RANGE and one.side is not None:
        return f"{going(one.least, one.tricks, one.side, speaker)}."
    if one.revoke is not None:
        hand, trick = speaker.value(one.revoke.hand, "seat"), speaker.value(one.revoke.trick, "trick")
        return speaker.capital(speaker.phrase(one.says, hand=hand, trick=trick))
    side = "" if one.side is None else speaker.value(one.side, "side")
    places = {"tricks": speaker.tricks(one.tricks), "least": one.least, "to": side, "side": side}
    return speaker.capital(speaker.phrase(one.says, **places))
