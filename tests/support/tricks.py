"""Tricks to which somebody did not follow suit although able: as an address and a file state them, and as cards."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from facts.cards import CLOCKWISE, NEXT, PARTNER, SEATS, SIDE, Seat
from facts.contract import Contract
from facts.deal import Deal
from facts.play import PlayRecord, Trick, failures_to_follow
from support.records import deal_at_random, play_at_random, rows

EDITION = "duplicate-2017"


@dataclass(frozen=True)
class Drawn:
    """A trick to which one hand did not follow suit although able, the first revoke of its board."""

    deal: Deal
    contract: str
    declarer: Seat
    play: PlayRecord
    number: int
    hand: Seat
    cards: int
    """So many had been played to it when it was noticed."""

    @property
    def trick(self) -> Trick:
        whole = self.play.tricks[self.number - 1]
        return Trick(whole.leader, whole.cards[: self.cards])

    def address(self) -> dict[str, str]:
        """As an address states it."""
        (found,) = self.finding()["revokes"]
        said = {key: str(one) for key, one in found.items() if key != "hand"}
        said["played-after"] = ",".join(found["played-after"]) or "nobody"
        said |= {"revoke": self.hand, "declarer": self.declarer, "contract": self.contract}
        said["cards"] = " ".join([self.trick.leader, *map(str, self.trick.cards)])
        if self.cards < 4:
            said["next-trick"] = "no"
            if self.number == 12:
                said["partner-to-play"] = str(all(seat != PARTNER[self.hand] for seat, _ in self.trick.items())).lower()
        return said

    def finding(self, **answered: Any) -> dict[str, Any]:
        """As a file states it."""
        said: dict[str, Any] = {"hand": self.hand, "trick": self.number, "suit": self.trick.led}
        said["card"] = str(self.trick.card_of(self.hand))
        if self.cards == 4:
            said["won-by"] = self.trick.winner(Contract.from_text(self.contract).trump)
        said |= answered
        said["played-after"] = list(CLOCKWISE[self.trick.leader][self.trick.nth_of(self.hand) : self.cards])
        return {"contract": self.contract, "declarer": self.declarer, "revokes": [said]}

    def record(self, beyond: int = 0) -> dict[str, Any]:
        """As cards, so many of them beyond the trick, after which attention is drawn to it."""
        tricks = [*self.play.tricks[: self.number - 1], self.trick]
        if beyond:
            after = self.play.tricks[self.number]
            tricks.append(Trick(after.leader, after.cards[:beyond]))
        by = self.declarer if SIDE[self.hand] != SIDE[self.declarer] else NEXT[self.declarer]
        play = rows(PlayRecord(tuple(tricks)))
        said = {"contract": self.contract, "declarer": self.declarer, "deal": self.deal.to_pbn(), "play": play}
        return {**said, "events": [{"attention": {"by": by}}]}

    @property
    def until_gone_on(self) -> int:
        """The cards to the next trick until the revoker's side has played one."""
        after = self.play.tricks[self.number]
        return next(nth for nth, (seat, _) in enumerate(after.items(), 1) if SIDE[seat] == SIDE[self.hand])


def drawn(number: int, seed: int = 62) -> Iterator[Drawn]:
    """The same ones each time."""
    chance, found = Random(seed), 0
    while found < number:
        deal, declarer = deal_at_random(chance), chance.choice(SEATS)
        contract = f"4{chance.choice(['S', 'H', 'D', 'C', 'NT'])}"
        play = play_at_random(deal, Contract.from_text(contract), declarer, chance, revoking=0.1)
        failures = failures_to_follow(play, deal)
        first, hand = failures[0] if failures else (13, declarer)
        if first <= 12 and sum(trick <= first + 1 for trick, _ in failures) == 1:
            place = play.tricks[first - 1].nth_of(hand)
            found += 1
            yield Drawn(deal, contract, declarer, play, first, hand, chance.choice([4, 4, *range(place, 5)]))
