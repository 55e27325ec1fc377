"""A comparison of editions told to a law editor, as text or as Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from kb.compare.compare import Group
from kb.compare.wording import Illustration, Wording

LISTS: Final = 3
"""So many lists of conditions are told of a group; the page and JSON have them all."""


class ComparisonReport:
    """Tells one comparison line by line."""

    def __init__(self, wording: Wording, markdown: bool = False) -> None:
        self.wording, self.markdown = wording, markdown

    def lines(self) -> Iterator[str]:
        """What changed, the examples, the cases, and at last how far one has looked."""
        wording = self.wording
        yield self._heading(1, wording.phrase("compare-title", a=wording.a, b=wording.b))
        yield from filter(None, (wording.first, wording.sentence, wording.tricks))
        for number, group in enumerate(wording.found.groups, 1):
            yield from self._group(number, group)
        yield from self._cases()
        yield ""
        yield self._heading(2, wording.phrase("compare-looked"))
        yield from wording.looked_at()

    def _heading(self, level: int, title: str) -> str:
        return f"{'#' * level} {title}\n" if self.markdown else f"{title}\n{('=', '-')[level - 1] * len(title)}"

    def _group(self, number: int, group: Group) -> Iterator[str]:
        wording = self.wording
        yield ""
        yield self._heading(2, f"{number}. {wording.title(group)}")
        yield wording.group_ways(group)
        yield from self._examples(group)
        yield ""
        yield from (f"- {change}: {wording.number(times)}" for change, times in wording.changes(group))
        if group.boxes:
            yield ""
            yield wording.phrase("compare-asked", situations=wording.number(group.asked))
        for box in group.boxes[:LISTS]:
            yield ""
            yield wording.phrase("compare-when", situations=wording.number(box.size))
            yield from (f"- {wording.condition(needed)}" for needed in box.conditions)
            yield from (f"- {wording.exception(unless)}" for unless in box.unless)
        if more := len(group.boxes[LISTS:]):
            yield ""
            yield wording.phrase("compare-more", lists=more)

    def _examples(self, group: Group) -> Iterator[str]:
        for example in self.wording.examples(group):
            yield from self._example(example)

    def _example(self, example: Illustration) -> Iterator[str]:
        yield ""
        yield f"{example.title}:"
        yield f"\n```yaml\n{example.file}```\n" if self.markdown else "\n" + _indented(example.file) + "\n"
        for name, sentences in example.rulings:
            yield f"- {name}: {' '.join(sentences)}"

    def _cases(self) -> Iterator[str]:
        wording, cases = self.wording, self.wording.found.cases
        if cases:
            yield ""
            yield self._heading(2, wording.phrase("compare-cases", n=wording.number(len(cases))))
        for one in cases:
            change = wording.change(one.before, one.after)
            yield f"- {one.case.id} ({wording.clauses(one.cause.clauses)}): {one.case.title}: {change}"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
