"""What is ruled as plain data, without words, and what it rests on."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from facts.fact import order_key
from facts.incident import Finding
from facts.table import REVOKE
from facts.to_yaml import plain
from kb.ruling.certainty import Open
from kb.ruling.result import Made
from kb.ruling.ruling import Entry, RevokeRuled, Ruling


def verdict(ruling: Ruling) -> dict[str, Any]:
    """What is ruled, without words and proof: quick to make, and all that a case is compared with."""
    tricks = None if ruling.result is None else ruling.result.tricks_ruled
    made: dict[str, Any] = {
        "revokes": [_revoke(revoke) for revoke in ruling.revokes],
        "transfer": dict(ruling.transfer),
        "rectifications": [_item(item) for item in ruling.entries("rectifications")],
        "director": [
            *(
                {"law": list(entry.law), "kind": "adjusted-score", "tricks": tricks}
                for entry in ruling.entries("adjusted")
            ),
            *(
                {**_item(entry), **{offer.key: offer.score_ns for offer in entry.offers if offer.score_ns is not None}}
                for entry in ruling.entries("director")
            ),
        ],
        "open": [open_finding(finding, ruling) for finding in ruling.certainty.open],
        "result": _result(ruling),
        "cited": list(ruling.cited),
    }
    for section in ("points", "options", "remarks"):
        if section in ruling.parts:
            made[section] = [_item(item) for item in ruling.entries(section)]
    own_parts = {section: ruling.entries(section) for section in ruling.edition.vocabulary.sections}
    if any(own_parts.values()):
        made["parts"] = {section: [_item(item) for item in items] for section, items in own_parts.items()}
    cleaned: dict[str, Any] = ruling.unsaid.told(made)
    return cleaned


def _revoke(revoke: RevokeRuled) -> dict[str, Any]:
    values = {slot.name.replace("_", "-"): getattr(revoke, slot.name) for slot in fields(revoke) if slot.name != "play"}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}


def open_finding(finding: Open, ruling: Ruling) -> dict[str, Any]:
    """What is not known, with what it is of, and its matter if that is no revoke, and the laws it matters for."""
    number, name = finding.key
    revoke = ruling.certainty.completions.incident.revokes[max(number, 0)]
    named = {**of_matter(revoke), "hand": revoke.hand, "trick": revoke.trick}
    return {
        **{key: value for key, value in named.items() if value is not None},
        "what": name,
        "law": list(finding.laws),
    }


def of_matter(found: Finding) -> dict[str, Any]:
    """The matter of a finding, if it is no revoke."""
    return {} if found.of == REVOKE else {"of": found.of}


def _item(item: Entry) -> dict[str, Any]:
    return {**item.values, "law": list(item.law)}


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
        "weighted": [_weighted(outcome) for outcome in result.weighted] or None,
        "weighted-for": result.weighted_for,
    }
    return {key: value for key, value in shown.items() if value is not None}


def _weighted(outcome: Made) -> dict[str, Any]:
    return {
        "contract": str(outcome.contract),
        "declarer": outcome.declarer,
        "tricks": outcome.tricks,
        "weight": outcome.weight,
        "score-ns": outcome.score_ns,
    }


def ruling_record(ruling: Ruling) -> dict[str, Any]:
    """As JSON: the incident, the facts, and the digest of each rule."""
    return {
        "incident": plain(ruling.incident),
        "facts": [list(fact) for fact in sorted(ruling.rests_on, key=order_key)],
        "rules": {rule.id: rule.digest for rule in ruling.edition.rules},
    }
