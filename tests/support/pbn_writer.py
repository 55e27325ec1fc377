"""An incident with its deal, calls and play as a PBN 2.1 board, revokes marked with ``^R``, leads out of turn with ``^L``.

``read_pbn`` gives the same incident back, but for what PBN has no place for: edition, elections, cancelled calls,
events, findings, equity, unknown cards at the very end of the play, a trick whose cards all came from the hand beside
their owner's (it is read as one recorded from another seat), a board named ``#``, and ``^R`` on a lead out of turn.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import fields
from typing import Final

from facts.auction import Auction
from facts.cards import CLOCKWISE, SIDE, Card, Seat
from facts.endings import as_in_a_file, of_the_board
from facts.incident import Incident
from facts.play import PlayRecord, Trick
from facts.readers.pbn import read_pbn

_VULNERABLE: Final = {None: "?", "none": "None", "NS": "NS", "EW": "EW", "both": "All"}
_UNKNOWN: Final = "?"


def write_pbn(incidents: Iterable[Incident]) -> str:
    """A PBN file of boards; the cards marked as revokes in the incidents are marked in it."""
    boards = (write_board(incident, incident.marked) for incident in incidents)
    return "% PBN 2.1\n% EXPORT\n" + "".join(f"\n{board}" for board in boards)


def write_board(incident: Incident, revokes: Collection[tuple[int, Seat]] = ()) -> str:
    """One board; ``revokes`` holds trick and hand of each card to be marked as a revoke."""
    incident = as_in_a_file(incident)
    play = incident.play if incident.play is not None and incident.play.tricks else None
    tags = {
        "Event": _UNKNOWN,
        "Site": _UNKNOWN,
        "Date": _UNKNOWN if incident.date is None else f"{incident.date:%Y.%m.%d}",
        "Board": incident.board or "",
        **dict.fromkeys(("West", "North", "East", "South"), _UNKNOWN),
        "Dealer": incident.dealer or _UNKNOWN,
        "Vulnerable": _VULNERABLE[incident.vulnerable],
        "Deal": _UNKNOWN if incident.deal is None else incident.deal.to_pbn(),
        "Scoring": _UNKNOWN,
        "Declarer": incident.declarer or _UNKNOWN,
        "Contract": _UNKNOWN if incident.contract is None else str(incident.contract),
        "Result": _result(incident),
    }
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    if incident.auction is not None:
        lines += [f'[Auction "{incident.auction.dealer}"]', _calls(incident.auction)]
    if play is not None:
        lines += [f'[Play "{play.tricks[0].leader}"]', *_rows(incident, play, revokes)]
    return "\n".join(lines) + "\n"


def lost_in_pbn(incident: Incident) -> tuple[str, ...]:
    """What of an incident is not read again as it was, by the names of its fields."""
    (again,) = read_pbn(write_pbn([incident]), incident.source)
    compared = [one.name for one in fields(Incident) if one.compare]
    stated = of_the_board(as_in_a_file(incident))
    return tuple(name for name in compared if getattr(again, name, None) != getattr(stated, name))


def _escaped(value: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in value)
    return plain.replace("\\", "\\\\").replace('"', '\\"')


def _result(incident: Incident) -> str:
    """Declarer's tricks; with ``^`` where not as many were won at the table."""
    if incident.tricks is None:
        return _UNKNOWN
    if incident.play is None or incident.declarer is None or incident.contract is None:
        return str(incident.tricks)
    winners = [trick.winner(incident.trump) for trick in incident.play.tricks]
    own = sum(winner is not None and SIDE[winner] == SIDE[incident.declarer] for winner in winners)
    differs = len(winners) == 13 and None not in winners and own != incident.tricks
    return f"^{incident.tricks}" if differs else str(incident.tricks)


def _calls(auction: Auction) -> str:
    """The calls that stand, ``^S`` for each player passed over."""
    words = []
    for call, turn in zip(auction.calls, auction.turns, strict=False):
        if not call.cancelled:
            words += ["^S"] * CLOCKWISE[turn].index(call.hand)
            words += ["^I"] if "I" in call.mark else []
            words.append(call.text)
    return " ".join(words)


def _rows(incident: Incident, play: PlayRecord, revokes: Collection[tuple[int, Seat]]) -> list[str]:
    """The tricks, a column for each hand; ``*`` at the end of a play that was not played out."""
    columns = CLOCKWISE[play.tricks[0].leader]
    expected: Seat | None = columns[0]
    rows = []
    for number, trick in enumerate(play.tricks, 1):
        marks = {seat: "^R " for seat in columns if (number, seat) in revokes}
        if trick.leader != expected:
            marks[trick.leader] = "^L "
        rows.append(" ".join(marks.get(seat, "") + _text(trick.card_of(seat)) for seat in columns))
        expected = None if incident.contract is None else trick.best(incident.trump)
    return rows if _is_whole(play.tricks) else [*rows, "*"]


def _is_whole(tricks: tuple[Trick, ...]) -> bool:
    return len(tricks) == 13 and len(tricks[-1].cards) == 4


def _text(card: Card | None) -> str:
    return "-" if card is None else str(card)
