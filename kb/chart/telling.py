"""The words of a decision chart."""

from __future__ import annotations

from facts.fact import Value
from kb.chart.parts import RELATIONS, SIDES, ChartPart, Figure, FigureBox, FigureCase, Said, Told
from kb.explain.say import Speaker
from kb.language.known import STATUS
from kb.language.model import Edition
from kb.language.texts import fill
from kb.language.vocabulary import Field
from kb.space.interview import Interview


class Speech:
    """Says the chart of one edition in one language."""

    def __init__(self, speaker: Speaker, interview: Interview, edition: Edition) -> None:
        self.speaker = speaker
        self.interview = interview
        self.edition = edition

    def title(self, part: ChartPart) -> str:
        """«The revoke is established – Laws of …», with the elections taken."""
        code = self.edition.called(self.speaker.lang)
        return f"{self.speaker.phrase(f'chart-title-{part.name}')} – {code}"

    def page(self, number: int, of: int) -> str:
        """«Page 1 of 2»."""
        return self.speaker.phrase("chart-page", n=number, of=of)

    def legend(self) -> str:
        """What the letters mean, and what the chart leaves out."""
        return self.speaker.phrase("chart-legend")

    def case(self, case: FigureCase) -> str:
        """The heading of a case."""
        return "; ".join(self.told(case.told))

    def notes(self, case: FigureCase) -> list[str]:
        """What is left to judgement and not drawn, in the edition's own words."""
        says = [f"{self.edition.clauses[law].says[self.speaker.lang]} [{law}]" for law in case.notes]
        return [self.speaker.phrase("chart-note", says=one) for one in says]

    def heading(self, figure: Figure) -> str:
        """What a figure settles: the question that its first matter answers, or the matter's name."""
        first = figure.matters[0]
        kind = self.speaker.vocabulary.kinds.get(first)
        if kind is not None and kind.asks:
            question, mark, _ = kind.asks[self.speaker.lang].partition("?")
            return question + mark
        if f"chart-about-{first}" in self.speaker.words.phrases:
            return self.speaker.phrase(f"chart-about-{first}")
        if kind is None:
            return self.speaker.value(first, "judgement")
        return fill(kind.says[self.speaker.lang], {field.name: "…" for field in kind.fields})

    def question(self, box: FigureBox) -> str:
        """The question of a box."""
        return self.interview.questions[box.question].asks[self.speaker.lang]

    def answers(self, box: FigureBox, answers: tuple[str, ...]) -> str:
        """Answers that lead to the same place."""
        if answers == box.rest:
            return self.speaker.phrase("chart-else")
        says = self.interview.questions[box.question].answers
        return self.speaker.phrase("chart-or").join(says[answer].says[self.speaker.lang] for answer in answers)

    def end(self, box: FigureBox) -> list[str]:
        """What an end says, a line each."""
        return self.told(box.told) or [self.speaker.phrase("chart-nothing")]

    def told(self, told: Told) -> list[str]:
        """Things said, in a fixed order."""
        order = list(self.speaker.vocabulary.kinds)
        return [self._said(one) for one in sorted(told, key=lambda one: (order.index(one[0]), str(one)))]

    def _said(self, said: Said) -> str:
        name, values = said
        kind = self.speaker.vocabulary.kinds[name]
        if name == STATUS:  # the part that it belongs to
            return self.speaker.phrase(f"chart-{values[0]}")
        words = {field.name: self._value(field, value) for field, value in zip(kind.fields, values, strict=True)}
        short = self.speaker.words.phrases.get(f"chart-says-{name}", kind.says)
        return fill(short[self.speaker.lang], words)

    def _value(self, field: Field, value: Value) -> str:
        if value in RELATIONS or value in SIDES:
            return self.speaker.phrase(f"chart-{value}")
        if value is None:
            return self.speaker.phrase("chart-card" if field.type == "card" else "chart-that-trick")
        return self.speaker.value(value, field.type)
