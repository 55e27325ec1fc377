"""What cannot have been meant of the weighted outcomes in an incident file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from facts.errors import Fault
from facts.score import vulnerable_on
from facts.yaml_reader import Node


def weights_faults(node: Node, stated: Mapping[str, Any]) -> Iterator[Fault]:
    """Weights that are not the whole, and outcomes whose score cannot be known; ``stated`` by the names of Incident."""
    outcomes = stated.get("weights", ())
    if not outcomes:
        return
    total = sum(one.weight for one in outcomes)
    if total != 100:
        mend = "give each outcome its share in per cent, all of them together 100"
        yield Fault(node.place_at(("weights",)), f"the weights sum to {total}", mend)
    known = {**stated, "vulnerable": stated.get("vulnerable") or vulnerable_on(stated.get("board"))}
    for key in ("vulnerable", "declarer"):
        if known.get(key) is None:
            yield Fault(node.place_at(("weights",)), f"the scores depend on {key}, which is not stated", f"add {key}:")
    for number, one in enumerate(outcomes):
        if one.contract is None and stated.get("contract") is None:
            mend = "add contract: to it, or to the board"
            yield Fault(node.place_at(("weights", number)), "the contract of this outcome is not known", mend)
