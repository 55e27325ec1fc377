"""The voices in which one ruling can be told, wherever one is chosen, and the ruling as it is saved."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from typing import Any, Self, TypeAlias

from facts.fact import Fact
from kb.explain.as_json import as_json
from kb.explain.headline import headline
from kb.explain.hinge import hinge
from kb.explain.page import Line, Page, Part, as_text, part
from kb.explain.say import Speaker
from kb.explain.spoken import Announcement
from kb.explain.text import entry_lines, foot, of_its_day, page, title, why
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import record
from kb.voices.appeal import appeal
from kb.voices.teaching import teaching


def table(ruling: Ruling, speaker: Speaker) -> Page:
    """What is said, sentence by sentence; before it the law, if an authority has chosen in it, or the day is known."""
    named = title(ruling, speaker) if ruling.edition.elections or ruling.incident.date else ""
    return Page(named, Announcement(ruling, speaker).lines)


def slip(ruling: Ruling, speaker: Speaker) -> Page:
    """The headline; why; what is done now, and what is left to the director, or the question on which it hinges."""
    decisive = {*ruling.decisive, *(law for one in ruling.revokes for law in one.status_by)}
    because = (line for line in why(ruling, speaker) if any(decisive & {*one.laws} for one in (line, *line.under)))
    left = (line for one in (*ruling.now, *ruling.director) for line in entry_lines(one, speaker))
    to_do = tuple(dict.fromkeys((*hinge(ruling, speaker, 1), *left)))
    parts = (Part("why", tuple(dict.fromkeys(because))), Part("to do", to_do))
    return Page("", (Line(Announcement(ruling, speaker).head),), parts)


def editor(ruling: Ruling, speaker: Speaker) -> Page:
    """Every step behind the ruling, in the order of the proof; where the text of each clause was found."""
    steps: list[Line] = []
    for one in ruling.support:
        rule, said = one.reason.rule, ruling.without_unsaid(one)
        bindings = ", ".join(f"${name} = {value}" for name, value in said.reason.bindings.items())
        under = (
            Line(speaker.reason(one.reason)),
            *((Line(bindings),) if bindings else ()),
            *(Line(f"← {raw(fact)}") for fact in said.facts),
            *(Line(f"← {speaker.lacking(lacking)}") for lacking in one.lacking),
            Line(f"→ {raw(said.reason.fact)}"),
        )
        steps.append(Line(f"{rule.id}  {rule.place}", () if one.law is None else (one.law,), under))
    parts = (
        *part(speaker.phrase("editor-steps"), steps),
        *part(speaker.phrase("law-of-the-day"), map(Line, of_its_day(ruling, speaker))),
        *part(speaker.phrase("editor-provenance"), _provenance(ruling, speaker)),
    )
    return Page(title(ruling, speaker), (Line(headline(ruling, speaker)),), parts, foot(ruling, speaker))


def _provenance(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """Where the text of each clause that is cited was found, as far as it is told, and what was decided about it."""
    for ref in ruling.cited:
        clause = ruling.edition.clauses[ref]
        if clause.source.recalled:
            yield Line(speaker.phrase("book-recalled"), (ref,))
        if where := " ".join(filter(None, (str(clause.source), clause.source.link))):
            yield Line(f"{speaker.phrase('book-source')}: {where}", (ref,))
        for one in clause.minutes:
            yield Line(f"{speaker.phrase('book-minute')} ({one.signed}): {one.says[speaker.lang]}", (ref,))


def raw(fact: Fact) -> str:
    """A fact as it is: «won: 5, W, EW»."""
    return f"{fact[0]}: {', '.join('–' if value is None else str(value) for value in fact[1:])}"


def saved(ruling: Ruling, speaker: Speaker, voice: Voice | None = None) -> dict[str, Any]:
    """The object that ``revoke rule --format json`` prints and ``revoke verify`` checks."""
    text = as_text(told(ruling, speaker, voice), speaker)
    return {**as_json(ruling, speaker, text), "voice": voice, "record": record(ruling)}


Tell: TypeAlias = Callable[[Ruling, Speaker], Page]
"""Tells a ruling; the speaker is one that says its seats."""


class Voice(StrEnum):
    """Whom the ruling is told to; what each is called stands in ``words.yaml`` among the names of ``voice``."""

    tell: Tell

    TABLE = "table", table
    APPEAL = "appeal", appeal
    TEACHING = "teaching", teaching
    EDITOR = "editor", editor

    def __new__(cls, name: str, tell: Tell) -> Self:
        """A voice is its name, and knows what tells a ruling in it."""
        voice = str.__new__(cls, name)
        voice._value_, voice.tell = name, tell
        return voice


def told(ruling: Ruling, speaker: Speaker, voice: Voice | None = None) -> Page:
    """The ruling in a voice; in full, for anyone, when none is named."""
    return (page if voice is None else voice.tell)(ruling, speaker.of(ruling))
