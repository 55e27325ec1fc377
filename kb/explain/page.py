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
    return "\n".join(_text(page, speaker)) + "\n"


def _text(page: Page, speaker: Speaker) -> Iterator[str]:
    yield from ([page.title] if page.title else ())
    yield from (with_law(speaker, line) for line in page.lead)
    for one in page.parts:
        yield ""
        yield one.title if one.title.endswith((".", "?")) else f"{one.title}:"
        for number, line in enumerate(one.lines, 1):
            yield from _lines(line, speaker, "  ", f"{number}." if one.numbered else "-")
    if page.foot:
        yield from ("", page.foot)


def _lines(line: Line, speaker: Speaker, indent: str, bullet: str) -> Iterator[str]:
    yield f"{indent}{bullet}{' ' if bullet else ''}{with_law(speaker, line)}"
    for below in line.under:
        yield from _lines(below, speaker, indent + "    ", "")


def as_markdown(page: Page, speaker: Speaker, level: int = 2) -> str:
    """Markdown, headings from ``level`` on."""
    return "\n".join(_markdown(page, speaker, "#" * level)) + "\n"


def _markdown(page: Page, speaker: Speaker, mark: str) -> Iterator[str]:
    if page.title:
        yield from (f"{mark} {in_markdown(page.title)}", "")
    for line in page.lead:
        yield from (in_markdown(with_law(speaker, line)), "")
    for one in page.parts:
        yield from (f"{mark}# {in_markdown(one.title)}", "")
        for number, line in enumerate(one.lines, 1):
            yield from _items(line, speaker, "", f"{number}." if one.numbered else "-")
        yield ""
    if page.foot:
        yield in_markdown(page.foot)


def _items(line: Line, speaker: Speaker, indent: str, bullet: str) -> Iterator[str]:
    yield f"{indent}{bullet} {in_markdown(with_law(speaker, line))}"
    for below in line.under:
        yield from _items(below, speaker, indent + " " * (len(bullet) + 1), "-")


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
