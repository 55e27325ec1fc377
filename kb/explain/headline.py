"""A ruling in one line: the sayings of the rules that fit it, or what it comes to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, cast

from facts.cards import DECK, OTHER_SIDE, SEATS, SIDE, Seat, Side
from facts.fact import Fact, by_kind
from facts.form import Texts
from facts.observe import ALL
from kb.engine.plain import Way, ways_to_fire
from kb.engine.proof import rests_on
from kb.explain.page import Line
from kb.explain.words import Speaker, capitals
from kb.language.relied_on import (
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
    line: Line | None
    head: str
    facts: frozenset[Fact] = frozenset()
    """What of the ruling it tells."""


def sayings_told(ruling: Ruling, speaker: Speaker) -> Iterator[ToldSaying]:
    """The sayings that fit, each with the facts that no other has told before it; of what may be so, those with
    something that is not certain."""
    covered, kind_of, perhaps = set[Fact](), speaker.vocabulary.kind_of, ruling.perhaps.keys()
    possible = by_kind([*(fact for of_kind in ruling.known.values() for fact in of_kind), *perhaps])
    for saying in ruling.edition.spoken.sayings:
        if saying.perhaps and not perhaps:
            continue
        for way in ways_to_fire(speaker.vocabulary, saying, possible if saying.perhaps else ruling.known):
            facts = [*rests_on(way.premises)]
            parts = {fact for fact in facts if kind_of(fact).section}
            if not covered.isdisjoint(parts) or (saying.perhaps and perhaps.isdisjoint(facts)):
                continue
            covered |= parts
            ruled = (fact for fact in facts if kind_of(fact).section not in (None, REVOKES))
            laws = (law for fact in ruled for law in ruling.perhaps.get(fact) or ruling.citations.laws(fact))
            says, head = (_filled(speaker, saying, texts, way) for texts in (saying.says, saying.head))
            yield ToldSaying(Line(says, ruling.citations.sort(laws)) if says else None, head, frozenset(parts))


def _filled(speaker: Speaker, saying: SpokenRule, texts: Texts, way: Way) -> str:
    """Texts of a saying with its places filled; empty for none."""
    places = speaker.places(saying, way.values).items()
    # what stands for a name that nobody has given is not known: nobody can be spoken to by it
    values = {name: StandsFor(value, value.after) if isinstance(value, StandsFor) else value for name, value in places}
    return capitals(fill(texts[speaker.lang], values, number=speaker.in_words)) if texts else ""


STANDING: Final = {MUST_CORRECT: "correct", ESTABLISHED: "exempt", CORRECTED: "corrected"}
"""What is said of one revoke that moves no trick; under a code that moves none by itself, ``-otherwise``."""
MOVES: Final = "moves"
"""Says how many tricks go to a side."""
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
    """The ruling in one line; at least one sentence. Of one that hinges on something, what is certain of it."""
    duplicate = ruling.edition.scored == "duplicate"
    # of several cards that a hand put into one trick the last
    revokes = [*{(revoke.hand, revoke.trick): revoke for revoke in ruling.revokes}.values()]
    states = {revoke.status for revoke in revokes}
    moves = tuple(
        Sentence(MOVES if least == most else RANGE, None, side, most, least)
        for side, (least, most) in ruling.certainty.range.items()
        if most
    )
    if ruling.is_open:
        sure = (_stands(revoke) for revoke in revokes if revoke.status in STANDING)
        return (*sure, *moves) or (Sentence("undecided"),)
    if not revokes:
        return (Sentence(_no_revoke(ruling)),)
    if adjusted := ruling.facts(ADJUSTED):  # in declarer's tricks where he is known
        index, declarer = ruling.edition.vocabulary.kind_of(adjusted[0]).index, ruling.incident.declarer
        side, tricks = cast(Side, adjusted[0][index["side"]]), int(adjusted[0][index["tricks"]] or 0)
        if declarer is not None and SIDE[declarer] != side:
            side, tricks = SIDE[declarer], ALL - tricks
        return (Sentence("adjusted", None, side, tricks),)
    if moves:
        return (*(_stands(revoke) for revoke in revokes if revoke.status != ESTABLISHED and len(states) > 1), *moves)
    settled = ruling.entries(POINTS) or ruling.entries(OPTIONS)
    if len(revokes) > 1:
        none_moved = Sentence("none-moved" if duplicate else "none-moved-otherwise")
        stand = dict.fromkeys(map(_stands, revokes))
        return (*stand, *([none_moved] if ESTABLISHED in states and not settled else ()))
    if settled:
        sentence = Sentence("settled-otherwise" if ESTABLISHED in states else "settled-in-time")
    elif NONE_YET in states:
        sentence = _stands(revokes[0])
    elif MUST_CORRECT in states and ruling.chosen_first:  # unless the other side leaves the card
        first = ruling.chosen_first[0].fact
        hand = cast(Seat, first[ruling.edition.vocabulary.kind_of(first).index[HAND]])
        sentence = Sentence("correct-unless-accepted", None, OTHER_SIDE[SIDE[hand]])
    else:
        key = STANDING[revokes[0].status]
        sentence = Sentence(key if duplicate else f"{key}-otherwise")
    return (sentence,)


def _stands(revoke: RevokeRuled) -> Sentence:
    if revoke.status == NONE_YET:
        return Sentence("goes-on" if revoke.exempt_by else "none-yet")
    return Sentence(f"certain-{revoke.status}", revoke)


def _no_revoke(ruling: Ruling) -> str:
    """The phrase for a ruling without a revoke; one could not have escaped where every card is known."""
    if REVOKES not in ruling.parts:
        return "nothing-ruled"
    if ruling.says_more:
        return "no-revoke-done"
    play, deal = ruling.incident.play, ruling.incident.deal
    cards = [None] if play is None else [card for _, _, _, card in play.plays()]
    dealt = deal is not None and all(deal[seat] is not None for seat in SEATS)
    seen = None not in cards and (dealt or len(cards) == len(DECK))
    return "no-revoke" if seen or ruling.incident.revokes else "no-revoke-seen"


def headline(ruling: Ruling, speaker: Speaker) -> str:
    """The ruling in one line; without a revoke as the sayings of the rules name it, where one of them does."""
    head = next((entry.head for entry in sayings_told(ruling, speaker) if entry.head), "") if ruling.says_more else ""
    now = pressing(ruling, speaker)
    said = [f"{now}."] * bool(now) + [_said(one, speaker) for one in sentences(ruling)]
    return f"{head}." if head else " ".join(dict.fromkeys(said))


def pressing(ruling: Ruling, speaker: Speaker) -> str:
    """What has to be dealt with before the revokes: where the first that is said is of another matter; else nothing."""
    sections, kind_of = ruling.edition.vocabulary.sections, ruling.edition.vocabulary.kind_of
    if not ruling.revokes or not ruling.own:
        return ""
    first = next(sayings_told(ruling, speaker), None)
    return first.head if first and any(kind_of(fact).section in sections for fact in first.facts) else ""


def going(least: int, most: int, side: Side, speaker: Speaker, ahead: bool = False) -> str:
    """How many tricks go to a side, or may: «one trick», «no trick or one», «one or two tricks», «up to four»;
    ``ahead``: one trick more, still to be won, makes the whole difference."""
    if ahead:
        key = "head-ahead" if least else "head-ahead-none"
    elif least == most:
        key = "head-sure"
    elif least:
        key = "head-range" if most == least + 1 else "head-between"
    else:
        key = "head-none-or-one" if most == 1 else "head-up-to"
    return speaker.counting(key, least=least, most=most, to=side, own=OTHER_SIDE[side])


def _said(sentence: Sentence, speaker: Speaker) -> str:
    if sentence.says == RANGE and sentence.side is not None:
        return f"{going(sentence.least, sentence.tricks, sentence.side, speaker)}."
    if sentence.revoke is not None:
        hand, trick = speaker.value(sentence.revoke.hand, "seat"), speaker.value(sentence.revoke.trick, "trick")
        return speaker.capital(speaker.phrase(sentence.says, hand=hand, trick=trick))
    side = "" if sentence.side is None else speaker.value(sentence.side, "side")
    places = {"tricks": speaker.tricks(sentence.tricks), "least": sentence.least, "to": side, "side": side}
    return speaker.capital(speaker.phrase(sentence.says, **places))
