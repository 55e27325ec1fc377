"""A comparison of editions told to a law editor, as text or as Markdown."""

from __future__ import annotations

from collections.abc import Iterator

from kb.compare.compare import Group
from kb.compare.wording import Example, Wording


class ComparisonReport:
    """Tells one comparison line by line."""

    def __init__(self, said: Wording, markdown: bool = False) -> None:
        self.said, self.markdown = said, markdown

    def lines(self) -> Iterator[str]:
        """What changed, the examples, the cases, and at last how far one has looked."""
        said = self.said
        yield self._heading(1, said.phrase("compare-title", a=said.a, b=said.b))
        yield from (said.sentence, *said.weighed())
        for number, group in enumerate(said.found.groups, 1):
            yield from self._group(number, group)
        yield from self._cases()
        yield ""
        yield self._heading(2, said.phrase("compare-looked"))
        yield from said.looked_at()

    def _heading(self, level: int, title: str) -> str:
        return f"{'#' * level} {title}\n" if self.markdown else f"{title}\n{('=', '-')[level - 1] * len(title)}"

    def _group(self, number: int, group: Group) -> Iterator[str]:
        said = self.said
        yield ""
        yield self._heading(2, f"{number}. {said.title(group)}")
        yield said.group_ways(group)
        yield from self._examples(group)
        yield ""
        for before, after, times in group.effects:
            yield f"- {said.change(before, after)}: {said.number(times)}"
        if group.boxes:
            yield ""
            yield said.phrase("compare-asked", situations=said.number(group.asked))
        for box in group.boxes:
            yield ""
            yield said.phrase("compare-when", situations=said.number(box.size))
            yield from (f"- {said.condition(needed)}" for needed in box.conditions)
            yield from (f"- {said.exception(unless)}" for unless in box.unless)

    def _examples(self, group: Group) -> Iterator[str]:
        for example in self.said.examples(group):
            yield from self._example(example)

    def _example(self, example: Example) -> Iterator[str]:
        yield ""
        yield f"{example.title}:"
        yield f"\n```yaml\n{example.file}```\n" if self.markdown else "\n" + _indented(example.file) + "\n"
        for name, sentences in example.rulings:
            yield f"- {name}: {' '.join(sentences)}"

    def _cases(self) -> Iterator[str]:
        said, cases = self.said, self.said.found.cases
        if cases:
            yield ""
            yield self._heading(2, said.phrase("compare-cases", n=said.number(len(cases))))
        for one in cases:
            change = said.change(one.before, one.after)
            yield f"- {one.case.id} ({said.clauses(one.cause.clauses)}): {one.case.title}: {change}"


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())
