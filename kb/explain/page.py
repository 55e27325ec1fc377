"""What is told, apart from its form: a title, what comes first, and parts with their lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from kb.explain.say import Speaker

_MARKUP: Final = re.compile(r"[\\`*_<>#|~&]|\](?=[(\[:])")


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence or a few, with the law behind it and what belongs under it."""

    text: str
    laws: tuple[str, ...] = ()
    under: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """Lines under a heading; without a heading they stand as paragraphs of their own."""

    title: str
    lines: tuple[Line, ...]
    numbered: bool = False
    folded: bool = False
    """Whether the heading is a question, and a page that can opens it only when the reader wishes."""


@dataclass(frozen=True, slots=True)
class Page:
    """One text, from its title to its receipt."""

    title: str
    lead: tuple[Line, ...]
    parts: tuple[Part, ...] = ()
    foot: str = ""


def part(title: str, lines: Iterable[Line], numbered: bool = False) -> tuple[Part, ...]:
    """The part with each line once; no part at all without lines."""
    listed = tuple(dict.fromkeys(lines))
    return (Part(title, listed, numbered),) if listed else ()


def as_text(page: Page, speaker: Speaker) -> str:
    """Plain text; lines are not wrapped."""

    def listed(line: Line, indent: str, bullet: str) -> Iterator[str]:
        yield f"{indent}{bullet}{with_law(speaker, line)}"
        for below in line.under:
            yield from listed(below, indent + "    ", "")

    told = [page.title] if page.title else []
    told += [with_law(speaker, line) for line in page.lead]
    for one in page.parts:
        told += ["", one.title if one.title.endswith((".", "?")) else f"{one.title}:"]
        for number, line in enumerate(one.lines, 1):
            told += listed(line, "  ", f"{number}. " if one.numbered else "- ")
    return "\n".join([*told, *(["", page.foot] if page.foot else ())]) + "\n"


def as_markdown(page: Page, speaker: Speaker, level: int = 2) -> str:
    """Markdown, headings from ``level`` on."""
    mark = "#" * level

    def listed(line: Line, indent: str, bullet: str) -> Iterator[str]:
        yield f"{indent}{bullet} {in_markdown(with_law(speaker, line))}"
        for below in line.under:
            yield from listed(below, indent + " " * (len(bullet) + 1), "-")

    told = [f"{mark} {in_markdown(page.title)}", ""] if page.title else []
    for line in page.lead:
        told += [in_markdown(with_law(speaker, line)), ""]
    for one in page.parts:
        told += [f"{mark}# {in_markdown(one.title)}", ""]
        for number, line in enumerate(one.lines, 1):
            told += listed(line, "", f"{number}." if one.numbered else "-")
        told.append("")
    return "\n".join([*told, *([in_markdown(page.foot)] if page.foot else ())]) + "\n"


def in_markdown(text: str) -> str:
    """A text in one line of Markdown, in which every sign stands for itself: no markup, no HTML, no link."""
    return _MARKUP.sub(r"\\\g<0>", text.replace("\n", " "))


def sentence(said: str) -> str:
    """What is said, as a sentence of its own."""
    return f"{said[:1].upper()}{said[1:].rstrip('.')}."


def with_law(speaker: Speaker, line: Line) -> str:
    """A sentence and the law behind it."""
    law = speaker.laws(line.laws)
    return f"{line.text} [{law}]" if law else line.text
