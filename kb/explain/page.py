"""What is told, apart from its form: a title, what comes first, and parts within parts with their lines.

It is plain text, or Markup in which words are set off as in HTML: ``b``, ``var``, ``code``, ``small``, ``del``, ``ins``
and links. A page shows that as it is (``told.html``), Markdown has signs for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape
from typing import Final

from markupsafe import Markup

from kb.explain.words import Speaker

_SIGNS: Final = re.compile(r"[\\`*_<>#|~&]|\](?=[(\[:])")
_TAG: Final = re.compile(r"(<[^>]*>)")
_SET_OFF: Final = {"b": "**", "var": "*", "small": "*", "code": "`", "del": "~~", "ins": "**"}


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence or a few, with the law behind it and what belongs under it."""

    text: str
    laws: tuple[str, ...] = ()
    under: tuple[Line, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """Lines under a heading, as a list, then parts of it; without a heading they stand as paragraphs of their own."""

    title: str
    lines: tuple[Line, ...] = ()
    numbered: bool = False
    folded: bool = False
    """Whether a page that can opens it only when the reader wishes."""
    parts: tuple[Part, ...] = ()
    name: str = ""
    """By which links find it."""
    kind: str = ""
    """The class by which a style knows it."""


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
    """Plain text, of a page whose parts have no parts; lines are not wrapped."""

    def listed(line: Line, indent: str, bullet: str) -> Iterator[str]:
        yield f"{indent}{bullet}{with_law(speaker, line)}"
        for below in line.under:
            yield from listed(below, indent + "    ", "")

    lines = [page.title] if page.title else []
    lines += [with_law(speaker, line) for line in page.lead]
    for part in page.parts:
        lines += ["", part.title if part.title.endswith((".", "?")) else f"{part.title}:"]
        for number, line in enumerate(part.lines, 1):
            lines += listed(line, "  ", f"{number}. " if part.numbered else "- ")
    return "\n".join([*lines, *(["", page.foot] if page.foot else ())]) + "\n"


def as_markdown(page: Page, speaker: Speaker, level: int = 2) -> str:
    """Markdown, headings from ``level`` on; what folds stands open."""
    whole = Part(page.title, parts=(Part("", page.lead), *page.parts))
    foot = [in_markdown(page.foot)] if page.foot else []
    return "\n".join([*_section(whole, speaker, "#" * level), *foot]) + "\n"


def _section(part: Part, speaker: Speaker, mark: str) -> Iterator[str]:
    if part.title:
        anchor = f'<a id="{part.name}"></a>' if part.name else ""
        yield from (f"{mark} {anchor}{in_markdown(part.title)}", "")
        for number, line in enumerate(part.lines, 1):
            yield from _item(line, speaker, "", f"{number}." if part.numbered else "-")
        yield from [""] if part.lines else ()
    else:
        yield from (text for line in part.lines for text in (in_markdown(with_law(speaker, line)), ""))
    for below in part.parts:
        yield from _section(below, speaker, f"{mark}#")


def _item(line: Line, speaker: Speaker, indent: str, bullet: str) -> Iterator[str]:
    yield f"{indent}{bullet} {in_markdown(with_law(speaker, line))}"
    for below in line.under:
        yield from _item(below, speaker, indent + " " * (len(bullet) + 1), "-")


def in_markdown(text: str) -> str:
    """A text in one line of Markdown, in which every sign stands for itself and only what is set off is: no HTML."""
    if not isinstance(text, Markup):
        return _SIGNS.sub(r"\\\g<0>", text.replace("\n", " "))
    made = leads = ""
    for piece in _TAG.split(text):
        if not piece.startswith("<"):
            made += in_markdown(unescape(piece))
        elif piece.startswith("<a "):
            leads = piece.split('"')[1]
            made += "["
        else:
            made += f"]({leads})" if piece == "</a>" else _SET_OFF.get(piece.strip("</>").partition(" ")[0], "")
    return made


def sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def with_law(speaker: Speaker, line: Line) -> str:
    law = speaker.laws(line.laws)
    return f"{line.text} [{law}]" if law else line.text
