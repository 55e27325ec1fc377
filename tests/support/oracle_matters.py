"""What the code of 2017 says of one lead out of turn, one exposed card or one premature play, in plain Python: written
from the law alone, to be held against what is ruled. It knows nothing of the rules, nor of the engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from facts.cards import NEXT, PARTNER, SIDE, Card, Seat

RIGHT: Mapping[Seat, Seat] = {after: seat for seat, after in NEXT.items()}
HONOURS = "AKQJT"
LAST_TRICK = 13
SUIT_OR_NOT = frozenset({"require", "forbid", "neither"})
"""What declarer may choose while the partner of a major penalty card is on lead."""
ACCEPT_OR_NOT = frozenset({"accept", "refuse"})
OF_57A = frozenset({"highest", "lowest", "play", "not-play"})
FIRST_CHANCE = frozenset({"first-legal-chance"})


@dataclass(frozen=True)
class Told:
    """What becomes of one card, and what follows for the others."""

    card: str
    """``open``: the other side has yet to say; ``stands``, ``back``, ``penalty``, ``free``: no penalty card; ``spent``."""
    law: str
    """The clause that decides it."""
    degree: str = ""
    """Of a penalty card."""
    leads: Seat | None = None
    """Who has to lead, where the card led goes back."""
    plays: Seat | None = None
    """Whose card is the next to the trick, where it stands."""
    declarer: Seat | None = None
    """Who plays the contract, where that is no longer who it was."""
    options: frozenset[str] = frozenset()
    """What the other side may choose."""
    owner: frozenset[str] = frozenset()
    """What the owner of the card has to do with it, and declarer about it."""
    partner: str = ""
    """What his partner has to do."""
    information: frozenset[str] = frozenset()
    """For the offending side: ``all``: everybody may use it, ``unauthorized``, ``how``: only how it came to lie there is
    unauthorized, ``auction``: unauthorized during the auction, ``may``: perhaps unauthorized."""
    also: str = ""
    """What becomes of the other defender's card, or of his own other one."""


@dataclass(frozen=True)
class Table:
    """Where somebody sits, and who declares."""

    hand: Seat
    declarer: Seat

    @property
    def partner(self) -> Seat:
        return PARTNER[self.hand]

    @property
    def defends(self) -> bool:
        return SIDE[self.hand] != SIDE[self.declarer]

    @property
    def leader(self) -> Seat:
        """Whose the opening lead is."""
        return NEXT[self.declarer]


def lead_out_of_turn(at: Table, trick: int, said: Mapping[str, Any]) -> Told:
    """``said``: faced, dummy-seen, partner-led-too, turn (a seat), answer, next-says and choice, where they matter."""
    answer, leads = said.get("answer", "not-yet"), said.get("turn")
    if trick == 1:
        return _opening_lead(at, said, answer)
    if answer == "told-his-turn":
        return Told("back", "47E1", leads=leads)
    if trick == LAST_TRICK:
        return Told("back", "53A", leads=None if answer == "opponent-led" else leads)
    if answer == "differ":
        answer = said["next-says"]
    if answer != "refused":
        return _not_refused(at, answer)
    if not at.defends:
        return Told("back", "55B2" if leads == at.partner else "55B1", leads=leads, information=frozenset({"may"}))
    refused = Told("penalty", "56", "major", leads=leads, information=frozenset({"all"}))
    return _on_lead(refused, said["choice"]) if leads == at.partner else replace(refused, owner=FIRST_CHANCE)


def _not_refused(at: Table, answer: str) -> Told:
    """A lead to any trick but the first and the last."""
    match answer:
        case "opponent-led":
            return Told("back", "53B", information=frozenset({"unauthorized"}))
        case "right-played":
            return replace(_stands(at, "53C"), also="major", options=OF_57A)
        case "not-yet":
            return Told("open", "53A" if at.defends else "55A", options=ACCEPT_OR_NOT)
    return _stands(at, "53A")


def _opening_lead(at: Table, said: Mapping[str, Any], answer: str) -> Told:
    also = "back" if said.get("partner-led-too") else ""
    if not said.get("faced", True):
        return Told("back", "41A", leads=at.leader)
    if answer == "told-his-turn":
        return Told("back", "47E1", leads=at.leader, also=also)
    if not at.defends:
        return Told("back", "54E", leads=at.leader, information=frozenset({"unauthorized"}))
    return replace(_faced(at, said, answer), also=also)


def _faced(at: Table, said: Mapping[str, Any], answer: str) -> Told:
    """A defender's opening lead, which declarer may accept or not."""
    if said.get("dummy-seen"):
        return Told("stands", "54C", plays=NEXT[at.hand])
    match answer:
        case "spread":
            return Told("stands", "54A", plays=NEXT[at.hand], declarer=PARTNER[at.declarer])
        case "accepted" | "played":
            return Told("stands", "54B", plays=NEXT[at.hand])
        case "from-dummy":
            return Told("stands", "54B")
        case "not-yet":
            return Told("open", "53A", options=frozenset({"spread", "accept"}) | SUIT_OR_NOT)
    refused = Told("penalty", "54D", "major", leads=at.leader, information=frozenset({"all"}))
    return _on_lead(refused, said["choice"])


def _stands(at: Table, law: str) -> Told:
    return Told("stands", law, plays=NEXT[at.hand])


def _on_lead(major: Told, choice: str) -> Told:
    """A major penalty card, the partner being on lead."""
    if choice == "require":
        return replace(
            major, card="picked-up", partner="lead-suit", information=frozenset({"unauthorized"}), owner=frozenset()
        )
    if choice == "forbid":
        return replace(
            major, card="picked-up", partner="not-lead-suit", information=frozenset({"unauthorized"}), owner=frozenset()
        )
    if choice == "neither":
        return replace(major, partner="free")
    return replace(major, partner="waits", options=SUIT_OR_NOT)


@dataclass(frozen=True)
class Open:
    """A card that lies open."""

    came: str
    low: bool
    seen: bool = True
    in_auction: bool = False
    beside: str = "nothing"
    ruled_free: bool = False
    choice: str = "not-yet"
    instead: str = "nothing"
    trick_so_far: str = "nothing"
    played: bool = False
    card: Card | None = None

    @property
    def free(self) -> str:
        """Why a defender's is no penalty card, if so."""
        if self.came == "told-his-turn":
            return "47E1"
        if self.came == "claim":
            return "68B2"
        if self.came == "together" and not self.seen:
            return "58B1"
        if self.came == "dropped" and not self.in_auction and not self.seen:
            return "49"
        return "50" if self.ruled_free else ""

    def gone(self, chosen: bool) -> bool:
        """Whether it lies there no more; ``chosen``: whether declarer could choose for the partner's lead."""
        picked_up = chosen and self.choice in ("require", "forbid")
        return self.played or self.instead == "refused" or picked_up


def exposed(at: Table, cards: Sequence[Open], turn: Seat | None) -> list[Told]:
    """What becomes of the cards of one hand; ``turn``: whose turn it is."""
    if not at.defends:
        return [_of_declarer(card, len(cards) > 1) for card in cards]
    chosen = {one.card.suit: one.choice for one in cards if one.card and one.choice in ("require", "forbid")}
    cards = [replace(one, choice=chosen.get(one.card.suit, one.choice)) if one.card else one for one in cards]
    told = [_of_defender(at, card, turn, cards) for card in cards]
    partner = {one.partner for one in told}
    settled = {"waits"} if "lead-suit" in partner else {"free"} if "waits" in partner else set[str]()
    return [replace(one, partner="" if one.partner in settled else one.partner) for one in told]


def _of_declarer(card: Open, many: bool) -> Told:
    free = Told("free", "48A")
    if not card.in_auction:
        return free
    return replace(free if card.played else _in_auction(free, card, many), law="24D")


def _in_auction(told: Told, card: Open, many: bool) -> Told:
    """What a card seen in the auction does there."""
    several = many or card.beside == "his"
    law = "24B" if card.came == "deliberate" or not card.low else "24C" if several else "24A"
    calls = "calls-freely" if law == "24A" else "passes-once"
    told = replace(told, law=law, partner=calls, owner=told.owner | {"stays-in-auction"})
    return replace(told, information=told.information | {"auction"})


def _of_defender(at: Table, card: Open, turn: Seat | None, cards: Sequence[Open]) -> Told:
    penalties = [one for one in cards if not one.free]
    if card.free:
        free = Told("free", card.free, information=frozenset({"unauthorized"} if card.came == "claim" else ()))
        return _in_auction(free, card, len(cards) > 1) if card.in_auction else free
    several = len(penalties) > 1 or card.beside == "his"
    degree = "major" if several or not card.low or card.came == "deliberate" else "minor"
    if card.played:
        return Told("spent", "50B", degree, information=frozenset({"how"}))
    told = Told("penalty", "50B", degree, information=frozenset({"all"}))
    if card.instead == "refused":
        return replace(told, card="played-now", law="52B2", owner=frozenset({"other-lies"}), information=frozenset())
    told = replace(told, owner=_duties(at, card, degree, turn, penalties))
    if card.in_auction:
        return _in_auction(told, card, len(cards) > 1)
    if turn == at.partner and card.trick_so_far == "nothing":
        return _on_lead(told, card.choice) if degree == "major" else replace(told, partner="free")
    return told


def _duties(at: Table, card: Open, degree: str, turn: Seat | None, penalties: Sequence[Open]) -> frozenset[str]:
    """What the owner has to do with a penalty card, and what declarer has to do about another played in its place."""
    instead = {"accepted": {"has-accepted"}, "played-on": {"must-accept"}, "not-yet": {"not-taken-back", "may-accept"}}
    duties: set[str] = set(instead.get(card.instead, ()))
    if degree == "minor":
        return frozenset(duties | {"no-other-low"})
    lying = [one for one in penalties if not one.gone(turn == at.partner)]
    if len(lying) > 1 or card.beside == "his":
        duties.add("declarer-names")
    if turn == at.hand:
        if card.instead == "not-yet":  # declarer speaks first
            return frozenset(duties)
        if card.trick_so_far == "other-suit":
            duties.add("follow-first")
        elif card.trick_so_far == "nothing" and card.beside == "partners":
            return frozenset(duties | {"waits"})
        elif "declarer-names" not in duties:
            duties.add("play-now")
    elif "declarer-names" not in duties:
        duties.add("first-legal-chance")
    return frozenset(duties)


def premature(at: Table, said: Mapping[str, Any]) -> Told:
    """``said``: how, declarer-had, legal, demand and unable, where they matter."""
    how = said["how"]
    if not at.defends:
        return Told("stands", "57C3") if said["legal"] else Told("back", "57C3")
    if how == "at-rhos-turn":
        if said["legal"]:
            return Told("stands", "57D", owner=frozenset({"at-his-turn"}), information=frozenset({"may"}))
        return Told("penalty", "57D", "major", owner=FIRST_CHANCE)
    had = said.get("declarer-had", "not-played")
    if how == "played" and had != "not-played":  # who leads to the next trick has not merely played before his partner
        return Told("stands", "57C1" if had == "both" else "57C2")
    early = Told("penalty", "57A", "major", owner=FIRST_CHANCE)
    demand = said.get("demand", "not-yet")
    if demand == "not-yet":
        return replace(early, options=OF_57A, partner="waits")
    return replace(early, partner="free:57B" if said.get("unable") else demand)
