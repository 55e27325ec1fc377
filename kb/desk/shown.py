"""What every page that shows a ruling needs of it: what is said, what is done now, the score, what may be added."""

from __future__ import annotations

from typing import Any

from facts.cards import SEATS, SUITS
from kb.desk.resulting import lacking
from kb.desk.statements import additions, of_board
from kb.explain.page import Line
from kb.explain.say import Speaker
from kb.explain.spoken import Announcement
from kb.explain.text import entered, over, page
from kb.ruling.ruling import Ruling


def of_ruling(word: str, ruling: Ruling, speaker: Speaker) -> dict[str, Any]:
    """What a page needs to show a ruling; ``speaker``: one that says seats."""
    told_of = speaker.of(ruling)
    score, announced = entered(ruling, told_of), Announcement(ruling, told_of)
    return {
        "word": word,
        "now": announced.left,
        "score": score,
        "lacking": lacking(ruling.incident, score is not None and bool(score.score), speaker),
        "acted": {told_of.phrase("now"), told_of.phrase("hinges")},
        "told": page(ruling, told_of),
        "say": (Line(announced.head), *announced.lines),
        "additions": additions(ruling, speaker),
        "of_board": of_board,
        "strains": [*reversed(SUITS), "NT"],
        "contract": ruling.incident.contract,
        "over": over,
        "speaker": told_of,
        "edition": ruling.edition,
    }


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
