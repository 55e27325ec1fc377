"""Inputs for the readers: files made at random, then mutated as text, as bytes and in their structure."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from urllib.parse import quote

from facts.cards import DECK, SEATS, Seat
from facts.contract import Contract
from facts.errors import Place
from facts.incident import Incident
from support import bbo
from support.pbn_writer import write_board
from support.records import deal_at_random, play_at_random, revokes_in, rows

CONTRACTS = ("1NT", "4S", "2CXX", "6HX", "Pass")
EVENTS = """\
  - {after: "1.2", attention: {by: S, to: {hand: W, trick: 1}}}
  - asked: {by: N, of: W, answer: "no"}
  - corrected: {by: W, withdrawn: S4, played: H2}
  - {claimed: {by: S, tricks: 3}, after: "2.1"}
  - required: {by: S, of: W, suit: H, how: not-lead}
  - play-ended
"""
FINDING = """\
revokes:
  - {hand: W, trick: 5, suit: H, card: S4, won-by: W, later-tricks: 2, next-trick: led, played-after: [N, E]}
"""


def incident_file(chance: Random) -> str:
    """A YAML file with deal, play, events and findings, or some of them."""
    deal, contract, declarer = _table(chance)
    play = play_at_random(deal, contract, declarer, chance)
    lines = [
        f"contract: {contract}",
        f"declarer: {declarer}",
        f'deal: "{deal.to_pbn()}"',
        "board: 12",
        "vulnerable: EW",
    ]
    text = "\n".join(lines) + "\nplay:\n" + "".join(f"  - {row}\n" for row in rows(play)[: chance.randint(1, 13)])
    return text + (f"events:\n{EVENTS}" if chance.random() < 0.5 else "") + (FINDING if chance.random() < 0.3 else "")


def pbn_file(chance: Random) -> str:
    """One to three boards with revokes marked, an auction, comments and notes."""
    boards = []
    for number in range(chance.randint(1, 3)):
        deal, contract, declarer = _table(chance)
        play = play_at_random(deal, contract, declarer, chance)
        incident = Incident(
            place=Place("", 1), board=str(number), contract=contract, declarer=declarer, deal=deal, play=play, tricks=9
        )
        text = write_board(incident, set(revokes_in(play.tricks)) if chance.random() < 0.5 else ())
        auction = '[Auction "N"]\n1NT =1= Pass 3NT! {to play}\nAP\n[Note "1:15-17"]\n'
        boards.append(text.replace("[Play", auction + "[Play") if chance.random() < 0.5 else text)
    return "% PBN 2.1\n" + "\n".join(boards)


def lin_file(chance: Random) -> str:
    """One to three boards."""
    return "".join(_lin_board(chance, number) for number in range(chance.randint(1, 3)))


def handviewer_text(chance: Random) -> str:
    """A mail with an address or two."""
    deal, contract, declarer = _table(chance)
    site = "https://www.bridgebase.com/tools/handviewer.html?"
    plain = bbo.address(deal, contract, declarer, play_at_random(deal, contract, declarer, chance))
    kept = chance.choice([f"{site}myhand=M-1-2", f"{site}bbo=y&linurl=http://x.org/?id=1"])
    return f"Look:\n{plain}.\n({site}lin={quote(_lin_board(chance, 7))})\n{kept}\n"


def _lin_board(chance: Random, number: int) -> str:
    deal, contract, declarer = _table(chance)
    return bbo.lin(deal, contract, declarer, play_at_random(deal, contract, declarer, chance), number)


def _table(chance: Random) -> tuple:
    declarer: Seat = chance.choice(SEATS)
    return deal_at_random(chance), Contract.from_text(chance.choice(CONTRACTS[:-1])), declarer


SEEDS: dict[str, Callable[[Random], str]] = {
    ".yaml": incident_file,
    ".pbn": pbn_file,
    ".lin": lin_file,
    ".txt": handviewer_text,
}
"""Suffix -> what makes a file of it."""

WORDS = [
    *map(str, DECK), "N", "W", "-", "*", "+", "^R", "^L", "^S", "$14", "=1=", "!", "{", "}", ";", "%", "[", "]", '"', "#",
    "##x", "|", "||", "pc|", "md|", "mb|", "qx|o1|", "mc|99|", "nt|", "?", "&", "lin=", "n=", "a=", "p=", "%7C", "%00", "%ff",
    "3NTXX", "Pass", "AP", "8S", "0", "-1", "99999999999999999999", "1e9", "10", "T", "♠A", "é", "\ufeff", "\x1a", "\x1f",
    "\t", " ", "\n", "\n\n", "\r", "\r\n", ":", ": ", "- ", "  ", "<<: ", "&a", "*a", "!!python/object:x", "|-\n", "'", "[[[[",
    "{{{{", '[Play "N"]', '[Board "#"]', '[Deal "N:A... - - -"]', "after: 1.1", "revokes:", "play:", "events:",
]  # fmt: skip


def mutated(text: str, other: str, chance: Random) -> bytes:
    """The text after one to six changes; ``other`` lends pieces."""
    for _ in range(chance.randint(1, 4)):
        text = chance.choice(_IN_TEXT)(text, other, chance)
    data = text.encode("utf-8", "replace")
    for _ in range(chance.choice((0, 0, 1, 2))):
        data = chance.choice(_IN_BYTES)(data, chance)
    return data


def _span(length: int, chance: Random, most: int = 60) -> tuple[int, int]:
    start = chance.randint(0, length)
    return start, min(length, start + chance.randint(0, most))


def _insert(text: str, other: str, chance: Random) -> str:
    at = chance.randint(0, len(text))
    return text[:at] + chance.choice(WORDS) + text[at:]


def _replace(text: str, other: str, chance: Random) -> str:
    start, end = _span(len(text), chance, 6)
    return text[:start] + chance.choice(WORDS) + text[end:]


def _delete(text: str, other: str, chance: Random) -> str:
    start, end = _span(len(text), chance)
    return text[:start] + text[end:]


def _repeat(text: str, other: str, chance: Random) -> str:
    start, end = _span(len(text), chance)
    return text[:end] + text[start:end] * chance.choice((1, 2, 14, 60, 1000)) + text[end:]


def _borrow(text: str, other: str, chance: Random) -> str:
    start, end = _span(len(other), chance, 400)
    at = chance.randint(0, len(text))
    return text[:at] + other[start:end] + text[at:]


def _pieces(separator: str) -> Callable[[str, str, Random], str]:
    """Moves, doubles or drops one of the pieces: lines, words, fields."""

    def change(text: str, other: str, chance: Random) -> str:
        pieces = text.split(separator)
        piece = pieces[chance.randrange(len(pieces))]
        if chance.random() < 0.7:
            pieces.remove(piece)
        if chance.random() < 0.7:
            pieces.insert(chance.randint(0, len(pieces)), piece)
        return separator.join(pieces)

    return change


_IN_TEXT = (_insert, _replace, _delete, _repeat, _borrow, *map(_pieces, ("\n", " ", "|", "&", "[")))


def _flip(data: bytes, chance: Random) -> bytes:
    at = chance.randint(0, len(data))
    return data[:at] + bytes([chance.randrange(256)]) + data[at + chance.randint(0, 1) :]


def _cut(data: bytes, chance: Random) -> bytes:
    return data[: chance.randint(0, len(data))]


def _swap(data: bytes, chance: Random) -> bytes:
    start, end = _span(len(data), chance)
    return data[:start] + data[start:end][::-1] + data[end:]


_IN_BYTES = (_flip, _cut, _swap)
