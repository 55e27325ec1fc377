"""Exercises told: as a story with questions and answers, and in the forms in which a set of them is handed on."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import StringIO
from random import Random
from typing import Final, Literal, TypeAlias

from markupsafe import escape

from facts.cards import PARTNER, SEATS, Card, Seat
from facts.deal import Deal
from facts.history import STAGES
from facts.table import SaidInStory
from kb.explain.as_text import reason_line
from kb.explain.headline import headline
from kb.explain.html import render
from kb.explain.page import Line, sentence, with_law
from kb.explain.words import Speaker, names
from kb.language.model import Clause
from kb.language.relied_on import ESTABLISHED, REVOKE
from kb.language.terms import Constant
from kb.language.texts import fill
from kb.quiz.exercises import FAILED, Exercise
from kb.ruling.laws import Law
from kb.voices import lesson, questions, right_if, temptation, tempts_to

AT_A_TIME: Final = 2
"""Clauses in one sentence."""
PLAYED_AND_WON: Final = {"failed-to": "follow-suit", "won-by": "revoker"}
LATER_TRICKS: Final = "later-tricks"
LAST: Final = "noticed"
"""The stage of what is told last: by then the play may be over."""


def story(exercise: Exercise, speaker: Speaker) -> str:
    """Contract and lead, then what is told, in the order in which it happened."""
    places = _names(exercise, speaker)
    clauses = [fill(telling.says[speaker.lang], places) for telling in _told(exercise)]
    if exercise.answers.items() >= PLAYED_AND_WON.items():  # the hand plays the card and wins with it: one clause
        failed, _, *later = clauses
        clauses = [speaker.phrase("quiz-and-wins", clause=failed), *later]
    stated = exercise.ruling.incident.revokes[0].said
    if stated.get("next-trick") == "no" and LAST not in stated:  # and nothing is told of how the revoke came to light
        clauses.append(speaker.phrase("quiz-then-noticed"))
    together = ("; ".join(clauses[start : start + AT_A_TIME]) for start in range(0, len(clauses), AT_A_TIME))
    return " ".join(map(sentence, (speaker.phrase("quiz-begins", **places), *together)))


def _told(exercise: Exercise) -> Iterator[SaidInStory]:
    """In order; what one sentence tells of the later tricks no other does."""
    findings = exercise.ruling.edition.table.findings
    stages = {kind: findings[kind].known for kind in exercise.answers}
    tells_later = False
    for name in sorted(exercise.answers, key=lambda name: (stages[name] == LAST, STAGES.index(stages[name]))):
        if exercise.answers[name] in findings[name].tells:
            tells = findings[name].tells[exercise.answers[name]]
            if name != LATER_TRICKS or not tells_later:
                yield tells
            tells_later |= any("{later}" in says for says in tells.says.values())


def _names(exercise: Exercise, speaker: Speaker) -> Mapping[str, str]:
    board = exercise.board
    hands = {"leader": board.trick.leader, "winner": board.winner}
    places = {**names(exercise.ruling.revokes[0], exercise.ruling, speaker)}
    places |= {name: speaker.value(seat, "seat") for name, seat in hands.items()}
    if "dummy" in exercise.ruling.edition.table.parts:
        dummy = speaker.value(PARTNER[board.declarer], "seat")
        places = {name: speaker.phrase("quiz-dummy") if text == dummy else text for name, text in places.items()}
    led = board.trick.card_of(board.trick.leader)
    assert led is not None
    return {
        **places,
        "contract": speaker.phrase("quiz-contract", **speaker.bid(board.contract)),
        "n": str(board.number),
        "led": speaker.value(led.text, "card"),
        "due": speaker.value(board.due.text, "card"),
        "a-suit": speaker.words.name("one-card", led.suit, speaker.lang),
        "later": speaker.in_words(board.later),
    }


@dataclass(frozen=True)
class Task:
    story: str
    trick: dict[Seat, Card]
    """The cards of the revoke trick that are told, by hand, in the order of play."""
    revoker: Seat
    deal: Deal | None
    """The whole deal, but for easy exercises."""
    answer: str
    laws: str
    stands: tuple[str, ...]
    """Why it stands so, each reason a sentence with its laws."""
    costs: tuple[str, ...]
    """Why it costs what it does."""
    judged: str
    """The laws of what is left to the director."""
    tempts: str
    """What tempts and why it is not so, with its law; empty if nothing does."""
    outcome: str
    rivals: tuple[tuple[str, str], ...]
    """What it might be taken to come to instead, and why it does not, in a sentence."""
    exercise: Exercise
    speaker: Speaker

    @property
    def why(self) -> str:
        return " ".join(dict.fromkeys((*self.stands, *self.costs)))

    @cached_property
    def wrong(self) -> tuple[tuple[str, str], ...]:
        """Two wrong answers, each with the reason why it is: what tempts, then what the same card usually comes to."""
        ruling, speaker, by_outcome = self.exercise.ruling, self.speaker, {self.outcome: ""}
        steps = ruling.reasons_for(ruling.revokes[0])
        revoked = [with_law(speaker, reason_line(step, speaker)) for step in steps if step.fact[0] == REVOKE]
        for outcome, why in self.rivals:
            by_outcome.setdefault(outcome, why)
        for usual in self.exercise.usual if len(by_outcome) <= WRONG_ANSWERS else ():
            alike = [each.status for each in usual.revokes] == [each.status for each in ruling.revokes]
            reasons = self.costs[:1] if ruling.is_open else self.costs if alike else self.stands
            by_outcome.setdefault(headline(usual, speaker), (*revoked, *reasons)[-1])
        if ESTABLISHED not in [each.status for each in ruling.revokes]:
            by_outcome.setdefault(speaker.phrase("class-perhaps"), (*revoked, *self.stands)[-1])
        by_outcome.setdefault(speaker.phrase("no-revoke"), (*revoked, *self.costs)[0])
        return tuple(by_outcome.items())[1 : 1 + WRONG_ANSWERS]

    def hand(self, seat: Seat) -> list[tuple[str, str]]:
        cards = () if self.deal is None else self.deal[seat] or ()
        suits = dict.fromkeys(("S", "H", "D", "C"), "")
        for card in sorted(cards):
            suits[card.suit] += self.speaker.value(card.text, "card")[1:] + " "
        return [(suit, ranks.strip() or "–") for suit, ranks in suits.items()]


def as_task(exercise: Exercise, speaker: Speaker, about: str = "", since: Law | None = None) -> Task:
    """The exercise; the speaker is one of its edition. What tempts is a clause of the law ``about``, if one does, or
    what the law before, ``since`` which another is in force, makes of it."""
    speaker, ruling = speaker.of(exercise.ruling), exercise.ruling
    rivals = sorted(exercise.tempting, key=lambda rival: not any(law.startswith(about) for law in rival.laws))
    revoke = ruling.revokes[0]
    tempting = [temptation(rival, revoke, ruling, speaker) for rival in rivals]
    others = [(tempts_to(way, speaker), with_law(speaker, right_if(way, revoke, ruling, speaker))) for way in rivals]
    if since is not None:
        earlier = exercise.ruled_by(since)
        says = headline(earlier, Speaker(speaker.words, since.edition.vocabulary, speaker.lang).of(earlier))
        edition = since.edition.called(speaker.lang)
        tempting = [Line(speaker.phrase("quiz-before", edition=edition, ruling=says), earlier.decisive)]
        others.insert(0, (says, with_law(speaker, tempting[0])))
    established, tricks, laws = lesson(ruling, speaker)
    stands = [with_law(speaker, line) for line in (*_duty(exercise, speaker), *established.under)]
    costs = [with_law(speaker, line) for cost in tricks.under for line in (cost, *cost.under)]
    return Task(
        story(exercise, speaker),
        dict(exercise.shown),
        exercise.board.hand,
        None if exercise.level == "easy" else exercise.board.deal,
        f"{established.text} {tricks.text}",
        laws.text,
        tuple(stands),
        tuple(costs or stands),
        f"{speaker.phrase('director')}: {speaker.laws(exercise.judged)}." if exercise.judged else "",
        with_law(speaker, tempting[0]) if tempting else "",
        headline(ruling, speaker),
        tuple(others),
        exercise,
        speaker,
    )


def _duty(exercise: Exercise, speaker: Speaker) -> Iterator[Line]:
    """What had to be played where it was not to follow suit: the clause with the most rules that find it was not."""
    edition, failed = exercise.ruling.edition, exercise.answers[FAILED]

    def rules_naming(clause: Clause) -> int:
        return sum(Constant(failed) in head.terms.values() for rule in clause.rules for head in rule.then)

    if failed != edition.table.findings[FAILED].presumed:
        clause = max(edition.clauses.values(), key=rules_naming)
        yield Line(clause.says[speaker.lang], (clause.ref,))


def as_tasks(exercises: Sequence[Exercise], speaker: Speaker, about: str = "", since: Law | None = None) -> list[Task]:
    return [as_task(exercise, speaker, about, since) for exercise in exercises]


def statement_lines(task: Task) -> list[str]:
    speaker, hands = task.speaker, list[str]()
    for seat in SEATS if task.deal is not None else ():
        suits = ((speaker.words.name("symbol", suit, speaker.lang), ranks) for suit, ranks in task.hand(seat))
        hands.append(f"{speaker.value(seat, 'seat')}: {'  '.join(f'{symbol} {ranks}' for symbol, ranks in suits)}")
    cards = ", ".join(
        f"{speaker.value(seat, 'seat')} {speaker.value(card.text, 'card')}" for seat, card in task.trick.items()
    )
    return [task.story, *hands, f"{speaker.phrase('quiz-cards')} {cards}"]


def answer_lines(task: Task) -> list[str]:
    """The three answers, the reason, what is left to judgement, and what tempts."""
    return [f"{task.answer} [{task.laws}]", task.why, *filter(None, [task.judged, task.tempts])]


WRONG_ANSWERS: Final = 2
"""Wrong answers that are offered beside the right one."""


def gift(tasks: Sequence[Task], speaker: Speaker, edition: str, command: str) -> str:
    """The file; its first line says what it is."""
    blocks = [f"// {speaker.phrase('quiz-title')} – {edition} – {command}"]
    for number, task in enumerate(tasks, 1):
        question = "<br>".join(map(_text, (*statement_lines(task), speaker.phrase("class-choice"))))
        lines = [f"::{_plain(speaker.phrase('quiz-number', n=number))}::[html]{question} {{"]
        for outcome, why in choices(task):
            lines.append(f"{'~' if why else '='}{_text(outcome)}{'#' + _text(why) if why else ''}")
        blocks.append("\n".join([*lines, f"####{_text(task.why)}", "}"]))
    return "\n\n".join(blocks) + "\n"


def choices(task: Task) -> list[tuple[str, str]]:
    """The right answer among wrong ones, in an order of its own; with each why it is wrong, empty for the right one."""
    listed = [(task.outcome, ""), *task.wrong]
    Random(task.story).shuffle(listed)
    return listed


def _text(text: str) -> str:
    """As HTML, as the whole question is, and then as GIFT."""
    return _plain(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


def _plain(text: str) -> str:
    """With a backslash before each sign that GIFT takes for its own."""
    return re.sub(r"([\\~=#{}:])", r"\\\1", text.replace("\n", " "))


def anki(tasks: Sequence[Task], speaker: Speaker, edition: str) -> str:
    """The file: separated by tabs, in HTML; every field in quotes."""
    asked = " ".join(questions(speaker))
    made = StringIO()  # no #columns: Anki takes them for names of fields, which are in the language of each user
    made.write(f"#separator:Tab\n#html:true\n#deck:{edition}\n")
    rows = csv.writer(made, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\n")
    for task in tasks:
        rows.writerow("<br>".join(map(escape, face)) for face in ([*statement_lines(task), asked], answer_lines(task)))
    return made.getvalue()


QuizForm: TypeAlias = Literal["html", "slides", "gift", "anki"]
"""What a set of exercises can be written as."""


def quiz_file(form: QuizForm, tasks: Sequence[Task], speaker: Speaker, edition: str, command: str) -> str:
    """The exercises as a file; ``edition``: what it is called, ``command``: what makes the same again."""
    if form == "gift":
        return gift(tasks, speaker, edition, command)
    if form == "anki":
        return anki(tasks, speaker, edition)
    template, title = "sheet" if form == "html" else form, f"{speaker.phrase('quiz-title')} – {edition}"
    shown = {"lang": speaker.lang, "title": title, "asked": questions(speaker), "command": command}
    return render(f"quiz/{template}.html", speaker=speaker, told=tasks, **shown)
