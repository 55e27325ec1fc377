"""What happens when somebody speaks up about a revoke: corrections, cards changed in turn, or play going on."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Any

from support.boards_play import Playing
from support.table import NEXT, PARTNER, SEATS, SIDE

Changes = list[tuple[str, dict[str, str]]]
"""Events still to be written down: the name and the fields of each."""

NEVER = -1
LATE = -2
"""Slips that nobody notices, or only when play has ended."""


@dataclass(slots=True, eq=False)
class Slip:
    """A revoke that was put in; `notice` is how many more cards are played before attention is drawn to it."""

    hand: str
    trick: int
    suit: str
    card: str
    notice: int
    noticed: bool = False
    established: bool = False
    corrected: bool = False
    changed_late: bool = False

    @property
    def side(self) -> str:
        """The side that slipped."""
        return SIDE[self.hand]


class Correcting(Playing):
    """A table with slips. `over`: no more cards; `stopped`: no more events either."""

    def __init__(self, rng: Random) -> None:
        """Nobody has slipped yet."""
        super().__init__(rng)
        self.slips: list[Slip] = []
        self.over = self.stopped = False

    def establish(self, side: str, trick: int | None = None) -> None:
        """The side has gone on after a slip on this trick; None: by a claim, which comes too late once it is noticed."""
        for slip in self.slips:
            concerned = not slip.noticed if trick is None else slip.trick == trick
            if slip.side == side and concerned and not slip.corrected:
                slip.established = True

    def agree_on_tricks(self) -> None:
        """Settle how many tricks declarer's side has in all when some are not played."""
        complete = len(self.tricks) - (not self.trick_is_over())
        self.incident["tricks"] = self.won_by_declarer() + self.rng.randint(0, 13 - complete)

    def notice(self) -> None:
        """After each card: attention to the slips whose time has come."""
        for slip in list(self.slips):
            if slip.notice == 0 and not slip.noticed:
                self.draw_attention(slip)
        for slip in self.slips:
            slip.notice -= slip.notice > 0

    def both_sides(self, trick: int) -> bool:
        """Whether both sides have an uncorrected slip on the trick."""
        return len({slip.side for slip in self.slips if slip.trick == trick and not slip.corrected}) == 2

    def draw_attention(self, to: Slip) -> None:
        """Somebody speaks up; then the revokes that can be corrected are, or play goes on, or the record stops."""
        only = not self.both_sides(to.trick) and self.by_chance(0.25)
        told = [to] if only else self.slips[:]
        pending = self._pending(told)
        changes = self._correct(pending) if pending and self.by_chance(0.75) else []
        if not (changes and pending == [to] and self.by_chance(0.2)):
            self.tell(told, {"hand": to.hand, "trick": to.trick} if only else None)
        to.noticed = True
        for name, fields in changes:
            self.emit(name, **fields)
        if not pending:
            self._correct_in_vain(told)
        if pending and not changes and (self.both_sides(pending[0].trick) or self.by_chance(0.4)):
            self._stop()

    def tell(self, told: list[Slip], to: dict[str, Any] | None) -> None:
        """The event itself, to one revoke or to all before it."""
        self.emit("attention", by=self.rng.choice(SEATS), **({"to": to} if to else {}))
        for slip in told:
            slip.noticed = True

    def _pending(self, told: list[Slip]) -> list[Slip]:
        """Revokes that can be corrected now; where both sides revoked and one has played on, the established one too."""
        pending = [slip for slip in told if not slip.corrected and not slip.established]
        if pending and self.both_sides(pending[0].trick) and len(self.tricks) > pending[0].trick:
            return [slip for slip in self.slips if slip.trick == pending[0].trick and not slip.corrected]
        return pending

    def _correct(self, pending: list[Slip]) -> Changes:
        """Correct the slips of one trick; nothing when the lead to the next trick would then be by the wrong hand.

        Nothing either when a revoker, having led on, has meanwhile parted with his only card of the suit.
        """
        if any(all(card[0] != slip.suit for card in self.hands[slip.hand]) for slip in pending):
            return []
        trick = pending[0].trick
        led_on = len(self.tricks) > trick
        before = self.winner(trick) if led_on else None
        hands, tricks = {seat: cards[:] for seat, cards in self.hands.items()}, [dict(cards) for cards in self.tricks]
        penalty, slips = set(self.penalty), self.slips[:]
        changes = [self._substitute(slip) for slip in pending]
        if len([slip for slip in self.slips if slip.trick == trick]) == 1:
            changes += self._withdrawals(pending[0])
        if led_on and self.winner(trick) != before:
            self.hands, self.tricks, self.penalty, self.slips = hands, tricks, penalty, slips
            return []
        for slip in pending:
            slip.corrected = True
        return changes

    def _substitute(self, slip: Slip) -> tuple[str, dict[str, str]]:
        wrong = [card for card in self.hands[slip.hand] if card[0] != slip.suit]
        alone = all(other is slip for other in self.slips if other.trick == slip.trick)
        if wrong and alone and self.by_chance(0.08):
            new = self.rng.choice(wrong)
            self.slips.append(Slip(slip.hand, slip.trick, slip.suit, new, self.rng.choice([1, 2, 3, LATE])))
        else:
            new = self.rng.choice(self.legal(slip.hand, slip.suit))
        self.change(slip.trick, slip.hand, new, penalty=True)
        return "corrected", {"by": slip.hand, "withdrawn": slip.card, "played": new}

    def _withdrawals(self, slip: Slip) -> Changes:
        """Innocent players who had played after the revoke change their cards, then the revoker's partner his."""
        order = list(self.tricks[slip.trick - 1])
        changes: Changes = [*self._change_in_vain(slip, order)]
        for hand in order[order.index(slip.hand) + 1 :]:
            if SIDE[hand] != slip.side and self.by_chance(0.5):
                changes += self._withdraw(slip.trick, hand, penalty=False)
                partner = PARTNER[slip.hand]
                if changes and partner == NEXT[hand] and partner in order[order.index(hand) :] and self.by_chance(0.5):
                    changes += self._withdraw(slip.trick, partner, penalty=True)
        if len(self.tricks) > slip.trick and self.by_chance(0.35):
            changes += self._withdraw(slip.trick + 1, next(iter(self.tricks[slip.trick])), penalty=False)
        return changes

    def _change_in_vain(self, slip: Slip, order: list[str]) -> Changes:
        """One who had played before the revoke changes too, which does not stand; his card stays where it is, or does not."""
        before = [hand for hand in order[: order.index(slip.hand)] if SIDE[hand] != slip.side]
        others = [(hand, card) for hand in before for card in self.hands[hand] if not self.penalty & {card}]
        if others and self.by_chance(0.1):
            hand, card = self.rng.choice(others)
            old = self.tricks[slip.trick - 1][hand]
            if self.by_chance(0.5):
                self._keep_in_hand(hand, old, card)
            return [("withdrawn", {"by": hand, "card": old, "played": card})]
        return []

    def _correct_in_vain(self, told: list[Slip]) -> None:
        """An established revoke is corrected all the same, and the wrong card goes back to the hand."""
        late = [slip for slip in told if slip.established and not slip.corrected and not slip.changed_late]
        for slip in late:
            cards = [card for card in self.hands[slip.hand] if card[0] == slip.suit]
            alone = all(other is slip for other in self.slips if other.trick == slip.trick)
            if cards and alone and slip.trick != 12 and self.by_chance(0.15):
                card = self.rng.choice(cards)
                slip.changed_late = True
                self._keep_in_hand(slip.hand, slip.card, card)
                self.emit("corrected", by=slip.hand, withdrawn=slip.card, played=card)

    def _keep_in_hand(self, hand: str, old: str, new: str) -> None:
        """The change does not stand, so that the trick goes by the old card; but nobody has put it back."""
        self.hands[hand].append(old)
        self.hands[hand].remove(new)

    def _withdraw(self, trick: int, hand: str, *, penalty: bool) -> Changes:
        old = self.tricks[trick - 1][hand]
        suit = None if hand == next(iter(self.tricks[trick - 1])) else self.suit_led(trick)
        self.hands[hand].append(old)
        choice = [card for card in self.legal(hand, suit) if card != old and old not in self.faced]
        self.hands[hand].remove(old)
        if not choice:
            return []
        new = self.rng.choice(choice)
        self.change(trick, hand, new, penalty=penalty)
        return [("withdrawn", {"by": hand, "card": old, "played": new})]

    def _stop(self) -> None:
        """The record ends here, with an agreed number of tricks should a ruling need it."""
        self.over = self.stopped = True
        if any(slip.established for slip in self.slips):
            self.agree_on_tricks()
