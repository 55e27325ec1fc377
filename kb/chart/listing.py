"""The one-page chart as a list, a paragraph for each box: in the terminal and on a phone."""

from __future__ import annotations

from collections.abc import Iterator

from kb.chart.boxes import OrdinaryChart
from kb.chart.wording import BoxLine, BoxSpeech, BoxTold


def listing(chart: OrdinaryChart, speech: BoxSpeech) -> str:
    """Boxes by number, and at each where it goes on."""
    return "\n".join([speech.title(), speech.subtitle(), *_lines(chart, speech)]) + "\n"


def _lines(chart: OrdinaryChart, speech: BoxSpeech) -> Iterator[str]:
    for told in speech.told(chart):
        yield ""
        yield f"{told.box.number:>2}  {told.title}{speech.bracketed(told.laws)}"
        yield from (f"    • {_line(line, speech)}" for line in told.lines)
        on = " ".join(f"{word} → {to}." for word, to in onward(told, speech))
        if on:
            yield f"    {on}"


def _line(line: BoxLine, speech: BoxSpeech) -> str:
    return f"{line.text}{speech.bracketed(line.laws)}{f' → {line.to}' if line.to else ''}"


def onward(told: BoxTold, speech: BoxSpeech) -> list[tuple[str, int]]:
    """«No → 3», «Yes → 6»: where a box goes on."""
    usual = "chart-yes" if told.box.asks else "chart-then"
    ways = [("chart-no", told.no), ("chart-yes", told.yes)] if told.box.ways else [(usual, told.box.to)]
    return [(speech.speaker.phrase(word), to) for word, to in ways if to]
