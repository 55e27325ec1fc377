"""What every part of the page is made of: escaped text, links to clauses, lists."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from kb.explain.page import Line, Page, Part
from kb.explain.say import Speaker
from kb.language.model import Edition

_MARK = "\x00"


class Pieces:
    """Makes pieces of one ruling's article; remembers which clauses it links to."""

    def __init__(self, speaker: Speaker, edition: Edition, prefix: str) -> None:
        self.speaker = speaker
        self.edition = edition
        self.prefix = prefix
        """Makes ids of this article differ from those of another."""
        self._linked: set[str] = set()

    @property
    def linked(self) -> list[str]:
        """The clauses that some link leads to, in the book's order."""
        return [ref for ref in self.edition.clauses if ref in self._linked]

    def phrase(self, key: str, **places: object) -> str:
        """A phrase, escaped."""
        return escape(self.speaker.phrase(key, **places))

    def opening(self, name: str, title: str, kind: str = "", hidden: bool = False) -> str:
        """The start of a section that is named by its heading."""
        at = f"{self.prefix}{name}"
        classes, state = f"part {kind}".strip(), " hidden" if hidden else ""
        return f'<section class="{classes}"{state} aria-labelledby="{at}"><h2 id="{at}">{self.phrase(title)}</h2>'

    def clause_id(self, ref: str) -> str:
        """The id of a clause in the page."""
        return f"{self.prefix}law-{ref}"

    def laws(self, laws: Iterable[str]) -> str:
        """«Law 7A1, 7B2», each number a link; nothing for none."""
        listed = list(laws)
        self._linked.update(listed)
        links = ", ".join(f'<a href="#{self.clause_id(ref)}">{escape(ref)}</a>' for ref in listed)
        return escape(self.speaker.phrase("law", law=_MARK)).replace(_MARK, links) if listed else ""

    def line(self, line: Line) -> str:
        """A line with its law and what is under it."""
        law = self.laws(line.laws)
        cite = f" <cite>[{law}]</cite>" if law else ""
        under = f"<ul>{''.join(f'<li>{self.line(one)}</li>' for one in line.under)}</ul>" if line.under else ""
        return f"{escape(line.text)}{cite}{under}"

    def page(self, page: Page) -> Iterator[str]:
        """The body of a page, its title and foot left out."""
        for nth, line in enumerate(page.lead):
            yield f'<p class="{"lead" if nth == 0 else "result"}">{self.line(line)}</p>'
        for part in page.parts:
            yield from self.part(part)

    def part(self, part: Part) -> Iterator[str]:
        """One part under its heading."""
        kind = "ol" if part.numbered else "ul"
        yield f"<h3>{escape(part.title)}</h3>"
        yield f"<{kind}>"
        yield from (f"<li>{self.line(line)}</li>" for line in part.lines)
        yield f"</{kind}>"

    def clauses(self) -> Iterator[str]:
        """Each clause linked to, in the edition's own words."""
        for ref in self.linked:
            clause = self.edition.clauses[ref]
            title = self.edition.laws.get(clause.law, {}).get(self.speaker.lang, "")
            name = escape(self.speaker.phrase("law", law=ref))
            yield f'<div class="clause" id="{self.clause_id(ref)}"><dt>{name} <span>{escape(title)}</span></dt>'
            yield f"<dd>{escape(clause.says[self.speaker.lang])}</dd></div>"
