"""The ruling for an appeals committee: facts found, law, application, ruling, what was left to judgement."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from facts.fact import Fact
from kb.engine.proof import counted
from kb.explain.headline import headline
from kb.explain.hinge import hinge
from kb.explain.page import Line, Page, part, sentence
from kb.explain.reasons import reasons
from kb.explain.say import Speaker
from kb.explain.text import foot, judgement, now, result_line, title
from kb.ruling.ruling import EVIDENCE, Ruling

FIXED: Final = frozenset({"hand", EVIDENCE})
"""Kinds of fact that nobody finds out: who sits where, and what was computed from the cards."""


def appeal(ruling: Ruling, speaker: Speaker) -> Page:
    """Numbered findings of fact, each law in the edition's words, how it was applied, and what was ruled."""
    steps = reasons(ruling.proof, ruling.citations, ruling.citations.conclusions())
    applied = (Line(speaker.because(ruling.proof, step), (step.rule.clause,)) for step in steps)
    clauses = ruling.edition.clauses
    law = (Line(f"{speaker.laws([ref])}: {clauses[ref].says[speaker.lang]}") for ref in ruling.cited)
    ruled = (Line(headline(ruling, speaker)), *result_line(ruling, speaker), *now(ruling, speaker))
    found = (Line(sentence(speaker.fact(fact))) for fact in findings(ruling))
    return Page(
        title(ruling, speaker),
        (),
        (
            *part(speaker.phrase("appeal-facts"), found, numbered=True),
            *part(speaker.phrase("appeal-law"), law),
            *part(speaker.phrase("appeal-application"), applied, numbered=True),
            *part(speaker.phrase("appeal-ruling"), ruled),
            *part(speaker.phrase("hinges"), hinge(ruling, speaker)),
            *judgement(ruling, speaker),
        ),
        foot(ruling, speaker),
    )


def findings(ruling: Ruling) -> tuple[Fact, ...]:
    """The observed facts that the ruling rests on, in the order of the proof."""
    taken = frozenset[Fact]() if ruling.opening is None else ruling.opening.taken
    observed = {fact for fact in _premises(ruling) if _stated(ruling, fact) and fact not in taken}
    return tuple(sorted(observed, key=lambda fact: (_moment(ruling, fact), ruling.proof.rank(fact))))


def _stated(ruling: Ruling, fact: Fact) -> bool:
    """Whether it was observed, and is not just how the table is laid out."""
    by_rules = ruling.edition.vocabulary.kinds[str(fact[0])].stated_by == "rules"
    return fact in ruling.proof.ground and not by_rules and fact[0] not in FIXED


def _premises(ruling: Ruling) -> Iterator[Fact]:
    for step in ruling.citations.support():
        for premise in step.premises:
            facts = counted(premise)
            yield from (premise,) if facts is None else facts


def _moment(ruling: Ruling, fact: Fact) -> int:
    """When it was; what has no moment of its own goes by its trick, or comes first."""
    index = ruling.edition.vocabulary.kinds[str(fact[0])].index
    for name, scale in (("at", 1), ("trick", 1000)):
        if name in index:
            return scale * int(fact[index[name]] or 0)
    return 0
