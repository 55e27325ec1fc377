"""What is asked next at a desk: the seats, the screens of the interview, then each question that still matters.

Nothing is asked whose answer changes nothing, as long as nothing unusual has been said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from facts.cards import SEATS, Seat
from kb.interview.said import Said
from kb.space.decision_diagram import State
from kb.space.interview import Compass, Question, Screen, ScreenRow

Step: TypeAlias = Compass | Screen | Question


@dataclass(frozen=True, slots=True)
class Tap:
    """One row of a screen as it stands there, and what is said after it."""

    row: ScreenRow
    after: Said


def next_step(said: Said) -> Step | None:
    """What is asked next; None when the ruling is as certain as answers can make it."""
    return next(_steps(said), None)


def _steps(said: Said) -> Iterator[Step]:
    for compass in said.adviser.interview.seats.values():
        if compass.id not in said.seats and len(seats_of(compass, said)) > 1:
            yield compass
    for screen in said.screens:
        if _wanted(screen, said):
            yield screen
    known = {*said.answers, *said.exact}
    for number in said.adviser.diagram.askable(said.mattering(said.settled)):
        if (question := said.adviser.questions[number]).id not in known:
            yield question


def _wanted(screen: Screen, said: Said) -> bool:
    """Whether a screen is still to be shown."""
    if screen.closes:
        return screen.id not in said.closed and bool(said.rows(screen))
    return screen.questions[0] not in said.answers and matters(screen, said)


def reopened(after: Said, before: Said) -> Said:
    """What has been said after a tap; what might be unusual is asked again where more of it could be."""
    if not after.closed:
        return after
    sensible = after.sensible()
    rows = {screen.id: {*before.rows(screen)} for screen in before.screens if screen.closes and before.role}
    more = {one.id for one in sensible.screens if one.id in rows and not {*sensible.rows(one)} <= rows[one.id]}
    return replace(after, closed=after.closed - more)


def seats_of(compass: Compass, said: Said) -> tuple[Seat, ...]:
    """The seats that may be tapped; none where it is not asked."""
    for name, answers in compass.needs.items():
        if not said.answers.get(name, frozenset()) or not said.answers[name] <= answers:
            return ()
    return said.others() if compass.needs else SEATS


def matters(screen: Screen, said: Said) -> bool:
    """Whether the rows of a screen, «I don't know» aside, come to different things."""
    return len({said.mattering(tap.after.usual) for tap in taps(screen, said) if not _everything(tap, said)}) > 1


def taps(screen: Screen, said: Said) -> list[Tap]:
    """The rows of a screen that say neither too little nor what changes nothing."""
    base, adviser = said.without(screen.questions), said.adviser
    first, *more = screen.questions
    if first not in (adviser.questions[number].id for number in adviser.diagram.askable(base.usual)):
        return []
    found = list[Tap]()
    for row in (one for one in screen.rows if one.stands(base.given)):
        so_far, answers = base, dict[str, frozenset[str]]()  # what it says, as far as that can be
        for name, some in row.answers.items():
            answers[name] = some.intersection(adviser.answers(so_far.usual, name))
            if not answers[name]:
                break
            so_far = so_far.saying({name: answers[name]})
        else:
            tap = Tap(row, base.saying(answers, row.unknown))
            if any(tap.after == one.after for one in found) or not _alike(tap, answers, base):
                continue
            if more and first not in row.unknown:  # it says just what matters: the last question only where that does
                known = base.saying({first: answers[first]})
                split = any(len({*_states(known, name).values()}) > 1 for name in more)
                if split != any(name in row.answers for name in more):
                    continue
            found.append(tap)
    return [tap for tap in found if not _within_another(tap, found, base)]


def _states(said: Said, name: str) -> Mapping[str, State]:
    """What is left after each answer to a question, all else being ordinary."""
    return {
        one: said.mattering(said.saying({name: frozenset({one})}).usual)
        for one in said.adviser.answers(said.usual, name)
    }


def _everything(tap: Tap, said: Said) -> bool:
    """Whether a row leaves every answer to each of its questions possible."""
    return all(len(tap.after.answers[name]) > 1 and not _narrows(name, tap, said) for name in tap.row.answers)


def _narrows(name: str, tap: Tap, said: Said) -> bool:
    base = said.without(tap.row.answers)
    return bool(base.adviser.answers(base.usual, name) - tap.after.answers[name])


def _alike(tap: Tap, answers: Mapping[str, frozenset[str]], base: Said) -> bool:
    """Whether all that a row says of a question comes to the same, if it leaves anything out."""
    for name, some in answers.items():
        if len(some) > 1 and _narrows(name, tap, base):
            states = _states(base, name)
            if len({states[one] for one in some}) > 1:
                return False
    return True


def _within_another(tap: Tap, found: list[Tap], base: Said) -> bool:
    """Whether a row says only a part of what another one says that comes to the same."""
    alike = [one for one in found if one.row.answers.keys() == tap.row.answers.keys() and not _everything(one, base)]
    return any(all(tap.after.answers[name] < one.after.answers[name] for name in tap.row.answers) for one in alike)
