"""A ruling as one JSON object, in the form that other programs build on."""

from __future__ import annotations

from typing import Any

from facts.fact import Fact
from facts.play import Irregularity
from kb.engine.proof import counted
from kb.explain.answers import answered, asked
from kb.explain.hinge import taken
from kb.explain.page import as_text
from kb.explain.say import Speaker
from kb.explain.text import in_full, said
from kb.language.model import Clause, Note, Source
from kb.ruling.opening import Open, Opening
from kb.ruling.reasons import Firing
from kb.ruling.report import Report
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import open_finding, verdict
from kb.space.layout import Key


def as_json(ruling: Ruling, speaker: Speaker, told: str | None = None) -> dict[str, Any]:
    """The object: strings, numbers, booleans, lists and objects; ``points`` and ``options`` only where they exist.

    ``told`` is the text, if it is not the usual one.
    """
    report, incident, ruled, speaker = Report(ruling), ruling.incident, verdict(ruling), speaker.of(ruling)
    said_of = [said(one, speaker) for section in ("adjusted", "director") for one in report.every_entry(section)]
    return {
        "source": incident.source,
        "board": incident.board,
        "edition": ruling.edition.id,
        "elections": list(ruling.edition.elections),
        **_of_its_day(ruling),
        **ruled,
        "director": [{**item, "text": words} for item, words in zip(ruled["director"], said_of, strict=True)],
        **branches(report, speaker),
        "presumed": [{"fact": taken(ruling, one, speaker), "law": list(one.laws)} for one in ruling.presumed],
        **_evidence(ruling, speaker),
        "irregular": [_irregular(odd, speaker) for odd in ruling.irregular],
        **_provenance(ruling, speaker),
        "lang": speaker.lang,
        "text": as_text(in_full(report, speaker), speaker) if told is None else told,
        "proof": _proof(report, speaker),
        "receipt": report.receipt,
    }


def _of_its_day(ruling: Ruling) -> dict[str, Any]:
    """Date and jurisdiction where they are stated; of a date, whether the edition was in force (null: not known)."""
    incident = ruling.incident
    where = {"jurisdiction": incident.jurisdiction} if incident.jurisdiction else {}
    if incident.date is None:
        return where
    return {"date": incident.date.isoformat(), **where, "in-force": ruling.of_its_day.in_force}


def _provenance(ruling: Ruling, speaker: Speaker) -> dict[str, Any]:
    """Of each clause that is cited: where its text was found, what was decided about it, and the notes on it."""
    cited = ((ref, ruling.edition.clauses[ref]) for ref in ruling.cited)
    told = {ref: found for ref, clause in cited if (found := {**_source(clause), **_remarks(clause, speaker.lang)})}
    return {"provenance": told} if told else {}


def _source(clause: Clause) -> dict[str, Any]:
    source = clause.source
    if source == Source():
        return {}
    said = {"in": source.in_, "page": source.page, "link": source.link}
    read = "recalled" if source.recalled else "seen"
    return {"source": {"read": read, **{key: value for key, value in said.items() if value}}}


def _remarks(clause: Clause, lang: str) -> dict[str, Any]:
    listed = {"minutes": clause.minutes, "notes": clause.notes}
    return {key: [_remark(one, lang) for one in remarks] for key, remarks in listed.items() if remarks}


def _remark(one: Note, lang: str) -> dict[str, str]:
    said = {"says": one.says[lang], "by": one.by, "date": one.date, "link": one.link}
    return {key: value for key, value in said.items() if value}


def _evidence(ruling: Ruling, speaker: Speaker) -> dict[str, Any]:
    if not ruling.evidence:
        return {}
    from kb.explain.evidence_json import evidence_json  # noqa: PLC0415 - it loads what most rulings do not need

    return {"evidence": evidence_json(ruling, speaker)}


def _irregular(odd: Irregularity, speaker: Speaker) -> dict[str, Any]:
    card = None if odd.card is None else odd.card.text
    return {"kind": str(odd.kind), "trick": odd.trick, "hand": odd.hands[0], "card": card, "text": speaker.oddity(odd)}


def branches(report: Report, speaker: Speaker) -> dict[str, Any]:
    """What the ruling hinges on, what follows from each answer, and the range of tricks; nothing if it is certain."""
    opening = report.ruling.opening
    if report.supposed:
        answers = [{"answer": how, **_after(after, speaker)} for how, after in report.supposed.items()]
        return {"branches": {"asks": "noticed", "text": speaker.phrase("asks-noticed-yet"), "answers": answers}}
    if opening is None or opening.asking is None:
        return {}
    between = {side: list(both) for side, both in opening.range.items()}
    return {
        "branches": _asking(report, opening, opening.asking.key, speaker),
        "range": report.ruling.unsaid.told(between),
    }


def _asking(report: Report, opening: Opening, key: Key, speaker: Speaker) -> dict[str, Any]:
    of = open_finding(Open(key, ()), report.ruling)
    answers = [
        {"answer": answered(opening, key, values, speaker), **_after(after, speaker)}
        for values, after in report.answers
    ]
    return {
        "asks": of.pop("what"),
        **{key: value for key, value in of.items() if key != "law"},
        "text": asked(opening, key, speaker),
        "answers": answers,
    }


def _after(after: Report, speaker: Speaker) -> dict[str, Any]:
    opening = after.ruling.opening
    if opening is not None and opening.asking is not None:
        return {"branches": _asking(after, opening, opening.asking.key, speaker)}
    return {"ruling": verdict(after.ruling)}


def fact_json(ruling: Ruling, fact: Fact) -> dict[str, Any]:
    """A fact with its fields by name; unknown values are null."""
    kind = ruling.edition.vocabulary.kind_of(fact)
    return {"kind": kind.name, **{name: fact[at] for name, at in kind.index.items()}}


def proof_json(ruling: Ruling, speaker: Speaker) -> dict[str, Any]:
    """Every step behind the conclusions, premises first; facts are told once and named by number."""
    return _proof(Report(ruling), speaker.of(ruling))


def _proof(report: Report, speaker: Speaker) -> dict[str, Any]:
    numbers: dict[Fact, int] = {}
    facts: list[dict[str, Any]] = []

    def number(fact: Fact) -> int:
        if fact not in numbers:
            numbers[fact] = len(facts)
            facts.append({"fact": fact_json(report.ruling, fact), "says": speaker.fact(fact)})
        return numbers[fact]

    def premise(fact: Fact) -> object:
        found = counted(fact)
        return number(fact) if found is None else {str(fact[0]): fact[1], "of": [number(one) for one in found]}

    steps = [_step(speaker, one, [premise(fact) for fact in one.premises]) for one in report.support]
    for one, made in zip(report.support, steps, strict=True):
        made["concludes"] = number(one.reason.fact)
    told: dict[str, Any] = report.ruling.unsaid.told({"facts": facts, "steps": steps})
    return told


def _step(speaker: Speaker, one: Firing, premises: list[object]) -> dict[str, Any]:
    absences = [
        {
            "kind": lacking.condition.kind,
            **{name: list(map(_plain, test)) for name, test in lacking.tests.items()},
        }
        for lacking in one.lacking
    ]
    return {
        "rule": one.reason.rule.id,
        "law": one.law,
        "because": speaker.reason(one.reason),
        "from": premises,
        "unless": absences,
    }


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
