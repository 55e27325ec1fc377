"""The differences between two laws, worked out in a process of its own, told in every language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kb.explain.words import load_words
from kb.language.edition import load_edition
from kb.study.compare import cases_of, compare
from kb.study.compare_json import comparison_json
from kb.study.compare_report import Report
from kb.space.read_interview import load_interview
from kb.study.situations import Space


@dataclass(frozen=True)
class Side:
    """A law by name: an edition's id or the folder of a draft, and elections."""

    edition: str
    draft: bool
    elections: tuple[str, ...] = ()

    @property
    def named(self) -> str | Path:
        """As the readers of rules take it."""
        return Path(self.edition) if self.draft else self.edition


@dataclass(frozen=True)
class Compared:
    """A comparison, told."""

    text: dict[str, list[str]]
    """For each language the report in Markdown, line by line."""
    json: dict[str, dict[str, Any]]
    """For each language the object of ``revoke compare --format json``."""


def compared(root: str, a: Side, b: Side) -> Compared:
    """The comparison; InputError for faulty rules, EngineError when the engines do not agree."""
    home = Path(root)
    first, second = (load_edition(home, side.named, side.elections) for side in (a, b))
    words = load_words(home, first.vocabulary)
    space = Space.of(load_interview(home, first.vocabulary))
    cases = cases_of(home, (str(side.named) for side in (a, b)))
    found = compare(first, second, space, cases, workers=1)
    reports = {lang: Report(found, words, lang, markdown=True) for lang in words.languages}
    text = {lang: [line for one in report.lines() for line in one.split("\n")] for lang, report in reports.items()}
    return Compared(text, {lang: comparison_json(found, report) for lang, report in reports.items()})


def blocks(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    """The report's Markdown as blocks: ``h1``, ``h2``, ``p``, ``ul`` or ``pre`` with their lines."""
    kind, held = "", list[str]()
    for line in lines:
        fence = line.startswith("```")
        if kind == "pre" and not fence:
            held.append(line)
            continue
        said, text = _sort(line)
        if fence or not text or said != kind or said != "ul":
            if held:
                yield kind, held
            was, kind, held = kind, said, []
            if fence:
                kind = "" if was == "pre" else "pre"
                continue
        if text:
            held.append(text)
    if held:
        yield kind, held


def _sort(line: str) -> tuple[str, str]:
    for mark, kind in (("# ", "h1"), ("## ", "h2"), ("- ", "ul")):
        if line.startswith(mark):
            return kind, line[len(mark) :]
    return "p", line.strip()
