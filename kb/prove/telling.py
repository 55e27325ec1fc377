"""Verdicts on the properties of a law told to its editor, as text and as one JSON object."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final

from facts.incident import Incident
from facts.to_yaml import as_yaml, happened
from kb.explain.headline import headline
from kb.explain.say import Speaker
from kb.explain.text import now
from kb.explain.words import Words
from kb.language.edition import load_edition
from kb.language.model import Edition
from kb.prove.prove import Proving
from kb.prove.verdict import Excepted, Verdict, Witness
from kb.ruling.law import Law
from kb.ruling.report import Report
from kb.ruling.rule import ruled_once

UNITS: Final = {"when-only": "pairs", "decides": "clauses"}
"""What is counted of a property that is not about single situations."""


class ProofReport:
    """Tells the verdicts on one edition in one language."""

    def __init__(self, proving: Proving, words: Words, lang: str) -> None:
        self.proving, self.lang = proving, lang
        self.edition = proving.edition
        self.speaker = Speaker(words, self.edition.vocabulary, lang)

    def lines(self, verdicts: Iterable[Verdict]) -> Iterator[str]:
        """Every verdict, then how many of each there are."""
        told: list[Verdict] = []
        yield self.speaker.phrase(
            "prove-title", edition=self.edition.called(self.lang), situations=_number(len(self.proving.universe))
        )
        for one in verdicts:
            yield ""
            yield from self.verdict(one)
            told.append(one)
        counts = [(name, sum(one.standing == name for one in told)) for name in ("holds", "expected")]
        failed = sum(one.fails for one in told)
        yield ""
        yield self.speaker.phrase("prove-count", all=len(told), failed=failed, **dict(counts))

    def verdict(self, one: Verdict) -> Iterator[str]:
        """One verdict: the sentence, how it stands, and what makes it so."""
        phrase, standing = self.speaker.phrase, self.standing(one)
        yield f"{one.of.id}: {one.of.says[self.lang]}"
        yield f"  {standing.upper() if one.fails else standing}"
        if one.fails:
            yield f"  {phrase('prove-because', because=one.of.because[self.lang])}"
        if one.witness is not None:
            yield from self._indented(self.example(one, one.witness))
        for case in one.cases:
            yield f"  {phrase('prove-case', case=case.id, title=case.title)}"
        for each in one.excepted:
            yield f"  {self.exception(each)}"
            if each.witness is not None:
                yield f"    {phrase('prove-for-instance', example='; '.join(self.answers(each.witness)))}"

    def standing(self, one: Verdict) -> str:
        """«holds in 1,234 situations»."""
        key = "prove-refuted-in-cases" if one.cases and not one.refuted else f"prove-{one.standing}"
        return self.speaker.phrase(key, times=_number(one.refuted), tried=self.tried(one))

    def exception(self, one: Excepted) -> str:
        """How often it is so, or in which cases, and why."""
        phrase, because = self.speaker.phrase, one.expected.because[self.lang]
        if one.needless:
            return phrase("prove-needless-exception", because=because)
        if one.times:
            return phrase("prove-except", times=_number(one.times), because=because)
        names = one.expected.cases if one.cases is None else [case.id for case in one.cases]
        return phrase("prove-except-cases", cases=", ".join(names), because=because)

    def tried(self, one: Verdict) -> str:
        """«1,234 situations»."""
        return self.speaker.phrase(f"prove-{UNITS.get(one.of.sort, 'situations')}", n=_number(one.tried))

    def answers(self, witness: Witness) -> Iterator[str]:
        """An example in words: the answers that are not the ordinary ones, or else what differs in a pair."""
        if witness.clause is not None:
            yield self.speaker.phrase("law", law=witness.clause).strip(" []")
        if witness.universe is not None and witness.situations:
            first, *others = witness.situations
            yield witness.universe.unusual(first, self.lang)
            yield from (witness.universe.unusual(other, self.lang) for other in others)

    def example(self, one: Verdict, witness: Witness) -> Iterator[str]:
        """An example in words, as incident files, and with the rulings that make it one."""
        for words, incident in zip_longest(self.answers(witness), self.incidents(witness)):
            yield self.speaker.phrase("prove-for-instance", example=words)
            if incident is not None:
                yield from (f"  {line}" for line in as_yaml(incident).splitlines())
                yield from (f"→ {edition.id}: {said}" for edition, said in self.rulings(one, incident))

    def incidents(self, witness: Witness) -> Sequence[Incident]:
        """The incidents of an example; none of a clause."""
        universe = witness.universe
        return [] if universe is None else [universe.incident(number) for number in witness.situations]

    def rulings(self, one: Verdict, incident: Incident) -> Iterator[tuple[Edition, str]]:
        """What the editions that are compared say of an incident."""
        others = [] if one.of.against is None else [load_edition(self.proving.root, one.of.against)]
        for edition in (*others, self.edition):
            ruling = ruled_once(Law(edition, engine="python"), incident)
            speaker = self.speaker.of(ruling)
            done = (line.text for line in now(Report(ruling), speaker))
            yield edition, " ".join([headline(ruling, speaker), *done])

    def _indented(self, lines: Iterable[str]) -> Iterator[str]:
        return (f"  {line}" for line in lines)


def _number(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")


def proof_json(report: ProofReport, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """The object: every property with how it stands, its exceptions and examples."""
    return {
        "edition": report.edition.id,
        "elections": list(report.edition.elections),
        "situations": len(report.proving.universe),
        "holds": not any(one.fails for one in verdicts),
        "properties": [_verdict(report, one) for one in verdicts],
    }


def _verdict(report: ProofReport, one: Verdict) -> dict[str, Any]:
    return {
        "name": one.of.id,
        "says": one.of.says[report.lang],
        "because": one.of.because[report.lang],
        "law": list(one.of.laws),
        "claims": one.of.sort,
        "place": str(one.of.place),
        "standing": one.standing,
        "tried": one.tried,
        "refuted": one.refuted,
        "example": _example(report, one.witness),
        "cases": [case.id for case in one.cases],
        "expected": [
            {
                "because": each.expected.because[report.lang],
                "times": each.times,
                "cases": [case.id for case in each.cases or ()],
                "example": _example(report, each.witness),
            }
            for each in one.excepted
        ],
    }


def _example(report: ProofReport, witness: Witness | None) -> dict[str, Any] | None:
    if witness is None:
        return None
    if witness.clause is not None:
        return {"law": witness.clause}
    universe = witness.universe
    answers = [] if universe is None else [universe.answers(number) for number in witness.situations]
    return {"answers": answers, "incidents": [happened(incident) for incident in report.incidents(witness)]}
