"""Random boards on which somebody revokes, as incident files, for putting the product beside the oracle.

Everybody plays legally but for the slips that are put in: up to three, by any hand, also two on one trick, twice by one
player in a suit, by both sides, at trick 12. Play goes on legally from the cards actually held. Then people ask, speak
up, correct and change cards, claim, concede, call on the next board, at random moments. The same seed gives the same board.
"""

from __future__ import annotations

from random import Random
from typing import Any

from support.boards_correct import LATE, NEVER, Correcting, Slip
from support.boards_play import Playing
from support.table import ORDER, PARTNER, SEATS, SIDE, trump_of, winner


def random_record(seed: int) -> dict[str, Any]:
    """A complete board played legally to the end, without an event."""
    board = Playing(Random(seed))
    while len(board.tricks) < 13 or not board.trick_is_over():
        hand = board.next_hand()
        suit = None if board.trick_is_over() else board.suit_led(len(board.tricks))
        board.put(hand, board.rng.choice(board.legal(hand, suit)))
    return board.result()


def with_penalty_cards(seed: int) -> dict[str, Any]:
    """A board played without regard to cards that have become penalty cards on the way, or to what was demanded then."""
    board, rng = random_record(seed), Random(seed)
    trump, declarer = trump_of(board["contract"]), board["declarer"]
    tricks = [dict(_cards(row)) for row in board["play"]]
    lying: dict[str, dict[str, str]] = {seat: {} for seat in SEATS if SIDE[seat] != SIDE[declarer]}
    exposing = set(rng.sample(range(1, 11), rng.randint(1, 4)))
    events: list[dict[str, Any]] = []
    for number, laid in enumerate(tricks[:12], start=1):
        leader = next(iter(laid))
        for place, (hand, card) in enumerate(laid.items(), start=1):
            here, cards = f"{number}.{place}", lying.get(hand, {})
            cards.pop(card, None)
            if cards and rng.random() < 0.2:  # at once, or when others have played
                here = f"{number}.{rng.randint(place, 4)}"
                events.append({"after": here, "attention": {"by": declarer}})
                if rng.random() < 0.4:
                    events.append({"after": here, "accepted": {"by": declarer, "of": hand}})
        on_lead = winner(leader, laid, trump)
        for hand, cards in lying.items():
            left = [later[hand] for later in tricks[number:] if later[hand] not in cards]
            if number in exposing and len(left) > 1 and rng.random() < 0.7:
                card = rng.choice(left)
                cards[card] = "major" if card[1] in "AKQJT" else rng.choice(["minor", "minor", "major"])
                events.append({"after": f"{number}.4", "exposed": {"by": hand, "card": card, "kind": cards[card]}})
                if len(cards) > 1:
                    cards.update(dict.fromkeys(cards, "major"))
        major = [card for card, kind in lying.get(PARTNER[on_lead], {}).items() if kind == "major"]
        if major and rng.random() < 0.5:
            suit, how = rng.choice(major)[0], rng.choice(["lead", "not-lead"])
            demand = {"by": declarer, "of": on_lead, "how": how, "suit": suit}
            events.append({"after": f"{number}.4", "required": demand})
            for card in [card for card in major if card[0] == suit]:
                del lying[PARTNER[on_lead]][card]
    late = [{"after": "13.4", "hands-returned": {}}, {"attention": {"by": declarer}}]
    return {**board, "events": [*sorted(events, key=_place), *late]}


def _place(event: dict[str, Any]) -> tuple[int, int]:
    trick, card = event["after"].split(".")
    return int(trick), int(card)


def _cards(row: str) -> list[tuple[str, str]]:
    """The cards of a trick with their hands."""
    leader, *cards = row.split()
    return list(zip(ORDER[leader], cards, strict=True))


def random_board(seed: int) -> dict[str, Any]:
    """A board with up to three revokes and whatever people did about them."""
    return board_with_slips(seed)[0]


def board_with_slips(seed: int) -> tuple[dict[str, Any], list[Slip]]:
    """The board of `random_board` and the revokes put in, in the order they happened."""
    board = _Board(Random(seed))
    board.play()
    board.after_play()
    return board.result(), board.slips


class _Board(Correcting):
    """A table where people slip and talk."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        how_many = rng.choices([0, 1, 2, 3], [10, 45, 30, 15])[0]
        # Late slips are those for which there may be fewer tricks to hand over than are due.
        first, last = (9, 11) if self.by_chance(0.25) else (1, 11)
        self.targets = sorted(12 if self.by_chance(0.12) else rng.randint(first, last) for _ in range(how_many))
        self.claimed_by: str | None = None
        self.designated: str | None = None

    # Playing cards, rightly and wrongly

    def play(self) -> None:
        """Play until thirteen tricks lie, a claim ends play or the record stops."""
        while not self.over and (len(self.tricks) < 13 or not self.trick_is_over()):
            hand = self.next_hand()
            card = self._choose(hand)
            self.put(hand, card)
            self.establish(SIDE[hand], len(self.tricks) - 1)
            self._ask(hand)
            self.notice()
            if not self.over:
                (self._between_tricks if self.trick_is_over() else self._within_trick)()

    def _choose(self, hand: str) -> str:
        if self.trick_is_over():
            cards = self.legal(hand, None)
            named, self.designated = self.designated, None
            return named if named in cards else self.rng.choice(cards)
        trick, suit = len(self.tricks), self.suit_led(len(self.tricks))
        wrong = [card for card in self.hands[hand] if card[0] != suit]
        if 0 < len(wrong) < len(self.hands[hand]) and self._will_slip(hand, trick, suit):
            trumps = [card for card in wrong if card[0] == self.trump]
            card = self.rng.choice(trumps if trumps and self.by_chance(0.5) else wrong)
            self._slip(hand, trick, suit, card)
            return card
        return self.rng.choice(self.legal(hand, suit))

    def _will_slip(self, hand: str, trick: int, suit: str) -> bool:
        if len(self.slips) >= len(self.targets):
            return False
        here = [slip for slip in self.slips if slip.trick == trick]
        if any(slip.corrected for slip in here):
            return False
        if here:
            return self.by_chance(0.4)
        if any(slip.hand == hand and slip.suit == suit for slip in self.slips):
            return self.by_chance(0.6)
        return trick >= self.targets[len(self.slips)] and self.by_chance(0.5)

    def _slip(self, hand: str, trick: int, suit: str, card: str) -> None:
        soon, later = self.rng.randint(0, 4), self.rng.randint(5, 24)
        notice = self.rng.choices([soon, later, LATE, NEVER], [50, 15, 28, 7])[0]
        if any(slip.trick == trick and slip.side != SIDE[hand] for slip in self.slips) and self.by_chance(0.5):
            # Just when one side only has played to the next trick.
            notice = 4 - len(self.tricks[-1])
        self.slips.append(Slip(hand, trick, suit, card, notice))

    def _ask(self, hand: str) -> None:
        """Having none? The answer is true."""
        suit = self.suit_led(len(self.tricks))
        if self.tricks[-1][hand][0] != suit and hand != self.dummy and self.by_chance(0.1):
            others = [seat for seat in SEATS if seat != hand and not (seat == self.dummy and self.is_defender(hand))]
            answer = "yes" if any(card[0] == suit for card in self.hands[hand]) else "no"
            self.emit("asked", by=self.rng.choice(others), of=hand, answer=answer)

    # Designations, plays out of turn, claims

    def _between_tricks(self) -> None:
        trick = len(self.tricks)
        if trick == 13:
            return
        fresh = [slip for slip in self.slips if slip.trick == trick and not slip.corrected and not slip.established]
        often = 0.1 if fresh else 0.008
        what = self.rng.random() / often
        if what < 1:
            self._claim()
        elif what < 2 and not self.both_sides(trick):
            leader = self.next_hand()
            self._play_out_of_turn([seat for seat in SEATS if seat != leader], trick + 1)
        elif what < 3:
            self._designate(self.next_hand())
        elif what < 3.6:
            self._concede_in_vain()
        if fresh and 1 < what < 3.6 and not self.over and self.by_chance(0.3) and not fresh[0].noticed:
            self.draw_attention(fresh[0])

    def _within_trick(self) -> None:
        trick = len(self.tricks)
        previous = [
            slip for slip in self.slips if slip.trick == trick - 1 and not slip.corrected and not slip.established
        ]
        what = self.rng.random() / (0.05 if previous else 0.003)
        if what < 1 and all(slip.trick != trick for slip in self.slips) and not self.both_sides(trick - 1):
            self._claim()
        elif what < 2 and not self.both_sides(trick - 1):
            waiting = [seat for seat in SEATS if seat not in self.tricks[-1] and seat != self.next_hand()]
            if waiting:
                self._play_out_of_turn(waiting, trick)
        elif what < 2.5:  # of a side that may yet revoke on this trick: it establishes nothing then
            waiting = [seat for seat in SEATS if seat not in self.tricks[-1]]
            if waiting and trick < 13 and not self.both_sides(trick):
                self._play_out_of_turn(waiting, trick + 1, said=True)
        elif what < 3 and trick < 13 and not self.both_sides(trick):
            self._name_for_next(self.rng.choice(list(self.tricks[-1])))

    def _play_out_of_turn(self, seats: list[str], trick: int, said: bool = False) -> None:
        seat = self.rng.choice(seats)
        card = self.rng.choice(self.hands[seat])
        self.emit("led-out-of-turn", by=seat, card=card, **({"trick": trick} if said or self.by_chance(0.3) else {}))
        self.establish(SIDE[seat], trick - 1)
        if self.is_defender(seat):
            self.emit("exposed", by=seat, card=card, kind="major")
            self.make_penalty_card(card)

    def _designate(self, leader: str) -> None:
        self.designated = self.rng.choice(self.legal(leader, None))
        self.emit("designated", by=self.declarer if leader == self.dummy else leader, card=self.designated)
        self.establish(SIDE[leader], len(self.tricks))

    def _name_for_next(self, hand: str) -> None:
        """A hand that has played to the trick can only be meant to play the card to the next."""
        card = self.rng.choice(self.hands[hand])
        self.emit("designated", by=self.declarer if hand == self.dummy else hand, card=card)
        self.establish(SIDE[hand], len(self.tricks))

    def _concede_in_vain(self) -> None:
        defender = self.rng.choice([seat for seat in SEATS if self.is_defender(seat)])
        self.emit("conceded", by=defender)
        self.emit("objected", by=PARTNER[defender])

    def _claim(self) -> None:
        """A claim or concession that ends play, and what the other side says to it."""
        self.agree_on_tricks()
        by = self.rng.choice([seat for seat in SEATS if seat != self.dummy])
        name = self.rng.choice(["claimed", "claimed", "conceded"])
        self.emit(
            name, by=by, **(self._tricks_of_claim(name, by) if self.trick_is_over() and self.by_chance(0.5) else {})
        )
        self.establish(SIDE[by])
        answer = self.rng.choices(["agreed", "objected", None], [6, 3, 1])[0]
        others = [seat for seat in SEATS if SIDE[seat] != SIDE[by] and seat != self.dummy]
        if answer:
            self.emit(answer, by=self.rng.choice(others))
        self.over, self.claimed_by = True, SIDE[by]

    def _tricks_of_claim(self, name: str, by: str) -> dict[str, int]:
        left = 13 - len(self.tricks)
        declarers = self.incident["tricks"] - self.won_by_declarer()
        return {"tricks": declarers if (name == "claimed") != self.is_defender(by) else left - declarers}

    # When the cards have been played

    def after_play(self) -> None:
        """Calls on the next board, the end of the round and so on, with attention drawn at some moment or never.

        Of the twelfth trick it is never left out: when it was drawn decides there, so that nothing is certain without it.
        """
        if self.stopped:
            return
        steps = self._steps()
        waiting = [slip for slip in self.slips if not slip.noticed and (slip.notice != NEVER or slip.trick == 12)]
        moments = {slip: self.rng.randint(0, len(steps)) for slip in waiting}
        for number in range(len(steps) + 1):
            due = [slip for slip in waiting if moments[slip] == number and not slip.noticed]
            if due:
                only = due[0] if len(due) == 1 and self.by_chance(0.3) else None
                self.tell([only] if only else self.slips, {"hand": only.hand, "trick": only.trick} if only else None)
                self._correct_trick_12(returned="hands-returned" in [name for name, _ in steps[:number]])
            if number < len(steps):
                name, by = steps[number]
                self.emit(name, **({"by": by} if by else {}))
        # Once a correction follows establishment, what the equity is measured against is not settled.
        undone = any(slip.trick == 12 or (slip.established and slip.corrected) for slip in self.slips)
        if self.slips and not undone and self.by_chance(0.2):
            self.incident["equity-tricks"] = self.rng.randint(0, 13)

    def _steps(self) -> list[tuple[str, str]]:
        calls = [("called-on-next-board", self.rng.choice(SEATS)) for _ in range(2) if self.by_chance(0.35)]
        ended = [("round-ended", "")] if self.by_chance(0.35) else []
        steps = [("play-ended", "")] if self.by_chance(0.5) else []
        # Nobody calls on the next board before this one is back in its board; only at trick 12 does it matter.
        if self.by_chance(0.5) or ((calls or ended) and any(slip.trick == 12 for slip in self.slips)):
            steps.append(("hands-returned", ""))
        steps += calls + ended
        if self.claimed_by and self.by_chance(0.2):
            opponent = self.rng.choice([seat for seat in SEATS if SIDE[seat] != self.claimed_by])
            steps.insert(self.rng.randint(0, len(steps)), ("objected", opponent))
        return steps

    def _correct_trick_12(self, *, returned: bool) -> None:
        """The right card comes from trick 13, and the wrong one goes there."""
        if returned or self.claimed_by or self.by_chance(0.5):
            return
        for slip in self.slips:
            if slip.trick == 12 and slip.noticed and not slip.corrected:
                slip.corrected = True
                self.emit("corrected", by=slip.hand, withdrawn=slip.card, played=self.tricks[12][slip.hand])
