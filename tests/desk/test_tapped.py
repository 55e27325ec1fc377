"""A trick tapped card by card is ruled on as the same finding in a file, and as the same cards in a record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

pytest.importorskip("fastapi")
pytest.importorskip("httpx")

from support.records import deal_at_random, play_at_random, rows
from support.ruling import laws, ruled, voice

from facts.cards import CLOCKWISE, NEXT, SEATS, SIDE, Seat
from facts.contract import Contract
from facts.deal import Deal
from facts.errors import InputError
from facts.following import followed
from facts.play import PlayRecord, Trick
from kb.desk.tapped import NO_MORE, Tapped, groups
from kb.explain.as_json import verdict
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling

EDITION = "duplicate-2017"
FOUR = {"contract": "4S", "declarer": "S", "trick": "5", "leader": "E", "cards": "HK-H2-S4-H5"}


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

    def taps(self, **answered: str) -> dict[str, str]:
        """As it is tapped; with the answer that side has not gone on unless another is given."""
        cards = [str(card) for card in self.trick.cards]
        fields = {"contract": self.contract, "declarer": self.declarer, "trick": str(self.number)}
        fields |= {"leader": self.trick.leader, "cards": "-".join([*cards, *([NO_MORE] * (self.cards < 4))])}
        if len(tapped(fields).strayed) > 1:
            fields["revoker"] = self.hand
        return fields | (answered if self.cards == 4 else {})

    def finding(self, **answered: Any) -> dict[str, Any]:
        """As a file states it."""
        said: dict[str, Any] = {"hand": self.hand, "trick": self.number, "suit": self.trick.led}
        said["card"] = str(self.trick.card_of(self.hand))
        if self.cards == 4:
            said["won-by"] = self.trick.winner(Contract.from_text(self.contract).trump)
        said |= answered
        if said.get("next-trick") == "no" or self.number == 12:
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


def drawn(number: int) -> Iterator[Drawn]:
    """The same ones each time."""
    chance, found = Random(62), 0
    while found < number:
        deal, declarer = deal_at_random(chance), chance.choice(SEATS)
        contract = f"4{chance.choice(['S', 'H', 'D', 'C', 'NT'])}"
        play = play_at_random(deal, Contract.from_text(contract), declarer, chance, revoking=0.1)
        failures = followed(play, deal).failures
        first, hand = failures[0] if failures else (13, declarer)
        if first <= 12 and sum(trick <= first + 1 for trick, _ in failures) == 1:
            place = play.tricks[first - 1].nth_of(hand)
            found += 1
            yield Drawn(deal, contract, declarer, play, first, hand, chance.choice([4, 4, *range(place, 5)]))


def tapped(fields: dict[str, str]) -> Tapped:
    return Tapped.of(fields, laws().of(EDITION).edition.table.findings)


def ruling_on(fields: dict[str, str]) -> Ruling:
    given = tapped(fields).given(laws().table)
    return rule(laws().of(EDITION), given.incident(laws().table))


def essence(ruling: Ruling) -> dict[str, Any]:
    """What is ruled, without who sits where and which way of telling it led there."""
    said = verdict(ruling)
    revokes = [
        {key: one[key] for key in ("hand", "trick", "card", "status", "automatic-tricks")} for one in said["revokes"]
    ]
    return {"revokes": revokes, **{key: said[key] for key in ("transfer", "rectifications")}}


def test_a_hundred_tricks_as_findings_and_as_cards() -> None:
    for one in drawn(100):
        answered = {"next-trick": "no"} | ({"noticed": "before-next-trick"} if one.number == 12 else {})
        ruling = ruling_on(one.taps(**answered))
        assert verdict(ruling) == verdict(ruled(one.finding(**answered))), one
        assert essence(ruling) == essence(ruled(one.record())), one


def test_a_hundred_tricks_after_which_that_side_has_gone_on() -> None:
    for one in (one for one in drawn(100) if one.cards == 4 and one.number < 12):
        ruling = ruling_on(one.taps(**{"next-trick": "played"}))
        assert verdict(ruling) == verdict(ruled(one.finding(**{"next-trick": "played"}))), one
        assert essence(ruling) == essence(ruled(one.record(one.until_gone_on))), one


def test_only_what_the_ruling_hinges_on_is_asked() -> None:
    asked, said = [], dict(FOUR)
    while (opening := ruling_on(said).opening) is not None and opening.asking is not None:
        name = opening.asking.key[1]
        asked.append((name, [[one.words for one in row] for row in groups(opening, voice())]))
        said[name] = groups(opening, voice())[-1][0].written
    assert asked == [
        ("next-trick", [["done nothing"], ["led or played", "named a card", "led out of turn"]]),
        ("later-tricks", [["none"], ["one", "more than one"]]),
    ]
    assert said == FOUR | {"next-trick": "played", "later-tricks": "one"}


def test_what_was_not_tapped_is_not_stated() -> None:
    given = tapped(FOUR | {"trick": "unknown", "next-trick": "unknown"}).given(laws().table)
    (found,) = given.incident(laws().table).revokes
    assert (found.hand, found.trick, found.player) == ("W", None, None)
    assert found.said.keys() == {"suit", "card", "won-by"}


def test_whoever_played_after_him_may_change_his_card() -> None:
    for taps in (FOUR | {"next-trick": "no"}, FOUR | {"cards": f"HK-H2-S4-H5-{NO_MORE}"}):
        assert "62C1" in ruling_on(taps).cited
    assert "62C1" not in ruling_on(FOUR | {"cards": f"HK-H2-S4-{NO_MORE}"}).cited


def test_one_who_did_not_follow_suit_need_not_be_named() -> None:
    assert tapped(FOUR).step == "" and tapped(FOUR).revoker == "W"
    two = FOUR | {"cards": "HK-H2-S4-D5"}
    assert tapped(two).step == "revoker" and tapped(two).choices("revoker") == ("W", "N")


@pytest.mark.parametrize(
    "wrong",
    [
        {"trick": "13"},
        {"revoker": "E"},
        {"cards": "HK-HK"},
        {"cards": "HK-stop-H2"},
        {"later-tricks": "9"},
        {"next-trick": "x"},
    ],
)
def test_what_cannot_be_is_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(InputError):
        ruling_on(FOUR | wrong)


def test_back_takes_the_last_tap_away() -> None:
    fields, trail = FOUR | {"next-trick": "no"}, []
    while "contract" in fields:
        trail.append(list(fields.values())[-1])
        fields = {key: value for key, value in tapped(fields).back().items() if value}
    assert trail == ["no", "HK-H2-S4-H5", "HK-H2-S4", "HK-H2", "HK", "E", "5", "S", "4S"]
    assert tapped(FOUR | {"cards": f"HK-H2-S4-{NO_MORE}"}).back()["cards"] == "HK-H2-S4"
