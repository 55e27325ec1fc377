"""The one-page chart told: as an HTML page to print, in Mermaid's notation for slides."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from markupsafe import Markup

from facts.table import REVOKE
from kb.chart.chart import Chart, ChartBox, ChartWay, Reply
from kb.explain.headline import headline
from kb.explain.html import render
from kb.explain.words import Speaker
from kb.language.relied_on import AUTOMATIC

JOINED_BY_OR: Final = 2
"""Answers that «or» joins; more stand with a stroke between them."""


@dataclass(frozen=True, slots=True)
class BoxLine:
    text: str
    laws: tuple[str, ...]
    to: int = 0
    """The box that it leads to; 0 where the chart ends, or where it leads where all others of the box do."""


@dataclass(frozen=True, slots=True)
class BoxTold:
    box: ChartBox
    title: str
    laws: tuple[str, ...]
    """Of the title."""
    lines: tuple[BoxLine, ...] = ()
    onward: tuple[tuple[str, int], ...] = ()
    """«No → 3», «Yes → 6»: where it goes on."""


def chart_page(charts: Sequence[Chart], speaker: Speaker) -> str:
    """An HTML file that needs nothing else and prints each chart on one A4."""
    title = BoxSpeech(charts[0], speaker).heading
    return render("chart/page.html", lang=speaker.lang, title=title, body=body(charts, speaker))


def body(charts: Sequence[Chart], speaker: Speaker) -> Markup:
    """What stands in it, for a page that has the style ``chart/page.css`` from elsewhere."""
    return render("chart/body.html", speeches=[BoxSpeech(chart, speaker) for chart in charts])


def chart_mermaid(chart: Chart, speaker: Speaker) -> str:
    """A flowchart; an answer that leads to another box stands on its arrow."""
    speech = BoxSpeech(chart, speaker)

    def bracketed(laws: tuple[str, ...]) -> str:
        return f" [{speaker.laws(laws)}]" if laws else ""

    def plain(text: str) -> str:
        return text.replace('"', "”").replace("#", "").replace("§ ", "§\u00a0")

    config = "config: {flowchart: {wrappingWidth: 600}}"  # else it wraps at 200 px, and a box is a tower
    lines = ["---", f'title: "{plain(speech.heading)}"', config, "---", "flowchart TD"]
    for told_box in speech.told():
        name = f"box{told_box.box.number}"
        says = [f"{told_box.box.number} {told_box.title}{bracketed(told_box.laws)}"]
        says += [f"• {line.text}{bracketed(line.laws)}" for line in told_box.lines if not line.to]
        lines.append(f'  {name}["{"<br/>".join(map(plain, says))}"]')
        leads = [(line.text, line.to) for line in told_box.lines if line.to]
        lines += [f'  {name} -->|"{plain(text)}"| box{to}' for text, to in [*leads, *told_box.onward]]
    return "\n".join(lines) + "\n"


class BoxSpeech:
    def __init__(self, chart: Chart, speaker: Speaker) -> None:
        self.chart, self.speaker = chart, speaker
        self.questions = chart.counsel.interview.questions
        self.edition = chart.counsel.law.edition
        self.matter = chart.counsel.interview.table
        self.title = self.matter.called.get(speaker.lang, self.matter.of)
        says = "chart-one-says" if self.matter.of == REVOKE else "chart-matter-says"
        self.subtitle = speaker.phrase(says, edition=self.edition.called(speaker.lang))
        self.heading = f"{self.title} – {self.subtitle}"

    def columns(self) -> Iterator[tuple[str, list[BoxTold]]]:
        """Boxes that follow each other in one column, with its name."""
        for name, boxes in groupby(self.told(), lambda told_box: told_box.box.column):
            yield name, [*boxes]

    def told(self) -> list[BoxTold]:
        return [self._box(box) for box in self.chart.boxes]

    def _box(self, box: ChartBox) -> BoxTold:
        leads = {_after(box, way) for way in box.ways}
        yes = leads.pop() if len(leads) == 1 and box.to else 0
        if box.name == "core" and not box.ways[0].replies:
            title = self._called(box)
            lines = [BoxLine(self._cost(way), way.laws, 0) for way in box.ways]
        elif box.name == "core":
            title = self.questions[box.ways[0].replies[-1][0]].asks[self.speaker.lang]
            lines = []
            for way in box.ways:
                *earlier, last = way.replies  # the answer to the question before, where one box asks after several
                text = self._answers(last)
                if earlier:
                    text = self.speaker.phrase("chart-after", first=self._all(earlier), answer=text)
                lines.append(self._line(text, box, way))
        elif box.name == "late":
            title = self.questions[box.ways[0].replies[0][0]].asks[self.speaker.lang]
            otherwise = self.speaker.phrase("chart-otherwise")
            lines = [self._line(self._all(way.replies[1:]) or otherwise, box, way) for way in box.ways]
        elif box.ways:
            title = self._called(box)
            lines = []
            for way in box.ways:
                text = self._all(way.replies)
                text = self.speaker.phrase(f"chart-{way.of_two}-free", says=text) if way.of_two else text
                lines.append(BoxLine(self.speaker.capital(text), way.laws, 0 if yes else _after(box, way)))
        elif len(box.laws) == 1 or box.name == "revoke":
            title = self._called(box) if box.name in ("revoke", "corrected") else self._clause(box.laws[0])
            word = "chart-yes" if box.asks else "chart-then"
            return BoxTold(box, title, box.laws, onward=self._onward((word, box.to)))
        else:
            title = self._called(box)
            lines = [BoxLine(self._clause(law), (law,)) for law in box.laws]
        ways = (("chart-no", box.to), ("chart-yes", yes)) if box.ways else (("chart-then", box.to),)
        return BoxTold(box, title, (), tuple(lines), self._onward(*ways))

    def _onward(self, *ways: tuple[str, int]) -> tuple[tuple[str, int], ...]:
        return tuple((self.speaker.phrase(word), to) for word, to in ways if to)

    def _called(self, box: ChartBox) -> str:
        return self.speaker.phrase(f"chart-box-{box.name}")

    def _line(self, text: str, box: ChartBox, way: ChartWay) -> BoxLine:
        end = "" if way.to else f": {self._cost(way)}"
        return BoxLine(f"{self.speaker.capital(text)}{end}", way.laws, _after(box, way))

    def _cost(self, way: ChartWay) -> str:
        if way.ruling is not None:
            return headline(way.ruling, self.speaker).removesuffix(".")
        if not way.cost:
            return self.speaker.phrase("chart-no-trick")
        tricks = [entry[1] for entry in way.cost if entry[0] == AUTOMATIC]
        if tricks:
            return self.speaker.tricks(sum(int(str(number)) for number in tricks))
        return " ".join(map(self._clause, way.laws))

    def _all(self, replies: Sequence[Reply]) -> str:
        """Answers that are given together, as one sentence where there is one for them."""
        return self._sentence(*replies) or self.speaker.phrase("chart-and").join(map(self._stated, replies))

    def _sentence(self, *replies: Reply) -> str:
        """The one that there is for these answers; else nothing."""
        key = " ".join(f"{question}={','.join(sorted(answers))}" for question, answers in replies)
        sentence = self.speaker.value(key, "chart-sentence")
        return "" if sentence == key else sentence

    def _stated(self, reply: Reply) -> str:
        """«his side claimed or conceded»; where there is no sentence, «it was noticed after the end of the round»."""
        question, answers = reply
        each = [self._sentence((question, (answer,))) for answer in answers]
        joined = self.speaker.phrase("book-or").join(each) if all(each) else ""
        return (
            self._sentence(reply)
            or joined
            or f"{self.questions[question].about[self.speaker.lang]} {self._answers(reply)}"
        )

    def _answers(self, reply: Reply) -> str:
        question, answers = reply
        declared = self.questions[question].answers
        says = [declared[answer].says[self.speaker.lang] for answer in declared if answer in answers]
        return self.speaker.phrase("book-or" if len(says) <= JOINED_BY_OR else "chart-or").join(says)

    def _clause(self, law: str) -> str:
        return self.edition.clauses[law].says[self.speaker.lang].strip()


def _after(box: ChartBox, way: ChartWay) -> int:
    """Where a way leads; what is known to cost so much goes on where every established revoke does."""
    return way.to or (0 if way.cost is None else box.then)
