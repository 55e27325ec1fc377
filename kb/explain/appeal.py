"""The ruling for an appeals committee: facts found, law, application, ruling, what was left to judgement."""

from __future__ import annotations

from collections.abc import Iterator

from facts.ground import Fact
from kb.engine.proof import counted
from kb.explain.page import Line, Page, part, sentence
from kb.explain.reasons import reasons
from kb.explain.say import Voice
from kb.explain.text import foot, headline, judgement, now, result_line, title
from kb.ruling.ruling import Ruling
from kb.ruling.supposing import FIXED


def appeal(ruling: Ruling, voice: Voice) -> Page:
    """Numbered findings of fact, each law in the edition's words, how it was applied, and what was ruled."""
    steps = reasons(ruling.proof, ruling.citations, ruling.citations.conclusions())
    applied = (Line(voice.because(ruling.proof, step), (step.rule.clause,)) for step in steps)
    clauses = ruling.edition.clauses
    law = (Line(f"{voice.laws([ref])}: {clauses[ref].says[voice.lang]}") for ref in ruling.cited)
    ruled = (Line(headline(ruling, voice)), *result_line(ruling, voice), *now(ruling, voice))
    found = (Line(sentence(voice.fact(fact))) for fact in findings(ruling))
    return Page(
        title(ruling, voice),
        (),
        (
            *part(voice.phrase("appeal-facts"), found, numbered=True),
            *part(voice.phrase("appeal-law"), law),
            *part(voice.phrase("appeal-application"), applied, numbered=True),
            *part(voice.phrase("appeal-ruling"), ruled),
            *judgement(ruling, voice),
        ),
        foot(ruling, voice),
    )


def findings(ruling: Ruling) -> tuple[Fact, ...]:
    """The observed facts that the ruling rests on, in the order of the proof."""
    observed = {fact for fact in _premises(ruling) if fact in ruling.proof.ground and fact[0] not in FIXED}
    return tuple(sorted(observed, key=lambda fact: (_moment(ruling, fact), ruling.proof.rank(fact))))


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
