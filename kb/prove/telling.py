"""Verdicts on what is claimed, told in words and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
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
        """Every verdict – the sentence, how it stands, what makes it so –, then how many of each there are."""
        all_, phrase = list[Verdict](), self.speaker.phrase
        situations = _number(len(self.proving.universe))
        yield phrase("prove-title", edition=self.edition.called(self.lang), situations=situations)
        for one in verdicts:
            all_.append(one)
            told = self.told(one)
            yield ""
            yield f"{told.id}: {told.says}"
            yield f"  {told.stands.upper() if told.fails else told.stands}"
            if told.fails:
                yield f"  {phrase('prove-because', because=told.because)}"
            for example in told.examples:
                yield f"  {example.words}"
                if example.incident is not None:
                    yield from (f"    {line}" for line in as_yaml(example.incident).splitlines())
                    yield from (f"  → {edition.id}: {said}" for edition, said in example.rulings)
            yield from (f"  {case}" for case in told.cases)
            for each in told.exceptions:
                yield f"  {each.words}"
                yield from (f"    {example.words}" for example in each.examples)
        counts = {name: sum(one.standing == name for one in all_) for name in ("holds", "expected")}
        yield ""
        yield phrase("prove-count", all=len(all_), failed=sum(one.fails for one in all_), **counts)

    def told(self, one: Verdict) -> ToldVerdict:
        phrase = self.speaker.phrase
        tried = phrase(f"prove-{UNITS.get(one.of.sort, 'situations')}", n=_number(one.tried))
        key = "prove-refuted-in-cases" if one.cases and not one.refuted else f"prove-{one.standing}"
        return ToldVerdict(
            one.of.id,
            one.of.says[self.lang],
            one.of.because[self.lang],
            one.of.laws,
            one.standing,
            one.fails,
            phrase(key, times=_number(one.refuted), tried=tried),
            tuple(self.examples(one.witness, one)),
            tuple(phrase("prove-case", case=case.id, title=case.title) for case in one.cases),
            tuple(ToldException(self.exception(each), tuple(self.examples(each.witness))) for each in one.excepted),
        )

    def exception(self, one: Excepted) -> str:
        """How often it is so, or in which cases, and why."""
        phrase, because = self.speaker.phrase, one.expected.because[self.lang]
        if one.needless:
            return phrase("prove-needless-exception", because=because)
        if one.times:
            return phrase("prove-except", times=_number(one.times), because=because)
        names = one.expected.cases if one.cases is None else [case.id for case in one.cases]
        return phrase("prove-except-cases", cases=", ".join(names), because=because)

    def examples(self, witness: Witness | None, of: Verdict | None = None) -> Iterator[ToldExample]:
        """An example: the answers that are not the ordinary ones, or what differs in both of a pair; or a clause.

        ``of``: the verdict for which it is told how they are ruled on.
        """
        if witness is not None and witness.clause is not None:
            law = self.speaker.phrase("law", law=witness.clause).strip(" []")
            yield ToldExample(self.speaker.phrase("prove-for-instance", example=law), None)
        elif witness is not None and (universe := witness.universe) is not None:
            ordinary = self.speaker.phrase("prove-ordinary")
            for number, situation in enumerate(witness.situations):
                words, incident = universe.unusual(situation, self.lang, ordinary), universe.incident(situation)
                said = self.speaker.phrase("prove-beside" if number else "prove-for-instance", example=words)
                yield ToldExample(said, incident, () if of is None else tuple(self.rulings(of, incident)))

    def rulings(self, one: Verdict, incident: Incident) -> Iterator[tuple[Edition, str]]:
        """What the editions that are compared say of an incident."""
        others = [] if one.of.against is None else [load_edition(self.proving.root, one.of.against)]
        for edition in (*others, self.edition):
            ruling = ruled_once(Law(edition, engine="quick"), incident)
            speaker = self.speaker.of(ruling)
            revokes = (f"{revoke_line(speaker, one)}." for one in ruling.revokes)
            done = (line.text for line in now(ruling, speaker))
            yield edition, " ".join([headline(ruling, speaker), *revokes, *done])


def _number(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")


def proof_json(report: ProofReport, verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """The object: every property with how it stands, its exceptions and examples."""
    lang = report.lang
    return {
        "edition": report.edition.id,
        "elections": list(report.edition.elections),
        "situations": len(report.proving.universe),
        "holds": not any(one.fails for one in verdicts),
        "properties": [
            {
                "name": one.of.id,
                "says": one.of.says[lang],
                "because": one.of.because[lang],
                "law": list(one.of.laws),
                "claims": one.of.sort,
                "place": str(one.of.place),
                "standing": one.standing,
                "tried": one.tried,
                "refuted": one.refuted,
                "example": _example(one.witness),
                "cases": [case.id for case in one.cases],
                "expected": [
                    {
                        "because": each.expected.because[lang],
                        "times": each.times,
                        "cases": [case.id for case in each.cases or ()],
                        "example": _example(each.witness),
                    }
                    for each in one.excepted
                ],
            }
            for one in verdicts
        ],
    }


def _example(witness: Witness | None) -> dict[str, Any] | None:
    if witness is None or witness.clause is not None:
        return None if witness is None else {"law": witness.clause}
    universe, situations = witness.universe, witness.situations
    if universe is None:
        return {"answers": [], "incidents": []}
    incidents = [happened(universe.incident(number)) for number in situations]
    return {"answers": [universe.answers(number) for number in situations], "incidents": incidents}
