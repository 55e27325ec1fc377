"""What is not said gives no reasons: whoever leaves statements out is told otherwise only where he is told what was
taken for granted, and that is false."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from support.ruling import law

from facts.cards import SEATS
from facts.contract import Contract
from facts.errors import InputError, Place
from facts.incident import Finding, Incident
from facts.table import NOTHING, FindingKind, spelled
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling
from kb.space.choices import domain, fits
from kb.space.completions import Completions
from kb.space.outcomes import OutcomeEntry

EDITIONS = ("duplicate-2017", "duplicate-2007", "duplicate-1997", "auction-1912")
EVERY = 625 if "REVOKE_ALL" in os.environ else 40
"""Complete findings of each edition; with REVOKE_ALL 20,000 draws in all."""
DRAWS = 8
USUAL = 0.6


def complete(random: Random, edition: str, revokes: int) -> Incident:
    """An incident in which every finding that there is has a value; it may be impossible."""
    declarer, first = random.choice(SEATS), random.choice([*range(1, 12), 12, 12])
    found = []
    for number in range(revokes):
        given = {"hand": random.choice(SEATS), "trick": min(12, first + number), "declarer": declarer}
        said: dict[str, Any] = {}
        for kind in law(edition).edition.table.findings.values():
            if kind.not_stated != NOTHING and _asked(kind, said, given):
                values = domain(kind, [given], law(edition).edition.table)
                usual = kind.presumed in values and random.random() < USUAL
                said[kind.id] = kind.presumed if usual else random.choice(values)
        found.append(Finding(given["hand"], given["trick"], said=said))
    contract = Contract.from_text(random.choice(["4S", "3NT"]))
    return Incident(
        place=Place("drawn", 1, 1), edition=edition, contract=contract, declarer=declarer, revokes=tuple(found)
    )


def _asked(kind: FindingKind, said: Mapping[str, Any], given: Mapping[str, Any]) -> bool:
    if kind.beside:
        return False
    known = {**said, "trick": given["trick"]}
    return not kind.when or any(
        all(any(spelled(known.get(of)) == spelled(one) for one in values) for of, values in when.items())
        for when in kind.when
    )


def possible(random: Random, edition: str, revokes: int) -> Ruling:
    """The ruling on one of them that can be; why one of the many others cannot is told at length, and not asked here."""
    while True:
        drawn = complete(random, edition, revokes)
        with suppress(InputError):
            if Completions(drawn, law(edition).sayable).possible:
                return rule(law(edition), drawn)


def without(random: Random, incident: Incident) -> Incident:
    """The same with one to four statements fewer."""
    said = [(number, name) for number, one in enumerate(incident.revokes) for name in one.said]
    gone = {*random.sample(said, random.randint(1, min(4, len(said))))}
    revokes = (
        replace(one, said={name: value for name, value in one.said.items() if (number, name) not in gone})
        for number, one in enumerate(incident.revokes)
    )
    return replace(incident, revokes=tuple(revokes))


def certain_of(ruling: Ruling) -> set[OutcomeEntry]:
    """What is certain, beside what is left to the director."""
    certainty = ruling.certainty
    return {one for one, bits in certainty.run.ruling.items() if bits & certainty.among == certainty.among}


def false(whole: Ruling, less: Ruling) -> Iterator[str]:
    """What the ruling on less takes for granted and is otherwise."""
    given = {"declarer": whole.incident.declarer}
    for one in less.presumed:
        name = one.key[1]
        for number, found in enumerate(whole.incident.revokes):  # told once, of whichever revoke it is
            if name in found.said:
                otherwise = not fits(found.said[name], one.value, given, whole.edition.table)
            else:  # of what has not come about it is not asked
                otherwise = one.kind is not None and not _asked(one.kind, found.said, {"trick": found.trick})
            if otherwise:
                yield f"{name} of revoke {number + 1}"


@pytest.mark.parametrize("revokes", [1, 2])
@pytest.mark.parametrize("edition", EDITIONS)
def test_who_leaves_something_out_is_told_what_was_taken_for_granted(edition: str, revokes: int) -> None:
    random = Random(f"{edition} {revokes}")
    compared = 0
    for _ in range(EVERY):
        whole = possible(random, edition, revokes)
        certain = certain_of(whole)
        for _ in range(DRAWS):
            fewer = without(random, whole.incident)
            try:
                less = rule(law(edition), fewer)
            except InputError as refused:
                # what is taken for granted then cannot be, and the fault says what to state instead
                assert "ways of filling" in str(refused) or "failed-to says" in str(refused), (refused, fewer)
                continue
            still = certain_of(less)
            if still <= certain:
                compared += 1
            else:
                assert [*false(whole, less)], (still - certain, whole.incident.revokes, fewer.revokes, less.presumed)
    assert compared > EVERY
