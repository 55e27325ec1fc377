"""A case that would notice a mutant that survives: the plainest situation in which it rules otherwise than the law."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, Final

from facts.errors import EngineError, InputError
from facts.incident import Incident
from kb.cases.mutation import Bench, mutants_of
from kb.drafting.case_text import as_case, expected_of
from kb.ruling.law import Law
from kb.ruling.rule import rule
from kb.space.bits import members
from kb.space.seating import DECLARER, Seating
from kb.space.universe import Universe

TRIED: Final = 12
"""So many of the plainest situations are tried: of some an incident does not say enough for the rulings to differ."""
LEVELS: Final = 3
"""Of so many numbers of unusual answers."""


def proposal(bench: Bench, name: str) -> str | None:
    """The text of a case that holds under the law and not under the mutant of this name; None where no situation that
    is tried tells them apart."""
    mutant = next(
        one for each in bench.edition.rules for one in mutants_of(each, bench.edition.vocabulary) if one.name == name
    )
    other, changed = bench.under(mutant), 0
    with suppress(EngineError):  # where there is no end to it, no case can tell
        changed = bench.changed(other)
    if bench.universe is None or not changed:
        return None
    for number in islice(members(bench.universe.least_unusual(changed, LEVELS)), TRIED):
        incident = replace(_seated(bench.universe, number), edition=bench.edition.id)
        if _expected(bench.law, incident) not in (None, _expected(other, incident)):
            return as_case(rule(bench.law, incident), re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-"), name)
    return None


def _seated(universe: Universe, number: int) -> Incident:
    """The incident of a situation with seats and tricks, as a case names them."""
    incident, questions = universe.incident(number), universe.interview.questions
    given = (questions[question].answers[answer] for question, answer in universe.answers(number).items())
    tricks = {one.revoke: one.value for answer in given for one in answer.stands if one.key == "trick"}
    hands = Seating(incident, universe.interview.table.parts).hands
    revokes = (
        replace(found, hand=hands[at][0], player=None, trick=found.trick or tricks.get(at))
        for at, found in enumerate(incident.revokes)
    )
    return replace(incident, declarer=DECLARER, revokes=tuple(revokes))


def _expected(law: Law, incident: Incident) -> Mapping[str, Any] | None:
    try:
        return expected_of(rule(law, incident))
    except (InputError, EngineError):
        return None
