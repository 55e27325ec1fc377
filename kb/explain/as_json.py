"""A ruling as one JSON object, in the form that other programs build on."""

from __future__ import annotations

from typing import Any

from facts.observe import Fact
from kb.engine.proof import counted
from kb.explain.evidence import evidence_json
from kb.explain.hinge import answered, asked, taken
from kb.explain.page import as_text, with_law
from kb.explain.say import Speaker
from kb.explain.text import entry_lines, page
from kb.language.model import Clause
from kb.ruling.opening import Open
from kb.ruling.reasons import Lacking
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import of_matter, open_finding, verdict


def as_json(ruling: Ruling, speaker: Speaker, told: str | None = None) -> dict[str, Any]:
    """The object: strings, numbers, booleans, lists and objects; ``points`` and ``options`` only where they exist.

    ``told`` is the text, if it is not the usual one.
    """
    incident, ruled, speaker = ruling.incident, verdict(ruling), speaker.of(ruling)
    entries = (one for part in ("adjusted", "director") for one in ruling.entries(part))
    said_of = [" ".join(with_law(speaker, line) for line in entry_lines(one, speaker)) for one in entries]
    of_its_day: dict[str, Any] = {"jurisdiction": incident.jurisdiction} if incident.jurisdiction else {}
    if incident.date is not None:
        of_its_day = {"date": incident.date.isoformat(), **of_its_day, "in-force": ruling.of_its_day.in_force}
    findings = ruling.opening.completions.incident.revokes
    evidence = {"evidence": evidence_json(ruling, speaker)} if ruling.evidence else {}
    cited = {ref: _provenance(ruling.edition.clauses[ref], speaker.lang) for ref in ruling.cited}
    provenance = {ref: found for ref, found in cited.items() if found}
    return {
        "source": incident.source,
        "board": incident.board,
        "edition": ruling.edition.id,
        "elections": list(ruling.edition.elections),
        **of_its_day,
        **ruled,
        "director": [{**item, "text": words} for item, words in zip(ruled["director"], said_of, strict=True)],
        **branches(ruling, speaker),
        "presumed": [
            {**of_matter(findings[one.key[0]]), "fact": taken(ruling, one, speaker), "law": list(one.laws)}
            for one in ruling.presumed
        ],
        **evidence,
        "irregular": [
            {
                "kind": str(odd.kind),
                "trick": odd.trick,
                "hand": odd.hands[0] if odd.hands else None,
                "card": None if odd.card is None else odd.card.text,
                "text": speaker.oddity(odd),
            }
            for odd in ruling.irregular
        ],
        **({"provenance": provenance} if provenance else {}),
        "lang": speaker.lang,
        "text": as_text(page(ruling, speaker), speaker) if told is None else told,
        "proof": _proof(ruling, speaker),
        "receipt": ruling.receipt,
    }


def _provenance(clause: Clause, lang: str) -> dict[str, Any]:
    """Whether the text of a clause was seen, what was decided about it, and the notes on it."""
    found: dict[str, Any] = {}
    if clause.recalled:
        found["source"] = {"read": "recalled"}
    for name, remarks in (("minutes", clause.minutes), ("notes", clause.notes)):
        each = ({"says": one.says[lang], "by": one.by, "date": one.date} for one in remarks)
        if told := [{key: value for key, value in one.items() if value} for one in each]:
            found[name] = told
    return found


def branches(ruling: Ruling, speaker: Speaker) -> dict[str, Any]:
    """What the ruling hinges on, what follows from each answer, and the range of tricks; nothing if it is certain."""
    opening = ruling.opening

    def follows(answer: str, after: Ruling) -> dict[str, Any]:
        certain = after.opening.asking is None
        then = {"ruling": verdict(after)} if certain else {"branches": branches(after, speaker)["branches"]}
        return {"answer": answer, **then}

    if ruling.supposed:
        answers = [follows(how, after) for how, after in ruling.supposed.items()]
        return {"branches": {"asks": "noticed", "text": speaker.phrase("asks-noticed-yet"), "answers": answers}}
    if opening.asking is None:
        return {}
    key = opening.asking.key
    of = open_finding(Open(key, ()), ruling)
    asking = {
        "asks": of.pop("what"),
        **{name: value for name, value in of.items() if name != "law"},
        "text": asked(opening, key, speaker),
        "answers": [follows(answered(opening, key, values, speaker), after) for values, after in ruling.answers],
    }
    between = {side: list(both) for side, both in opening.range.items()}
    return {"branches": asking, "range": ruling.unsaid.told(between)}


def _proof(ruling: Ruling, speaker: Speaker) -> dict[str, Any]:
    """Every step behind the conclusions, premises first; facts are told once and named by number."""
    numbers: dict[Fact, int] = {}
    facts: list[dict[str, Any]] = []

    def number(fact: Fact) -> int:
        if fact not in numbers:
            numbers[fact] = len(facts)
            kind = ruling.edition.vocabulary.kind_of(fact)
            fields = {name: fact[at] for name, at in kind.index.items()}
            facts.append({"fact": {"kind": kind.name, **fields}, "says": speaker.fact(fact)})
        return numbers[fact]

    def premise(fact: Fact) -> object:
        found = counted(fact)
        return number(fact) if found is None else {str(fact[0]): fact[1], "of": [number(one) for one in found]}

    def absent(of: Lacking) -> dict[str, Any]:
        tests = {
            name: [list(one) if isinstance(one, tuple) else one for one in test] for name, test in of.tests.items()
        }
        return {"kind": of.condition.kind, **tests}

    steps: list[dict[str, Any]] = [
        {
            "rule": step.rule.id,
            "law": step.rule.clause if ruling.citations.is_law(step.rule.clause) else None,
            "because": speaker.reason(step),
            "from": [premise(fact) for fact in step.premises],
            "unless": [absent(one) for one in ruling.lacking(step)],
        }
        for step in ruling.citations.support()
    ]
    for step, made in zip(ruling.citations.support(), steps, strict=True):
        made["concludes"] = number(step.fact)
    told: dict[str, Any] = ruling.unsaid.told({"facts": facts, "steps": steps})
    return told
