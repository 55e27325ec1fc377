"""A ruling as one JSON object, in the form that other programs build on."""

from __future__ import annotations

from typing import Any

from facts.fact import Fact
from facts.play import Irregularity
from kb.engine.proof import Step, counted
from kb.explain.answers import answered, asked
from kb.explain.say import Speaker
from kb.explain.text import said, text
from kb.ruling.opening import Open
from kb.ruling.receipt import receipt
from kb.ruling.rule import supposed
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import open_finding, verdict


def as_json(ruling: Ruling, speaker: Speaker, told: str | None = None) -> dict[str, Any]:
    """The object: strings, numbers, booleans, lists and objects; ``points`` and ``options`` only where they exist.

    ``told`` is the text, if it is not the usual one.
    """
    incident, ruled, speaker = ruling.incident, verdict(ruling), speaker.of(ruling)
    said_of = [said(ruling, speaker, item) for item in (*ruling.items("adjusted"), *ruling.items("director"))]
    return {
        "source": incident.source,
        "board": incident.board,
        "edition": ruling.edition.id,
        "elections": list(ruling.edition.elections),
        **ruled,
        "director": [{**item, "text": words} for item, words in zip(ruled["director"], said_of, strict=True)],
        **branches(ruling, speaker),
        "presumed": [{"fact": speaker.presumed(one), "law": list(one.laws)} for one in ruling.presumed],
        **_evidence(ruling, speaker),
        "irregular": [_irregular(odd, speaker) for odd in ruling.irregular],
        "text": text(ruling, speaker) if told is None else told,
        "proof": proof_json(ruling, speaker),
        "receipt": receipt(ruling.edition, ruling.rests_on),
    }


def _evidence(ruling: Ruling, speaker: Speaker) -> dict[str, Any]:
    if not ruling.evidence:
        return {}
    from kb.explain.evidence_json import evidence_json  # noqa: PLC0415 - it loads what most rulings do not need

    return {"evidence": evidence_json(ruling, speaker)}


def _irregular(odd: Irregularity, speaker: Speaker) -> dict[str, Any]:
    card = None if odd.card is None else odd.card.text
    return {"kind": str(odd.kind), "trick": odd.trick, "hand": odd.hand, "card": card, "text": speaker.oddity(odd)}


def branches(ruling: Ruling, speaker: Speaker) -> dict[str, Any]:
    """What the ruling hinges on, what follows from each answer, and the range of tricks; nothing if it is certain."""
    opening = ruling.opening
    if may_come := supposed(ruling):
        answers = [{"answer": how, **_after(after, speaker)} for how, after in may_come.items()]
        return {"branches": {"asks": "noticed", "text": speaker.phrase("asks-noticed-yet"), "answers": answers}}
    if opening is None or opening.asking is None:
        return {}
    between = {side: list(both) for side, both in opening.range.items()}
    return {"branches": _asking(ruling, speaker), "range": ruling.unsaid.told(between)}


def _asking(ruling: Ruling, speaker: Speaker) -> dict[str, Any]:
    assert ruling.opening is not None and ruling.opening.asking is not None
    opening, asking = ruling.opening, ruling.opening.asking
    of = open_finding(Open(asking.key, ()), ruling)
    answers = [
        {"answer": answered(opening, asking.key, values, speaker), **_after(ruling.after(bits), speaker)}
        for values, bits in asking.answers
    ]
    return {
        "asks": of.pop("what"),
        **{key: value for key, value in of.items() if key != "law"},
        "text": asked(opening, asking.key, speaker),
        "answers": answers,
    }


def _after(after: Ruling, speaker: Speaker) -> dict[str, Any]:
    if after.opening is not None and after.opening.asking is not None:
        return {"branches": _asking(after, speaker)}
    return {"ruling": verdict(after)}


def fact_json(ruling: Ruling, fact: Fact) -> dict[str, Any]:
    """A fact with its fields by name; unknown values are null."""
    kind = ruling.edition.vocabulary.kinds[str(fact[0])]
    return {"kind": kind.name, **{name: fact[at] for name, at in kind.index.items()}}


def proof_json(ruling: Ruling, speaker: Speaker) -> dict[str, Any]:
    """Every step behind the conclusions, premises first; facts are told once and named by number."""
    speaker = speaker.of(ruling)
    numbers: dict[Fact, int] = {}
    facts: list[dict[str, Any]] = []

    def number(fact: Fact) -> int:
        if fact not in numbers:
            numbers[fact] = len(facts)
            facts.append({"fact": fact_json(ruling, fact), "says": speaker.fact(fact)})
        return numbers[fact]

    def premise(fact: Fact) -> object:
        found = counted(fact)
        return number(fact) if found is None else {str(fact[0]): fact[1], "of": [number(one) for one in found]}

    steps = [
        _step(ruling, speaker, step, [premise(one) for one in step.premises]) for step in ruling.citations.support()
    ]
    for step, made in zip(ruling.citations.support(), steps, strict=True):
        made["concludes"] = number(step.fact)
    told: dict[str, Any] = ruling.unsaid.told({"facts": facts, "steps": steps})
    return told


def _step(ruling: Ruling, speaker: Speaker, step: Step, premises: list[object]) -> dict[str, Any]:
    absences = [
        {"kind": one.kind, **{name: list(map(_plain, test)) for name, test in one.tests.items()}}
        for one in ruling.proof.absences(step)
    ]
    return {
        "rule": step.rule.id,
        "law": step.rule.clause if ruling.citations.is_law(step.rule.clause) else None,
        "because": speaker.because(ruling.proof, step),
        "from": premises,
        "unless": absences,
    }


def _plain(value: object) -> object:
    return list(value) if isinstance(value, tuple) else value
