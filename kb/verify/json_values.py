"""Values read from JSON: when two are the same, and how one is shown."""

from __future__ import annotations

import json
from typing import Any, Final, TypeAlias

Json: TypeAlias = Any
"""What ``json.loads`` gives: no value of it is of any other type."""
_LONGEST: Final = 120


def canonical(value: Json) -> str:
    """The same for equal values alone, types included: neither ``1`` nor ``1.0`` is ``true``."""
    return json.dumps(value, sort_keys=True)


def shown(value: Json) -> str:
    """A value as it stands in JSON, cut short where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def depth(value: Json) -> int:
    """How many lists and objects stand within each other."""
    found, level = 0, [value]
    while level := [one for one in level if isinstance(one, dict | list)]:
        found += 1
        level = [inner for one in level for inner in (one.values() if isinstance(one, dict) else one)]
    return found
