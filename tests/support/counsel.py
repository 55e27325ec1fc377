"""The interview of each shipped edition; its survey comes from the cache where the very same program has made it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from kb.explain.say import Voice
from kb.explain.words import load_words
from kb.language.folders import rules_root
from kb.study.consultation import Consultation
from kb.study.counsel import Counsel

ROOT = rules_root()


@cache
def counsel_of(edition: str) -> Counsel:
    """Loaded once for all tests."""
    return Counsel.load(ROOT, edition)


def voice_of(counsel: Counsel, lang: str = "en") -> Voice:
    """Says it."""
    vocabulary = counsel.law.edition.vocabulary
    return Voice(load_words(ROOT, vocabulary), vocabulary, lang)


def endings(consultation: Consultation) -> Iterator[Consultation]:
    """Every way on to the end, without «I don't know» where that leaves all answers possible."""
    if consultation.step is None:
        yield consultation
        return
    for branch in consultation.step.branches:
        yield from endings(consultation.answer(branch.answer))


def interviewed(counsel: Counsel, situation: dict[str, str]) -> Consultation:
    """The interview of somebody who answers according to a situation; KeyError if a question makes no sense in it."""
    consultation = counsel.adviser.begin()
    while consultation.question is not None:
        consultation = consultation.answer(situation[consultation.question.id])
    return consultation
