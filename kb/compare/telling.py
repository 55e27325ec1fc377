"""A comparison of editions told to a law editor, as text or as Markdown, and as one JSON object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from facts.incident import Incident
from facts.to_yaml import as_yaml, happened
from kb.compare.blame import Clauses, What
from kb.compare.compare import Comparison, Group
from kb.compare.minimal_conditions import Conditions, Needed
from kb.explain.headline import headline
from kb.explain.say import Speaker
from kb.explain.text import entry, revoke_line
from kb.explain.words import Words
from kb.language.model import Edition
from kb.ruling.law import Law
from kb.ruling.report import LISTED, Report
from kb.ruling.rule import ruled_once
from kb.ruling.ruling import Ruling
from kb.space.outcome import Effect

SPOKEN: Final[Mapping[What, tuple[str, ...]]] = {"ruling": (*LISTED, "remarks"), "judgement": ("director",)}
"""The parts of a ruling whose sentences an example tells, by what differs."""


class ComparisonReport:
    """Tells one comparison in one language."""

    def __init__(self, comparison: Comparison, words: Words, lang: str, markdown: bool = False) -> None:
        self.found = comparison
        self.interview = comparison.universe.interview
        self.words, self.lang, self.markdown = words, lang, markdown
        self.voices = [Speaker(words, edition.vocabulary, lang) for edition in (comparison.a, comparison.b)]
        self._laws = [Law(edition, engine="python") for edition in (comparison.a, comparison.b)]

    def lines(self) -> Iterator[str]:
        """The report as text or Markdown."""
        found, n = self.found, self.number
        yield self.heading(1, self.phrase("compare-title", a=name(found.a), b=name(found.b)))
        if found.related:
            yield self.phrase("compare-changed", clauses=", ".join(found.changed) or self.phrase("compare-none"))
        else:
            yield self.phrase("compare-unrelated")
        yield self.phrase("compare-space", situations=n(len(found.universe)), cases=n(found.cases_tried))
        key = "compare-verified" if found.verified else "compare-unverified"
        yield self.phrase(key, situations=n(found.verified))
        for what in ("ruling", "judgement"):
            yield self.phrase(f"compare-{what}", situations=n(found.differing(what)))
        if found.changed and found.without_effect:
            yield self.phrase("compare-without-effect", clauses=", ".join(found.without_effect))
        for number, group in enumerate(found.groups, 1):
            yield from self._group(number, group)
        yield from self._cases()

    def phrase(self, key: str, **places: object) -> str:
        """A fixed phrase with its places filled."""
        return self.words.phrase(key, self.lang, **places)

    def number(self, number: int) -> str:
        """A number as it is written."""
        return f"{number:,}".replace(",", "\u202f")

    def heading(self, level: int, title: str) -> str:
        """A title with room around it."""
        return f"{'#' * level} {title}\n" if self.markdown else f"{title}\n{('=', '-')[level - 1] * len(title)}"

    def clauses(self, clauses: tuple[Clauses, ...]) -> str:
        """«7A1», «7A1 + 7B2», «7A1 or 7B2»."""
        return self.phrase("compare-or").join(" + ".join(each) for each in clauses) or self.phrase("compare-code")

    def effect(self, effect: Effect) -> str:
        """What becomes of the revokes, in short."""
        shown = [
            self.words.name("status-word", status, self.lang)
            + (self.phrase("automatic", tricks=self.voices[0].tricks(tricks)) if tricks else "")
            for status, tricks in effect
        ]
        return "; ".join(shown) or self.phrase("compare-no-revoke")

    def condition(self, needed: Needed) -> str:
        """What the answers to one question must be."""
        question = self.interview.questions[needed.question]
        answers = [question.answers[answer].says[self.lang] for answer in needed.answers]
        listed = self.phrase("compare-or").join(f"«{answer}»" for answer in answers)
        return f"{self.phrase('compare-not') if needed.other else ''}{question.about[self.lang]} {listed}"

    def _group(self, number: int, group: Group) -> Iterator[str]:
        title = self.phrase(
            f"compare-group-{group.what}",
            clauses=self.clauses(group.clauses),
            situations=self.number(group.situations.bit_count()),
        )
        yield ""
        yield self.heading(2, f"{number}. {title}")
        for before, after, times in group.effects:
            if before != after:
                yield f"- {self.effect(before)} → {self.effect(after)}: {self.number(times)}"
            else:
                yield f"- {self.phrase('compare-else', effect=self.effect(before))}: {self.number(times)}"
        if group.boxes:
            yield ""
            yield self.phrase("compare-asked", situations=self.number(group.asked))
        for box in group.boxes:
            yield ""
            yield self.phrase("compare-when", situations=self.number(box.size))
            yield from (f"- {self.condition(needed)}" for needed in box.conditions)
            yield from (f"- {self.phrase('compare-except')} {self._all(unless)}" for unless in box.unless)
        yield from self._example(group)

    def _all(self, conditions: Conditions) -> str:
        return self.phrase("compare-and").join(map(self.condition, conditions))

    def _example(self, group: Group) -> Iterator[str]:
        yield ""
        yield f"{self.phrase('compare-example')}:"
        file = as_yaml(self.found.universe.incident(group.example))
        yield f"\n```yaml\n{file}```\n" if self.markdown else "\n" + _indented(file) + "\n"
        for edition, sentences in zip((self.found.a, self.found.b), self.rulings(group), strict=True):
            yield f"- {name(edition)}: {' '.join(sentences)}"

    def rulings(self, group: Group) -> list[list[str]]:
        """What either edition says of the example: the headline, and the sentences that the other has not."""
        incident = self.found.universe.incident(group.example)
        rulings = [_ruling(law, incident) for law in self._laws]
        voices = [speaker.of(one) for one, speaker in zip(rulings, self.voices, strict=True)]
        spoken = [list(_sentences(one, speaker, group.what)) for one, speaker in zip(rulings, voices, strict=True)]
        return [
            [headline(ruling, speaker), *(_ended(one) for one in spoken[at] if one not in spoken[1 - at])]
            for at, (ruling, speaker) in enumerate(zip(rulings, voices, strict=True))
        ]

    def _cases(self) -> Iterator[str]:
        if self.found.cases:
            yield ""
            yield self.heading(2, self.phrase("compare-cases", n=self.number(len(self.found.cases))))
        for one in self.found.cases:
            change = f"{self.effect(one.before)} → {self.effect(one.after)}"
            yield f"- {one.case.id} ({self.clauses(one.cause.clauses)}): {one.case.title}: {change}"


def name(edition: Edition) -> str:
    """«duplicate-2007+dbv-2007»."""
    return "+".join((edition.id, *edition.elections))


def _ruling(law: Law, incident: Incident) -> Ruling:
    """The ruling, even of a draft whose rules contradict each other."""
    return ruled_once(law, incident)


def _sentences(ruling: Ruling, speaker: Speaker, what: What) -> Iterable[str]:
    for revoke in ruling.revokes:
        yield revoke_line(speaker, revoke)
    for section in SPOKEN[what]:
        yield from (entry(one, speaker).text for one in Report(ruling).entries(section))


def _ended(sentence: str) -> str:
    return sentence if sentence.endswith((".", "?", "!")) else f"{sentence}."


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def comparison_json(found: Comparison, report: ComparisonReport) -> dict[str, Any]:
    """The object; ``report`` says the rulings on the examples in its language."""
    return {
        "a": name(found.a),
        "b": name(found.b),
        "enumerated": {
            "questions": len(found.universe.interview.questions),
            "situations": len(found.universe),
            "cases": found.cases_tried,
            "verified-by-durable-rules": found.verified,
        },
        "related": found.related,
        "changed": list(found.changed),
        "without-effect": list(found.without_effect),
        "differ": {"ruling": found.differing("ruling"), "judgement": found.differing("judgement")},
        "groups": [_group(found, group, report) for group in found.groups],
        "cases": [
            {"id": one.case.id, "what": one.cause.what, "clauses": _lists(one.cause.clauses)} for one in found.cases
        ],
    }


def _group(found: Comparison, group: Group, report: ComparisonReport) -> dict[str, Any]:
    a, b = report.rulings(group)
    return {
        "what": group.what,
        "clauses": _lists(group.clauses),
        "situations": group.situations.bit_count(),
        "asked": group.asked,
        "effects": [
            {"before": _revokes(before), "after": _revokes(after), "situations": times}
            for before, after, times in group.effects
        ],
        "when": [
            {
                "situations": box.size,
                "conditions": [_needed(needed) for needed in box.conditions],
                "unless": [[_needed(needed) for needed in unless] for unless in box.unless],
            }
            for box in group.boxes
        ],
        "example": {
            "answers": found.universe.answers(group.example),
            "incident": happened(found.universe.incident(group.example)),
            "a": a,
            "b": b,
        },
    }


def _lists(clauses: tuple[Clauses, ...]) -> list[list[str]]:
    return [list(together) for together in clauses]


def _revokes(effect: Effect) -> list[dict[str, Any]]:
    return [{"status": status, "automatic-tricks": tricks} for status, tricks in effect]


def _needed(needed: Needed) -> dict[str, Any]:
    return {"question": needed.question, "answers": list(needed.answers), "other": needed.other}
