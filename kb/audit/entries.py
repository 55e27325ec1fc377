"""The entries of an audit: JSON objects, one for each board that a director wants to know of.

``entry`` says what it is: ``ruling``, ``transcription-fault`` or ``not-ruled``. Every entry has ``source``, ``line``,
``number`` (which board of the source, from 1) and ``board``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeAlias

from facts.cards import Seat
from facts.errors import InputError
from facts.incident import Incident
from facts.play import Irregularity
from facts.readers.archives import Reading
from kb.explain.headline import headline
from kb.explain.say import Speaker
from kb.ruling.receipt import receipt
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import verdict

Entry: TypeAlias = dict[str, Any]


def ruled(reading: Reading, ruling: Ruling, speaker: Speaker) -> Entry:
    """A ruling without its proof; ``revoke rule`` gives the same one, by its receipt, with everything."""
    return {
        "entry": "ruling",
        **_place(reading, ruling.incident),
        "edition": ruling.edition.id,
        "elections": list(ruling.edition.elections),
        "marked": _cards(ruling.incident.marked, ruling.incident),
        **verdict(ruling),
        "text": headline(ruling, speaker),
        "receipt": receipt(ruling.edition, ruling.rests_on),
    }


def slipped(
    reading: Reading, incident: Incident, found: Iterable[Irregularity], failures: Sequence[tuple[int, Seat]]
) -> Entry:
    """A board with slips of transcription, and the cards that do not follow suit in it."""
    return {
        "entry": "transcription-fault",
        **_place(reading, incident),
        "slips": [
            {
                "kind": str(slip.kind),
                "trick": slip.trick,
                "hands": list(slip.hands),
                "card": None if slip.card is None else slip.card.text,
            }
            for slip in found
        ],
        "not-followed": _cards(failures, incident),
    }


def not_ruled(reading: Reading, error: InputError) -> Entry:
    """A board that could not be read, or contradicts itself."""
    board = reading.board.board if isinstance(reading.board, Incident) else None
    return {
        "entry": "not-ruled",
        "source": reading.source,
        "line": error.faults[0].place.line,
        "number": reading.number,
        "board": board,
        "faults": [str(fault) for fault in error.faults],
    }


def _place(reading: Reading, incident: Incident) -> Entry:
    return {
        "source": reading.source,
        "line": incident.place.line,
        "number": reading.number,
        "board": incident.board,
        "contract": None if incident.contract is None else str(incident.contract),
        "declarer": incident.declarer,
        **({} if incident.date is None else {"date": incident.date.isoformat()}),
    }


def _cards(which: Iterable[tuple[int, Seat]], incident: Incident) -> list[Entry]:
    """Trick, hand and card, as first played."""
    tricks = () if incident.play is None else incident.play.tricks
    cards = [(trick, hand, tricks[trick - 1].card_of(hand) if trick <= len(tricks) else None) for trick, hand in which]
    return [{"trick": trick, "hand": hand, "card": None if card is None else card.text} for trick, hand, card in cards]
