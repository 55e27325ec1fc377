"""Findings of which only some things are said, drawn at random, and every way of saying the rest one by one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from random import Random
from typing import Any

from facts.cards import SEATS, Card
from facts.contract import Contract
from facts.errors import Place
from facts.incident import Event, Finding, Incident
from facts.observe import TOLD
from kb.ruling.certainty import Certainty
from kb.space.bits import members
from kb.space.completions import Completions
from kb.space.layout import BOARD, ValueBits
from kb.space.outcomes import OutcomeEntry
from support.ruling import law

HERE = Place("drawn", 1)
LATE = ("play-ended", "hands-returned", "round-ended")
CARDS = ("C2", "D3", "H4", "S5", "H9")


def drawn(random: Random, edition: str, revokes: int = 1) -> Incident:
    """An incident that may be impossible; about half of what can be said is said."""
    found: list[Finding] = []
    first = random.randint(1, 11)
    for number in range(revokes):
        hand = random.choice(SEATS)
        trick = random.choice([first + number, min(12, first + number + random.randint(0, 4)), 12])
        found.append(Finding(hand, trick, said=dict(_said(random, hand, trick))))
    found.sort(key=lambda one: one.trick or 0)
    table = law(edition).edition.table
    late = [name for name in LATE if name in table.events and random.random() < 0.05][:1]
    if late and random.random() < 0.5:
        found = [replace(one, said={**one.said, "noticed": "not-yet"}) for one in found]
    return Incident(
        place=HERE,
        edition=edition,
        contract=Contract.from_text(random.choice(["4S", "3NT", "4H"])),
        declarer=None if random.random() < 0.1 else random.choice(SEATS),
        tricks=random.randint(0, 13) if random.random() < 0.15 else None,
        revokes=tuple(found),
        events=tuple(Event(name, ends_play=table.of_a_board[table.events[name].ends_play or ""]) for name in late),
    )


def _said(random: Random, hand: str, trick: int) -> Iterator[tuple[str, Any]]:
    around = [SEATS[(SEATS.index(hand) + step) % 4] for step in (1, 2, 3)]
    drawn: dict[str, tuple[float, list[Any]]] = {
        "suit": (0.4, ["S", "H", "D", "C"]),
        "card": (0.3, [Card.from_text(card) for card in CARDS]),
        "won-by": (0.6, [*SEATS, "opponent", "partner"]),
        "later-tricks": (0.5, list(range(14 - trick)) + ["more"] * (trick < 12)),
        "next-trick": (0.5, ["no", "led", "played", "designated", "led-out-of-turn"]),
        "noticed": (0.4, ["not-yet", "before-next-trick", "during-play", "after-play", "after-hands-returned",
                          "after-call-on-next-board", "after-round"]),
        "claim": (0.2, ["none", "by-revokers", "by-opponents-agreed", "by-opponents-open", "conceded-partner-objected"]),
        "played-after": (0.3, [(), tuple(around[:1]), tuple(around[:2]), tuple(around)]),
        "failed-to": (0.1, ["follow-suit", "play-penalty-card", "obey-requirement"]),
        "faced": (0.1, [True, False]),
        "required-faced": (0.1, [True, False]),
        "asked-by": (0.15, ["nobody", *around]),
        "later-win-playable": (0.3, [True, False]),
        "next-board-call-by": (0.1, ["NS", "EW", "both"]),
        "repeats": (0.1, [0, 1, 2]),
        "other-side-revoked": (0.1, ["no", "same-trick", "same-board"]),
        "dummy-lost-rights": (0.1, [True, False]),
    }  # fmt: skip
    said = {name: random.choice(values) for name, (chance, values) in drawn.items() if random.random() < chance}
    if said.get("noticed") != "after-call-on-next-board":
        said.pop("next-board-call-by", None)  # nobody had called
    if said.get("other-side-revoked", "no") != "no" and random.random() < 0.5:
        said["other-revoke-stands"] = random.choice([True, False])
    yield from said.items()


def alone(ways: Completions, number: int) -> ValueBits:
    """What is said in one of the ways, as if it were the only one."""
    return {key: {value: 1} for key, held in ways.values.items() for value, bits in held.items() if bits >> number & 1}


def some(ways: Completions, most: int, random: Random) -> list[int]:
    """The numbers of some of the ways that can be."""
    numbers = list(members(ways.possible))
    return numbers if len(numbers) <= most else random.sample(numbers, most)


def said_in_full(ways: Completions, number: int) -> Incident:
    """The incident with everything said as it is in one of the ways."""
    only = {key: next(iter(held)) for key, held in alone(ways, number).items()}
    revokes = []
    for revoke, _ in enumerate(ways.incident.revokes):
        said = {
            name: value
            for (of, name), value in only.items()
            if of == revoke and name not in ("hand", "trick") and value not in (None, TOLD)
        }
        unclaimed = said.get("claim") in ("none", "conceded-partner-objected")
        if said.get("next-trick") == "no" and unclaimed and said.get("noticed") != "before-next-trick":
            # Whoever says how many tricks were won later says that play went on, or that it did once it was noticed.
            said.pop("later-tricks", None)
        revokes.append(Finding(only[revoke, "hand"], only[revoke, "trick"], said=said))
    declarer = only.get((BOARD, "declarer"), ways.incident.declarer)
    return replace(ways.incident, declarer=declarer, revokes=tuple(revokes))


def told(certainty: Certainty) -> tuple[set[OutcomeEntry], Mapping[Any, Any]]:
    """What is certain, and what is presumed or taken to follow from something else."""
    ruled = {**certainty.run.ruling, **certainty.run.judgement}
    made = {key: one.values for key, one in certainty.completions.choices.items() if one.granted or one.how == "told"}
    presumed = {key: values for key, values in made.items() if values not in ((None,), (TOLD,))}
    return {one for one, bits in ruled.items() if bits & certainty.among == certainty.among}, presumed


def leaves(certainty: Certainty) -> Iterator[Certainty]:
    """What is left after every way of answering the questions; AssertionError where an answer is no part of the rest."""
    asking = certainty.asking
    if asking is None:
        yield certainty
        return
    left = certainty.among
    for values, bits in asking.answers:
        assert values and bits and not bits & ~left, asking
        left &= ~bits
        yield from leaves(certainty.narrowed(bits))
    assert not left, asking
