"""The oracle's first half: what was a revoke and what became of it, Laws 61-63, in one pass through the record."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from support.oracle_codes import Code
from support.oracle_table import Event, Play, Table, timeline
from support.table import NEXT, OTHER, PARTNER, SIDE


@dataclass(frozen=True, slots=True)
class Discovery:
    """How things stood when attention was first drawn to a revoke."""

    sides_called: frozenset[str]
    round_over: bool
    hands_back: bool


@dataclass(slots=True)
class Revoke:
    """One wrong card and everything that became of it; `won_from` includes the revoke trick itself.

    `attention` is how many cards had been played when attention was drawn, which the player's own knowledge is not.
    `acceptable` is a card with no other fault than that a penalty card was not played (52B).
    `legal` are the cards of the suit owed, `won_with` the later tricks that the player won with them (64A2 of 1997).
    """

    hand: str
    trick: int
    suit: str | None
    card: str
    missed_penalty_card: bool
    legal: frozenset[str]
    acceptable: bool = False
    established_by: str | None = None
    found: Discovery | None = None
    attention: int | None = None
    corrected: bool = False
    with_other_side: bool = False
    answered: bool = False
    accepted: bool = False
    noticed_now: bool = False
    as_established: bool = False
    won_by: str | None = None
    won_from: int | None = None
    won_with: list[int] | None = None
    exempt: list[str] = field(default_factory=list)
    automatic: list[str] = field(default_factory=list)

    @property
    def side(self) -> str:
        """The offending side."""
        return SIDE[self.hand]

    @property
    def at_twelve(self) -> bool:
        """62D1: established at trick 12 and found before all hands were back in the board."""
        return (
            self.trick == 12
            and not self.accepted
            and self.established_by is not None
            and self.found is not None
            and not self.found.hands_back
        )

    @property
    def in_time(self) -> bool:
        """62A: attention was drawn and it never became established; 63B of 1997 goes before it."""
        drawn = self.found is not None and not self.noticed_now
        return drawn and not (self.established_by or self.with_other_side or self.as_established)

    @property
    def liable(self) -> bool:
        """Whether Law 64 applies: it is established and stays so, or counts as if it were."""
        stands = self.established_by is not None and not self.with_other_side and not self.at_twelve
        return stands or self.as_established

    @property
    def status(self) -> str | None:
        """In the words of the ruling; None where play went on although 63B of 1997 has the card taken back."""
        if self.as_established and self.established_by:
            return None
        if self.as_established or self.in_time or self.with_other_side or self.at_twelve:
            return "corrected" if self.corrected else "must-correct"
        return "established" if self.established_by else "none-yet"


@dataclass(slots=True)
class Claim:
    """A claim or concession that has not been settled."""

    side: str
    assented: bool = False
    final: bool = False
    objected: bool = False

    @property
    def contested(self) -> bool:
        """The director has to settle it (70A) before there is a result."""
        return self.objected and not self.final


ENDS = {
    "play-ended",
    "hands-returned",
    "round-ended",
    "called-on-next-board",
    "cut-for-next-deal",
    "correction-period-ended",
}
"""What nobody does before the play is over."""


def _with_agreement(incident: dict[str, Any], happened: list[Play | Event]) -> list[Play | Event]:
    """Where the play is over, a claim or concession that nobody is said to have answered was agreed to at once."""
    names = [what.name if isinstance(what, Event) else "" for what in happened]
    if "tricks" not in incident and not ENDS.intersection(names):
        return happened
    found: list[Play | Event] = []
    for number, what in enumerate(happened):
        found.append(what)
        answered = {"agreed", "objected"}.intersection(names[number + 1 :])
        if isinstance(what, Event) and what.name in {"claimed", "conceded"} and not answered:
            found.append(Event("agreed", {"by": NEXT[what.fields["by"]]}))
    return found


class Hearing:
    """Goes through what happened, once, in order of time."""

    def __init__(self, incident: dict[str, Any], code: Code) -> None:
        happened = _with_agreement(incident, timeline(incident))
        self.code = code
        self.table = Table(incident, happened)
        self.revokes: list[Revoke] = []
        self.unsettled: list[str] = []
        self.penalty_cards: dict[str, dict[str, str]] = {}
        self.required: dict[str, list[tuple[str, str, int]]] = {}
        self.changed: set[tuple[int, str]] = set()
        self.claim: Claim | None = None
        self.sides_called: set[str] = set()
        self.round_over = self.hands_back = False
        for what, following in zip(happened, [*happened[1:], None], strict=True):
            if isinstance(what, Play):
                self._card(what)
            else:
                handler = getattr(self, "_" + what.name.replace("-", "_"), None)
                if handler:
                    handler(following=following, **what.fields)
        self._now()
        over = "tricks" in incident or any(isinstance(what, Event) and what.name in ENDS for what in happened)
        for revoke in self.revokes if over else ():
            went_on = any(trick > revoke.trick and SIDE[hand] == revoke.side for trick, hand in self.table.order)
            late = self.round_over or self.sides_called or (self.claim and not revoke.established_by)
            if late and revoke.noticed_now and not went_on:
                self.unsettled.append(
                    "when a revoke came to light on whose trick the record stops though the play is over"
                )

    def _card(self, play: Play) -> None:
        self.table.play(play)
        self._establish("63A1", SIDE[play.hand], play.trick - 1)
        if play.card != "-":
            self._judge(play.trick, play.hand, play.card)

    def _judge(self, trick: int, hand: str, card: str) -> None:
        """Law 61A: not following suit when able, not leading as required when able, not playing a penalty card when able."""
        lying = dict(self.penalty_cards.setdefault(hand, {}))
        self.penalty_cards[hand].pop(card, None)
        leads = hand == self.table.tricks[trick - 1].leader
        suit, forbidden = self._demanded(hand, trick) if leads else (self.table.suit_led(trick), set[str]())
        cards = {card, *self.table.held[hand]}
        may = {held for held in cards if suit in {None, held[0]}} or cards
        may = {held for held in may if held[0] not in forbidden} or may
        owes = self._owes(card, may, lying)
        if card in may or suit is None or not self.table.holds(hand, suit):
            if owes or card not in may:
                self.revokes.append(Revoke(hand, trick, None, card, owes, frozenset(), card in may))
            return
        legal = frozenset(held for held in self.table.held[hand] if held[0] == suit)
        faced = [held in lying for held in legal]  # before 2017 any card that lies open will do
        missed = owes or all(faced) or (any(faced) and not self.code.penalty_cards_only)
        self.revokes.append(Revoke(hand, trick, suit, card, missed, legal))
        if not self.code.both_on_one_trick:
            return
        sides = {revoke.side for revoke in self.revokes if revoke.trick == trick}
        if len(sides) == 2 and any(r.corrected for r in self.revokes if r.trick == trick and r.side != SIDE[hand]):
            self.unsettled.append("62C3 where the other side's revoke had already been corrected")

    def _owes(self, card: str, may: set[str], lying: dict[str, str]) -> bool:
        """Laws 50C and 50D1: whether a penalty card had to be played, among the cards that may be."""
        if card in lying:
            return False
        if any(kind == "major" and one in may for one, kind in lying.items()):
            return True
        return [*lying.values()] == ["minor"] and {one[0] for one in lying} == {card[0]} and card[1] not in "AKQJT"

    def _demanded(self, hand: str, trick: int) -> tuple[str | None, set[str]]:
        """The suit that the leader was told to lead, and those that he may not while he keeps the lead (50D2a)."""
        demands, winners = self.required.get(hand, []), self.table.winners()
        lead = [suit for how, suit, since in demands if how == "lead" and since == trick]
        kept = [one for one in demands if all(winners.get(before) == hand for before in range(one[2], trick))]
        return lead[-1] if lead else None, {suit for how, suit, _ in kept if how == "not-lead"}

    def _lay(self, hand: str, card: str, kind: str) -> None:
        """50B: each of several penalty cards is, and stays, a major one."""
        lying = self.penalty_cards.setdefault(hand, {})
        lying[card] = kind
        if len(lying) > 1:
            lying.update(dict.fromkeys(lying, "major"))

    def _establish(self, law: str, side: str, trick: int | None = None) -> None:
        """The first act counts, of claims (no trick) only before attention; what has been corrected is not established."""
        for revoke in self.revokes:
            concerned = revoke.side == side and (revoke.found is None if trick is None else revoke.trick == trick)
            if concerned and revoke.established_by is None and not revoke.corrected:
                revoke.established_by = law
                if (revoke.answered or revoke.as_established) and revoke.trick == 12:
                    self.unsettled.append("62A beside 62D1 when play went on after the answer")

    # What people did: one method an event, with the fields of the incident file.

    def _attention(self, to: dict[str, Any] | None = None, **_: Any) -> None:
        for revoke in self.revokes:
            if to is None or (to["hand"], int(to["trick"])) == (revoke.hand, revoke.trick):
                self._discover(revoke, attention=True)

    def _asked(self, by: str, of: str, answer: str | None = None, **_: Any) -> None:
        """Laws 62A before 2017 and 63B of 1997: a player who says that he has a card knows of his revoke."""
        if answer != "yes" or not self.code.awareness:
            return
        for revoke in self.revokes:
            if revoke.hand == of and revoke.trick == len(self.table.tricks) and not revoke.found:
                forbidden = by == PARTNER[of] and self.table.is_defender(by) and not self.code.partner_may_ask
                revoke.answered, revoke.as_established = not forbidden, forbidden
                self._discover(revoke, attention=forbidden)

    def _now(self) -> None:
        """Whoever asks for a ruling draws attention, if nobody has done so before; whether both revokes on a trick have to
        be corrected is asked of the state that is ruled on.
        """
        for revoke in self.revokes:
            if revoke.found is None:
                self._discover(revoke, attention=True)
                revoke.noticed_now = True
            self._both_sides(revoke)

    def _discover(self, revoke: Revoke, attention: bool) -> None:
        if attention and revoke.attention is None:
            revoke.attention = len(self.table.order)
        if revoke.answered and revoke.established_by and (self.sides_called or self.round_over or self.hands_back):
            self.unsettled.append("attention, late, after an answer had given the revoke away")
        if revoke.found:
            return
        played = self.table.order[self.table.order.index((revoke.trick, revoke.hand)) + 1 :]
        if revoke.acceptable and any(SIDE[hand] != revoke.side for _, hand in played):
            self._accept(revoke, "52B1b")
        revoke.found = Discovery(frozenset(self.sides_called), self.round_over, self.hands_back)
        self._both_sides(revoke)

    def _both_sides(self, revoke: Revoke) -> None:
        """62C3."""
        on_trick = [other for other in self.revokes if other.trick == revoke.trick and not other.corrected]
        if not self.code.both_on_one_trick or len({other.side for other in on_trick}) < 2:
            return
        gone_on = len(self._sides_in(revoke.trick + 1))
        if gone_on == 1:
            for other in on_trick:
                other.with_other_side = True
        elif gone_on == 2 and any(other.with_other_side for other in on_trick):
            self.unsettled.append("62C3 where the second side has gone on after attention")

    def _sides_in(self, trick: int) -> set[str]:
        """Which sides have a card on a trick."""
        cards = self.table.tricks[trick - 1].cards if trick <= len(self.table.tricks) else {}
        return {SIDE[hand] for hand in cards}

    def _corrected(self, by: str, withdrawn: str, played: str, **_: Any) -> None:
        mine = [one for one in self.revokes if one.hand == by and one.card == withdrawn and not one.corrected]
        for revoke in mine[-1:]:  # a card may come back and go wrong again
            self._discover(revoke, attention=True)
            if revoke.established_by and not (revoke.with_other_side or revoke.at_twelve):
                self.table.change_hands_only(by, withdrawn, played)
                return
            revoke.corrected = True
        before = len(self.revokes)
        self._replace(by, withdrawn, played)
        for again in self.revokes[before:]:  # 62B: another wrong card leaves the duty as it was
            self._discover(again, attention=True)

    def _withdrawn(self, by: str, card: str, played: str, **_: Any) -> None:
        """Laws 62C1, 62C2 and 47D; any other change does not stand (47F2)."""
        trick = next((n for n, one in enumerate(self.table.tricks, 1) if one.cards.get(by) == card), None)
        if trick and (self._after_revoke(trick, by) or self._after_change(trick, by)):
            self._replace(by, card, played)
        elif trick:
            self.table.change_hands_only(by, card, played)

    def _after_revoke(self, trick: int, hand: str) -> bool:
        """62C1: whether the card was played after the other side's revoke and before attention."""
        place = self.table.order.index((trick, hand))
        return any(
            self.table.order.index((revoke.trick, revoke.hand)) < place < (revoke.attention or place + 1)
            for revoke in self.revokes
            if revoke.found and (revoke.as_established or not revoke.liable)
            if revoke.side != SIDE[hand]
        )

    def _after_change(self, trick: int, hand: str) -> bool:
        """62C2, 47D: whether the card was played after one of an opponent that has been changed since."""
        order = list(self.table.tricks[trick - 1].cards)
        before = order[: order.index(hand)]
        return any((trick, other) in self.changed and SIDE[other] != SIDE[hand] for other in before)

    def _replace(self, hand: str, old: str, new: str) -> None:
        """Laws 62B1 and 62C2: a defender of the offending side is left with a penalty card, one of the other side is not."""
        trick = self.table.replace(hand, old, new)
        self.changed.add((trick, hand))
        self._judge(trick, hand, new)
        offender = any(r.trick == trick and r.corrected and r.side == SIDE[hand] for r in self.revokes)
        if offender and self.table.is_defender(hand):
            self._lay(hand, old, "major")

    def _exposed(self, by: str, card: str, kind: str = "major", **_: Any) -> None:
        if self.table.is_defender(by):
            self._lay(by, card, kind)

    def _required(self, of: str, how: str = "lead", suit: str | None = None, **_: Any) -> None:
        """50D2a, 51B1: the partner picks up the major penalty cards of that suit."""
        if suit and how in {"lead", "not-lead"}:
            self.required.setdefault(of, []).append((how, suit, self.table.in_progress()))
            lying = self.penalty_cards.get(PARTNER[of], {})
            for card in [one for one, kind in lying.items() if kind == "major" and one[0] == suit]:
                del lying[card]

    def _accepted(self, of: str, **_: Any) -> None:
        """52B1a: declarer leaves the card that was played in place of a penalty card; never one that fails to follow."""
        for revoke in self.revokes:
            if revoke.hand == of and revoke.acceptable:
                self._accept(revoke, "52B1a")

    def _accept(self, revoke: Revoke, law: str) -> None:
        if revoke.established_by is None and not revoke.corrected:
            revoke.established_by, revoke.accepted = law, True

    def _designated(self, by: str, card: str, **_: Any) -> None:
        """The card is for the trick in progress while its hand has still to play to it, else for the next."""
        holder = next((hand for hand in (by, PARTNER[by]) if card in self.table.held[hand]), by)
        current = self.table.in_progress()
        played = current == len(self.table.tricks) and holder in self.table.tricks[-1].cards
        self._establish("63A2", SIDE[by], current if played else current - 1)

    def _led_out_of_turn(self, by: str, trick: int | str | None = None, **_: Any) -> None:
        current = self.table.in_progress()
        played = current == len(self.table.tricks) and by in self.table.tricks[-1].cards
        to = int(trick) if trick else current + played
        self._establish("63A1", SIDE[by], to - 1)
        before = {revoke.side for revoke in self.revokes if revoke.trick == to - 1 and not revoke.corrected}
        if self.code.both_on_one_trick and len(before) == 2:
            self.unsettled.append("62C3 where a side's play to the next trick was taken back")

    def _claimed(self, by: str, **_: Any) -> None:
        self._establish("63A3", SIDE[by])
        self.claim = Claim(SIDE[by])

    def _conceded(self, by: str, following: Play | Event | None, **_: Any) -> None:
        partner_objects = (
            isinstance(following, Event)
            and following.name == "objected"
            and following.fields["by"] == PARTNER[by]
            and self.table.is_defender(by)
        )
        if not partner_objects:
            self._claimed(by)

    def _agreed(self, by: str, **_: Any) -> None:
        if self.claim and self.claim.side != SIDE[by]:
            self.claim.assented = True
            if self.code.assent_establishes:
                self._establish("63A3", SIDE[by])

    def _objected(self, by: str, **_: Any) -> None:
        if self.claim and self.claim.side != SIDE[by] and not self.claim.final:
            self.claim.objected = True

    def _agreement(self, side: str) -> None:
        """Law 69A: the side assented to the opponents' claim and did not object before this moment."""
        if self.claim and self.claim.side != side and self.claim.assented and not self.claim.objected:
            self.claim.final = True
            self._establish("63A4", side)

    def _called_on_next_board(self, by: str, **_: Any) -> None:
        self.sides_called.add(SIDE[by])
        self._agreement(SIDE[by])

    def _round_ended(self, **_: Any) -> None:
        self.round_over = True
        for side in OTHER:
            self._agreement(side)

    def _correction_period_ended(self, **_: Any) -> None:
        self._round_ended()
        self._hands_returned()

    def _hands_returned(self, **_: Any) -> None:
        self.hands_back = True
