"""A chart in Mermaid's notation: the ordinary case, or one part of the complete chart."""

from __future__ import annotations

from collections.abc import Iterator

from kb.chart.boxes import OrdinaryChart
from kb.chart.listing import onward
from kb.chart.parts import ChartPart, Figure, FigureBox
from kb.chart.telling import Speech
from kb.chart.wording import BoxSpeech, BoxTold


def mermaid(part: ChartPart, speech: Speech) -> str:
    """A flowchart with a frame around each figure."""
    return "\n".join(_lines(part, speech)) + "\n"


def _lines(part: ChartPart, speech: Speech) -> Iterator[str]:
    yield from ("---", f'title: "{_plain(speech.title(part))}"', "---", "flowchart TD")
    number = 0
    if part.first is not None:
        yield from _figure(part.first, speech, speech.heading(part.first), number)
    for case in part.cases:
        for figure in case.figures:
            number += 1
            yield from _figure(figure, speech, f"{speech.case(case)}: {speech.heading(figure)}", number)
        for n, note in enumerate(speech.notes(case)):
            yield f'  note{number}_{n}["{_plain(note)}"]'


def _figure(figure: Figure, speech: Speech, title: str, number: int) -> Iterator[str]:
    yield f'  subgraph figure{number}["{_plain(title)}"]'
    if not figure.root.question:
        yield f"    {_end(f'end{number}', figure.root, speech)}"
    for box in figure.boxes():
        yield f'    box{box.number}["{box.number} {_plain(speech.question(box))}{_laws(box)}"]'
        for n, (answers, below) in enumerate(box.ways):
            name = f"box{below.number}" if below.question else f"end{box.number}_{n}"
            if not below.question:
                yield f"    {_end(name, below, speech)}"
            yield f'    box{box.number} -->|"{_plain(speech.answers(box, answers))}"| {name}'
    yield "  end"


def _end(name: str, box: FigureBox, speech: Speech) -> str:
    return f'{name}(["{_plain("; ".join(speech.end(box)))}{_laws(box)}"])'


def _laws(box: FigureBox) -> str:
    return f"<br/>[{', '.join(box.laws)}]" if box.laws else ""


def _plain(text: str) -> str:
    return text.replace('"', "”").replace("#", "")


def mermaid_of_boxes(chart: OrdinaryChart, speech: BoxSpeech) -> str:
    """The ordinary case as a flowchart."""
    title = f"{speech.title()} – {speech.subtitle()}"
    boxes = (line for told in speech.told(chart) for line in _told(told, speech))
    return "\n".join(["---", f'title: "{_plain(title)}"', "---", "flowchart TD", *boxes]) + "\n"


def _told(told: BoxTold, speech: BoxSpeech) -> Iterator[str]:
    name = f"box{told.box.number}"
    lines = [f"{told.box.number} {told.title}{speech.bracketed(told.laws)}"]
    lines += [f"• {line.text}{speech.bracketed(line.laws)}" for line in told.lines if not line.to]
    yield f'  {name}["{"<br/>".join(map(_plain, lines))}"]'
    leads = [(line.text, line.to) for line in told.lines if line.to]
    yield from (f'  {name} -->|"{_plain(text)}"| box{to}' for text, to in [*leads, *onward(told, speech)])
