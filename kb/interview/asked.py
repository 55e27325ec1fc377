"""One question of the flow: what is asked, the rows to tap with their addresses, and what is certain so far."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

from facts.cards import CLOCKWISE, SEATS, Seat
from kb.explain.say import Speaker
from kb.explain.spoken import Outlook
from kb.interview.address import said_of, written
from kb.interview.band import Certain, Ends
from kb.interview.chips import Telling
from kb.interview.counsel import Counsel
from kb.interview.flow import Step, Tap, next_step, reopened, seats_of, taps
from kb.interview.said import Said
from kb.space.interview import Compass, Question, Screen

SIDES: Final = ("top", "right", "bottom", "left")


@dataclass(frozen=True, slots=True)
class TapRow:
    """Something to tap."""

    says: str
    more: str
    at: str
    key: str
    so_far: bool = False
    """Whether it is the answer given before."""
    ticked: bool = False
    faint: bool = False
    """Whether it is «I don't know»."""
    open: bool = False
    """Whether something of it is not known."""
    beside: bool = False
    """Whether it says something unusual instead of an answer, and stands beside «I don't know»."""
    chip: str = ""
    """How it is said once it is tapped; empty where more is asked of it first."""


@dataclass(frozen=True, slots=True)
class CompassSeat:
    """A seat of the compass."""

    seat: Seat
    says: str
    more: str
    """What is known of it already."""
    at: str
    """Where to go; empty where it cannot be tapped."""
    key: str
    side: str


class AskedPage:
    """What is asked after what an address says, which may ask for something again (``change``)."""

    def __init__(self, counsel: Counsel, query: Mapping[str, str], speaker: Speaker, known: Ends | None = None) -> None:
        """``known``: what was looked at for other questions, to be looked up by this one."""
        self.counsel, self.speaker = counsel, speaker
        self._given = said_of(counsel, query)
        self.said = said = self._given.sensible()
        self.telling = Telling(said, speaker, query)
        self.top: Seat = next((seat for seat in SEATS if seat == query.get("top")), "N")
        self.change = query.get("change", "")
        self.certain = Certain(counsel, said, {} if known is None else known)

    def told_by(self, speaker: Speaker) -> AskedPage:
        """The same in another language."""
        other = copy(self)
        other.speaker, other.telling = speaker, Telling(self.said, speaker, self.telling.kept)
        return other

    @cached_property
    def step(self) -> Step | None:
        """What is asked: what was asked for again, or else what comes next."""
        interview, change = self.telling.interview, self.change
        if change in interview.seats:
            return interview.seats[change]
        if self.said.role is None:
            return next_step(self.said)
        for screen in interview.screens.values():
            if change == screen.id or (change in screen.questions and not screen.closes):
                return screen
        return interview.questions.get(change) or next_step(self.said)

    def context(self) -> dict[str, Any]:
        """What the template shows."""
        step = self.step
        assert step is not None
        shown = self._compass(step) if isinstance(step, Compass) else {"rows": list(self._rows(step))}
        text = self.telling.text
        declarer = isinstance(step, Screen) and self.said.role in ("declarer", "dummy")
        help_ = step.declarer_help if isinstance(step, Screen) and declarer and step.declarer_help else step.help
        return {
            "asks": self.telling.asks(step),
            "help": text(help_),
            "closing": self._closing(step),
            "band": self._band(step),
            "compass": (),
            "rows": (),
            "unusual": isinstance(step, Screen) and step.closes,
            **shown,
        }

    def _compass(self, step: Compass) -> dict[str, Any]:
        seats = CLOCKWISE[self.top]
        return {
            "compass": [self._seat(step, seat, SIDES[seats.index(seat)]) for seat in SEATS],
            "turned": self._turned(step),
        }

    def _seat(self, step: Compass, seat: Seat, side: str) -> CompassSeat:
        others = {key: one for key, one in self.said.seats.items() if key != step.id}
        marks = self.telling.interview.seats
        mark = next((marks[key].mark for key, one in others.items() if one == seat and marks[key].mark), {})
        again = step.id == "revoke" and self.said.seats.get("revoke", seat) != seat and self.said.role is not None
        after = self.telling.reseated(seat) if again else replace(self.said, seats={**self.said.seats, step.id: seat})
        says = self.speaker.value(seat, "seat")
        able = step.id in ("revoke", "declarer") or seat in seats_of(step, self.said)
        return CompassSeat(seat, says, self.telling.text(mark), self._on(after) if able else "", says[0].lower(), side)

    def _turned(self, step: Compass) -> str:
        """The address of the same compass, turned by one seat."""
        kept = {**self.telling.kept, "top": CLOCKWISE[self.top][3]}
        telling = Telling(self.said, self.speaker, kept)
        return telling.at(self.said, step.id if step.id in self.said.seats else "")

    def _rows(self, step: Screen | Question) -> Iterator[TapRow]:
        if isinstance(step, Question):
            return self._answers(step)
        return self._unusual(step, 1) if step.closes else self._taps(step)

    @cached_property
    def _possible_taps(self) -> list[Tap]:
        return taps(self.step, self.said) if isinstance(self.step, Screen) else []

    def _taps(self, screen: Screen) -> Iterator[TapRow]:
        """The rows of a screen; before «I don't know» what may be said of something unusual instead."""
        known = [tap for tap in self._possible_taps if screen.questions[0] not in tap.row.unknown]
        yield from (self._tap(screen, tap, str(number)) for number, tap in enumerate(known, 1))
        yield from self._unusual(screen, len(known) + 1)
        yield from (self._tap(screen, tap, "0") for tap in self._possible_taps if tap not in known)

    def _tap(self, screen: Screen, tap: Tap, key: str) -> TapRow:
        text, row = self.telling.text, tap.row
        said = text(row.says), text(row.more), self._on(tap.after), key, self.telling.so_far(tap.after, screen)
        return TapRow(*said, faint=key == "0", open=bool(row.unknown), chip=text(row.chip))

    def _answers(self, question: Question) -> Iterator[TapRow]:
        """The answers that can be; of something unusual those that would change the ruling, if any would."""
        base, lang = self.telling.without(question.id), self.speaker.lang
        odd = any(question.id in screen.unusual for screen in self.said.screens)
        can_be = base.adviser.answers(base.settled, question.id)
        changing, able = base.changing(question.id) if odd else [], can_be
        if odd:  # an answer by itself would be tapped by whoever means another
            able = frozenset(changing if len(changing) > 1 else base.unusually(question.id))
        for number, name in enumerate((one for one in question.answers if one in able), 1):
            after = replace(base, answers={**base.answers, question.id: frozenset({name})})
            so_far = self.said.answers.get(question.id) == frozenset({name})
            says, chip = self.speaker.capital(question.answers[name].says[lang]), self._chip(after, question.id)
            yield TapRow(says, "", self._on(after), str(number), so_far, chip=chip)
        if question.of_further:
            return  # it would be ruled on without the revokes that nobody can tell of
        every = replace(
            base,
            answers={**base.answers, question.id: frozenset(question.answers)},
            unknown=base.unknown | {question.id},
        )
        so_far = question.id in self.said.unknown
        yield TapRow(self.telling.interview.unknown[lang], "", self._on(every), "0", so_far, faint=True, open=True)

    def _unusual(self, screen: Screen, first: int) -> Iterator[TapRow]:
        opened = replace(self.said, closed=self.said.closed - {screen.id})
        rows = self.said.rows(screen)
        shown = [name for name in screen.unusual if self.said.ticked(name) or name in rows]
        for number, name in enumerate(shown, first):
            says = self.telling.text(screen.unusual[name])
            if self.said.ticked(name):
                back = self.telling.at(replace(self.telling.without(name), closed=opened.closed))
                yield TapRow(says, self.telling.answered(name), back, str(number), ticked=True)
                continue
            odd = self.said.unusually(name)
            said = opened.but(name, odd[0]) if len(odd) == 1 else opened
            at = self.telling.at(said) if len(odd) == 1 else self.telling.at(said, name)
            chip = self._chip(said, name) if len(odd) == 1 else ""
            may = self._may(name, odd) if screen.closes else ""
            yield TapRow(says, may, at, str(number), chip=chip, beside=not screen.closes)

    def _chip(self, after: Said, name: str) -> str:
        return Telling(after, self.speaker, {}).answered(name)

    def _closing(self, step: Step) -> TapRow | None:
        """The button of a screen on which nothing else was unusual."""
        if not isinstance(step, Screen) or not step.closes:
            return None
        more = any(map(self.said.ticked, step.unusual))
        says, chip = (step.nothing_else, step.else_chip) if more else (step.nothing, step.chip)
        after = replace(self.said, closed=self.said.closed | {step.id})
        return TapRow(self.telling.text(says), "", self.telling.at(after), "0", chip=self.telling.text(chip))

    def _on(self, after: Said) -> str:
        """The address after a tap."""
        return self.telling.at(reopened(after, self.said))

    def _may(self, name: str, odd: list[str]) -> str:
        """What something unusual may change, in a few words."""
        usual = self.certain.outlook(self.said.usual)
        may = [self.certain.outlook(self.said.but(name, one).usual) for one in odd]
        return ", ".join(_effects(usual, may, self.speaker))

    def _band(self, step: Step) -> dict[str, Any]:
        """What is certain: heading, sentence, laws."""
        phrase, text, edition = self.speaker.phrase, self.telling.text, self.counsel.law.edition
        if self.said.role is None:
            compass = step if isinstance(step, Compass) and step.band else self.telling.interview.seats["revoke"]
            heading = text(compass.first) or phrase("flow-so-far")
            laws = tuple(law for law in compass.laws if law in edition.clauses)
            return {"title": heading, "text": text(compass.band), "laws": laws}
        band = self.certain.band(self.speaker)
        said = band.text
        if isinstance(step, Screen) and step.closes:
            return {
                "title": phrase("flow-so-far"),
                "text": phrase("flow-if-nothing", sentence=said[:-1]),
                "laws": band.laws,
            }
        title = phrase("flow-so-far") if band.always else phrase("flow-so-far-usual")
        return {"title": title, "text": said, "laws": band.laws}

    @property
    def settled(self) -> dict[str, str]:
        """What the address says, without the answers that make no sense any more."""
        return {**written(self.said), **{key: one for key, one in self.telling.kept.items() if key != "top"}}

    @property
    def dropped(self) -> str:
        """The questions whose answers make no sense any more, in words."""
        asks = [self.telling.interview.questions[name].asks[self.speaker.lang] for name in self._given.senseless]
        return self.speaker.phrase("flow-dropped", questions=" ".join(asks)) if asks else ""


def _effects(usual: Outlook, may: list[Outlook], speaker: Speaker) -> Iterator[str]:
    """What may become otherwise, in words."""
    least, most = min(one.tricks[0] for one in may), max(one.tricks[1] for one in may)
    statuses = frozenset[str]().union(*(one.statuses for one in may))
    if "established" in statuses - usual.statuses:
        yield speaker.phrase("flow-may-establish")
    if usual.tricks[0] > most == 0:
        yield speaker.phrase("flow-may-none")
    elif least < usual.tricks[0]:
        yield speaker.phrase("flow-may-fewer")
    elif most > usual.tricks[1] and "established" in usual.statuses:
        yield speaker.phrase("flow-may-more")
    if "must-correct" in statuses - usual.statuses:
        yield speaker.phrase("flow-may-correct")
