"""What a ruling rests on, kept with it, so that it can be given again and checked."""

from __future__ import annotations

from typing import Any

from facts.fact import order_key
from facts.to_yaml import plain
from kb.ruling.ruling import Ruling


def record(ruling: Ruling) -> dict[str, Any]:
    """As JSON: the incident, the facts, and the digest of each rule."""
    return {
        "incident": plain(ruling.incident),
        "facts": [list(fact) for fact in sorted(ruling.rests_on, key=order_key)],
        "rules": {rule.id: rule.digest for rule in ruling.edition.rules},
    }
