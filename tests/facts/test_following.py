"""The quick look at a record agrees with the rules."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.records import deal_at_random, play_at_random
from support.ruling import law

from facts.cards import DECK, SEATS, Card
from facts.contract import Contract
from facts.deal import Deal
from facts.errors import Place
from facts.incident import Incident
from facts.observe import observe
from facts.play import PlayRecord, Trick, failures_to_follow


def damaged(play: PlayRecord, deal: Deal, chance: Random) -> tuple[PlayRecord, Deal]:
    """Cut short, some cards not recorded or mistaken, some hands not known."""
    tricks = [
        Trick(trick.leader, tuple(_damaged(card, chance) for card in trick.cards))
        for trick in play.tricks[: chance.randint(1, 13)]
    ]
    tricks[-1] = Trick(tricks[-1].leader, tricks[-1].cards[: chance.randint(1, 4)])
    known = chance.random()
    return PlayRecord(tuple(tricks)), Deal(tuple(None if chance.random() > known else hand for hand in deal.hands))


def _damaged(card: Card | None, chance: Random) -> Card | None:
    fate = chance.random()
    return None if fate < 0.05 else chance.choice(DECK) if fate < 0.08 else card


@pytest.mark.thorough
@pytest.mark.parametrize("edition", ["duplicate-2017", "auction-1912"])
@given(
    st.randoms(use_true_random=False), st.sampled_from(["4S", "3NT"]), st.booleans(), st.sampled_from([0.0, 0.02, 0.3])
)
def test_it_finds_what_the_rules_find(edition: str, chance: Random, bid: str, whole: bool, revoking: float) -> None:
    deal = deal_at_random(chance)
    contract, declarer = Contract.from_text(bid), chance.choice(SEATS)
    play = play_at_random(deal, contract, declarer, chance, revoking)
    if not whole:
        play, deal = damaged(play, deal, chance)
    incident = Incident(place=Place("random", 1), contract=contract, declarer=declarer, deal=deal, play=play)
    by_rules = law(edition).engine.run(observe(incident, law(edition).edition.table)).facts("failed")
    assert sorted(failures_to_follow(play, deal)) == sorted((fact[2], fact[3]) for fact in by_rules)


def test_without_a_deal_later_cards_tell() -> None:
    play = PlayRecord((trick("N HA H3 D2 H4"), trick("N HK H5 H6 H7")))
    assert failures_to_follow(play, None) == ((1, "S"),)


def test_a_suit_that_may_have_gone_unseen_is_not_held() -> None:
    deal = Deal.from_pbn("N:A2... - .A2.. -")
    unseen = PlayRecord((Trick("N", (Card.from_text("SA"), None, None, None)), trick("N S2 S3 HA S4")))
    assert failures_to_follow(unseen, deal) == ()


def test_a_suit_of_which_more_was_dealt_than_may_have_gone_is_held() -> None:
    deal = Deal.from_pbn("N:A.432.. - .A.A2.A -")
    hidden = Trick("S", (Card.from_text("DA"), None, None, None))
    for unseen, found in ((2, ((3, "N"),)), (3, ())):
        play = PlayRecord((*[hidden] * unseen, trick("S HA H9 SA H8")))
        assert failures_to_follow(play, deal) == tuple((unseen + 1, hand) for _, hand in found)


def trick(row: str) -> Trick:
    leader, *cards = row.split()
    return Trick(leader, tuple(map(Card.from_text, cards)))
