"""The ruling for a class: each question and why it is asked, the answer, and the tempting answer that is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kb.engine.proof import Step
from kb.explain.page import Line, Page, Part
from kb.explain.reasons import reasons
from kb.explain.say import Voice
from kb.explain.text import foot, headline, judgement, now, result_line, title
from kb.explain.why_not import change_line
from kb.language.model import Condition, Kind, Rule
from kb.ruling.change import Change
from kb.ruling.ruling import Ruling
from kb.ruling.why_not import Miss, WhyNot

TEMPTING: Final = 2
"""Wrong answers told for one question."""
LAST: Final = 1000
"""After every round of a stratum."""


def teaching(ruling: Ruling, voice: Voice) -> Page:
    """Question by question, in the order in which the vocabulary brings them."""
    class_ = _Class(ruling, voice)
    ruled = (Line(headline(ruling, voice)), *result_line(ruling, voice), *now(ruling, voice))
    parts = (*class_.questions(), Part(voice.phrase("teaching-ruling"), ruled), *judgement(ruling, voice))
    return Page(title(ruling, voice), (), parts, foot(ruling, voice))


class _Class:
    def __init__(self, ruling: Ruling, voice: Voice) -> None:
        self.ruling = ruling
        self.voice = voice
        self.why_not = WhyNot(ruling)
        self.steps: dict[str, list[Step]] = {}
        for step in reasons(ruling.proof, ruling.citations, ruling.citations.conclusions()):
            self.steps.setdefault(str(step.fact[0]), []).append(step)
        self.told: set[Change] = set()

    def questions(self) -> Iterator[Part]:
        """One part for each question that was answered, or nearly, in the order in which the rules come to them."""
        number = 0
        for kind in self._kinds():
            lines = (*self._answers(kind), *self._tempting(kind))
            if lines:
                number += 1
                yield Part(f"{number}. {self._question(kind)}", lines)

    def _kinds(self) -> list[Kind]:
        """The kinds that rules conclude: by when this ruling came to them, or the rules could have."""
        places: dict[str, tuple[int, int]] = {}
        for plan in self.ruling.proof.program.plans:
            for name, _ in plan.heads:
                places[name] = min(places.get(name, (plan.stratum, LAST)), (plan.stratum, LAST))
        for name, steps in self.steps.items():
            places[name] = min(self.ruling.proof.place(step.fact) for step in steps)
        kinds = self.ruling.edition.vocabulary.kinds.values()
        return sorted((kind for kind in kinds if kind.name in places), key=lambda kind: places[kind.name])

    def _question(self, kind: Kind) -> str:
        if kind.asks:
            return kind.asks[self.voice.lang]
        return self.voice.phrase("teaching-asks", fact=self.voice.fact(self.steps[kind.name][0].fact))

    def _answers(self, kind: Kind) -> Iterator[Line]:
        for step in self.steps.get(kind.name, ()):
            clause = self.ruling.edition.clauses[step.rule.clause]
            law = Line(self.voice.phrase("teaching-law", says=clause.says[self.voice.lang]))
            yield Line(self.voice.because(self.ruling.proof, step), (clause.ref,), (law,))

    def _tempting(self, kind: Kind) -> Iterator[Line]:
        """What other clauses would have answered if one thing had been different."""
        clauses = {step.rule.clause for step in self.steps.get(kind.name, ())}
        most = len(clauses) + TEMPTING
        for rule in self._rivals(kind):
            miss = self.why_not.near_miss(rule) if rule.clause not in clauses and len(clauses) < most else None
            if miss is not None and miss.plan[0] not in self.told and self._plausible(miss):
                clauses.add(rule.clause)
                self.told.add(miss.plan[0])
                yield self._wrong(miss)

    def _rivals(self, kind: Kind) -> Iterator[Rule]:
        if kind.asks and self.ruling.revokes:
            for rule in self.ruling.edition.rules:
                if self.ruling.citations.is_law(rule.clause) and any(head.kind == kind.name for head in rule.then):
                    yield rule

    def _plausible(self, miss: Miss) -> bool:
        """Whether a class could overlook it: it misjudges what was observed, or adds the one thing lacking there."""
        change = miss.plan[0]
        fact = (change.put or change.take)[0]
        lacking = {item.kind for item in miss.way.missing if isinstance(item, Condition)}
        index = self.ruling.edition.vocabulary.kinds[str(fact[0])].index
        tricks = {trick for revoke in self.ruling.revokes for trick in (revoke.trick, revoke.trick + 1)}
        direct = bool(change.take) or fact[0] in lacking
        return direct and ("trick" not in index or fact[index["trick"]] in tricks)

    def _wrong(self, miss: Miss) -> Line:
        clause = self.ruling.edition.clauses[miss.rule.clause]
        wrong = self.voice.phrase("teaching-tempting", says=clause.says[self.voice.lang])
        why = self.voice.phrase("teaching-wrong", why=change_line(self.voice, miss.plan[0]))
        return Line(wrong, (clause.ref,), (Line(why),))
