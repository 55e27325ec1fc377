"""Exercises in words: what happened, the three questions, the right answers and the one that tempts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from facts.cards import SEATS, Card, Seat
from facts.deal import Deal
from kb.explain.headline import headline
from kb.explain.page import Line, with_law
from kb.explain.say import Speaker
from kb.quiz.exercise import Exercise
from kb.quiz.story import story
from kb.voices.teaching import lesson, temptation, tempts_to


@dataclass(frozen=True)
class ExerciseTold:
    """One exercise as every form of it shows it."""

    story: str
    trick: dict[Seat, Card]
    """The cards of the revoke trick that are told, by hand, in the order of play."""
    revoker: Seat
    deal: Deal | None
    """The whole deal, but for easy exercises."""
    answers: tuple[Line, Line, Line]
    tempting: Line | None
    outcome: str
    others: tuple[str, ...]
    """What it might be taken to come to instead."""
    speaker: Speaker

    @property
    def why(self) -> str:
        """The reason with its laws, in a sentence or two."""
        lines = (line for one in self.answers[1].under for line in (one, *one.under))
        return " ".join(with_law(self.speaker, one) for one in lines)

    @property
    def tempts(self) -> str:
        """What tempts and why it is not so, with its law; empty if nothing does."""
        return "" if self.tempting is None else with_law(self.speaker, self.tempting)

    def hand(self, seat: Seat) -> list[tuple[str, str]]:
        """Suit and ranks of a hand of the deal."""
        held = () if self.deal is None else self.deal[seat] or ()
        suits = dict.fromkeys(("S", "H", "D", "C"), "")
        for card in sorted(held):
            suits[card.suit] += self.speaker.value(card.text, "card")[1:] + " "
        return [(suit, ranks.strip() or "–") for suit, ranks in suits.items()]


def told(exercise: Exercise, speaker: Speaker, about: str = "") -> ExerciseTold:
    """The exercise; the speaker is one of its edition. What tempts is a clause of the law ``about``, if one does."""
    speaker, ruling = speaker.of(exercise.ruling), exercise.ruling
    rivals = sorted(exercise.tempting, key=lambda rival: not any(law.startswith(about) for law in rival.laws))
    tempting = [temptation(one, ruling.revokes[0], ruling, speaker) for one in rivals]
    others = dict.fromkeys(tempts_to(one, speaker) for one in rivals)
    return ExerciseTold(
        story(exercise, speaker),
        dict(exercise.shown),
        exercise.board.hand,
        None if exercise.level == "easy" else exercise.board.deal,
        lesson(ruling, speaker).answers,
        next(iter(tempting), None),
        headline(ruling, speaker),
        tuple(others),
        speaker,
    )


def all_told(exercises: Sequence[Exercise], speaker: Speaker, about: str = "") -> list[ExerciseTold]:
    """Each of them."""
    return [told(one, speaker, about) for one in exercises]


def statement(one: ExerciseTold) -> list[str]:
    """What happened, for a terminal: the story, then the trick or the deal."""
    speaker = one.speaker
    hands = [f"{speaker.value(seat, 'seat')}: {_hand(one, seat)}" for seat in SEATS] if one.deal is not None else []
    cards = ", ".join(
        f"{speaker.value(seat, 'seat')} {speaker.value(card.text, 'card')}" for seat, card in one.trick.items()
    )
    return [one.story, *hands, f"{speaker.phrase('quiz-cards')} {cards}"]


def _hand(one: ExerciseTold, seat: Seat) -> str:
    symbols = one.speaker.words
    return "  ".join(f"{symbols.name('symbol', suit, one.speaker.lang)} {ranks}" for suit, ranks in one.hand(seat))


def answer_lines(one: ExerciseTold) -> list[str]:
    """The three answers, the reason, and what tempts."""
    established, tricks, laws = one.answers
    return [f"{established.text} {tricks.text} [{laws.text}]", one.why, *filter(None, [one.tempts])]
