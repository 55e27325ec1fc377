"""A trick tapped card by card: its address, and the trick added to a ruling."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, cast
from urllib.parse import parse_qsl

from facts.cards import CLOCKWISE, DECK, PARTNER, SEATS, SUITS, Card, Seat
from facts.contract import Contract
from facts.errors import InputError
from facts.play import Trick
from kb.desk.addressed import law_query
from kb.desk.desk import Desk
from kb.desk.resulting import Contested
from kb.explain.say import Speaker
from kb.interview.address import address, law_of, said_of
from kb.interview.chips import Telling
from kb.interview.said import Said

STEPS: Final = ("contract", "declarer", "trick", "leader", "cards", "revoker")
"""What every trick needs, in this order."""
CARDS: Final = tuple(card.text for card in DECK)
CONTRACTS: Final = tuple(f"{level}{strain}" for level in range(1, 8) for strain in (*reversed(SUITS), "NT"))
UNKNOWN: Final = "unknown"
"""A trick that nobody can name."""
NO_MORE: Final = "stop"
"""After the cards: it was noticed before the next was played."""
NOBODY: Final = "nobody"
WHOLE: Final = 4
LAST_BUT_ONE: Final = 12
GIVEN: Final = "given"
WON_BY: Final = "won-by"


@dataclass(frozen=True)
class TappedTrick:
    """As much of a trick as has been entered; texts, in the words of the incident file."""

    said: Mapping[str, str]
    law: str = ""
    given: str = ""
    """What the address of a ruling states to which the cards are added."""

    @staticmethod
    def of(query: Mapping[str, str], law: str = "") -> TappedTrick:
        """From the fields of an address; InputError for a card or anything else that cannot be."""
        given = {**_known(query), **{key: value for key, value in query.items() if value}}
        tapped = TappedTrick({key: given[key] for key in STEPS if key in given}, law, query.get(GIVEN, ""))
        for key, value in tapped.said.items():
            if not (tapped._are_cards(value) if key == "cards" else value in tapped.choices(key)):
                raise InputError.of(key, f"{value[:40]} cannot stand here", "go back and choose again")
        return tapped

    def _are_cards(self, value: str) -> bool:
        cards = value.removesuffix(f"-{NO_MORE}").split("-")
        return set(cards) <= set(CARDS) and len(set(cards)) == len(cards) <= WHOLE and "leader" in self.said

    @property
    def cards(self) -> tuple[str, ...]:
        """The cards of the trick so far."""
        return tuple(one for one in self.said.get("cards", "").split("-") if one not in ("", NO_MORE))

    @property
    def cut_short(self) -> bool:
        """Whether the revoke was noticed before all four had played."""
        return self.said["cards"].endswith(NO_MORE)

    @property
    def trick(self) -> Trick:
        """The trick; it needs its leader."""
        return Trick(cast(Seat, self.said["leader"]), tuple(Card.from_text(card) for card in self.cards))

    @property
    def turn(self) -> Seat:
        """Whose card comes next; it needs the leader and fewer than four cards."""
        return CLOCKWISE[cast(Seat, self.said["leader"])][len(self.cards)]

    @property
    def strayed(self) -> tuple[Seat, ...]:
        """The hands that did not follow suit."""
        return tuple(seat for seat, card in self.trick.items() if card is not None and card.suit != self.trick.led)

    @property
    def revoker(self) -> str:
        """Whose card it was, once it is said or only one can have been it."""
        return self.said.get("revoker", "" if len(self.strayed) != 1 else self.strayed[0])

    @property
    def step(self) -> str:
        """What every trick needs and is not there yet; nothing when everybody followed suit."""
        for key in STEPS[:-1]:
            if key not in self.said or (key == "cards" and len(self.cards) < WHOLE and not self.cut_short):
                return key
        return "revoker" if self.strayed and not self.revoker and not self.given else ""

    def choices(self, key: str) -> tuple[str, ...]:
        """What can be tapped."""
        if key == "contract":
            return CONTRACTS
        if key == "trick":
            return (*map(str, range(1, LAST_BUT_ONE + 1)), UNKNOWN)
        if key == "cards":
            return tuple(card for card in CARDS if card not in self.cards)
        return self.strayed if key == "revoker" and "leader" in self.said else SEATS

    def with_(self, key: str, value: str) -> dict[str, str]:
        """The fields of the address after one more tap."""
        return {**self.fields, key: "-".join((*self.cards, value)) if key == "cards" else value}

    @property
    def fields(self) -> dict[str, str]:
        """The fields of the address."""
        return {"law": self.law, GIVEN: self.given, **self.said}

    def back(self) -> dict[str, str]:
        """The fields of the address without the last tap."""
        last = [*self.said][-1:]
        fields = {key: value for key, value in self.fields.items() if key not in last}
        if last == ["cards"] and len(self.cards) > 1 - self.cut_short:
            fields["cards"] = "-".join(self.cards if self.cut_short else self.cards[:-1])
        return fields

    def query(self) -> dict[str, str]:
        """What an address states of it, and nothing that was not tapped; it needs whatever every trick needs."""
        trick, revoker = self.trick, cast(Seat, self.revoker)
        said = {"revoke": revoker, "declarer": self.said["declarer"], **law_query(self.law)}
        said |= self.stated({"revoke": revoker, WON_BY: ""})
        said["played-after"] = ",".join([seat for seat, _ in trick.items()][trick.nth_of(revoker) :]) or NOBODY
        if self.cut_short:
            said["next-trick"] = "no"
            if self.said["trick"] == str(LAST_BUT_ONE):
                said["partner-to-play"] = str(all(seat != PARTNER[revoker] for seat, _ in trick.items())).lower()
        return said

    def stated(self, given: Mapping[str, str]) -> dict[str, str]:
        """What the cards say of the hand that revoked; who won the trick only where that was asked.

        ``given``: what an address states already."""
        trick = self.trick
        card = trick.card_of(cast(Seat, given["revoke"]))
        more = {"contract": self.said["contract"], "cards": " ".join([trick.leader, *self.cards])}
        more |= {} if trick.led is None else {"suit": trick.led}
        if self.said["trick"] != UNKNOWN:
            more["trick"] = self.said["trick"]
        if not self.cut_short and WON_BY in given:
            more[WON_BY] = str(trick.winner(Contract.from_text(self.said["contract"]).trump))
        return {**more, **({} if card is None else {"card": str(card)})}


def _known(query: Mapping[str, str]) -> dict[str, str]:
    """What need not be tapped, as the address of the ruling states it."""
    ruled = dict(parse_qsl(query.get(GIVEN, "")))
    if ruled.get("trick") == "twelfth":
        ruled["trick"] = str(LAST_BUT_ONE)
    known = {key: ruled[key] for key in ("contract", "declarer", "trick") if key in ruled}
    return {key: value for key, value in known.items() if key != "trick" or value.isdecimal()}


def added(tapped: TappedTrick, given: Mapping[str, str], desk: Desk, speaker: Speaker) -> str | Contested:
    """The address of the ruling with the cards; ``given``: what its address stated before them."""
    counsel = desk.counsel(law_of(given))
    with counsel.lock:
        before = said_of(counsel, given)
    if "revoke" not in before.seats:
        raise InputError.of("given", "revoke is missing", "begin again")
    hand, more = before.seats["revoke"], tapped.stated(given)
    if hand not in tapped.strayed:
        others = tapped.strayed
        new = {**given, **tapped.stated({**given, "revoke": others[0]}), "revoke": others[0]} if others else {}
        at = address("/ruling", **new) if len(others) == 1 else address("/ask", **given, change="revoke")
        says = speaker.phrase("desk-trick-follows", hand=speaker.value(hand, "seat"))
        return _choice(says, at, given, speaker)
    with counsel.lock:
        after = said_of(counsel, {**given, **more})
    if WON_BY in more and not after.answers.get(WON_BY, frozenset()) <= before.answers.get(WON_BY, frozenset()):
        winner = speaker.value(more[WON_BY], "seat")
        says = speaker.phrase("desk-trick-against", winner=winner, said=_chip(before, given, speaker))
        return _choice(says, address("/ruling", **{**given, **more}), given, speaker)
    return address("/ruling", **{**given, **more})


def _chip(said: Said, given: Mapping[str, str], speaker: Speaker) -> str:
    return next((one.says for one in Telling(said, speaker, given).chips() if WON_BY in one.tells), "")


def _choice(says: str, cards: str, given: Mapping[str, str], speaker: Speaker) -> Contested:
    held = (speaker.phrase("desk-trick-cards-hold"), cards)
    return Contested(says, (held, (speaker.phrase("desk-trick-answer-holds"), address("/ruling", **given))))
