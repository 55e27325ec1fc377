"""The differences between two laws, told in every language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from kb.compare.compare import cases_of, compare
from kb.compare.telling import ComparisonReport, comparison_json
from kb.desk.laws import DeskLaws
from kb.space.read_interview import load_interview
from kb.space.universe import Universe


@dataclass(frozen=True)
class Compared:
    """A comparison, told."""

    text: dict[str, list[str]]
    """For each language the report in Markdown, line by line."""
    json: dict[str, dict[str, Any]]
    """For each language the object of ``revoke compare --format json``."""


def compared(laws: DeskLaws, a: str, b: str) -> Compared:
    """The comparison; InputError for faulty rules, EngineError when the engines do not agree."""
    first, second = laws.edition(a), laws.edition(b)
    asked, wider = (Universe(load_interview(laws.root, first, second, wider=wider)) for wider in (False, True))
    cases = cases_of(laws.root, (str(laws.folder(name)) for name in (a, b)))
    found = compare(first, second, asked, wider, cases)
    reports = {lang: ComparisonReport(found, laws.words, lang, markdown=True) for lang in laws.words.languages}
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
