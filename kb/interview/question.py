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
from facts.readers.incident_file import UNDECLARED
from facts.table import REVOKE
from kb.explain.announcement import Outlook, may_come
from kb.explain.words import Speaker, seen_from
from kb.interview.account import Account
from kb.interview.address import LAWS, MATTER, OF_THE_BOARD, PAGE_KEYS, UNKNOWN_MARK, account_of, address, as_query
from kb.interview.adviser import Counsel
from kb.interview.flow import FlowStep, Tap, next_step, reopened, seats_of, taps
from kb.language.model import Edition
from kb.language.relied_on import (
    AUTOMATIC,
    ESTABLISHED,
    EXEMPT,
    MUST_CORRECT,
    RECTIFICATIONS,
    REVOKES,
    STATUS,
    TRANSFER,
)
from kb.language.texts import fill
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling
from kb.space.decision_diagram import State
from kb.space.interview import Answer, Compass, Question, Screen, ScreenRow
from kb.space.outcomes import Acts

COMPASS_SIDES: Final = ("top", "right", "bottom", "left")
MOST_SAID: Final = 3
"""Things that may become of something, for them to be said."""
SHORTEST_SHARED: Final = 3
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
    said = query.keys() - {*OF_THE_BOARD, *PAGE_KEYS, LAWS}
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

    def __init__(self, account: Account, speaker: Speaker, query: Mapping[str, str]) -> None:
        self.account, self.speaker = account, speaker
        self.interview = account.adviser.interview
        self.kept = {key: query[key] for key in (*OF_THE_BOARD, "top", "entry", LAWS, MATTER) if query.get(key)}
        """What an address carries on."""

    def query(self, account: Account, change: str = "") -> dict[str, str]:
        """What an address says of what is asked after that."""
        return {**as_query(account), **self.kept, **({"change": change} if change else {})}

    def at(self, account: Account, change: str = "") -> str:
        """The address of what is asked after that."""
        return address("/ask", **self.query(account, change))

    def text(self, texts: Texts) -> str:
        """A text with the seats and sides put in; empty for none."""
        return fill(texts[self.speaker.lang], self._names()) if texts else ""

    def asks(self, step: FlowStep) -> str:
        """The question, of the hand that revoked where it is asked so."""
        kind = self.interview.table.findings.get(step.id)
        of_hand = isinstance(step, Question) and kind and step.asks == kind.asks and "revoke" in self.account.seats
        return self.text((kind.asks_of if kind and of_hand else {}) or step.asks)

    def answer(self, answer: Answer) -> str:
        """An answer, of the hand that revoked where it is said so."""
        return self.text((answer.says_of if "revoke" in self.account.seats else {}) or answer.says)

    def _names(self) -> dict[str, str]:
        seats, value = self.account.seats, self.speaker.value
        names = {key: value(seats[key], "seat") for key in ("declarer", "other") if key in seats}
        if "revoke" in seats:
            names |= seen_from(seats["revoke"], seats.get("declarer"), self.speaker)
        return names

    def chips(self) -> list[Chip]:
        """Every answer, in the order in which it was asked; last the trick, if it was said by its number alone."""
        said, found = self.account, list[Chip]()
        if MATTER in self.kept:
            root = {key: value for key, value in self.kept.items() if key != MATTER}
            found.append(Chip(self.interview.table.called[self.speaker.lang], address("/ask", **root)))
        seats = (compass for compass in self.interview.seats.values() if compass.id in said.seats)
        found += [Chip(self.text(one.chip), self.at(said, one.id)) for one in seats]
        screens: Sequence[Screen] = said.screens if said.role is not None else ()  # whose they are is asked first
        screens = [screen for screen in screens if screen.closes or screen.questions[0] in said.answers]
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
        found += (self._of_question(name) for name in said.answers if said.role is not None and name not in of_screens)
        if "trick" in said.exact and not any("trick" in chip.tells for chip in found):
            found.append(self._of_question("trick"))
        return found

    def _row(self, screen: Screen) -> ScreenRow | None:
        """The row that says what has been said, or else one that says a part of it."""
        now = {name: self.account.answers[name] for name in screen.questions if name in self.account.answers}
        shown = sorted(taps(screen, self.account), key=lambda tap: sum(map(len, tap.row.answers.values())))
        same = (tap.row for tap in shown if self.so_far(tap.then, screen))
        same_questions = (tap for tap in shown if tap.row.answers.keys() == now.keys() and not tap.row.unknown)
        wider = (tap.row for tap in same_questions if all(now[name] <= tap.then.answers[name] for name in now))
        # what is unusual may have taken it from the screen, and it was tapped all the same
        gone = (row for row in screen.rows if row.answers == now and row.unknown == self.account.unknown & now.keys())
        return next(chain(same, wider, gone), None)

    def so_far(self, account: Account, screen: Screen) -> bool:
        """Whether a row says what has been said."""
        now, then = as_query(self.account), as_query(account)
        return all(now.get(name) == then.get(name) for name in screen.questions)

    def _of_question(self, name: str) -> Chip:
        return Chip(self.answered(name), self.at(self.account, name), frozenset({name}))

    def answered(self, name: str) -> str:
        """What was answered, in words; a trick by its number where that is known."""
        if number := self.account.exact.get("trick" if name == "trick" else ""):
            return self.speaker.capital(self.speaker.phrase("desk-trick-number", n=number))
        question, account = self.interview.questions[name], self.account
        if as_query(account)[name] == UNKNOWN_MARK:
            return f"{question.asks[self.speaker.lang]} {self.interview.unknown[self.speaker.lang]}"
        words = [self.answer(answer) for answer in question.answers.values() if answer.id in account.answers[name]]
        return self.speaker.capital(f"{question.about[self.speaker.lang]} {self.speaker.phrase('book-or').join(words)}")

    def reseated(self, hand: Seat) -> Account:
        """With the revoke of another seat: what was said of seats stays said of them, and of the other side nothing is
        known."""
        was, old = self.account, self.account.seats["revoke"]
        begun = replace(was, seats={**was.seats, "revoke": hand}, answers={}, unknown=frozenset())
        if SIDE[old] != SIDE[hand]:
            exactly = {key: fact for key, fact in was.exactly.items() if key in UNDECLARED}
            return replace(begun, closed=frozenset(), exactly=exactly)
        for screen in was.screens:
            if not screen.closes and (row := self._row(screen)) is not None:
                there = Telling(begun, self.speaker, self.kept)
                same = (tap.then for tap in taps(screen, begun) if there.text(tap.row.chip) == self.text(row.chip))
                begun = next(same, begun)
        screened = {name for screen in was.screens if not screen.closes for name in screen.questions}
        kept = {name: ids for name, ids in was.answers.items() if name not in screened and not self._of_seats(name)}
        return begun.saying(kept, was.unknown & kept.keys())

    def _of_seats(self, name: str) -> bool:
        """Whether the answers to a question are hands as seen from the one that revoked."""
        kinds = (self.interview.table.findings.get(filling.key) for filling in self.interview.questions[name].fills)
        return any(kind is not None and kind.type.name == "seat" for kind in kinds)


class Certain:
    """Tells what is certain under one law."""

    def __init__(self, counsel: Counsel, account: Account, known: Ends) -> None:
        """``known``: rulings that were looked at before."""
        self.law, self.account, self._acts, self._known = counsel.law, account, tuple(counsel.run.acts), known
        self.adviser = account.adviser
        self._gains: Side = "NS" if account.role == "defender" else "EW"
        """The side that did not revoke, where all situations are laid out: South is declarer, East the defender."""

    @cached_property
    def _usual(self) -> tuple[Outlook, tuple[Ruling, ...], bool]:
        """What may come if nothing is unusual, some rulings that may, and whether it holds in any case."""
        usual, whole = self.outlook(self.account.usual), self.outlook(self.account.possible)
        sure = usual == whole or (usual.statuses == whole.statuses and usual.tricks == whole.tricks)
        return usual, tuple(self._ends(self.account.usual)), sure

    def band(self, speaker: Speaker, closing: bool) -> dict[str, Any]:
        """Heading, sentence, laws of what is certain if nothing is unusual; ``closing``: where just that is asked."""
        if self.adviser.interview.table.of != REVOKE:
            return self._becomes(speaker, closing)
        (usual, ends, sure), hand = self._usual, self.account.seats["revoke"]
        side, own_side = (speaker.value(name, "side") for name in (OTHER_SIDE[SIDE[hand]], SIDE[hand]))
        text = may_come(usual, {"hand": speaker.value(hand, "seat"), "side": side, "own": own_side}, speaker)
        if usual.statuses == {MUST_CORRECT} and ends:  # then what is to be done in any case with the card
            sentences = [[speaker.of(ruling).fact(fact) for fact in ruling.facts(RECTIFICATIONS)] for ruling in ends]
            common = (sentence for sentence in sentences[0][1:2] if all(sentence in texts for texts in sentences))
            text = " ".join([text, *(speaker.capital(sentence.rstrip(".")) + "." for sentence in common)])
        text, title = speaker.capital(text), "flow-so-far" if sure or closing else "flow-so-far-usual"
        shown = speaker.phrase("flow-if-nothing", sentence=text[:-1]) if closing else text
        return {"title": speaker.phrase(title), "text": shown, "laws": self._laws(ends)}

    def _becomes(self, speaker: Speaker, closing: bool) -> dict[str, Any]:
        """The same of a matter that is no revoke: what may become of it, unless that is too much to say."""
        lists, found = self.law.edition.vocabulary.outcomes, dict[str, None]()
        for outcome in sorted(self.adviser.diagram.outcomes(self.account.usual)):
            values = (str(shown[1]) for entry in self._acts[outcome] for shown in entry[1:] if shown[0] == "is")  # type: ignore[index]
            found |= dict.fromkeys(value for value in values if value in lists)
        words = [speaker.value(word, lists[word]) for word in found]
        text = speaker.capital(speaker.phrase("book-or").join(words)) + "." if 0 < len(words) <= MOST_SAID else ""
        sure = "flow-so-far" if self.account.usual == self.account.possible or closing else "flow-so-far-usual"
        return {"title": speaker.phrase(sure), "text": text, "laws": ()}

    def outlook(self, state: State) -> Outlook:
        """What may come of the situations of a state."""
        acts = [self._acts[outcome] for outcome in self.adviser.diagram.outcomes(state)]
        statuses = frozenset(str(entry[2]) for entries in acts for entry in entries if entry[0] == STATUS)
        there = [_passed(entries) for entries in acts]
        gained = [passed.get(self._gains, 0) for passed in there]
        lost = [passed.get(OTHER_SIDE[self._gains], 0) for passed in there]
        revokes = max(sum(entry[0] == REVOKES for entry in entries) for entries in acts)
        return Outlook(statuses, revokes, (min(gained), max(gained)), max(lost))

    def _ends(self, state: State) -> Iterator[Ruling]:
        """Rulings of the situations at the ends of what may come: to be corrected, fewest tricks, most."""
        diagram, outcomes = self.adviser.diagram, dict[tuple[frozenset[str], int], int]()
        for outcome in sorted(diagram.outcomes(state)):
            acts = self._acts[outcome]
            statuses = frozenset(str(entry[2]) for entry in acts if entry[0] == STATUS)
            tricks = _passed(acts).get(self._gains, 0)
            outcomes.setdefault((statuses, tricks), outcome)
        for outcome in outcomes.values():
            way = diagram.ordinary(state, self.adviser.ordinary, outcome)
            answers = {self.adviser.questions[number].id: frozenset({answer}) for number, answer in way}
            key = tuple(self.account.seats.items()), tuple(answers.items())
            if key not in self._known:
                self._known[key] = rule(self.law, Account(self.adviser, self.account.seats, answers).stated())
            yield self._known[key]

    def _laws(self, ends: Sequence[Ruling]) -> tuple[str, ...]:
        """The clauses behind status and tricks; for those of one law that differ, what they have in common."""
        by_section: dict[str, set[str]] = {STATUS: set(), AUTOMATIC: set(), EXEMPT: set()}
        for ruling in ends:
            for section, laws in by_section.items():
                laws |= {law for fact in ruling.facts(section) for law in ruling.citations.laws(fact)}
        if by_section[AUTOMATIC]:
            del by_section[EXEMPT]  # of what some end spares, nothing is said
        cited, clauses = list[str](), tuple(self.law.edition.clauses)
        for listed in (sorted(laws, key=clauses.index) for laws in by_section.values()):
            alike = takewhile(lambda letters: len({*letters}) == 1, zip(*listed, strict=False))
            shared = "".join(letters[0] for letters in alike)
            cited += [shared] if len(listed) > 1 and len(shared) >= SHORTEST_SHARED else listed
        return tuple(dict.fromkeys(cited))


def _passed(acts: Acts) -> dict[object, int]:
    return {entry[-2]: int(str(entry[-1])) for entry in acts if entry[0] == TRANSFER}


class AskedPage(Telling):
    """What is asked after what an address says, which may ask for something again (``change``)."""

    def __init__(self, counsel: Counsel, query: Mapping[str, str], speaker: Speaker, known: Ends | None = None) -> None:
        """``known``: what was looked at for other questions, to be looked up by this one."""
        self.counsel, self._given = counsel, account_of(counsel, query)
        super().__init__(self._given.sensible(), speaker, query)
        self.top: Seat = next((seat for seat in SEATS if seat == query.get("top")), "N")
        self.change = query.get("change", "")
        self.certain = Certain(counsel, self.account, {} if known is None else known)

    def told_by(self, speaker: Speaker) -> AskedPage:
        """The same in another language."""
        _ = self._possible_taps  # once for every language
        page = copy(self)
        page.speaker = speaker
        return page

    @cached_property
    def step(self) -> FlowStep | None:
        """What is asked: what was asked for again, or else what comes next."""
        interview, change = self.interview, self.change
        if change in interview.seats:
            return interview.seats[change]
        if self.account.role is None:
            return next_step(self.account)
        of_rows = sorted(
            (screen for screen in interview.screens.values() if not screen.closes),
            key=lambda screen: screen.questions[0] != change,
        )
        for screen in (*of_rows, *interview.screens.values()):
            if change == screen.id or (change in screen.questions and not screen.closes):
                return screen
        return interview.questions.get(change) or next_step(self.account)

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
        declarer = isinstance(step, Screen) and self.account.role in ("declarer", "dummy")
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
        seats, query = CLOCKWISE[self.top], self.query(self.account, step.id if step.id in self.account.seats else "")
        rows = [self._seat(step, seat, COMPASS_SIDES[seats.index(seat)]) for seat in SEATS]
        return {"compass": rows, "turned": address("/ask", **{**query, "top": seats[3]})}

    def _seat(self, step: Compass, seat: Seat, side: str) -> TapRow:
        others = {key: taken for key, taken in self.account.seats.items() if key != step.id}
        marks = self.interview.seats
        mark = next((marks[key].mark for key, taken in others.items() if taken == seat and marks[key].mark), {})
        again = step.id == "revoke" and self.account.seats.get("revoke", seat) != seat and self.account.role is not None
        account = self.reseated(seat) if again else replace(self.account, seats={**self.account.seats, step.id: seat})
        says = self.speaker.value(seat, "seat")
        able = step.id in ("revoke", "declarer") or seat in seats_of(step, self.account)
        on = self._on(account) if able else {}
        return TapRow(says, self.text(mark), on, says[0].lower(), chip=says, seat=seat, side=side)

    @cached_property
    def _possible_taps(self) -> list[Tap]:
        return taps(self.step, self.account) if isinstance(self.step, Screen) else []

    def _taps(self, screen: Screen) -> Iterator[TapRow]:
        """The rows of a screen; before «I don't know» what may be said of something unusual instead."""
        definite = [tap for tap in self._possible_taps if screen.questions[0] not in tap.row.unknown]
        yield from (self._tap(screen, tap, str(number)) for number, tap in enumerate(definite, 1))
        yield from self._unusual(screen, len(definite) + 1)
        yield from (self._tap(screen, tap, "0") for tap in self._possible_taps if tap not in definite)

    def _tap(self, screen: Screen, tap: Tap, key: str) -> TapRow:
        row, so_far = tap.row, self.so_far(tap.then, screen)
        says, more, chip = self.text(row.says), self.text(row.more), self.text(row.chip)
        return TapRow(says, more, self._on(tap.then), key, so_far, faint=key == "0", open=bool(row.unknown), chip=chip)

    def _answers(self, question: Question) -> Iterator[TapRow]:
        """The answers that can be; of something unusual those that would change the ruling, if any would."""
        base, lang = self.account.without([question.id]), self.speaker.lang
        odd = any(question.id in screen.unusual for screen in self.account.screens)
        can_be = base.adviser.answers(base.settled, question.id)
        changing, able = base.changing(question.id) if odd else [], can_be
        if odd:  # an answer by itself would be tapped by whoever means another
            able = frozenset(changing if len(changing) > 1 else base.unusually(question.id))
        for number, name in enumerate((answer for answer in question.answers if answer in able), 1):
            account = base.saying({question.id: frozenset({name})})
            so_far = self.account.answers.get(question.id) == frozenset({name})
            says, chip = self.speaker.capital(self.answer(question.answers[name])), self._chip(account, question.id)
            yield TapRow(says, "", self._on(account), str(number), so_far, chip=chip)
        if question.of_further:
            return  # it would be ruled on without the revokes that nobody can tell of
        every = base.saying({question.id: frozenset(question.answers)}, frozenset({question.id}))
        so_far = question.id in self.account.unknown
        yield TapRow(self.interview.unknown[lang], "", self._on(every), "0", so_far, faint=True, open=True)

    def _unusual(self, screen: Screen, first: int) -> Iterator[TapRow]:
        opened = replace(self.account, closed=self.account.closed - {screen.id})
        rows = self.account.rows(screen)
        shown = [name for name in screen.unusual if self.account.ticked(name) or name in rows]
        for number, name in enumerate(shown, first):
            says = self.text(screen.unusual[name])
            if self.account.ticked(name):
                back = self.query(replace(self.account.without([name]), closed=opened.closed))
                yield TapRow(says, self.answered(name), back, str(number), ticked=True)
                continue
            odd = self.account.unusually(name)
            account = opened.but(name, odd[0]) if len(odd) == 1 else opened
            on = self.query(account, "" if len(odd) == 1 else name)
            chip = self._chip(account, name) if len(odd) == 1 else ""
            may = self._may(name, odd) if screen.closes else ""
            yield TapRow(says, may, on, str(number), chip=chip, beside=not screen.closes)

    def _chip(self, account: Account, name: str) -> str:
        return Telling(account, self.speaker, {}).answered(name)

    def _closing(self, step: FlowStep) -> TapRow | None:
        """The button of a screen on which nothing else was unusual."""
        if not isinstance(step, Screen) or not step.closes:
            return None
        more = any(map(self.account.ticked, step.unusual))
        says, chip = (step.nothing_else, step.else_chip) if more else (step.nothing, step.chip)
        account = replace(self.account, closed=self.account.closed | {step.id})
        return TapRow(self.text(says), "", self.query(account), "0", chip=self.text(chip))

    def _on(self, account: Account) -> dict[str, str]:
        """What has been said after a tap."""
        return self.query(reopened(account, self.account))

    def _may(self, name: str, odd: list[str]) -> str:
        """What something unusual may change, in a few words."""
        usual, phrase, changes = self.certain.outlook(self.account.usual), self.speaker.phrase, list[str]()
        may = [self.certain.outlook(self.account.but(name, answer).usual) for answer in odd]
        least, most = min(outlook.tricks[0] for outlook in may), max(outlook.tricks[1] for outlook in may)
        statuses = frozenset[str]().union(*(outlook.statuses for outlook in may))
        if ESTABLISHED in statuses - usual.statuses:
            changes.append(phrase("flow-may-establish"))
        if usual.tricks[0] > most == 0:
            changes.append(phrase("flow-may-none"))
        elif least < usual.tricks[0]:
            changes.append(phrase("flow-may-fewer"))
        elif most > usual.tricks[1] and ESTABLISHED in usual.statuses:
            changes.append(phrase("flow-may-more"))
        if MUST_CORRECT in statuses - usual.statuses:
            changes.append(phrase("flow-may-correct"))
        return ", ".join(changes)

    def _band(self, step: FlowStep) -> dict[str, Any]:
        """What is certain: heading, sentence, laws."""
        phrase, edition = self.speaker.phrase, self.counsel.law.edition
        if self.account.role is None:
            compass = self.interview.seats["revoke"]
            if isinstance(step, Compass) and step.band and compass.id in self.account.seats:
                compass = step
            laws = tuple(law for law in compass.band.laws if law in edition.clauses) if compass.band else ()
            text = self.text(compass.band.says) if compass.band else ""
            return {"title": self.text(compass.first) or phrase("flow-so-far"), "text": text, "laws": laws}
        return self.certain.band(self.speaker, isinstance(step, Screen) and step.closes)

    @property
    def settled(self) -> dict[str, str]:
        """What the address says, without the answers that make no sense any more."""
        return {**as_query(self.account), **{key: value for key, value in self.kept.items() if key != "top"}}

    @property
    def dropped(self) -> str:
        """The questions asked here of which the answers make no sense any more, in words."""
        step = self.step
        here = step.questions if isinstance(step, Screen) else () if step is None else (step.id,)
        asks = [self.asks(self.interview.questions[name]) for name in self._given.senseless if name in here]
        return self.speaker.phrase("flow-dropped", questions=" ".join(asks)) if asks else ""
