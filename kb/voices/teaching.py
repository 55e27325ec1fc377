"""The ruling for a class: three questions, the answers folded where they can be, and the answer that tempts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from kb.explain.headline import Sentence, headline, sentences
from kb.explain.hinge import hinge
from kb.explain.page import Line, Page, Part
from kb.explain.say import Speaker, names
from kb.explain.text import foot, judgement, now, result_line, title
from kb.language.known import AUTOMATIC, CORRECTED, ESTABLISHED, EXEMPT, MUST_CORRECT
from kb.language.texts import fill
from kb.ruling.ruling import RevokeRuled, Ruling
from kb.why_not.rivals import Rival, rivals

STANDS: Final = {ESTABLISHED: "class-yes", MUST_CORRECT: "class-in-time", CORRECTED: "class-corrected"}
THOUGH_ESTABLISHED: Final = {MUST_CORRECT: "class-yes-but", CORRECTED: "class-yes-put-right"}
SENTENCES: Final = 2
"""Reasons told."""


@dataclass(frozen=True, slots=True)
class Lesson:
    """What is asked of a class about any ruling, with the answers."""

    established: Line
    tricks: Line
    laws: Line
    """With each law in its own words under it."""

    @property
    def answers(self) -> tuple[Line, Line, Line]:
        """In the order in which they are asked."""
        return self.established, self.tricks, self.laws


def questions(speaker: Speaker) -> tuple[str, str, str]:
    """The same of every ruling."""
    return speaker.phrase("class-established"), speaker.phrase("class-tricks"), speaker.phrase("class-law")


def lesson(ruling: Ruling, speaker: Speaker) -> Lesson:
    """The answers; the speaker is one that says the ruling's seats."""
    told = []
    for one in ruling.revokes:
        usual = STANDS.get(one.status, "class-open")
        told.append(speaker.phrase(THOUGH_ESTABLISHED.get(one.status, usual) if ruling.was_established(one) else usual))
    established = "".join(told) or speaker.phrase("class-none")
    if len(told) > 1:  # which it is that is, and which is not
        hands = (speaker.value(one.hand, "seat") for one in ruling.revokes)
        tricks = (speaker.value(one.trick, "trick") for one in ruling.revokes)
        which = (speaker.phrase("of-revoke", hand=hand, trick=trick) for hand, trick in zip(hands, tricks, strict=True))
        established = " ".join(f"{speaker.capital(one)}: {said}" for one, said in zip(which, told, strict=True))
    # that a revoke is put right has been said, and of tricks there are none
    only_corrected = sentences(ruling) == (Sentence("correct"),)
    tricks_told = speaker.phrase("class-no-tricks") if only_corrected else headline(ruling, speaker)
    clauses = ruling.edition.clauses
    says = (Line(clauses[ref].says[speaker.lang], (ref,)) for ref in ruling.cited)
    return Lesson(
        Line(established, (), tuple(dict.fromkeys(_why_status(ruling, speaker)))),
        Line(tricks_told, ruling.decisive, tuple(dict.fromkeys(why(ruling, speaker)))),
        Line(", ".join(ruling.cited), (), tuple(says)),
    )


def _why_status(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """Why each revoke stands as it does."""
    for one in ruling.revokes:
        for reason in ruling.reasons_for(one):
            if reason.rule.clause in one.status_by:
                yield Line(speaker.reason(reason), (reason.rule.clause,))


def why(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """Why tricks go or do not go, or else why the revoke stands as it does, in a sentence or two."""
    if ruling.is_open:
        yield from hinge(ruling, speaker, 1)
    elif any(ruling.facts(one) for one in (AUTOMATIC, EXEMPT)):
        for reason, laws in ruling.grounds[:SENTENCES]:
            yield Line(speaker.reason(reason), laws)
    else:
        yield from islice(_why_status(ruling, speaker), SENTENCES)


def temptation(rival: Rival, revoke: RevokeRuled, ruling: Ruling, speaker: Speaker) -> Line:
    """«Tempting: one trick to North–South. That would be right if East had won that trick.»"""
    said = fill(rival.if_[speaker.lang], names(revoke, ruling, speaker))
    return Line(speaker.phrase("class-tempting", ruling=tempts_to(rival, speaker), so=said), rival.laws)


def tempts_to(rival: Rival, speaker: Speaker) -> str:
    """What somebody would rule: in a line, without numbers where the trick is not at an end."""
    ruling = rival.ruling
    established = any(one.status == ESTABLISHED for one in ruling.revokes)
    return speaker.phrase("class-perhaps") if ruling.is_open and established else headline(ruling, speaker)


def teaching(ruling: Ruling, speaker: Speaker) -> Page:
    """It asks before it answers; of what tempts it tells one thing for each that could be mistaken."""
    taught = lesson(ruling, speaker)
    answers = ((taught.established,), (taught.tricks, *result_line(ruling, speaker)), (taught.laws,))
    asked = zip(questions(speaker), answers, strict=True)
    parts = [Part(f"{n}. {question}", answer, folded=True) for n, (question, answer) in enumerate(asked, 1)]
    tempting: dict[object, Line] = {}
    for rival in rivals(ruling):
        for revoke in (*ruling.revokes, *rival.ruling.revokes)[:1] if rival.key not in tempting else ():
            tempting[rival.key] = temptation(rival, revoke, ruling, speaker)
    if tempting:
        parts.append(Part(speaker.phrase("class-tempts"), tuple(tempting.values()), folded=True))
    if done := tuple(dict.fromkeys(now(ruling, speaker))):
        parts.append(Part(speaker.phrase("now"), done, folded=True))
    judged = (replace(part, folded=True) for part in judgement(ruling, speaker))
    return Page(title(ruling, speaker), (), (*parts, *judged), foot(ruling, speaker))
