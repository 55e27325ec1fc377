"""What has been said at a table: who revoked, who declares, and of each question the answers that it left possible.

Some of it is known more exactly than an answer says it, as from a file, and comes to answers.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from facts.cards import OTHER_SIDE, SEATS, SIDE, Seat, part_of
from facts.incident import SAME_TRICK, Incident, Player, from_first
from facts.readers.changes import all_changed
from facts.table import REVOKE, UNKNOWN, Table
from kb.interview.adviser import Adviser
from kb.space.choices import meant, values_of
from kb.space.decision_diagram import State
from kb.space.interview import Filling, Question, Screen, ScreenRow

FIRST_REVOKE: Final = ("revoke-1.", "irregularity-1.")
"""What stands before a key of what is asked about, a revoke or something else."""
"""Begins what is changed of the first revoke."""
HAND_QUESTION: Final = "hand"
"""The question that the seats answer."""
WHOSE: Final = ("hand", "player")
"""The keys of a revoke that the seats say."""


@dataclass(frozen=True, slots=True)
class Exact:
    """Something said more exactly than an answer says it, or that no question asks for."""

    says: str
    """As a change of an incident states it."""
    means: frozenset[str] = frozenset()
    """The answers to the question of its name that it comes to, by which it holds; none where it answers none."""


@dataclass(frozen=True)
class Account:
    """Immutable; to change an answer is to make another."""

    adviser: Adviser
    seats: Mapping[str, Seat] = field(default_factory=dict)
    answers: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Question -> the answers that are meant; all of them for «I don't know»."""
    unknown: frozenset[str] = frozenset()
    """The questions to which the answer was «I don't know»."""
    closed: frozenset[str] = frozenset()
    """The screens on which nothing else was unusual."""
    exactly: Mapping[str, Exact] = field(default_factory=dict)
    """Key of the first revoke, or ``revoke-2.`` and a key of a further one -> what is known of it."""

    @property
    def exact(self) -> dict[str, str]:
        """What is still said exactly: an answer that was changed takes it away."""
        fit = {key: fact for key, fact in self.exactly.items() if not fact.means or self.answers.get(key) == fact.means}
        return {key: fact.says for key, fact in fit.items()}

    @property
    def role(self) -> str | None:
        """The answer to whose card it was; None until both seats are known."""
        hand, declarer = self.seats.get("revoke"), self.seats.get("declarer")
        parts = self.adviser.interview.table.parts
        return None if hand is None else parts[0] if len(parts) == 1 else part_of(hand, declarer)

    @cached_property
    def given(self) -> dict[str, frozenset[str]]:
        """Every answer, in the order of the interview."""
        role = {} if self.role is None else {HAND_QUESTION: frozenset({self.role})}
        answers = {**self.answers, **role}
        return {name: answers[name] for name in self.adviser.number if name in answers}

    @cached_property
    def _narrowed(self) -> tuple[State, tuple[str, ...]]:
        """What the answers leave possible, and the questions whose answers make no sense after those before."""
        number = self.adviser.number
        state, dropped = self.adviser.whole, []
        for name, answers in self.given.items():
            can_be = self.adviser.answers(state, name)
            new = self.adviser.diagram.given(state, number[name], answers) if answers & can_be else None
            if new is None:
                dropped.append(name)
            else:
                state = new
        return state, tuple(dropped)

    @property
    def possible(self) -> State:
        """Every situation that the answers leave possible."""
        return self._narrowed[0]

    @cached_property
    def senseless(self) -> tuple[str, ...]:
        """The questions whose answers cannot be after those to earlier questions, or that are not asked after them."""
        rows, dropped = [row for screen in self.screens for row in screen.rows], self._narrowed[1]
        passed_over, idle = {*dropped, *(name for screen in self.screens for name in screen.unusual)}, []
        for name in (name for name in self.answers if name not in passed_over):
            so = [row for row in rows if row.answers.get(name) == self.answers[name] and self._says(row)]
            so = [row for row in so if (name in row.unknown) == (name in self.unknown)]
            # none of the rows that say so can stand beside the other answers
            fallen = so and not any(row.stands(self.given) for row in so)
            if fallen or not self.adviser.answers(self.usual, name):
                idle.append(name)
        return (*dropped, *idle)

    def _says(self, row: ScreenRow) -> bool:
        """Whether what has been said is all that a row says, or a part of each."""
        return all(name in self.answers and self.answers[name] <= able for name, able in row.answers.items())

    def sensible(self) -> Account:
        """Without the answers that make no sense; itself, with all that is known of it, where each makes some."""
        return self.without(self.senseless) if self.senseless else self

    def without(self, names: Collection[str]) -> Account:
        """As if these questions had not been answered."""
        kept = {name: answers for name, answers in self.answers.items() if name not in names}
        return replace(self, answers=kept, unknown=self.unknown & kept.keys())

    def saying(self, answers: Mapping[str, frozenset[str]], unknown: frozenset[str] = frozenset()) -> Account:
        """With these answers as well; ``unknown``: the questions to which they are «I don't know»."""
        return replace(self, answers={**self.answers, **answers}, unknown=self.unknown | unknown)

    @cached_property
    def usual(self) -> State:
        """The same, where all that might be unusual is not."""
        return self._usual_but(None)

    def _usual_but(self, name: str | None) -> State:
        taken = {self.adviser.number[odd] for screen in self.screens for odd in screen.unusual if odd != name}
        return self.adviser.diagram.usual(self.possible, frozenset(taken))

    @property
    def screens(self) -> tuple[Screen, ...]:
        """The screens of the interview."""
        return tuple(self.adviser.interview.screens.values())

    @cached_property
    def denied(self) -> frozenset[int]:
        """The questions, by number, about what might have been unusual and was not."""
        asked = [row for screen in self.screens if screen.id in self.closed for row in self.rows(screen)]
        return frozenset(self.adviser.number[name] for name in asked)

    @cached_property
    def settled(self) -> State:
        """What is possible once it has been said that nothing else was unusual."""
        return self.adviser.diagram.usual(self.possible, self.denied)

    def rows(self, screen: Screen) -> list[str]:
        """What might be unusual and would then change the ruling; what has been said is no such thing any more."""
        if screen.id not in self._rows:
            unsaid = (name for name in screen.unusual if name not in self.answers)
            self._rows[screen.id] = [name for name in unsaid if self.changing(name)]
        return self._rows[screen.id]

    @cached_property
    def _rows(self) -> dict[str, list[str]]:
        return {}

    def ticked(self, name: str) -> bool:
        """Whether something unusual has been said, and not just what goes without saying."""
        if name not in self.answers:
            return False
        return not self.answers[name] <= self.adviser.answers(self.without([name]).usual, name)

    def changing(self, name: str) -> list[str]:
        """The unusual answers to a question that would change the ruling, all else being ordinary."""
        ordinary = self.mattering(self.usual)
        return [answer for answer in self.unusually(name) if self.mattering(self.but(name, answer).usual) != ordinary]

    def unusually(self, name: str) -> list[str]:
        """The answers to a question that would be unusual here."""
        odd = self.adviser.answers(self._usual_but(name), name) - self.adviser.answers(self.usual, name)
        return [answer for answer in self.adviser.interview.questions[name].answers if answer in odd]

    def but(self, name: str, answer: str) -> Account:
        """With another answer."""
        return self.saying({name: frozenset({answer})}).sensible()

    def mattering(self, state: State) -> State:
        """A state without the questions that make no difference."""
        return self.adviser.diagram.mattering(state)

    def others(self) -> tuple[Seat, ...]:
        """Who may have made the other revoke, where it was the other side's."""
        hand = self.seats.get("revoke")
        if hand is None or self.role is None:
            return ()
        sides = [seat for seat in SEATS if SIDE[seat] == OTHER_SIDE[SIDE[hand]]]
        declarer = self.seats.get("declarer")
        return tuple(sides) if declarer is None or self.role != "defender" else (declarer,)

    def stated(self) -> Incident:
        """What has been said, with what follows from it, and no more."""
        interview, diagram = self.adviser.interview, self.adviser.diagram
        fixed = {name: [*ids][0] for name, ids in self.given.items() if len(ids) == 1 and name != HAND_QUESTION}
        for number in diagram.askable(self.settled):
            answers = self.adviser.answers(self.settled, self.adviser.questions[number].id)
            if len(answers) == 1:
                fixed[self.adviser.questions[number].id] = [*answers][0]
        incident = interview.incident(fixed)
        known_of = ((name, ids) for name, ids in self.given.items() if name not in self.unknown)
        several = {name: joined(interview.questions[name], ids, interview.table) for name, ids in known_of}
        stated = {name: text for name, text in several.items() if text}
        unknown = [
            fill
            for name in self.given
            for fill in interview.questions[name].fills
            if name in self.unknown and fill.key in interview.table.findings
        ]
        first, *more = (
            replace(revoke, said={**{fill.key: UNKNOWN for fill in unknown if fill.revoke == number}, **revoke.said})
            for number, revoke in enumerate(incident.revokes)
        )
        first = replace(first, said={**first.said, **stated})
        begins = FIRST_REVOKE[interview.table.of != REVOKE]
        changes = [f"{key if '.' in key else f'{begins}{key}'}={text}" for key, text in self.exact.items()]
        seated = self._seated(replace(incident, revokes=(first, *more)))
        return all_changed(seated, changes, lambda _: interview.table)

    def _seated(self, incident: Incident) -> Incident:
        """With the seats that are known."""
        hand, declarer = self.seats.get("revoke"), self.seats.get("declarer")
        if hand is None:
            return replace(incident, declarer=declarer)
        first, *more = incident.revokes
        seated = []
        for revoke in more:  # whose it was, if that is known
            may_be = self.others()
            seat = self.seats.get("other") or (may_be[0] if len(may_be) == 1 else None)
            if revoke.player in ("same-player", "partner"):
                seat = from_first(revoke.player, hand, declarer)
            player: Player | None = SAME_TRICK if revoke.player == SAME_TRICK else None  # which says the trick as well
            seated.append(revoke if seat is None else replace(revoke, player=player, hand=seat))
        return replace(incident, declarer=declarer, revokes=(replace(first, player=None, hand=hand), *seated))


def joined(question: Question, answers: frozenset[str], table: Table) -> str | None:
    """What several answers come to that are meant together, a range of numbers; None where that cannot be stated.

    All of them together say that it is still to come: it may be any, and nobody can know yet."""
    fills = [fill for answer in answers for fill in question.answers[answer].fills]
    if len(answers) == 1 or {(fill.revoke, fill.key) for fill in fills} != {(0, question.id)}:
        return None
    kind = table.findings[question.id]
    if kind.type.name != "number":
        return None
    values = sorted({value for fill in fills for value in meant(kind, fill.value, {"trick": 1}, table)})
    return f"{values[0]}..{values[-1]}" if values and values == [*range(values[0], values[-1] + 1)] else None


def with_exact(account: Account, exact: Mapping[str, str]) -> Account:
    """With what is known more exactly than answers say it: it answers its question as well, where that is asked, by the
    answer that says most of it.

    InputError where it cannot be read."""
    adviser, refined = account.adviser, replace(account, exactly={key: Exact(text) for key, text in exact.items()})
    incident, table, both = refined.stated(), adviser.interview.table, {**account.answers}
    for question in (question for question in adviser.questions if question.id in exact and question.id not in both):
        able = adviser.answers(refined.possible, question.id)
        candidates = (answer for answer in question.answers.values() if answer.id in able)  # of two alike the first
        fitting = [answer for answer in candidates if all(_agrees(fill, incident, table) for fill in answer.fills)]
        if fitting:
            both[question.id] = frozenset({max(fitting, key=lambda answer: len(answer.fills)).id})
    answers = {name: both[name] for name in adviser.number if name in both}
    idle = {*replace(account, answers=answers).senseless} & exact.keys() - account.answers.keys()
    answers = {name: chosen for name, chosen in answers.items() if name not in idle}
    more = {key: Exact(text, answers.get(key, frozenset())) for key, text in exact.items()}
    return replace(account, answers=answers, exactly=more)


def _agrees(filling: Filling, incident: Incident, table: Table) -> bool:
    if filling.revoke >= len(incident.revokes):
        return False
    revoke = incident.revokes[filling.revoke]
    stated = {**revoke.said, "player": revoke.player, "trick": revoke.trick, "hand": revoke.hand}
    value, kind = stated.get(filling.key), table.findings.get(filling.key)
    if value == filling.value or kind is None or value is None:
        return bool(value == filling.value)
    view = {"hand": revoke.hand, "trick": revoke.trick or 1, "declarer": incident.declarer}
    answer = kind.answers.get(str(filling.value))
    meaning = meant(kind, filling.value, view, table) if answer is None else values_of(answer, view, table)
    return revoke.hand is not None and {*meant(kind, value, view, table)} <= {*meaning}


def bare(key: str) -> str:
    """A key of what is asked about, by its name alone."""
    return key.removeprefix(FIRST_REVOKE[0]).removeprefix(FIRST_REVOKE[1])
