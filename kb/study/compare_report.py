"""A comparison of editions told to a law editor: as text, as Markdown, and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from facts.incident import Incident
from facts.observe import observe
from kb.explain.say import Voice
from kb.explain.text import LISTED, headline, revoke_line, said
from kb.explain.words import Words
from kb.ruling.law import Law
from kb.ruling.rule import ALWAYS_SHOWN
from kb.ruling.ruling import Ruling
from kb.study.compare import Comparison, Group
from kb.study.describe import Conditions, Needed
from kb.study.outcome import Effect
from kb.study.situations import as_file
from kb.study.substitution import Clauses

SPOKEN = (*LISTED, "open", "director")
"""The parts of a ruling whose sentences are compared in an example."""


class Report:
    """Tells one comparison in one language."""

    def __init__(self, comparison: Comparison, words: Words, lang: str, markdown: bool = False) -> None:
        self.found = comparison
        self.interview = comparison.space.interview
        self.words, self.lang, self.markdown = words, lang, markdown
        self.voices = [Voice(words, edition.vocabulary, lang) for edition in (comparison.a, comparison.b)]
        self._laws = [Law(edition, "python") for edition in (comparison.a, comparison.b)]

    def lines(self) -> Iterator[str]:
        """The report as text or Markdown."""
        found, n = self.found, self.number
        yield self.heading(1, self.phrase("compare-title", a=found.a.id, b=found.b.id))
        yield self.phrase("compare-changed", clauses=", ".join(found.changed) or self.phrase("compare-none"))
        yield self.phrase("compare-space", situations=n(len(found.space)), cases=n(found.cases_tried))
        key = "compare-verified" if found.verified else "compare-unverified"
        yield self.phrase(key, situations=n(found.verified))
        for what in ("ruling", "judgement"):
            yield self.phrase(f"compare-{what}", situations=n(found.differing(what)))  # type: ignore[arg-type]
        if found.changed and found.without_effect:
            yield self.phrase("compare-without-effect", clauses=", ".join(found.without_effect))
        for number, group in enumerate(found.groups, 1):
            yield from self._group(number, group)
        yield from self._cases()

    def json(self) -> dict[str, Any]:
        """The report as one object."""
        found = self.found
        return {
            "a": found.a.id,
            "b": found.b.id,
            "enumerated": {
                "questions": len(self.interview.questions),
                "situations": len(found.space),
                "cases": found.cases_tried,
                "verified-by-durable-rules": found.verified,
            },
            "changed": list(found.changed),
            "without-effect": list(found.without_effect),
            "differ": {"ruling": found.differing("ruling"), "judgement": found.differing("judgement")},
            "groups": [self._group_json(group) for group in found.groups],
            "cases": [
                {"id": one.case.id, "what": one.cause.what, "clauses": _lists(one.cause.clauses)} for one in found.cases
            ],
        }

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
        """«64B3», «62A + 62C3», «63A3 or 63A4»."""
        return self.phrase("compare-or").join(" + ".join(together) for together in clauses)

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
        return f"{question.about[self.lang]} {self.phrase('compare-not') if needed.other else ''}{listed}"

    def _group(self, number: int, group: Group) -> Iterator[str]:
        title = self.phrase(
            f"compare-group-{group.what}",
            clauses=self.clauses(group.clauses),
            situations=self.number(len(group.situations)),
        )
        yield ""
        yield self.heading(2, f"{number}. {title}")
        for before, after, times in group.effects:
            if before != after:
                yield f"- {self.effect(before)} → {self.effect(after)}: {self.number(times)}"
            else:
                yield f"- {self.phrase('compare-else', effect=self.effect(before))}: {self.number(times)}"
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
        file = incident_yaml(self.found, group.example)
        yield f"\n```yaml\n{file}```\n" if self.markdown else "\n" + _indented(file) + "\n"
        for edition, sentences in zip((self.found.a, self.found.b), self._rulings(group.example), strict=True):
            yield f"- {edition.id}: {' '.join(sentences)}"

    def _rulings(self, number: int) -> list[list[str]]:
        """What either edition says of a situation: the headline, and the sentences that the other has not."""
        incident = self.found.space.incident(number)
        rulings = [_ruling(law, incident) for law in self._laws]
        spoken = [list(_sentences(ruling, voice)) for ruling, voice in zip(rulings, self.voices, strict=True)]
        return [
            [headline(ruling, voice), *(f"{one.rstrip('.')}." for one in spoken[at] if one not in spoken[1 - at])]
            for at, (ruling, voice) in enumerate(zip(rulings, self.voices, strict=True))
        ]

    def _cases(self) -> Iterator[str]:
        if self.found.cases:
            yield ""
            yield self.heading(2, self.phrase("compare-cases", n=self.number(len(self.found.cases))))
        for one in self.found.cases:
            change = f"{self.effect(one.cause.before)} → {self.effect(one.cause.after)}"
            yield f"- {one.case.id} ({self.clauses(one.cause.clauses)}): {one.case.title}: {change}"

    def _group_json(self, group: Group) -> dict[str, Any]:
        a, b = self._rulings(group.example)
        return {
            "what": group.what,
            "clauses": _lists(group.clauses),
            "situations": len(group.situations),
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
                "answers": self.found.space.answers(group.example),
                "incident": as_file(self.found.space.incident(group.example)),
                "a": a,
                "b": b,
            },
        }


def incident_yaml(found: Comparison, number: int) -> str:
    """The incident file of a situation."""
    made: str = yaml.safe_dump(
        as_file(found.space.incident(number)), sort_keys=False, default_flow_style=None, width=100, allow_unicode=True
    )
    return made


def _ruling(law: Law, incident: Incident) -> Ruling:
    """The ruling, even of a draft whose rules contradict each other."""
    return Ruling(incident, law.edition, law.engine.run(observe(incident, law.program.kinds | ALWAYS_SHOWN)))


def _sentences(ruling: Ruling, voice: Voice) -> Iterable[str]:
    for revoke in ruling.revokes:
        yield revoke_line(ruling, voice, revoke)
    for section in SPOKEN:
        yield from (said(ruling, voice, item) for item in ruling.items(section))


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def _lists(clauses: tuple[Clauses, ...]) -> list[list[str]]:
    return [list(together) for together in clauses]


def _revokes(effect: Effect) -> list[dict[str, Any]]:
    return [{"status": status, "automatic-tricks": tricks} for status, tricks in effect]


def _needed(needed: Needed) -> dict[str, Any]:
    return {"question": needed.question, "answers": list(needed.answers), "other": needed.other}
