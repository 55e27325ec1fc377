"""A comparison of editions as one JSON object."""

from __future__ import annotations

from typing import Any

from facts.to_yaml import happened
from kb.compare.blame import Clauses, What
from kb.compare.compare import Comparison, Group
from kb.compare.direction import SCOPES, Directions
from kb.compare.minimal_conditions import Needed
from kb.compare.wording import Wording
from kb.language.model import Edition
from kb.space.burden import DIRECTIONS
from kb.space.outcome import Effect


def comparison_json(wording: Wording) -> dict[str, Any]:
    """The object; the rulings on the examples are said in the language of ``wording``."""
    found = wording.found
    return {
        "a": _named(found.a),
        "b": _named(found.b),
        "says": wording.sentence,
        "enumerated": {
            "questions": len(found.universe.interview.questions),
            "situations": len(found.universe),
            "cases": found.cases_tried,
            "verified-by-durable-rules": found.verified,
        },
        "related": found.related,
        "changed": list(found.changed),
        "renamed": dict(found.renamed),
        "collide": None if found.collide is None else list(found.collide),
        "without-effect": list(found.without_effect),
        "differ": {"ruling": found.differing("ruling"), "judgement": found.differing("judgement")},
        "directions": _directions(found, found.directions),
        "groups": [_group(wording, group) for group in found.groups],
        "cases": [
            {"id": one.case.id, "what": one.cause.what, "clauses": _lists(one.cause.clauses)} for one in found.cases
        ],
    }


def _named(edition: Edition) -> str:
    """As a command names it: the id, with the elections that were made."""
    return "+".join((edition.id, *edition.elections))


def _directions(found: Comparison, directions: Directions) -> dict[str, Any]:
    """For either scope and each way how many situations go it, and the smallest of them."""
    return {
        scope: {
            way: {
                "situations": bits.bit_count(),
                "example": _situation(found, found.universe.plainest(bits)) if bits else None,
            }
            for way in DIRECTIONS
            for bits in (directions.of[scope, way],)
        }
        for scope in SCOPES
    }


def _situation(found: Comparison, number: int) -> dict[str, Any]:
    return {"answers": found.universe.answers(number), "incident": happened(found.universe.incident(number))}


def _group(wording: Wording, group: Group) -> dict[str, Any]:
    return {
        "what": group.what,
        "clauses": _lists(group.clauses),
        "situations": group.situations.bit_count(),
        "asked": group.asked,
        "directions": _directions(wording.found, group.directions),
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
        "example": _example(wording, group.example, group.what),
    }


def _example(wording: Wording, number: int, what: What) -> dict[str, Any]:
    a, b = (list(sentences) for sentences in wording.rulings(number, what))
    return {**_situation(wording.found, number), "a": a, "b": b}


def _lists(clauses: tuple[Clauses, ...]) -> list[list[str]]:
    return [list(together) for together in clauses]


def _revokes(effect: Effect) -> list[dict[str, Any]]:
    return [{"status": status, "automatic-tricks": tricks} for status, tricks in effect]


def _needed(needed: Needed) -> dict[str, Any]:
    return {"question": needed.question, "answers": list(needed.answers), "other": needed.other}
