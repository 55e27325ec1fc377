"""A comparison of editions as one JSON object."""

from __future__ import annotations

from typing import Any

from facts.to_yaml import happened
from kb.compare.blame import Clauses
from kb.compare.compare import Comparison, Group
from kb.compare.minimal_conditions import Needed
from kb.compare.telling import ComparisonReport, name
from kb.space.outcome import Effect


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
