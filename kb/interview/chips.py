"""What has been said, as chips: a few words each, and the address where it is asked again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from facts.cards import SIDE, Seat
from facts.form import Texts
from facts.readers.incident import UNDECLARED
from kb.explain.say import Speaker, seen_from
from kb.interview.address import NOT_SAID, OF_THE_BOARD, UNKNOWN, address, written
from kb.interview.flow import Step, taps
from kb.interview.said import Said
from kb.language.texts import fill
from kb.space.interview import Question, Screen, ScreenRow


@dataclass(frozen=True, slots=True)
class Chip:
    """One answer."""

    says: str
    change: str
    """The address where it is asked again."""
    tells: frozenset[str] = frozenset()
    """The questions that it answers."""


class Telling:
    """Says what is asked and answered of one table, and knows the addresses."""

    def __init__(self, said: Said, speaker: Speaker, query: Mapping[str, str]) -> None:
        self.said, self.speaker = said, speaker
        self.interview = said.adviser.interview
        keys = (*OF_THE_BOARD, *NOT_SAID, "laws")
        self.kept = {key: query[key] for key in keys if query.get(key) and key not in ("change", "lang")}
        """What an address carries on."""

    def at(self, said: Said, change: str = "") -> str:
        """The address of what is asked after that."""
        return address("/ask", **written(said), **self.kept, change=change)

    def text(self, texts: Texts) -> str:
        """A text with the seats and sides put in; empty for none."""
        return fill(texts[self.speaker.lang], self._names()) if texts else ""

    def asks(self, step: Step) -> str:
        """The question, of the hand that revoked where it is asked so."""
        kind = self.interview.table.findings.get(step.id)
        of_hand = (
            isinstance(step, Question) and kind is not None and step.asks == kind.asks and "revoke" in self.said.seats
        )
        return self.text((kind.asks_of if kind is not None and of_hand else {}) or step.asks)

    def _names(self) -> dict[str, str]:
        seats, value = self.said.seats, self.speaker.value
        names = {key: value(seats[key], "seat") for key in ("declarer", "other") if key in seats}
        if "revoke" in seats:
            names |= seen_from(seats["revoke"], seats.get("declarer"), self.speaker)
        return names

    def chips(self) -> Iterator[Chip]:
        """Every answer, in the order in which it was asked; last the trick, if it was said by its number alone."""
        said = [*self._of_questions()]
        yield from said
        if "trick" in self.said.exact and not any("trick" in one.tells for one in said):
            yield self._of_question("trick")

    def _of_questions(self) -> Iterator[Chip]:
        for compass in self.interview.seats.values():
            if compass.id in self.said.seats:
                yield Chip(self.text(compass.chip), self.at(self.said, compass.id))
        if self.said.role is None:
            return  # whose they are is asked first
        told: set[str] = set()
        for screen in self.said.screens:
            told |= {*screen.questions}
            yield from self._of(screen)
        for name in self.said.answers:
            if name not in told:
                yield self._of_question(name)

    def _of(self, screen: Screen) -> Iterator[Chip]:
        asked = [name for name in screen.questions if name in self.said.answers]
        ticked = [self._of_question(name) for name in asked if screen.closes and self.said.ticked(name)]
        yield from ticked
        if screen.id in self.said.closed:
            yield Chip(self.text(screen.else_chip if ticked else screen.chip), self.at(self.said, screen.id))
        if asked and not screen.closes:
            row = self._row(screen)
            if row is None:
                yield from map(self._of_question, asked)
            else:
                change = self.at(self.said, screen.questions[0])
                yield Chip(self.text(row.chip), change, frozenset(screen.questions))

    def _row(self, screen: Screen) -> ScreenRow | None:
        """The row that says what has been said, or else one that says a part of it."""
        shown, now = taps(screen, self.said), self.said.answers
        shown.sort(key=lambda tap: sum(map(len, tap.row.answers.values())))
        for tap in shown:
            if self.so_far(tap.after, screen):
                return tap.row
        for tap in shown:
            parts = [now.get(name, frozenset()) <= tap.after.answers[name] for name in tap.row.answers]
            if all(parts) and not tap.row.unknown and {*now} & {*screen.questions} <= {*tap.row.answers}:
                return tap.row
        asked = {name: now[name] for name in screen.questions if name in now}
        for row in screen.rows:  # what is unusual may have taken it from the screen, and it was tapped all the same
            if row.answers == asked and row.unknown == self.said.unknown & asked.keys():
                return row
        return None

    def so_far(self, after: Said, screen: Screen) -> bool:
        """Whether a row says what has been said."""
        now, then = written(self.said), written(after)
        return all(now.get(name) == then.get(name) for name in screen.questions)

    def _of_question(self, name: str) -> Chip:
        return Chip(self.answered(name), self.at(self.said, name), frozenset({name}))

    def answered(self, name: str) -> str:
        """What was answered, in words; a trick by its number where that is known."""
        if number := self.said.exact.get("trick" if name == "trick" else ""):
            return self.speaker.capital(self.speaker.phrase("desk-trick-number", n=number))
        question, said = self.interview.questions[name], self.said
        if written(said)[name] == UNKNOWN:
            return f"{question.asks[self.speaker.lang]} {self.interview.unknown[self.speaker.lang]}"
        words = [one.says[self.speaker.lang] for one in question.answers.values() if one.id in said.answers[name]]
        return self.speaker.capital(f"{question.about[self.speaker.lang]} {self.speaker.phrase('book-or').join(words)}")

    def without(self, name: str) -> Said:
        """As if a question had not been answered."""
        kept = {key: one for key, one in self.said.answers.items() if key != name}
        return replace(self.said, answers=kept, unknown=self.said.unknown - {name})

    def reseated(self, hand: Seat) -> Said:
        """With the revoke of another seat: what was said of seats stays said of them, and of the other side nothing is
        known."""
        said, old = self.said, self.said.seats["revoke"]
        begun = replace(said, seats={**said.seats, "revoke": hand}, answers={}, unknown=frozenset())
        if SIDE[old] != SIDE[hand]:
            known = {key: one for key, one in said.exactly.items() if key in UNDECLARED}
            return replace(begun, closed=frozenset(), exactly=known)
        for screen in said.screens:
            if not screen.closes and (row := self._row(screen)) is not None:
                there = Telling(begun, self.speaker, self.kept)
                same = (one.after for one in taps(screen, begun) if there.text(one.row.chip) == self.text(row.chip))
                begun = next(same, begun)
        screened = {name for screen in said.screens if not screen.closes for name in screen.questions}
        kept = {name: one for name, one in said.answers.items() if name not in screened and not self._of_seats(name)}
        return replace(begun, answers={**begun.answers, **kept}, unknown=begun.unknown | said.unknown & kept.keys())

    def _of_seats(self, name: str) -> bool:
        """Whether the answers to a question are hands as seen from the one that revoked."""
        kinds = (self.interview.table.findings.get(one.key) for one in self.interview.questions[name].fills)
        return any(kind is not None and kind.type.name == "seat" for kind in kinds)
