"""One question of the flow: what is asked, the rows to tap, what has been said in a few words, and what is certain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, takewhile
from typing import Any, Final, TypeAlias

from facts.cards import CLOCKWISE, OTHER_SIDE, SEATS, SIDE, Seat, Side
from facts.form import Texts
from facts.readers.incident import UNDECLARED
from facts.table import REVOKE
from kb.explain.say import Speaker, seen_from
from kb.explain.spoken import Outlook, may_come
from kb.interview.address import LAWS, MATTER, NOT_SAID, OF_THE_BOARD, UNKNOWN, address, said_of, written
from kb.interview.counsel import Counsel
from kb.interview.flow import Step, Tap, next_step, reopened, seats_of, taps
from kb.interview.said import Said
from kb.language.known import AUTOMATIC, ESTABLISHED, EXEMPT, MUST_CORRECT, RECTIFICATIONS, REVOKES, STATUS, TRANSFER
from kb.language.model import Edition
from kb.language.texts import fill
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.space.decision_diagram import State
from kb.space.interview import Answer, Compass, Question, Screen, ScreenRow
from kb.space.outcome import Acts

SIDES: Final = ("top", "right", "bottom", "left")
MOST_SAID: Final = 3
"""Things that may become of something, for them to be said."""
SHORTEST: Final = 3
"""Letters of what several laws have in common, for it to be named in their stead."""

Ends: TypeAlias = dict[tuple[object, ...], Ruling]
"""Seats and answers -> ruling."""


@dataclass(frozen=True, slots=True)
class Chip:
    """One answer."""

    says: str
    change: str
    """The address where it is asked again."""
    tells: frozenset[str] = frozenset()
    """The questions that it answers."""


@dataclass(frozen=True, slots=True)
class TapRow:
    """Something to tap: a seat, a row, or the button of a screen."""

    says: str
    more: str
    query: Mapping[str, str]
    """What has been said once it is tapped, as an address says it; empty where it cannot be tapped."""
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
    seat: Seat | None = None
    side: str = ""
    """The side of the compass on which a seat stands."""

    @property
    def at(self) -> str:
        """Its address; empty where it cannot be tapped."""
        return address("/ask", **self.query) if self.query else ""


def what_happened(edition: Edition, query: Mapping[str, str], speaker: Speaker) -> dict[str, Any]:
    """What the template shows where an address does not say what happened: a row for each matter; nothing where it says
    so, or where the law has rules on one alone."""
    said = query.keys() - {*OF_THE_BOARD, *NOT_SAID, LAWS}
    if len(edition.matters) == 1 or any(query[key] for key in said):
        return {}
    rows = [
        TapRow(edition.table.about(of).called[speaker.lang], "", {**query, MATTER: of}, str(number))
        for number, of in enumerate(edition.matters, 1)
    ]
    band = {"title": "", "text": "", "laws": ()}
    asks = speaker.phrase("flow-what-happened")
    return {"asks": asks, "help": "", "closing": None, "band": band, "compass": (), "rows": rows, "unusual": False}


class Telling:
    """Says what is asked and answered of one table, and knows the addresses."""

    def __init__(self, said: Said, speaker: Speaker, query: Mapping[str, str]) -> None:
        self.said, self.speaker = said, speaker
        self.interview = said.adviser.interview
        self.kept = {key: query[key] for key in (*OF_THE_BOARD, "top", "entry", LAWS, MATTER) if query.get(key)}
        """What an address carries on."""

    def query(self, said: Said, change: str = "") -> dict[str, str]:
        """What an address says of what is asked after that."""
        return {**written(said), **self.kept, **({"change": change} if change else {})}

    def at(self, said: Said, change: str = "") -> str:
        """The address of what is asked after that."""
        return address("/ask", **self.query(said, change))

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

    def answer(self, answer: Answer) -> str:
        """An answer, of the hand that revoked where it is said so."""
        return self.text((answer.says_of if "revoke" in self.said.seats else {}) or answer.says)

    def _names(self) -> dict[str, str]:
        seats, value = self.said.seats, self.speaker.value
        names = {key: value(seats[key], "seat") for key in ("declarer", "other") if key in seats}
        if "revoke" in seats:
            names |= seen_from(seats["revoke"], seats.get("declarer"), self.speaker)
        return names

    def chips(self) -> list[Chip]:
        """Every answer, in the order in which it was asked; last the trick, if it was said by its number alone."""
        said, found = self.said, list[Chip]()
        if MATTER in self.kept:
            root = {key: value for key, value in self.kept.items() if key != MATTER}
            found.append(Chip(self.interview.table.called[self.speaker.lang], address("/ask", **root)))
        seats = (one for one in self.interview.seats.values() if one.id in said.seats)
        found += [Chip(self.text(one.chip), self.at(said, one.id)) for one in seats]
        screens: Sequence[Screen] = said.screens if said.role is not None else ()  # whose they are is asked first
        screens = [one for one in screens if one.closes or one.questions[0] in said.answers]
        for screen in screens:
            asked = [name for name in screen.questions if name in said.answers]
            ticked = [self._of_question(name) for name in asked if screen.closes and said.ticked(name)]
            found += ticked
            if screen.id in said.closed:
                chip = screen.else_chip if ticked else screen.chip
                found.append(Chip(self.text(chip), self.at(said, screen.id)))
            if asked and not screen.closes and (row := self._row(screen)) is not None:
                change = self.at(said, screen.questions[0])
                found.append(Chip(self.text(row.chip), change, frozenset(screen.questions)))
            elif not screen.closes:
                found += map(self._of_question, asked)
        of_screens = {name for screen in screens for name in screen.questions}
        found += (self._of_question(name) for name in said.answers if screens and name not in of_screens)
        if "trick" in said.exact and not any("trick" in one.tells for one in found):
            found.append(self._of_question("trick"))
        return found

    def _row(self, screen: Screen) -> ScreenRow | None:
        """The row that says what has been said, or else one that says a part of it."""
        now = {name: self.said.answers[name] for name in screen.questions if name in self.said.answers}
        shown = sorted(taps(screen, self.said), key=lambda tap: sum(map(len, tap.row.answers.values())))
        same = (tap.row for tap in shown if self.so_far(tap.after, screen))
        known = (tap for tap in shown if tap.row.answers.keys() == now.keys() and not tap.row.unknown)
        wider = (tap.row for tap in known if all(now[name] <= tap.after.answers[name] for name in now))
        # what is unusual may have taken it from the screen, and it was tapped all the same
        gone = (row for row in screen.rows if row.answers == now and row.unknown == self.said.unknown & now.keys())
        return next(chain(same, wider, gone), None)

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
        words = [self.answer(one) for one in question.answers.values() if one.id in said.answers[name]]
        return self.speaker.capital(f"{question.about[self.speaker.lang]} {self.speaker.phrase('book-or').join(words)}")

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
        return begun.saying(kept, said.unknown & kept.keys())

    def _of_seats(self, name: str) -> bool:
        """Whether the answers to a question are hands as seen from the one that revoked."""
        kinds = (self.interview.table.findings.get(one.key) for one in self.interview.questions[name].fills)
        return any(kind is not None and kind.type.name == "seat" for kind in kinds)


class Certain:
    """Tells what is certain under one law."""

    def __init__(self, counsel: Counsel, said: Said, known: Ends) -> None:
        """``known``: rulings that were looked at before."""
        self.law, self.said, self._acts, self._known = counsel.law, said, tuple(counsel.run.acts), known
        self.adviser = said.adviser
        self._gains: Side = "NS" if said.role == "defender" else "EW"
        """The side that did not revoke, where all situations are laid out: South is declarer, West the defender."""

    @cached_property
    def _usual(self) -> tuple[Outlook, tuple[Ruling, ...], bool]:
        """What may come if nothing is unusual, some rulings that may, and whether it holds in any case."""
        usual, whole = self.outlook(self.said.usual), self.outlook(self.said.possible)
        sure = usual == whole or (usual.statuses == whole.statuses and usual.tricks == whole.tricks)
        return usual, tuple(self._ends(self.said.usual)), sure

    def band(self, speaker: Speaker, closing: bool) -> dict[str, Any]:
        """Heading, sentence, laws of what is certain if nothing is unusual; ``closing``: where just that is asked."""
        if self.adviser.interview.table.of != REVOKE:
            return self._becomes(speaker, closing)
        (usual, ends, sure), hand = self._usual, self.said.seats["revoke"]
        side, own = (speaker.value(one, "side") for one in (OTHER_SIDE[SIDE[hand]], SIDE[hand]))
        text = may_come(usual, {"hand": speaker.value(hand, "seat"), "side": side, "own": own}, speaker)
        if usual.statuses == {MUST_CORRECT} and ends:  # then what is to be done in any case with the card
            told = [[speaker.of(one).fact(fact) for fact in one.facts(RECTIFICATIONS)] for one in ends]
            common = (said for said in told[0][1:2] if all(said in one for one in told))
            text = " ".join([text, *(speaker.capital(said.rstrip(".")) + "." for said in common)])
        text, title = speaker.capital(text), "flow-so-far" if sure or closing else "flow-so-far-usual"
        shown = speaker.phrase("flow-if-nothing", sentence=text[:-1]) if closing else text
        return {"title": speaker.phrase(title), "text": shown, "laws": self._laws(ends)}

    def _becomes(self, speaker: Speaker, closing: bool) -> dict[str, Any]:
        """The same of a matter that is no revoke: what may become of it, unless that is too much to say."""
        lists, found = self.law.edition.vocabulary.outcomes, dict[str, None]()
        for outcome in sorted(self.adviser.diagram.outcomes(self.said.usual)):
            values = (str(shown[1]) for entry in self._acts[outcome] for shown in entry[1:] if shown[0] == "is")  # type: ignore[index]
            found |= dict.fromkeys(value for value in values if value in lists)
        words = [speaker.value(word, lists[word]) for word in found]
        text = speaker.capital(speaker.phrase("book-or").join(words)) + "." if 0 < len(words) <= MOST_SAID else ""
        sure = "flow-so-far" if self.said.usual == self.said.possible or closing else "flow-so-far-usual"
        return {"title": speaker.phrase(sure), "text": text, "laws": ()}

    def outlook(self, state: State) -> Outlook:
        """What may come of the situations of a state."""
        acts = [self._acts[one] for one in self.adviser.diagram.outcomes(state)]
        statuses = frozenset(str(entry[2]) for one in acts for entry in one if entry[0] == STATUS)
        there = [_passed(one) for one in acts]
        gained = [one.get(self._gains, 0) for one in there]
        lost = [one.get(OTHER_SIDE[self._gains], 0) for one in there]
        revokes = max(sum(entry[0] == REVOKES for entry in one) for one in acts)
        return Outlook(statuses, revokes, (min(gained), max(gained)), max(lost))

    def _ends(self, state: State) -> Iterator[Ruling]:
        """Rulings of the situations at the ends of what may come: to be corrected, fewest tricks, most."""
        diagram, found = self.adviser.diagram, dict[tuple[frozenset[str], int], int]()
        for outcome in sorted(diagram.outcomes(state)):
            acts = self._acts[outcome]
            statuses = frozenset(str(entry[2]) for entry in acts if entry[0] == STATUS)
            tricks = _passed(acts).get(self._gains, 0)
            found.setdefault((statuses, tricks), outcome)
        for outcome in found.values():
            way = diagram.ordinary(state, self.adviser.ordinary, outcome)
            named = {self.adviser.questions[number].id: frozenset({answer}) for number, answer in way}
            at = tuple(self.said.seats.items()), tuple(named.items())
            if at not in self._known:
                self._known[at] = rule(self.law, Said(self.adviser, self.said.seats, named).stated())
            yield self._known[at]

    def _laws(self, ends: Sequence[Ruling]) -> tuple[str, ...]:
        """The clauses behind status and tricks; for those of one law that differ, what they have in common."""
        found: dict[str, set[str]] = {STATUS: set(), AUTOMATIC: set(), EXEMPT: set()}
        for ruling in ends:
            for section, laws in found.items():
                laws |= {law for fact in ruling.facts(section) for law in ruling.citations.laws(fact)}
        if found[AUTOMATIC]:
            del found[EXEMPT]  # of what some end spares, nothing is said
        named, clauses = list[str](), tuple(self.law.edition.clauses)
        for listed in (sorted(laws, key=clauses.index) for laws in found.values()):
            alike = takewhile(lambda letters: len({*letters}) == 1, zip(*listed, strict=False))
            shared = "".join(letters[0] for letters in alike)
            named += [shared] if len(listed) > 1 and len(shared) >= SHORTEST else listed
        return tuple(dict.fromkeys(named))


def _passed(acts: Acts) -> dict[object, int]:
    return {entry[-2]: int(str(entry[-1])) for entry in acts if entry[0] == TRANSFER}


class AskedPage(Telling):
    """What is asked after what an address says, which may ask for something again (``change``)."""

    def __init__(self, counsel: Counsel, query: Mapping[str, str], speaker: Speaker, known: Ends | None = None) -> None:
        """``known``: what was looked at for other questions, to be looked up by this one."""
        self.counsel, self._given = counsel, said_of(counsel, query)
        super().__init__(self._given.sensible(), speaker, query)
        self.top: Seat = next((seat for seat in SEATS if seat == query.get("top")), "N")
        self.change = query.get("change", "")
        self.certain = Certain(counsel, self.said, {} if known is None else known)

    def told_by(self, speaker: Speaker) -> AskedPage:
        """The same in another language."""
        _ = self._possible_taps  # once for every language
        other = copy(self)
        other.speaker = speaker
        return other

    @cached_property
    def step(self) -> Step | None:
        """What is asked: what was asked for again, or else what comes next."""
        interview, change = self.interview, self.change
        if change in interview.seats:
            return interview.seats[change]
        if self.said.role is None:
            return next_step(self.said)
        of_rows = sorted(
            (one for one in interview.screens.values() if not one.closes), key=lambda one: one.questions[0] != change
        )
        for screen in (*of_rows, *interview.screens.values()):
            if change == screen.id or (change in screen.questions and not screen.closes):
                return screen
        return interview.questions.get(change) or next_step(self.said)

    def context(self) -> dict[str, Any]:
        """What the template shows."""
        step = self.step
        assert step is not None
        if isinstance(step, Compass):
            shown = self._compass(step)
        elif isinstance(step, Question):
            shown = {"rows": [*self._answers(step)]}
        else:
            shown = {"rows": [*(self._unusual(step, 1) if step.closes else self._taps(step))]}
        declarer = isinstance(step, Screen) and self.said.role in ("declarer", "dummy")
        help_ = step.declarer_help if isinstance(step, Screen) and declarer and step.declarer_help else step.help
        return {
            "asks": self.asks(step),
            "help": self.text(help_),
            "closing": self._closing(step),
            "band": self._band(step),
            "compass": (),
            "rows": (),
            "unusual": isinstance(step, Screen) and step.closes,
            **shown,
        }

    def _compass(self, step: Compass) -> dict[str, Any]:
        """The seats, and the address of the same compass turned by one of them."""
        seats, query = CLOCKWISE[self.top], self.query(self.said, step.id if step.id in self.said.seats else "")
        rows = [self._seat(step, seat, SIDES[seats.index(seat)]) for seat in SEATS]
        return {"compass": rows, "turned": address("/ask", **{**query, "top": seats[3]})}

    def _seat(self, step: Compass, seat: Seat, side: str) -> TapRow:
        others = {key: one for key, one in self.said.seats.items() if key != step.id}
        marks = self.interview.seats
        mark = next((marks[key].mark for key, one in others.items() if one == seat and marks[key].mark), {})
        again = step.id == "revoke" and self.said.seats.get("revoke", seat) != seat and self.said.role is not None
        after = self.reseated(seat) if again else replace(self.said, seats={**self.said.seats, step.id: seat})
        says = self.speaker.value(seat, "seat")
        able = step.id in ("revoke", "declarer") or seat in seats_of(step, self.said)
        on = self._on(after) if able else {}
        return TapRow(says, self.text(mark), on, says[0].lower(), chip=says, seat=seat, side=side)

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
        row, so_far = tap.row, self.so_far(tap.after, screen)
        says, more, chip = self.text(row.says), self.text(row.more), self.text(row.chip)
        return TapRow(says, more, self._on(tap.after), key, so_far, faint=key == "0", open=bool(row.unknown), chip=chip)

    def _answers(self, question: Question) -> Iterator[TapRow]:
        """The answers that can be; of something unusual those that would change the ruling, if any would."""
        base, lang = self.said.without([question.id]), self.speaker.lang
        odd = any(question.id in screen.unusual for screen in self.said.screens)
        can_be = base.adviser.answers(base.settled, question.id)
        changing, able = base.changing(question.id) if odd else [], can_be
        if odd:  # an answer by itself would be tapped by whoever means another
            able = frozenset(changing if len(changing) > 1 else base.unusually(question.id))
        for number, name in enumerate((one for one in question.answers if one in able), 1):
            after = base.saying({question.id: frozenset({name})})
            so_far = self.said.answers.get(question.id) == frozenset({name})
            says, chip = self.speaker.capital(self.answer(question.answers[name])), self._chip(after, question.id)
            yield TapRow(says, "", self._on(after), str(number), so_far, chip=chip)
        if question.of_further:
            return  # it would be ruled on without the revokes that nobody can tell of
        every = base.saying({question.id: frozenset(question.answers)}, frozenset({question.id}))
        so_far = question.id in self.said.unknown
        yield TapRow(self.interview.unknown[lang], "", self._on(every), "0", so_far, faint=True, open=True)

    def _unusual(self, screen: Screen, first: int) -> Iterator[TapRow]:
        opened = replace(self.said, closed=self.said.closed - {screen.id})
        rows = self.said.rows(screen)
        shown = [name for name in screen.unusual if self.said.ticked(name) or name in rows]
        for number, name in enumerate(shown, first):
            says = self.text(screen.unusual[name])
            if self.said.ticked(name):
                back = self.query(replace(self.said.without([name]), closed=opened.closed))
                yield TapRow(says, self.answered(name), back, str(number), ticked=True)
                continue
            odd = self.said.unusually(name)
            said = opened.but(name, odd[0]) if len(odd) == 1 else opened
            on = self.query(said, "" if len(odd) == 1 else name)
            chip = self._chip(said, name) if len(odd) == 1 else ""
            may = self._may(name, odd) if screen.closes else ""
            yield TapRow(says, may, on, str(number), chip=chip, beside=not screen.closes)

    def _chip(self, after: Said, name: str) -> str:
        return Telling(after, self.speaker, {}).answered(name)

    def _closing(self, step: Step) -> TapRow | None:
        """The button of a screen on which nothing else was unusual."""
        if not isinstance(step, Screen) or not step.closes:
            return None
        more = any(map(self.said.ticked, step.unusual))
        says, chip = (step.nothing_else, step.else_chip) if more else (step.nothing, step.chip)
        after = replace(self.said, closed=self.said.closed | {step.id})
        return TapRow(self.text(says), "", self.query(after), "0", chip=self.text(chip))

    def _on(self, after: Said) -> dict[str, str]:
        """What has been said after a tap."""
        return self.query(reopened(after, self.said))

    def _may(self, name: str, odd: list[str]) -> str:
        """What something unusual may change, in a few words."""
        usual, phrase, told = self.certain.outlook(self.said.usual), self.speaker.phrase, list[str]()
        may = [self.certain.outlook(self.said.but(name, one).usual) for one in odd]
        least, most = min(one.tricks[0] for one in may), max(one.tricks[1] for one in may)
        statuses = frozenset[str]().union(*(one.statuses for one in may))
        if ESTABLISHED in statuses - usual.statuses:
            told.append(phrase("flow-may-establish"))
        if usual.tricks[0] > most == 0:
            told.append(phrase("flow-may-none"))
        elif least < usual.tricks[0]:
            told.append(phrase("flow-may-fewer"))
        elif most > usual.tricks[1] and ESTABLISHED in usual.statuses:
            told.append(phrase("flow-may-more"))
        if MUST_CORRECT in statuses - usual.statuses:
            told.append(phrase("flow-may-correct"))
        return ", ".join(told)

    def _band(self, step: Step) -> dict[str, Any]:
        """What is certain: heading, sentence, laws."""
        phrase, edition = self.speaker.phrase, self.counsel.law.edition
        if self.said.role is None:
            compass = self.interview.seats["revoke"]
            if isinstance(step, Compass) and step.band and compass.id in self.said.seats:
                compass = step
            laws = tuple(law for law in compass.band.laws if law in edition.clauses) if compass.band else ()
            text = self.text(compass.band.says) if compass.band else ""
            return {"title": self.text(compass.first) or phrase("flow-so-far"), "text": text, "laws": laws}
        return self.certain.band(self.speaker, isinstance(step, Screen) and step.closes)

    @property
    def settled(self) -> dict[str, str]:
        """What the address says, without the answers that make no sense any more."""
        return {**written(self.said), **{key: one for key, one in self.kept.items() if key != "top"}}

    @property
    def dropped(self) -> str:
        """The questions asked here of which the answers make no sense any more, in words."""
        step = self.step
        here = step.questions if isinstance(step, Screen) else () if step is None else (step.id,)
        asks = [self.asks(self.interview.questions[name]) for name in self._given.senseless if name in here]
        return self.speaker.phrase("flow-dropped", questions=" ".join(asks)) if asks else ""
