"""What every page that shows a ruling needs of it: what is said, what is done now, the score, what may be added."""

from __future__ import annotations

from typing import Any

from facts.cards import SEATS, SUITS
from kb.desk.resulting import lacking
from kb.desk.statements import additions, of_board
from kb.explain.page import Line
from kb.explain.say import Speaker
from kb.explain.spoken import Announcement
from kb.explain.text import entered, entry, over, page
from kb.ruling.ruling import Ruling


def of_ruling(word: str, ruling: Ruling, speaker: Speaker) -> dict[str, Any]:
    """What a page needs to show a ruling; ``speaker``: one that says seats."""
    told_of = speaker.of(ruling)
    score = entered(ruling, told_of)
    return {
        "word": word,
        "now": left_to_do(ruling, told_of),
        "score": score,
        "lacking": lacking(ruling.incident, score is not None and bool(score.score), speaker),
        "acted": {told_of.phrase("now"), told_of.phrase("hinges")},
        "told": page(ruling, told_of),
        "say": to_say(ruling, told_of),
        "additions": additions(ruling, speaker),
        "of_board": of_board,
        "strains": [*reversed(SUITS), "NT"],
        "contract": ruling.incident.contract,
        "over": over,
        "speaker": told_of,
        "edition": ruling.edition,
    }


def left_to_do(ruling: Ruling, speaker: Speaker) -> tuple[Line, ...]:
    """What is done now and is not told already by what is said at the table, a choice first."""
    announced = Announcement(ruling, speaker)
    spoken = {line.text.rstrip(".") for line in announced.lines}
    lines = (entry(one, speaker) for one in ruling.now if one.fact not in announced.facts)
    return tuple(dict.fromkeys(line for line in lines if line.text.rstrip(".") not in spoken))


def to_say(ruling: Ruling, speaker: Speaker) -> tuple[Line, ...]:
    """The ruling in a few words, then what is said at the table."""
    announced = Announcement(ruling, speaker)
    return (Line(announced.head), *announced.lines)


def drawn(ruling: Ruling, speaker: Speaker) -> list[dict[str, Any]]:
    """The trick of the first revoke as it lay on the table, a seat each, as far as the cards are known; ``marks`` are
    those of «led», «won» and «wrong» that fit. Nothing where no card of it is known.
    """
    if not ruling.revokes:
        return []
    first, play, found = ruling.revokes[0], ruling.incident.play, ruling.incident.revokes
    stated = found[0] if found else None
    trick = stated.cards if stated else None
    if play is not None and first.trick <= len(play.tricks):
        trick = play.tricks[first.trick - 1]
    if trick is not None:
        cards = {seat: card for seat, card in trick.items() if card is not None}
    elif stated and stated.hand and stated.card:  # of a revoke whose seat nobody named, none
        cards = {stated.hand: stated.card}
    else:
        cards = {}
    at = {"led": trick and trick.leader, "won": first.won_by, "wrong": first.hand}
    return [
        {
            "seat": seat,
            "suit": cards[seat].suit if seat in cards else "",
            "card": speaker.value(cards[seat].text, "card") if seat in cards else "",
            "marks": [mark for mark, who in at.items() if who == seat],
        }
        for seat in (SEATS if cards else ())
    ]
