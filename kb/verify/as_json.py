"""What came of checking a saved ruling, as one JSON object."""

from __future__ import annotations

from typing import Any

from kb.verify.verify import Verified


def verified_json(one: Verified) -> dict[str, Any]:
    """Where it stands, whose ruling it is, whether it holds, what was looked at, and everything that does not hold."""
    named = {} if one.ruling is None else {"board": one.ruling.incident.board, "edition": one.ruling.edition.id}
    faults = [{"what": fault.what, "mend": fault.mend} for fault in one.faults]
    place = {"file": one.place.file, "line": one.place.line}
    return {**place, **named, "holds": one.holds, "looked-at": one.looked_at, "faults": faults}
