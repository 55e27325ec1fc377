"""Auctions with one to three irregular or changed calls, legal otherwise: every one of them has the outcome that a small
oracle gives it, or the law that names it."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from facts.auction import RANKS, Auction, Call
from facts.cards import NEXT, PARTNER, SEATS, SIDE, Seat
from facts.errors import Place
from facts.incident import Finding, Incident
from kb.ruling.laws import Law
from kb.ruling.make_ruling import rule

BIDS = [*RANKS]
IRREGULAR = ("insufficient-bid", "call-out-of-turn", "changed-call")


class Table:
    """What stands in an auction so far."""

    def __init__(self, calls: list[Call], dealer: Seat) -> None:
        self.turn, self.rank, self.whose, self.doubled, self.passes = dealer, 0, dealer, "", 0
        for call in calls:
            if call.cancelled:
                continue
            rank = RANKS.get(call.text, 0)
            self.passes = self.passes + 1 if call.text == "P" else 0
            if rank:
                self.rank, self.whose, self.doubled = rank, call.hand, ""
            elif call.text != "P":
                self.doubled = call.text
            self.turn = NEXT[call.hand]

    @property
    def over(self) -> bool:
        return self.passes >= (3 if self.rank else 4)

    def may(self, text: str, hand: Seat) -> bool:
        """Whether a call is admissible but for its turn."""
        theirs = self.rank > 0 and SIDE[self.whose] != SIDE[hand]
        match text:
            case "P":
                return True
            case "X":
                return theirs and not self.doubled
            case "XX":
                return self.rank > 0 and not theirs and self.doubled == "X"
        return RANKS[text] > self.rank


def auction(seed: int) -> Auction:
    """An auction with at most three calls that are not high enough, or out of turn, or both, or are taken back."""
    random, calls = Random(seed), list[Call]()
    dealer, left = random.choice(SEATS), random.randint(1, 3)
    for _ in range(random.randint(2, 14)):
        table = Table(calls, dealer)
        if table.over:
            break
        hand, text = table.turn, random.choice(["P", "P", "X", "XX", *BIDS[table.rank : table.rank + 7]])
        wrong = left and random.random() < 0.4
        kind = random.choice(["low", "turn", "both", "change"]) if wrong else ""
        if kind in ("turn", "both"):
            hand = random.choice([seat for seat in SEATS if seat != table.turn])
        if kind in ("low", "both") and table.rank:
            text = random.choice(BIDS[: table.rank])
        elif not table.may(text, hand):
            text = "P"
        irregular = hand != table.turn or 0 < RANKS.get(text, 0) <= table.rank
        calls.append(Call(hand, text, cancelled=kind == "change" or (irregular and random.random() < 0.7)))
        over = random.choice([0, 0, 1, 2]) if kind == "change" else 0
        calls += [Call(one, "P", cancelled=True) for one in (NEXT[hand], PARTNER[hand])[:over]]
        left -= irregular or kind == "change"
    return Auction(dealer, tuple(calls))


def expected(made: Auction) -> Iterator[tuple[int, str, str]]:
    """Of each irregular call its number, its matter and what becomes of it, where no new call is comparable."""
    second, bound = set[int](), list[tuple[Seat, int, int]]()
    back, over, early, mended = taken_back(made), called_on(made), replaced_early(made), slips(made)
    for at, call in enumerate(made.calls):
        table = Table(list(made.calls[:at]), made.dealer)
        own = [(k, one) for k, one in turned(made, at) if one.hand == call.hand]
        next_called = any(one.hand == NEXT[call.hand] for one in made.calls[at + 1 :])
        low = 0 < RANKS.get(call.text, 0) <= table.rank
        answered = not call.cancelled and next_called
        if call.hand == table.turn and low:
            if not call.cancelled and not (answered and at in early and not made.calls[at + 1].cancelled):
                yield at + 1, IRREGULAR[0], "stands" if answered else "may-accept"
            else:
                own = own if call.cancelled else [(at + 1, made.calls[at + 1]), *own]
                outcome = replaced(made, at, *own[0], second) if own else "to-replace"
                yield at + 1, IRREGULAR[0], outcome
                if outcome in ("partner-silent", "choose-again"):
                    bound.append((PARTNER[call.hand], own[0][0], len(made.calls)))
        elif call.cancelled and call.hand == table.turn and at not in mended and silenced(call, at, bound):
            bound += [(seat, at, len(made.calls)) for seat in (call.hand, PARTNER[call.hand])]
        elif at in back:
            yield at + 1, IRREGULAR[2], changed(made, at, own[0] if own else None)
        elif call.hand != table.turn and at not in over and at - 1 not in early:
            outcome = out_of_turn(made, at, table, answered, any(not one.cancelled for _, one in own))
            silent = any(seat == table.turn and begins < at <= ends for seat, begins, ends in bound)
            for k in called_twice(made, at) if outcome == "change-of-call" else ():
                yield k + 1, IRREGULAR[2], called_again(made, k, bound)
            in_turn = NEXT[table.turn] == call.hand and silent
            yield at + 1, IRREGULAR[1], "in-turn" if in_turn else outcome
            bound += silences(made, at, own, outcome)


def silences(made: Auction, at: int, own: list[tuple[int, Call]], outcome: str) -> list[tuple[Seat, int, int]]:
    """Who must pass once after a call out of turn, since when and until when."""
    hand, end = made.calls[at].hand, len(made.calls)
    if outcome == "passes-once":
        return [(hand, at, own[0][0] if own else end)]
    if outcome == "partner-once":
        later = [k for k, one in turned(made, own[0][0]) if one.hand == PARTNER[hand]]
        return [(PARTNER[hand], own[0][0], later[0] if later else end)]
    return []


def called_again(made: Auction, at: int, bound: list[tuple[Seat, int, int]]) -> str:
    """What becomes of a call after which the same hand called again before the next player."""
    call, before = made.calls[at], Table(list(made.calls[:at]), made.dealer)
    wrong = (0 < RANKS.get(call.text, 0) <= before.rank and call.hand == before.turn) or silenced(call, at, bound)
    since = any(one.hand == PARTNER[call.hand] for one in made.calls[at + 1 :])
    if meant(at) or (wrong and since):
        return "not-by-25" if wrong else "first-stands"
    return "changed"


def meant(at: int) -> bool:
    """Whether a changed call is stated to have been meant."""
    return at % 3 > 0


def called_twice(made: Auction, at: int) -> list[int]:
    """The last call of the same hand before one, if there was any."""
    return [k for k, one in enumerate(made.calls[:at]) if one.hand == made.calls[at].hand and not one.cancelled][-1:]


def silenced(call: Call, at: int, bound: list[tuple[Seat, int, int]]) -> bool:
    return call.text != "P" and any(seat == call.hand and begins < at <= ends for seat, begins, ends in bound)


def taken_back(made: Auction) -> set[int]:
    """Calls in turn that were cancelled though legal; but for those that stood in place of another such, or were a
    double in place of an insufficient bid."""
    back, low = set[int](), set[int]()
    for at, call in enumerate(made.calls):
        if not call.cancelled or call.hand != made.turns[at]:
            continue
        wrong = 0 < RANKS.get(call.text, 0) <= Table(list(made.calls[:at]), made.dealer).rank
        (low if wrong else back).add(at)
    own = {at: next((k for k, one in turned(made, at) if one.hand == made.calls[at].hand), -1) for at in back | low}
    again = {own[at] for at in low if made.calls[own[at]].text in ("X", "XX")}
    again |= {own[at] for at in back - again}
    return back - again


def replaced_early(made: Auction) -> set[int]:
    """Insufficient bids in turn that stand, over which the same hand called at once."""
    early = set[int]()
    for at, call in enumerate(made.calls[:-1]):
        table = Table(list(made.calls[:at]), made.dealer)
        low = 0 < RANKS.get(call.text, 0) <= table.rank
        new = made.calls[at + 1]
        again = 0 < RANKS.get(new.text, 0) <= table.rank
        if low and not again and call.hand == table.turn == new.hand and not call.cancelled:
            early.add(at)
    return early


def slips(made: Auction) -> set[int]:
    """Calls in turn, legal and never meant, that were taken back in time: they answer and replace nothing."""
    back = set[int]()
    for at, call in enumerate(made.calls):
        low = 0 < RANKS.get(call.text, 0) <= Table(list(made.calls[:at]), made.dealer).rank
        if call.cancelled and call.hand == made.turns[at] and not low and not (meant(at) or late(made, at)):
            back.add(at)
    return back


def called_on(made: Auction) -> set[int]:
    """Calls over one in turn that was then taken back, themselves cancelled."""
    over = set[int]()
    for at, call in enumerate(made.calls):
        table = Table(list(made.calls[:at]), made.dealer)
        if call.cancelled and call.hand == table.turn and not 0 < RANKS.get(call.text, 0) <= table.rank:
            others = NEXT[call.hand], PARTNER[call.hand], NEXT[PARTNER[call.hand]]
            for k, hand in enumerate(others, at + 1):
                if k >= len(made.calls) or made.calls[k].hand != hand or not made.calls[k].cancelled:
                    break
                over.add(k)
    return over


def late(made: Auction, at: int) -> bool:
    """Whether the partner too had called over a call that was taken back."""
    hand, before = made.calls[at].hand, made.calls[at + 1 : at + 3]
    return [one.hand for one in before if one.cancelled] == [NEXT[hand], PARTNER[hand]]


def changed(made: Auction, at: int, new: tuple[int, Call] | None) -> str:
    if not (late(made, at) or meant(at)):
        return "changed"
    if new is None or new[1].cancelled:
        return "first-stands"
    accepted = any(one.hand == NEXT[new[1].hand] for one in made.calls[new[0] + 1 :])
    return "second-stands" if accepted else "may-accept"


def turned(made: Auction, at: int) -> Iterator[tuple[int, Call]]:
    """The calls after one that were made in turn and were no slip that was mended, with their places."""
    mended = slips(made)
    for k in range(at + 1, len(made.calls)):
        if made.calls[k].hand == made.turns[k] and k not in mended:
            yield k, made.calls[k]


def replaced(made: Auction, at: int, k: int, new: Call, second: set[int]) -> str:
    before = Table(list(made.calls[:k]), made.dealer)
    rank, old = RANKS.get(new.text, 0), made.calls[at]
    if 0 < rank <= before.rank:
        second.add(k)
        return "replaced-again"
    if new.text in ("X", "XX"):
        again = new.cancelled and any(one.hand == new.hand for _, one in turned(made, k))
        return "partner-silent" if again else "choose-again"
    if at in second:
        return "partner-silent"
    same = rank and new.text[1:] == old.text[1:] and rank <= before.rank + 5
    return "goes-on" if same else "partner-silent"


def out_of_turn(made: Auction, at: int, table: Table, answered: bool, again: bool) -> str:
    call, due, later = made.calls[at], table.turn, made.calls[at + 1 :]
    over = Table(list(made.calls), made.dealer).over
    if call.text == "P" and not call.cancelled and over and all(one.hand != due for one in later):
        return "goes-back"
    before = made.calls[at - 1] if at else None
    if before and not before.cancelled and before.hand == NEXT[call.hand] and made.turns[at - 1] == call.hand:
        return "in-turn"
    if call.cancelled:
        return cancelled(made, at, due, again)
    passed_by = bool(later) and later[0].hand == due and NEXT[due] == call.hand
    return "as-not-made" if passed_by else "stands" if answered else "may-accept"


def cancelled(made: Auction, at: int, due: Seat, again: bool) -> str:
    call = made.calls[at]
    if due == NEXT[call.hand] and any(one.hand == call.hand for one in made.calls[:at]):
        return "change-of-call"
    right = [one.text for _, one in turned(made, at) if one.hand == due and not one.cancelled]
    if NEXT[due] == call.hand and (call.text == "P" or not right or right[0] == "P"):
        return "passes-once" if call.text == "P" else "repeats" if right else "waits"
    return "partner-once" if again else "free-choice"


def ruled(law: Law, made: Auction) -> set[tuple[int, str, str]]:
    found = [(n, of) for n, of, _ in expected(made)]
    said = {(n, of): {"call": n, "comparable": False} for n, of in found}
    for n, of in found:
        said[n, of] |= {"intended": meant(n - 1)} if of == IRREGULAR[2] else {}
    findings = tuple(Finding(made.calls[n - 1].hand, said=said[n, of], of=of) for n, of in found)
    incident = Incident(place=Place("a.yaml", 1), dealer=made.dealer, auction=made, revokes=findings)
    ruling = rule(law, incident)
    told = dict(zip(("bids", "rotation", "changes"), IRREGULAR, strict=True))
    return {
        (int(str(fact[1])), of, str(fact[3]))
        for part, of in told.items()
        for fact in ruling.facts(part)
        if len(fact) == 4
    }


@pytest.fixture(scope="module")
def law() -> Law:
    return Law("duplicate-2017", engine="quick")


@given(seed=st.integers(0, 10**9))
def test_every_irregular_call_has_the_outcome_of_the_oracle(law: Law, seed: int) -> None:
    made = auction(seed)
    assert ruled(law, made) == set(expected(made)), str(made)
