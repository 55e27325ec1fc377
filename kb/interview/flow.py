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
    return not any(name in said.answers for name in screen.questions) and matters(screen, said)


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
    base = said.without(screen.questions)
    if screen.questions[0] not in _askable(base):
        return []
    found = list[Tap]()
    for row in screen.rows:
        answers = _possible(row, base) if row.stands(base.given) else None
        if answers is None:
            continue
        tap = Tap(row, base.saying(answers, row.unknown))
        again = any(tap.after == one.after for one in found)
        if not again and _told_apart(screen, tap, base) and _alike(tap, answers, base):
            found.append(tap)
    return [tap for tap in found if not _within_another(tap, found, base)]


def _askable(said: Said) -> list[str]:
    return [said.adviser.questions[number].id for number in said.adviser.diagram.askable(said.usual)]


def _possible(row: ScreenRow, base: Said) -> dict[str, frozenset[str]] | None:
    """What a row says, as far as that can be; None if it cannot."""
    said, found = base, dict[str, frozenset[str]]()
    for name, answers in row.answers.items():
        can_be = said.adviser.answers(said.usual, name)
        found[name] = answers.intersection(can_be)
        if not found[name]:
            return None
        said = said.saying({name: found[name]})
    return found


def _told_apart(screen: Screen, tap: Tap, base: Said) -> bool:
    """Whether a row says just what matters: the last question of the screen where that does, and else not."""
    first, *more = screen.questions
    if not more or first in tap.row.unknown:
        return True
    known = base.saying({first: tap.after.answers[first]})
    split = any(len({*_states(known, name).values()}) > 1 for name in more)
    return split == any(name in tap.row.answers for name in more)


def _states(said: Said, name: str) -> Mapping[str, State]:
    """What is left after each answer to a question, all else being ordinary."""
    return {
        one: said.mattering(said.saying({name: frozenset({one})}).usual)
        for one in said.adviser.answers(said.usual, name)
    }


def _everything(tap: Tap, said: Said) -> bool:
    """Whether a row leaves every answer to some question possible."""
    return any(len(tap.after.answers[name]) > 1 and not _narrows(name, tap, said) for name in tap.row.answers)


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
