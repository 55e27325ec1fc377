"""The ruling for an appeals committee: what happened in order of time, the ruling with its reasons, the law."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Final, TypeAlias

from facts.cards import SIDE
from facts.fact import Fact, Value
from facts.play import Trick
from facts.table import numbers
from kb.explain.hinge import answered, asked, hinge
from kb.explain.page import Line, Page, part, sentence
from kb.explain.say import Speaker
from kb.explain.text import foot, judgement, lead, now, title, why
from kb.language.known import CARD, HAND, PLAY, TABLE, TRICK
from kb.ruling.ruling import Ruling

PLAYING: Final = (PLAY, TRICK, HAND, CARD)
"""What a card played has."""
SIDE_OF: Final = ("side", "tricks")
"""What differs in the same thing said of the other side."""
Card: TypeAlias = tuple[Value, Value]
"""A hand and its card."""


def happened(ruling: Ruling, speaker: Speaker) -> Iterator[str]:
    """Each thing once: the cards of a trick together, a number of tricks of one side alone."""
    facts = [fact for fact in ruling.happened if fact[0] != TABLE]

    def trick_of(fact: Fact) -> Value:
        """The trick that a card was played to; None for what is no card."""
        index = speaker.vocabulary.kind_of(fact).index
        return fact[index[TRICK]] if index.keys() >= {*PLAYING} else None

    told = dict[str, None]()
    for trick, some in groupby(_of_one_side(facts, ruling, speaker), key=trick_of):
        of_one = [*some]
        lines = map(speaker.happened, of_one) if trick is None else _cards(trick, of_one, ruling, speaker)
        told |= dict.fromkeys(sentence(line) for line in lines if line)
    yield from told


def _of_one_side(facts: Iterable[Fact], ruling: Ruling, speaker: Speaker) -> Iterator[Fact]:
    """The facts without those that say of the other side what is said of one: of the result, of declarer's."""
    declarer, known = ruling.incident.declarer, dict[object, Fact]()
    for fact in facts:
        index = speaker.vocabulary.kind_of(fact).index
        same: object = fact
        if index.keys() >= {*SIDE_OF}:
            same = (fact[0], *(fact[at] for name, at in index.items() if name not in SIDE_OF))
        declares = declarer is not None and TRICK not in index and SIDE[declarer] in fact
        if same not in known or declares:
            known[same] = fact
    yield from known.values()


def _cards(trick: Value, facts: list[Fact], ruling: Ruling, speaker: Speaker) -> Iterator[str]:
    """The cards played to a trick: those that are known one after the other, then who else played to it."""
    wrong = {one.play for one in ruling.revokes}
    cards: list[Card] = []
    for fact in facts:
        index = speaker.vocabulary.kind_of(fact).index
        play, hand, card = (fact[index[name]] for name in (PLAY, HAND, CARD))
        if (hand, card) not in cards and (card is not None or play not in wrong):
            cards.append((hand, card))
    recorded = _recorded(ruling, trick)
    whole = [] if recorded is None else [(hand, None if one is None else one.text) for hand, one in recorded.items()]
    if whole and {*cards} <= {*whole}:
        cards = [*whole]
    if known := [one for one in cards if one[1] is not None]:
        leads = recorded is not None and known[0][0] == recorded.leader
        first, then = ("appeal-led", "appeal-played") if leads else ("appeal-first", "appeal-then")
        keys = (first, then, *["appeal-then"] * len(known))
        said = ", ".join(
            speaker.phrase(key, hand=speaker.value(hand, "seat"), card=speaker.value(card, "card"))
            for key, (hand, card) in zip(keys, known, strict=False)
        )
        yield speaker.phrase("appeal-trick", trick=speaker.value(trick, "trick"), cards=said)
    if others := [speaker.value(hand, "seat") for hand, card in cards if card is None]:
        *before, last = others
        hands = speaker.phrase("compare-and").join(filter(None, [", ".join(before), last]))
        key = "appeal-some-more" if before else "appeal-one-more"
        yield speaker.phrase(key, hands=hands, trick=speaker.value(trick, "trick"))


def _recorded(ruling: Ruling, trick: Value) -> Trick | None:
    """The trick as the record has it, or as it was stated with a revoke."""
    play = ruling.incident.play
    number = int(trick or 0)
    if play is not None and 0 < number <= len(play.tricks):
        return play.tricks[number - 1]
    return next((one.cards for one in ruling.incident.revokes if one.trick == number and one.cards), None)


def appeal(ruling: Ruling, speaker: Speaker) -> Page:
    """Numbered sentences of what happened, what was ruled and why, each law in the edition's words."""
    clauses = ruling.edition.clauses
    head, *result = lead(ruling, speaker)
    ruled = (Line(head.text, ruling.decisive), *result, *dict.fromkeys(why(ruling, speaker)))
    law = (Line(f"{speaker.laws([ref])}: {clauses[ref].says[speaker.lang]}") for ref in ruling.cited)
    return Page(
        title(ruling, speaker),
        (),
        (
            *part(speaker.phrase("appeal-facts"), map(Line, _happened(ruling, speaker)), numbered=True),
            *part(speaker.phrase("appeal-ruling"), (*ruled, *now(ruling, speaker))),
            *part(speaker.phrase("hinges"), hinge(ruling, speaker)),
            *part(speaker.phrase("appeal-law"), law),
            *judgement(ruling, speaker),
        ),
        foot(ruling, speaker),
    )


def _happened(ruling: Ruling, speaker: Speaker) -> Iterator[str]:
    """The contract, what was found in order of time, the result as played, and what is not known."""
    incident = ruling.incident
    contract, declarer = incident.contract, incident.declarer
    if contract is not None and declarer is not None:
        named = {"contract": speaker.contract(contract), "declarer": speaker.value(declarer, "seat")}
        yield speaker.phrase("appeal-contract", **named)
    if incident.vulnerable is not None:
        yield sentence(speaker.phrase("html-vulnerable", who=speaker.value(incident.vulnerable, "vulnerable")))
    yield from happened(ruling, speaker)
    yield from _roughly(ruling, speaker)
    if incident.tricks is not None:
        yield speaker.phrase("appeal-result", tricks=speaker.tricks(incident.tricks))
    opening = ruling.opening
    hinges = () if opening.asking is None else (opening.asking.key,)
    for key in dict.fromkeys((*hinges, *(one.key for one in opening.perhaps if one.key is not None))):
        yield speaker.phrase("appeal-unknown", asks=asked(opening, key, speaker))


def _roughly(ruling: Ruling, speaker: Speaker) -> Iterator[str]:
    """What was not said as one number: the question, and the answer that was given."""
    opening = ruling.opening
    for number, found in enumerate(ruling.incident.revokes):
        for name in (name for name, value in found.said.items() if len(numbers(value)) > 1):
            may_be = opening.completions.values[number, name].items()
            left = tuple(value for value, bits in may_be if value is not None and bits & opening.among)
            said = speaker.capital(answered(opening, (number, name), left, speaker))
            yield f"{asked(opening, (number, name), speaker)} {said}."
