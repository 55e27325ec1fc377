"""Leads out of turn, exposed cards and premature plays: what is ruled on every situation of the interview, and on random
incidents, is what the oracle reads in the law."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from random import Random
from typing import Any

import pytest
from support.oracle_matters import Open, Table, Told, exposed, lead_out_of_turn, premature

from facts.cards import NEXT, PARTNER, SEATS, SIDE, SUITS, Card, Seat
from facts.errors import InputError, Place
from facts.form import NOWHERE
from facts.incident import Finding, Incident
from kb.language.folders import rules_root
from kb.ruling.laws import Law
from kb.ruling.make_ruling import rule
from kb.ruling.verdict import verdict
from kb.space.read_interview import load_interview
from kb.space.universe import Universe

EDITION = "duplicate-2017"
MATTERS = ("lead-out-of-turn", "exposed-card", "premature-play")
RANDOM = 60
"""So many random incidents of each."""
DECLARER: Seat = "S"
LEADS = {
    "may-accept": "open",
    "stands": "stands",
    "must-accept": "stands",
    "declarer-lies": "stands",
    "goes-back": "back",
}
EARLY = {"in-turn": "stands", "stands": "stands", "no-rectification": "stands", "corrected": "back"}
TELLS = {"known-to-all": "all", "not-for-partner": "unauthorized", "not-how": "how", "not-in-auction": "auction"}
OWNERS: Mapping[str, str] = {
    "leads-it": "play-now",
    "follows-with-it": "play-now",
    "unless-he-follows": "follow-first",
    "first-chance": "first-legal-chance",
}
CARDS = {
    "minor": "penalty",
    "major": "penalty",
    "goes-back": "free",
    "no-penalty": "free",
    "gone": "spent",
    "picked-up": "picked-up",
    "played-now": "played-now",
}
PARTNERS: Mapping[str, str] = {
    "waits-for-declarer": "waits",
    "leads-freely": "free",
    "must-lead-suit": "lead-suit",
    "not-that-suit": "not-lead-suit",
}


@pytest.fixture(scope="module")
def law() -> Law:
    return Law(EDITION, engine="quick")


@pytest.fixture(scope="module", params=MATTERS)
def matter(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_every_situation_of_the_interview_is_ruled_on_as_by_the_oracle(law: Law, matter: str) -> None:
    universe = Universe(load_interview(rules_root(), law.edition, of=matter))
    for number in range(len(universe)):
        incident = seated(universe.incident(number))
        assert [*differences(law, incident)] == [], universe.answers(number)


def test_so_are_random_incidents(law: Law, matter: str) -> None:
    compared = 0
    for seed in range(RANDOM):
        incident = at_random(Random(seed), matter)
        try:
            differing = [*differences(law, incident)]
        except InputError as impossible:
            assert "two things" not in str(impossible), impossible
            continue
        assert differing == [], incident
        compared += 1
    assert compared > RANDOM // 2


def seated(incident: Incident) -> Incident:
    """With seats, South declarer, as the interview takes them."""
    one = incident.revokes[0]
    hand: Seat = {"declarer": DECLARER, "dummy": PARTNER[DECLARER], "defender": "E"}[str(one.player)]
    said = dict(one.said)
    trick = one.trick or 5
    around = {"partner": PARTNER[hand], "left": NEXT[hand], "right": PARTNER[NEXT[hand]], "himself": hand}
    if "turn" in said:
        said["turn"] = around[said["turn"]]
    if trick == 13:  # the interview does not ask, as the lead goes back in any case
        said["turn"] = PARTNER[hand]
    found = Finding(hand=hand, trick=None if one.of == "exposed-card" else trick, said=said, of=one.of)
    return Incident(place=NOWHERE, edition=EDITION, declarer=DECLARER, revokes=(found,))


def expected(incident: Incident) -> list[Told]:
    """What the oracle says of each of the cards."""
    first, declarer = incident.revokes[0], incident.declarer
    assert first.hand and declarer
    at = Table(first.hand, declarer)
    if first.of == "lead-out-of-turn":
        assert first.trick
        return [lead_out_of_turn(at, first.trick, first.said)]
    if first.of == "premature-play":
        return [premature(at, {"how": "played", **first.said})]
    turn = next((one.said["turn"] for one in incident.revokes if "turn" in one.said), None)
    return exposed(at, [_open(one) for one in incident.revokes], turn)


def _open(found: Finding) -> Open:
    said, names = found.said, {field.name for field in fields(Open)}
    renamed = {name.replace("-", "_"): value for name, value in said.items()}
    renamed["ruled_free"] = renamed.pop("no_penalty", False)
    card = found.card
    renamed["low"] = card.rank < 10 if card else not said.get("honour")
    return Open(**{name: value for name, value in renamed.items() if name in names})


Items = Sequence[Mapping[str, Any]]


def differences(law: Law, incident: Incident) -> Iterator[str]:
    """Where what is ruled is not what the oracle says."""
    said, told = verdict(rule(law, incident)), expected(incident)
    if said["open"]:
        yield f"open: {said['open']}"
        return
    hand, declarer = incident.revokes[0].hand, incident.declarer
    assert hand and declarer
    at = Table(hand, declarer)
    match incident.revokes[0].of:
        case "lead-out-of-turn":
            yield from differing(told[0], of_lead(at, incident.revokes[0], said))
        case "premature-play":
            yield from differing(told[0], of_early(said))
        case _:
            for one, of_one in zip(incident.revokes, told, strict=True):
                yield from differing(of_one, of_card(at, one, said))
            for name, found in of_hand(at, said).items():
                wanted = union(getattr(one, name) for one in told)
                if "passes-once" in wanted:
                    wanted.discard("calls-freely")
                if wanted != found:
                    yield f"{name}: the oracle {sorted(wanted)}, ruled {sorted(found)}"


def union(values: Iterable[str | frozenset[str]]) -> set[str]:
    """All of them."""
    return {one for value in values for one in ({value} if isinstance(value, str) else value)} - {""}


def differing(told: Told, found: dict[str, Any]) -> Iterator[str]:
    """Where what is ruled of a card is not what the oracle says of it."""
    laws = found.pop("law")
    if not any(of.startswith(told.law) or told.law.startswith(of) for of in laws):
        yield f"law: the oracle {told.law}, ruled {laws}"
    for name, value in found.items():
        if getattr(told, name) != value:
            yield f"{name}: the oracle {getattr(told, name)!r}, ruled {value!r} ({told.law})"


def of_lead(at: Table, one: Finding, said: Mapping[str, Any]) -> dict[str, Any]:
    """What is ruled of a lead out of turn."""
    leads: Items = said["parts"]["leads"]
    by_kind = {str(item.get("kind")): item for item in leads}
    lead = by_kind["None"]
    choice = by_kind.get("partner-lead", {}).get("option", "")
    card = LEADS.get(lead["is"], "penalty")
    judged = {item["kind"]: item for item in said["director"]}
    found = {
        "card": "picked-up" if choice in ("require", "forbid") else card,
        "law": [*lead["law"], *said["cited"]],
        "leads": by_kind.get("leads-now", {}).get("seat"),
        "partner": {"require": "lead-suit", "forbid": "not-lead-suit", "neither": "free"}.get(choice, ""),
        "also": "back" if "takes-back" in by_kind else "major" if "consider-premature-play" in judged else "",
    }
    restricted = [item for item in said["rectifications"] if item["kind"] == "lead-restriction"]
    if restricted and found["leads"] == at.partner and not choice:
        found["partner"] = "waits"
    if card == "stands" and one.trick == 1 and lead["is"] != "declarer-lies":
        found["plays"] = by_kind.get("plays-second", {}).get("seat")
    return found


def of_early(said: Mapping[str, Any]) -> dict[str, Any]:
    """What is ruled of a premature play."""
    early: Items = said["parts"]["early"]
    by_kind = {str(item.get("kind")): item for item in early}
    item = by_kind["None"]
    found = {
        "card": EARLY.get(item["is"], "penalty"),
        "law": item["law"],
        "partner": {"declarer-chooses": "waits", "partner-free": "free:57B"}.get(item["is"], ""),
    }
    if "early-bound" in by_kind:
        found["partner"] = by_kind["early-bound"]["option"]
    degrees = [one["degree"] for one in said["rectifications"] if one["kind"] == "penalty-card"]
    found["degree"] = "".join(degrees)
    if item["is"] == "partner-free":
        found["law"] = [*item["law"], "57A"]
    return found


def of_card(at: Table, one: Finding, said: Mapping[str, Any]) -> dict[str, Any]:
    """What is ruled of a card that lies open."""
    cards: Items = [item for item in said["parts"]["cards"] if item["seat"] == at.hand and "is" in item]
    of = next(item for item in cards if item["card"] in (None, one.card, str(one.card)))
    found: dict[str, Any] = {"card": CARDS[of["is"]], "law": [*of["law"], *said["cited"]]}
    if of["is"] in ("minor", "major"):
        found["degree"] = of["is"]
    return found


def of_hand(at: Table, said: Mapping[str, Any]) -> dict[str, set[str]]:
    """What is ruled of those who have to do with the open cards of a hand."""
    cards: Items = said["parts"]["cards"]
    duties: list[tuple[Seat, str]] = [(item["seat"], item["duty"]) for item in cards if "duty" in item]
    told = {TELLS[item["tells"]] for item in cards if item.get("tells") and item["seat"] == at.partner}
    owners = {at.hand, at.declarer} if at.defends else {at.hand}
    return {
        "owner": {OWNERS.get(duty, duty) for seat, duty in duties if seat in owners},
        "partner": {PARTNERS.get(duty, duty) for seat, duty in duties if seat == at.partner},
        "information": told,
    }


def at_random(random: Random, matter: str) -> Incident:
    """One with seats, tricks, cards and everything that matters stated; it may be impossible."""
    hand, declarer = random.choice(SEATS), random.choice(SEATS)
    if hand == NEXT[declarer] and matter == "lead-out-of-turn":
        hand = PARTNER[hand]  # the opening lead is that of the other defender
    making = {"lead-out-of-turn": _lead, "exposed-card": _cards, "premature-play": _early}[matter]
    return Incident(
        place=Place("a.yaml", 1), edition=EDITION, declarer=declarer, revokes=making(random, hand, declarer)
    )


def _card(random: Random) -> Card:
    return Card.of(random.choice(SUITS), random.randint(2, 14))


def _lead(random: Random, hand: Seat, declarer: Seat) -> tuple[Finding, ...]:
    trick = random.choice([1, 1, 1, 2, 12, 13])
    said: dict[str, Any] = {"card": _card(random)} if random.random() < 0.8 else {}
    said["answer"] = random.choice(
        [
            "not-yet",
            "accepted",
            "played",
            "right-played",
            "spread",
            "refused",
            "refused",
            "differ",
            "opponent-led",
            "told-his-turn",
        ]
    )
    if trick == 1:
        said["faced"] = random.random() < 0.8
        if said["faced"]:
            said |= {"dummy-seen": random.random() < 0.3, "partner-led-too": random.random() < 0.3}
            if SIDE[hand] == SIDE[declarer]:
                said |= {"dummy-seen": False, "partner-led-too": False}
    else:
        said["turn"] = random.choice([seat for seat in SEATS if seat != hand])
    if said["answer"] == "differ":
        said["next-says"] = random.choice(["accepted", "refused"])
    if said["answer"] == "refused":
        said["choice"] = random.choice(["not-yet", "require", "forbid", "neither"])
    return (Finding(hand=hand, trick=trick, said=said, of="lead-out-of-turn"),)


def _cards(random: Random, hand: Seat, declarer: Seat) -> tuple[Finding, ...]:
    turn, many, auction = random.choice(SEATS), random.random() < 0.5, random.random() < 0.15
    so_far, named = random.choice(SUITS), [*{_card(random): None for _ in range(1 + many)}]
    begun = random.random() < 0.4
    made: list[Finding] = []
    for card in named:
        ways = ["dropped", "dropped", "deliberate", "fifth", "together", "named", "told-his-turn", "claim"]
        said: dict[str, Any] = {"card": card, "came": random.choice(ways[:3] if auction else ways)}
        if auction:
            said["in-auction"] = True
        elif said["came"] in ("dropped", "together"):
            said["seen"] = random.random() < 0.8
        said["no-penalty"] = random.random() < 0.1
        if not many:
            said["beside"] = random.choice(["nothing", "nothing", "his", "partners"])
            said["played"] = random.random() < 0.1
        timed = not auction and said["came"] not in ("told-his-turn", "claim")
        if timed and not any("turn" in one.said for one in made):
            said["turn"] = turn
        if begun and timed:
            said["trick-so-far"] = "its-suit" if card.suit == so_far else "other-suit"
        if said.get("turn") == PARTNER[hand] and not begun:
            said["choice"] = random.choice(["not-yet", "neither", "require", "forbid"])
        if not many and not said["played"] and timed:
            said["instead"] = random.choice(["nothing"] * 6 + ["not-yet", "accepted", "played-on", "refused"])
        made.append(Finding(hand=hand, said=said, of="exposed-card"))
    return tuple(made)


def _early(random: Random, hand: Seat, declarer: Seat) -> tuple[Finding, ...]:
    defends = SIDE[hand] != SIDE[declarer]
    said: dict[str, Any] = {"card": _card(random)} if random.random() < 0.8 else {}
    said |= {"how": random.choice(["led", "played", "at-rhos-turn"]), "legal": random.random() < 0.5}
    if not defends:
        said["how"] = "played"
    elif said["how"] == "played":
        said["declarer-had"] = random.choice(["not-played", "both", "dummy-suggested"])
    if defends and said["how"] != "at-rhos-turn" and said.get("declarer-had", "not-played") == "not-played":
        said["demand"] = random.choice(["not-yet", "highest", "lowest", "play", "not-play"])
        if said["demand"] in ("play", "not-play"):
            said["suit"] = random.choice(SUITS)
        if said["demand"] != "not-yet":
            said["unable"] = random.random() < 0.3
    return (Finding(hand=hand, trick=random.choice([1, 2, 12, 13]), said=said, of="premature-play"),)
