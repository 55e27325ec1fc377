"""Verdicts on what is claimed, told in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final

from facts.incident import Incident
from facts.to_yaml import as_yaml, happened
from kb.explain.headline import headline
from kb.explain.say import Speaker
from kb.explain.text import now, revoke_line
from kb.explain.words import Words
from kb.language.edition import load_edition
from kb.language.model import Edition
from kb.prove.prove import Excepted, Proving, Standing, Verdict, Witness
from kb.ruling.law import Law
from kb.ruling.report import Report
from kb.ruling.rule import ruled_once


@dataclass(frozen=True)
class ToldExample:
    """A situation, one of a pair, or a clause."""

    words: str
    incident: Incident | None
    """None of a clause."""
    rulings: tuple[tuple[Edition, str], ...] = ()
    """What the editions that are compared say of it; none of what is expected."""


@dataclass(frozen=True)
class ToldException:
    """Where a property is not expected to hold."""

    words: str
    """How often, and why."""
    examples: tuple[ToldExample, ...]


@dataclass(frozen=True)
class ToldVerdict:
    """What came of one property."""

    id: str
    says: str
    because: str
    """Why it ought to hold."""
    laws: tuple[str, ...]
    standing: Standing
    fails: bool
    """Whether something has to be mended."""
    stands: str
    """The standing in words, with the number of situations."""
    examples: tuple[ToldExample, ...]
    cases: tuple[str, ...]
    """Those in which it does not hold, and ought to."""
    exceptions: tuple[ToldException, ...]


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
        phrase, told = self.speaker.phrase, self.told(one)
        yield f"{told.id}: {told.says}"
        yield f"  {told.stands.upper() if told.fails else told.stands}"
        if told.fails:
            yield f"  {phrase('prove-because', because=told.because)}"
        for example in told.examples:
            yield from (f"  {line}" for line in self.example(example))
        yield from (f"  {case}" for case in told.cases)
        for each in told.exceptions:
            yield f"  {each.words}"
            yield from (f"    {example.words}" for example in each.examples)

    def told(self, one: Verdict) -> ToldVerdict:
        """One verdict in words."""
        return ToldVerdict(
            one.of.id,
            one.of.says[self.lang],
            one.of.because[self.lang],
            one.of.laws,
            one.standing,
            one.fails,
            self.standing(one),
            tuple(self.examples(one.witness, one)),
            tuple(self.speaker.phrase("prove-case", case=case.id, title=case.title) for case in one.cases),
            tuple(ToldException(self.exception(each), tuple(self.examples(each.witness))) for each in one.excepted),
        )

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
            ordinary = self.speaker.phrase("prove-ordinary")
            yield from (witness.universe.unusual(one, self.lang, ordinary) for one in witness.situations)

    def examples(self, witness: Witness | None, of: Verdict | None = None) -> Iterator[ToldExample]:
        """An example; both of a pair. ``of``: the verdict for which it is told how they are ruled on."""
        if witness is not None:
            each = zip_longest(self.answers(witness), self.incidents(witness))
            for number, (words, incident) in enumerate(each):
                rulings = tuple(self.rulings(of, incident)) if of is not None and incident is not None else ()
                said = self.speaker.phrase("prove-beside" if number else "prove-for-instance", example=words)
                yield ToldExample(said, incident, rulings)

    def example(self, one: ToldExample) -> Iterator[str]:
        """An example in words, as an incident file, and with the rulings that make it one."""
        yield one.words
        if one.incident is not None:
            yield from (f"  {line}" for line in as_yaml(one.incident).splitlines())
            yield from (f"→ {edition.id}: {said}" for edition, said in one.rulings)

    def incidents(self, witness: Witness) -> Sequence[Incident]:
        """The incidents of an example; none of a clause."""
        universe = witness.universe
        return [] if universe is None else [universe.incident(number) for number in witness.situations]

    def rulings(self, one: Verdict, incident: Incident) -> Iterator[tuple[Edition, str]]:
        """What the editions that are compared say of an incident."""
        others = [] if one.of.against is None else [load_edition(self.proving.root, one.of.against)]
        for edition in (*others, self.edition):
            ruling = ruled_once(Law(edition, engine="quick"), incident)
            speaker = self.speaker.of(ruling)
            revokes = (f"{revoke_line(speaker, one)}." for one in ruling.revokes)
            done = (line.text for line in now(Report(ruling), speaker))
            yield edition, " ".join([headline(ruling, speaker), *revokes, *done])


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
