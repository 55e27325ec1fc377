"""What is ruled as plain data, without words, and what it rests on."""

from __future__ import annotations

from typing import Any

from facts.fact import order_key
from facts.to_yaml import plain
from kb.ruling.offers import offers
from kb.ruling.opening import Open
from kb.ruling.result import WeightedScore
from kb.ruling.ruling import Item, RevokeRuled, Ruling


def verdict(ruling: Ruling) -> dict[str, Any]:
    """What is ruled, without words and proof: quick to make, and all that a case is compared with."""
    made: dict[str, Any] = {
        "revokes": [_revoke(revoke) for revoke in ruling.revokes],
        "transfer": dict(ruling.transfer),
        "rectifications": [_item(item) for item in ruling.items("rectifications")],
        "director": _director(ruling),
        "open": [open_finding(one, ruling) for one in ruling.open],
        "result": _result(ruling),
        "cited": list(ruling.cited),
    }
    for section in ("points", "options", "remarks"):
        if section in ruling.sections.kinds:
            made[section] = [_item(item) for item in ruling.items(section)]
    own = {section: ruling.items(section) for section in ruling.edition.vocabulary.sections}
    if any(own.values()):
        made["parts"] = {section: [_item(item) for item in items] for section, items in own.items()}
    told: dict[str, Any] = ruling.unsaid.told(made)
    return told


def _revoke(revoke: RevokeRuled) -> dict[str, Any]:
    return {
        "hand": revoke.hand,
        "player": revoke.player,
        "side": revoke.side,
        "role": revoke.role,
        "trick": revoke.trick,
        "suit": revoke.suit,
        "card": revoke.card,
        "status": revoke.status,
        "status-by": list(revoke.status_by),
        "won-by": revoke.won_by,
        "automatic-tricks": revoke.automatic_tricks,
        "automatic-by": list(revoke.automatic_by),
        "exempt-by": list(revoke.exempt_by),
    }


def open_finding(one: Open, ruling: Ruling) -> dict[str, Any]:
    """What is not known, with the revoke it is of and the laws it matters for."""
    number, name = one.key
    found = None if ruling.opening is None else ruling.opening.completions.incident.revokes[max(number, 0)]
    named = {} if found is None else {"hand": found.hand, "trick": found.trick}
    return {**{key: value for key, value in named.items() if value is not None}, "what": name, "law": list(one.laws)}


def _item(item: Item) -> dict[str, Any]:
    return {**item.values, "law": list(item.law)}


def _director(ruling: Ruling) -> list[dict[str, Any]]:
    ruled = None if ruling.result is None else ruling.result.tricks_ruled
    adjusted = [{"law": list(item.law), "kind": "adjusted-score", "tricks": ruled} for item in ruling.items("adjusted")]
    return [*adjusted, *({**_item(item), **_scores(ruling, item)} for item in ruling.items("director"))]


def _scores(ruling: Ruling, item: Item) -> dict[str, int]:
    """The scores of what an entry offers, those that are known."""
    return {one.key: one.score_ns for one in offers(ruling, item) if one.score_ns is not None}


def _result(ruling: Ruling) -> dict[str, Any]:
    result = ruling.result
    if result is None:
        return {}
    shown = {
        "declarer": result.declarer,
        "tricks-at-table": result.tricks_at_table,
        "tricks-ruled": result.tricks_ruled,
        "score-ns-at-table": result.score_ns_at_table,
        "score-ns": result.score_ns,
        "weighted-score-ns": result.weighted_score_ns,
        "weighted": [_weighted(one) for one in result.weighted] or None,
    }
    return {key: value for key, value in shown.items() if value is not None}


def _weighted(one: WeightedScore) -> dict[str, Any]:
    return {
        "contract": str(one.contract),
        "declarer": one.declarer,
        "tricks": one.tricks,
        "weight": one.weight,
        "score-ns": one.score_ns,
    }


def record(ruling: Ruling) -> dict[str, Any]:
    """As JSON: the incident, the facts, and the digest of each rule."""
    return {
        "incident": plain(ruling.incident),
        "facts": [list(fact) for fact in sorted(ruling.rests_on, key=order_key)],
        "rules": {rule.id: rule.digest for rule in ruling.edition.rules},
    }
