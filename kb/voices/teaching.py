"""The ruling for a class: each question and why it is asked, the answer, and the tempting answer that is wrong."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from kb.explain.page import Line, Page, Part
from kb.explain.say import Speaker
from kb.explain.text import foot, judgement, lead, now, title
from kb.language.vocabulary import Kind
from kb.ruling.certain import Reason
from kb.ruling.report import Report
from kb.space.layout import Key
from kb.space.nearest import NearestWay
from kb.space.questions import Group
from kb.why_not.telling import now_words, way_words
from kb.why_not.why_not import near_misses

TEMPTING: Final = 2
"""Wrong answers told for one question."""


def teaching(report: Report, speaker: Speaker) -> Page:
    """Question by question, in the order in which the vocabulary brings them."""
    ruled = Part(speaker.phrase("teaching-ruling"), (*lead(report, speaker), *now(report, speaker)))
    parts = (*_Class(report, speaker).questions(), ruled, *judgement(report, speaker))
    return Page(title(report.ruling, speaker), (), parts, foot(report, speaker))


class _Class:
    def __init__(self, report: Report, speaker: Speaker) -> None:
        self.ruling = ruling = report.ruling
        self.speaker = speaker
        self.kinds = report.kinds
        self.near = near_misses(ruling)
        self.steps: dict[str, list[Reason]] = {}
        for step in report.reasons:
            self.steps.setdefault(str(step.fact[0]), []).append(step)
        self.told: list[Mapping[Key, Group]] = []

    def questions(self) -> Iterator[Part]:
        """One part for each question that was answered, or nearly, in the order in which the rules come to them."""
        number = 0
        for kind in self.kinds:
            lines = (*self._answers(kind), *self._tempting(kind))
            if lines:
                number += 1
                yield Part(f"{number}. {self._question(kind)}", lines)

    def _question(self, kind: Kind) -> str:
        if kind.asks:
            return kind.asks[self.speaker.lang]
        return self.speaker.phrase("teaching-asks", fact=self.speaker.fact(self.steps[kind.name][0].fact))

    def _answers(self, kind: Kind) -> Iterator[Line]:
        for step in self.steps.get(kind.name, ()):
            clause = self.ruling.edition.clauses[step.rule.clause]
            law = Line(self.speaker.phrase("teaching-law", says=clause.says[self.speaker.lang]))
            yield Line(self.speaker.reason(step), (clause.ref,), (law,))

    def _tempting(self, kind: Kind) -> Iterator[Line]:
        """What other clauses would have answered if one thing had been found otherwise, each thing told once."""
        clauses = {step.rule.clause for step in self.steps.get(kind.name, ())}
        most = len(clauses) + TEMPTING
        for ref, way in self._rivals(kind):
            if ref not in clauses and len(clauses) < most and way.changes not in self.told:
                clauses.add(ref)
                self.told.append(way.changes)
                yield self._wrong(ref, way)

    def _rivals(self, kind: Kind) -> Iterator[tuple[str, NearestWay]]:
        """The clauses that answer the question, where one thing alone keeps them from doing so."""
        for ref, clause in self.ruling.edition.clauses.items() if kind.asks else ():
            answers = any(head.kind == kind.name for rule in clause.rules for head in rule.then)
            if answers and ref in self.near and self.ruling.citations.is_law(ref):
                yield ref, self.near[ref]

    def _wrong(self, ref: str, way: NearestWay) -> Line:
        speaker, says = self.speaker, self.ruling.edition.clauses[ref].says[self.speaker.lang]
        then = speaker.phrase("teaching-wrong", way=way_words(self.ruling, way, speaker))
        why = (Line(speaker.smooth(one)) for one in (then, *now_words(self.ruling, way, speaker)))
        return Line(speaker.phrase("teaching-tempting", says=says), (ref,), tuple(why))
