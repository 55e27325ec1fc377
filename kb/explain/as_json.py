"""A ruling as one JSON object, in the form that other programs build on."""

from __future__ import annotations

from typing import Any

from facts import __version__
from facts.fact import Fact
from kb.engine.proof import counted
from kb.explain.as_text import entry_lines, page_of
from kb.explain.evidence import evidence_json
from kb.explain.hinge import answer_words, question_words, taken
from kb.explain.page import as_text, with_law
from kb.explain.words import Speaker
from kb.language.model import Clause
from kb.ruling.certainty import Open
from kb.ruling.reasons import Lacking
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import of_matter, open_finding, verdict


def ruling_json(ruling: Ruling, speaker: Speaker, text: str | None = None) -> dict[str, Any]:
    """The object: strings, numbers, booleans, lists and objects; ``points`` and ``options`` only where they exist.

    ``text``: if it is not the usual one.
    """
    incident, ruled, speaker = ruling.incident, verdict(ruling), speaker.of(ruling)
    entries = (entry for part in ("adjusted", "director") for entry in ruling.entries(part))
    said_of = [" ".join(with_law(speaker, line) for line in entry_lines(entry, speaker)) for entry in entries]
    of_its_day: dict[str, Any] = {"jurisdiction": incident.jurisdiction} if incident.jurisdiction else {}
    if incident.date is not None:
        of_its_day = {"date": incident.date.isoformat(), **of_its_day, "in-force": ruling.of_its_day.in_force}
    findings = ruling.certainty.completions.incident.revokes
    evidence = {"evidence": evidence_json(ruling, speaker)} if ruling.evidence else {}
    cited = {ref: _provenance(ruling.edition.clauses[ref], speaker.lang) for ref in ruling.cited}
    provenance = {ref: origin for ref, origin in cited.items() if origin}
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
        "text": as_text(page_of(ruling, speaker), speaker) if text is None else text,
        "proof": _proof(ruling, speaker),
        "receipt": ruling.receipt,
        "version": __version__,
    }


def _provenance(clause: Clause, lang: str) -> dict[str, Any]:
    """Whether the text of a clause was seen, what was decided about it, and the notes on it."""
    provenance: dict[str, Any] = {}
    if clause.recalled:
        provenance["source"] = {"read": "recalled"}
    for name, remarks in (("minutes", clause.minutes), ("notes", clause.notes)):
        each = ({"says": remark.says[lang], "by": remark.by, "date": remark.date} for remark in remarks)
        if entries := [{key: value for key, value in entry.items() if value} for entry in each]:
            provenance[name] = entries
    return provenance


def branches(ruling: Ruling, speaker: Speaker) -> dict[str, Any]:
    """What the ruling hinges on, what follows from each answer, and the range of tricks; nothing if it is certain."""
    certainty = ruling.certainty

    def follows(answer: str, branch: Ruling) -> dict[str, Any]:
        certain = branch.certainty.asking is None
        then = {"ruling": verdict(branch)} if certain else {"branches": branches(branch, speaker)["branches"]}
        return {"answer": answer, **then}

    if ruling.supposed:
        answers = [follows(how, branch) for how, branch in ruling.supposed.items()]
        return {"branches": {"asks": "noticed", "text": speaker.phrase("asks-noticed-yet"), "answers": answers}}
    if certainty.asking is None:
        return {}
    key = certainty.asking.key
    finding = open_finding(Open(key, ()), ruling)
    asking = {
        "asks": finding.pop("what"),
        **{name: value for name, value in finding.items() if name != "law"},
        "text": question_words(certainty, key, speaker),
        "answers": [
            follows(answer_words(certainty, key, values, speaker), branch) for values, branch in ruling.answers
        ],
    }
    between = {side: list(both) for side, both in certainty.range.items()}
    return {"branches": asking, "range": ruling.unsaid.told(between)}


def _proof(ruling: Ruling, speaker: Speaker) -> dict[str, Any]:
    """Every step behind the conclusions, premises first; facts are told once and named by number."""
    numbers: dict[Fact, int] = {}
    facts: list[dict[str, Any]] = []

    def number(fact: Fact) -> int:
        if fact not in numbers:
            numbers[fact] = len(facts)
            kind = ruling.edition.vocabulary.kind_of(fact)
            fields = {name: fact[position] for name, position in kind.index.items()}
            facts.append({"fact": {"kind": kind.name, **fields}, "says": speaker.fact(fact)})
        return numbers[fact]

    def premise(fact: Fact) -> object:
        tallied = counted(fact)
        return number(fact) if tallied is None else {str(fact[0]): fact[1], "of": [number(item) for item in tallied]}

    def absent(gap: Lacking) -> dict[str, Any]:
        tests = {
            name: [list(term) if isinstance(term, tuple) else term for term in test] for name, test in gap.tests.items()
        }
        return {"kind": gap.condition.kind, **tests}

    steps: list[dict[str, Any]] = [
        {
            "rule": step.rule.id,
            "law": step.rule.clause if ruling.citations.is_law(step.rule.clause) else None,
            "because": speaker.reason(step),
            "from": [premise(fact) for fact in step.premises],
            "unless": [absent(lacking) for lacking in ruling.lacking(step)],
        }
        for step in ruling.citations.support()
    ]
    for step, made in zip(ruling.citations.support(), steps, strict=True):
        made["concludes"] = number(step.fact)
    cleaned: dict[str, Any] = ruling.unsaid.told({"facts": facts, "steps": steps})
    return cleaned
