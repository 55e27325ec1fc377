"""What is asked next at a desk: the seats, the screens of the interview, then each question that still matters.

Nothing is asked whose answer changes nothing, as long as nothing unusual has been said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from facts.cards import SEATS, Seat
from kb.interview.account import Account
from kb.space.decision_diagram import State
from kb.space.interview import Compass, Question, Screen, ScreenRow

FlowStep: TypeAlias = Compass | Screen | Question


@dataclass(frozen=True, slots=True)
class Tap:
    """One row of a screen as it stands there, and what is said after it."""

    row: ScreenRow
    then: Account


def next_step(account: Account) -> FlowStep | None:
    """What is asked next; None when the ruling is as certain as answers can make it."""
    return next(_steps(account), None)


def _steps(account: Account) -> Iterator[FlowStep]:
    for compass in account.adviser.interview.seats.values():
        if compass.id not in account.seats and len(seats_of(compass, account)) > 1:
            yield compass
    for screen in account.screens:
        if _wanted(screen, account):
            yield screen
    answered = {*account.answers, *account.exact}
    for number in account.adviser.diagram.askable(account.mattering(account.settled)):
        if (question := account.adviser.questions[number]).id not in answered:
            yield question


def _wanted(screen: Screen, account: Account) -> bool:
    """Whether a screen is still to be shown."""
    if screen.closes:
        return screen.id not in account.closed and bool(account.rows(screen))
    return screen.questions[0] not in account.answers and matters(screen, account)


def reopened(account: Account, earlier: Account) -> Account:
    """What has been said after a tap; what might be unusual is asked again where more of it could be."""
    if not account.closed:
        return account
    now = account.sensible()
    rows = {screen.id: {*earlier.rows(screen)} for screen in earlier.screens if screen.closes and earlier.role}
    more = {screen.id for screen in now.screens if screen.id in rows and not {*now.rows(screen)} <= rows[screen.id]}
    return replace(account, closed=account.closed - more)


def seats_of(compass: Compass, account: Account) -> tuple[Seat, ...]:
    """The seats that may be tapped; none where it is not asked."""
    for name, answers in compass.needs.items():
        if not account.answers.get(name, frozenset()) or not account.answers[name] <= answers:
            return ()
    return account.others() if compass.needs else SEATS


def matters(screen: Screen, account: Account) -> bool:
    """Whether the rows of a screen, «I don't know» aside, come to different things."""
    return len({account.mattering(tap.then.usual) for tap in taps(screen, account) if not _vague(tap, account)}) > 1


def taps(screen: Screen, account: Account) -> list[Tap]:
    """The rows of a screen that say neither too little nor what changes nothing."""
    base, adviser = account.without(screen.questions), account.adviser
    first, *more = screen.questions
    if first not in (adviser.questions[number].id for number in adviser.diagram.askable(base.usual)):
        return []
    kept = list[Tap]()
    for row in (row for row in screen.rows if row.stands(base.given)):
        so_far, answers = base, dict[str, frozenset[str]]()  # what it says, as far as that can be
        for name, able in row.answers.items():
            answers[name] = able.intersection(adviser.answers(so_far.usual, name))
            if not answers[name]:
                break
            so_far = so_far.saying({name: answers[name]})
        else:
            tap = Tap(row, base.saying(answers, row.unknown))
            if any(tap.then == earlier.then for earlier in kept) or not _alike(tap, answers, base):
                continue
            if more and first not in row.unknown:  # it says just what matters: the last question only where that does
                begun = base.saying({first: answers[first]})
                split = any(len({*_states(begun, name).values()}) > 1 for name in more)
                if split != any(name in row.answers for name in more):
                    continue
            kept.append(tap)
    return [tap for tap in kept if not _within_another(tap, kept, base)]


def _states(account: Account, name: str) -> Mapping[str, State]:
    """What is left after each answer to a question, all else being ordinary."""
    return {
        answer: account.mattering(account.saying({name: frozenset({answer})}).usual)
        for answer in account.adviser.answers(account.usual, name)
    }


def _vague(tap: Tap, account: Account) -> bool:
    """Whether a row leaves every answer to each of its questions possible."""
    return all(len(tap.then.answers[name]) > 1 and not _narrows(name, tap, account) for name in tap.row.answers)


def _narrows(name: str, tap: Tap, said: Account) -> bool:
    base = said.without(tap.row.answers)
    return bool(base.adviser.answers(base.usual, name) - tap.then.answers[name])


def _alike(tap: Tap, answers: Mapping[str, frozenset[str]], base: Account) -> bool:
    """Whether all that a row says of a question comes to the same, if it leaves anything out."""
    for name, possible in answers.items():
        if len(possible) > 1 and _narrows(name, tap, base):
            states = _states(base, name)
            if len({states[answer] for answer in possible}) > 1:
                return False
    return True


def _within_another(tap: Tap, kept: list[Tap], base: Account) -> bool:
    """Whether a row says only a part of what another one says that comes to the same."""
    alike = [peer for peer in kept if peer.row.answers.keys() == tap.row.answers.keys() and not _vague(peer, base)]
    return any(all(tap.then.answers[name] < peer.then.answers[name] for name in tap.row.answers) for peer in alike)
