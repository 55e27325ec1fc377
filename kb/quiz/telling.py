"""Exercises told: as a story with questions and answers, and in the forms in which a set of them is handed on."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from random import Random
from typing import Final, Literal, TypeAlias

from markupsafe import escape

from facts.cards import PARTNER, SEATS, Card, Seat
from facts.deal import Deal
from facts.history import STAGES
from facts.table import SaidInStory
from kb.explain.headline import headline
from kb.explain.html import render
from kb.explain.page import Line, sentence, with_law
from kb.explain.say import Speaker, names
from kb.language.texts import fill
from kb.quiz.exercises import Exercise
from kb.ruling.law import Law
from kb.voices import lesson, questions, temptation, tempts_to

TOGETHER: Final = 2
"""Clauses in one sentence."""
WON: Final = {"failed-to": "follow-suit", "won-by": "revoker"}
LATER: Final = "later-tricks"
LAST: Final = "noticed"
"""The stage of what is told last: by then the play may be over."""


def story(exercise: Exercise, speaker: Speaker) -> str:
    """Contract and lead, then what is told, in the order in which it happened."""
    places = _names(exercise, speaker)
    clauses = [fill(told.says[speaker.lang], places) for told in _told(exercise)]
    if exercise.told.items() >= WON.items():  # the hand plays the card and wins with it: one clause
        failed, _, *later = clauses
        clauses = [speaker.phrase("quiz-and-wins", clause=failed), *later]
    said = exercise.ruling.incident.revokes[0].said
    if said.get("next-trick") == "no" and LAST not in said:  # and nothing is told of how the revoke came to light
        clauses.append(speaker.phrase("quiz-then-noticed"))
    together = ("; ".join(clauses[at : at + TOGETHER]) for at in range(0, len(clauses), TOGETHER))
    return " ".join(map(sentence, (speaker.phrase("quiz-begins", **places), *together)))


def _told(exercise: Exercise) -> Iterator[SaidInStory]:
    """In order; what one sentence tells of the later tricks no other does."""
    findings = exercise.ruling.edition.table.findings
    known = {kind: findings[kind].known for kind in exercise.told}
    tells_later = False
    for name in sorted(exercise.told, key=lambda one: (known[one] == LAST, STAGES.index(known[one]))):
        if exercise.told[name] in findings[name].tells:
            tells = findings[name].tells[exercise.told[name]]
            if name != LATER or not tells_later:
                yield tells
            tells_later |= any("{later}" in says for says in tells.says.values())


def _names(exercise: Exercise, speaker: Speaker) -> Mapping[str, str]:
    board = exercise.board
    hands = {"leader": board.trick.leader, "winner": board.winner}
    said = {**names(exercise.ruling.revokes[0], exercise.ruling, speaker)}
    said |= {name: speaker.value(seat, "seat") for name, seat in hands.items()}
    if "dummy" in exercise.ruling.edition.table.parts:
        dummy = speaker.value(PARTNER[board.declarer], "seat")
        said = {name: speaker.phrase("quiz-dummy") if one == dummy else one for name, one in said.items()}
    led = board.trick.card_of(board.trick.leader)
    assert led is not None
    return {
        **said,
        "contract": speaker.phrase("quiz-contract", **speaker.bid(board.contract)),
        "n": str(board.number),
        "led": speaker.value(led.text, "card"),
        "due": speaker.value(board.due.text, "card"),
        "a-suit": speaker.words.name("one-card", led.suit, speaker.lang),
        "later": speaker.in_words(board.later),
    }


@dataclass(frozen=True)
class ExerciseTold:
    story: str
    trick: dict[Seat, Card]
    """The cards of the revoke trick that are told, by hand, in the order of play."""
    revoker: Seat
    deal: Deal | None
    """The whole deal, but for easy exercises."""
    answer: str
    laws: str
    why: str
    """The reason with its laws, in a sentence or two."""
    judged: str
    """The laws of what is left to the director."""
    tempts: str
    """What tempts and why it is not so, with its law; empty if nothing does."""
    outcome: str
    others: tuple[str, ...]
    """What it might be taken to come to instead."""
    speaker: Speaker

    def hand(self, seat: Seat) -> list[tuple[str, str]]:
        held = () if self.deal is None else self.deal[seat] or ()
        suits = dict.fromkeys(("S", "H", "D", "C"), "")
        for card in sorted(held):
            suits[card.suit] += self.speaker.value(card.text, "card")[1:] + " "
        return [(suit, ranks.strip() or "–") for suit, ranks in suits.items()]


def told(exercise: Exercise, speaker: Speaker, about: str = "", since: Law | None = None) -> ExerciseTold:
    """The exercise; the speaker is one of its edition. What tempts is a clause of the law ``about``, if one does, or
    what the law before, ``since`` which another is in force, makes of it."""
    speaker, ruling = speaker.of(exercise.ruling), exercise.ruling
    rivals = sorted(exercise.tempting, key=lambda rival: not any(law.startswith(about) for law in rival.laws))
    tempting = [temptation(one, ruling.revokes[0], ruling, speaker) for one in rivals]
    others = dict.fromkeys(tempts_to(one, speaker) for one in rivals)
    if since is not None:
        before = exercise.ruled_by(since)
        said = headline(before, Speaker(speaker.words, since.edition.vocabulary, speaker.lang).of(before))
        named = since.edition.called(speaker.lang)
        tempting = [Line(speaker.phrase("quiz-before", edition=named, ruling=said), before.decisive)]
        others = {said: None, **others}
    established, tricks, laws = lesson(ruling, speaker)
    return ExerciseTold(
        story(exercise, speaker),
        dict(exercise.shown),
        exercise.board.hand,
        None if exercise.level == "easy" else exercise.board.deal,
        f"{established.text} {tricks.text}",
        laws.text,
        " ".join(with_law(speaker, line) for one in tricks.under for line in (one, *one.under)),
        f"{speaker.phrase('director')}: {speaker.laws(exercise.judged)}." if exercise.judged else "",
        with_law(speaker, tempting[0]) if tempting else "",
        headline(ruling, speaker),
        tuple(others),
        speaker,
    )


def all_told(
    exercises: Sequence[Exercise], speaker: Speaker, about: str = "", since: Law | None = None
) -> list[ExerciseTold]:
    return [told(one, speaker, about, since) for one in exercises]


def statement(one: ExerciseTold) -> list[str]:
    speaker, hands = one.speaker, list[str]()
    for seat in SEATS if one.deal is not None else ():
        suits = ((speaker.words.name("symbol", suit, speaker.lang), ranks) for suit, ranks in one.hand(seat))
        hands.append(f"{speaker.value(seat, 'seat')}: {'  '.join(f'{symbol} {ranks}' for symbol, ranks in suits)}")
    cards = ", ".join(
        f"{speaker.value(seat, 'seat')} {speaker.value(card.text, 'card')}" for seat, card in one.trick.items()
    )
    return [one.story, *hands, f"{speaker.phrase('quiz-cards')} {cards}"]


def answer_lines(one: ExerciseTold) -> list[str]:
    """The three answers, the reason, what is left to judgement, and what tempts."""
    return [f"{one.answer} [{one.laws}]", one.why, *filter(None, [one.judged, one.tempts])]


CHOICES: Final = 3


def gift(told: Sequence[ExerciseTold], speaker: Speaker, edition: str, command: str) -> str:
    """The file; its first line says what it is."""
    blocks = [f"// {speaker.phrase('quiz-title')} – {edition} – {command}"]
    for number, (one, listed) in enumerate(zip(told, choices(told), strict=True), 1):
        question = "<br>".join(map(_text, (*statement(one), speaker.phrase("class-choice"))))
        lines = [f"::{_plain(speaker.phrase('quiz-number', n=number))}::[html]{question} {{"]
        for outcome in listed:
            right = outcome == one.outcome
            feedback = one.tempts if not right and outcome in one.others[:1] else ""
            lines.append(f"{'=' if right else '~'}{_text(outcome)}{'#' + _text(feedback) if feedback else ''}")
        blocks.append("\n".join([*lines, f"####{_text(one.why)}", "}"]))
    return "\n\n".join(blocks) + "\n"


def choices(told: Sequence[ExerciseTold]) -> Iterator[list[str]]:
    """For each the right outcome among others: what it might be taken for, and what others of the set come to."""
    of_others = [other for each in told for other in (each.outcome, *each.others)]
    for number, one in enumerate(told, 1):
        listed = [*dict.fromkeys((one.outcome, *one.others, *of_others))][:CHOICES]
        yield Random(number).sample(listed, len(listed))


def _text(text: str) -> str:
    """As HTML, as the whole question is, and then as GIFT."""
    return _plain(text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;"))


def _plain(text: str) -> str:
    """With a backslash before each sign that GIFT takes for its own."""
    return re.sub(r"([\\~=#{}:])", r"\\\1", text.replace("\n", " "))


def anki(told: Sequence[ExerciseTold], speaker: Speaker, edition: str) -> str:
    """The file: separated by tabs, in HTML; every field in quotes."""
    asked = " ".join(questions(speaker))
    made = StringIO()  # no #columns: Anki takes them for names of fields, which are in the language of each user
    made.write(f"#separator:Tab\n#html:true\n#deck:{edition}\n")
    rows = csv.writer(made, delimiter="\t", quoting=csv.QUOTE_ALL, lineterminator="\n")
    for one in told:
        rows.writerow("<br>".join(map(escape, lines)) for lines in ([*statement(one), asked], answer_lines(one)))
    return made.getvalue()


QuizForm: TypeAlias = Literal["html", "slides", "gift", "anki"]
"""What a set of exercises can be written as."""


def quiz_file(form: QuizForm, told: Sequence[ExerciseTold], speaker: Speaker, edition: str, command: str) -> str:
    """The exercises as a file; ``edition``: what it is called, ``command``: what makes the same again."""
    if form == "gift":
        return gift(told, speaker, edition, command)
    if form == "anki":
        return anki(told, speaker, edition)
    template, title = "sheet" if form == "html" else form, f"{speaker.phrase('quiz-title')} – {edition}"
    shown = {"lang": speaker.lang, "title": title, "asked": questions(speaker), "command": command}
    return render(f"quiz/{template}.html", speaker=speaker, told=told, **shown)
