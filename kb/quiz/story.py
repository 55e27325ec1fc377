"""What happened, as one tells it: in a few sentences that leave the usual unsaid."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from facts.cards import PARTNER
from facts.history import STAGES
from facts.table import SaidInStory
from kb.explain.named import names
from kb.explain.page import sentence
from kb.explain.say import Speaker
from kb.language.texts import fill
from kb.quiz.exercise import Exercise

TOGETHER: Final = 2
"""Clauses in one sentence."""
WON: Final = {"failed-to": "follow-suit", "won-by": "revoker"}
LATER: Final = "later-tricks"
LAST: Final = "noticed"
"""The stage of what is told last: by then the play may be over."""


def story(exercise: Exercise, speaker: Speaker) -> str:
    """Contract and lead, then what is told, in the order in which it happened."""
    return " ".join(sentences(exercise, speaker))


def sentences(exercise: Exercise, speaker: Speaker) -> Iterator[str]:
    """The sentences of the story."""
    places = _names(exercise, speaker)
    yield sentence(speaker.phrase("quiz-begins", **places))
    clauses = [fill(told.says[speaker.lang], places) for told in _told(exercise)]
    if exercise.told.items() >= WON.items():  # the hand plays the card and wins with it: one clause
        failed, _, *later = clauses
        clauses = [speaker.phrase("quiz-and-wins", clause=failed), *later]
    if _stopped(exercise):
        clauses.append(speaker.phrase("quiz-then-noticed"))
    for at in range(0, len(clauses), TOGETHER):
        yield sentence("; ".join(clauses[at : at + TOGETHER]))


def _stopped(exercise: Exercise) -> bool:
    """Whether the play stopped, and nothing is told of how the revoke came to light."""
    said = exercise.ruling.incident.revokes[0].said
    return said.get("next-trick") == "no" and LAST not in said


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
    """The hands, sides and cards; dummy is called so."""
    board = exercise.board
    hands = {"leader": board.trick.leader, "winner": board.winner}
    said = {**names(exercise.ruling.revokes[0], exercise.ruling, speaker)}
    said |= {name: speaker.value(seat, "seat") for name, seat in hands.items()}
    if "dummy" in exercise.ruling.edition.table.parts:
        dummy = speaker.value(PARTNER[board.declarer], "seat")
        said = {name: speaker.phrase("quiz-dummy") if one == dummy else one for name, one in said.items()}
    led = board.trick.card_of(board.trick.leader)
    assert led is not None
    contract, lang = board.contract, speaker.lang
    level = speaker.words.name("in-words", str(contract.level), lang)
    strain = speaker.words.name("strain", contract.denomination, lang)
    if contract.level == 1:
        strain = speaker.words.name("strain-of-one", contract.denomination, lang)
    return {
        **said,
        "contract": speaker.phrase("quiz-contract", level=level, strain=strain),
        "n": str(board.number),
        "led": speaker.value(led.text, "card"),
        "due": speaker.value(board.due.text, "card"),
        "a-suit": speaker.words.name("one-card", led.suit, lang),
        "later": speaker.words.name("in-words", str(board.later), lang),
    }
