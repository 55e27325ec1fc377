"""Chooses exercises: easy ones first, what brings up most that is new, and never the same outcome twice in a row."""

from __future__ import annotations

from itertools import chain, islice
from random import Random
from typing import Final, Literal, TypeAlias, get_args

from facts.errors import InputError, Place
from facts.suggestions import did_you_mean
from kb.quiz.exercise import Exercise
from kb.quiz.making import exercises
from kb.ruling.law import Law

Level: TypeAlias = Literal["easy", "middle", "hard"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
POOL: Final = 120
"""Exercises of a level that are looked at where as many are wanted as bring up every clause."""
FOR_EACH: Final = 2
"""So many are looked at for each one wanted, where a number is."""
SEARCHED: Final = 300
"""So many are looked at in search of one that rests on a clause."""
TEMPTING: Final = 10
"""So many are looked at in search of one in which it tempts, which takes longer."""


def session(
    law: Law, rng: Random, size: int | None = None, level: Level | None = None, about: str | None = None
) -> tuple[Exercise, ...]:
    """So many exercises, or as many as bring up every clause that any of them can.

    Fewer where there are not so many. InputError when there is no law ``about`` which they are to be, or none is.
    """
    if about is not None:
        refuse_unknown(law, about)
    chosen: list[Exercise] = []
    levels = LEVELS if level is None else (level,)
    for nth, one in enumerate(levels):
        share = None if size is None else (size + len(levels) - 1 - nth) // len(levels)
        if share != 0:
            chosen += _chosen(_pool(law, rng, one, about, share), share, chosen)
    if about is not None and not chosen:
        raise InputError.of(Place("quiz", 1), f"no exercise here is about {about}", _instead(law, rng, levels))
    return tuple(chosen)


def refuse_unknown(law: Law, about: str) -> None:
    """InputError where the edition has no law or clause of that number."""
    clauses = law.edition.clauses
    if not any(ref.startswith(about) for ref in clauses):
        laws = ", ".join(dict.fromkeys(clause.law for clause in clauses.values()))
        mend = f"{did_you_mean(about, clauses)}; there are clauses of {laws}"
        raise InputError.of(Place("quiz", 1), f"{law.edition.id} has no law {about}", mend)


def _pool(law: Law, rng: Random, level: Level, about: str | None, share: int | None) -> list[Exercise]:
    """What a level is chosen from."""
    some = exercises(law, rng, level)
    most = POOL if share is None else (share + 3) * FOR_EACH
    if about is None:
        return list(islice(some, most))
    looked_at = list(islice(some, TEMPTING))
    tempting = [one for one in looked_at if one.tempts_with(about)]
    resting = (one for one in chain(looked_at, islice(some, SEARCHED)) if one.rests_on(about))
    return [*dict.fromkeys([*tempting, *islice(resting, most)])]


def _chosen(pool: list[Exercise], share: int | None, before: list[Exercise]) -> list[Exercise]:
    chosen: list[Exercise] = []
    met = frozenset[str]()
    while pool and (len(chosen) < share if share is not None else any(one.laws - met for one in pool)):
        last = (before + chosen)[-1].outcome if before or chosen else None
        best = max(pool, key=lambda one: (one.outcome != last, len(one.laws - met)))
        pool.remove(best)
        chosen.append(best)
        met |= best.laws
    return chosen


def _instead(law: Law, rng: Random, levels: tuple[Level, ...]) -> str:
    some = (one for level in levels for one in islice(exercises(law, rng, level), POOL))
    met = frozenset[str]().union(*(one.laws for one in some))
    return f"ask about one of {', '.join(ref for ref in law.edition.clauses if ref in met)}"
