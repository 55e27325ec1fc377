"""Where a saved proof differs from the one that follows, step by step, whatever the order of the steps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Final

from kb.verify.json_values import Json, canonical, shown

_PARTS: Final = ("law", "because", "unless")
"""What else a step says, beside its rule, its premises and its conclusion."""


class NoProofError(ValueError):
    """It is not laid out as a proof."""


def proof_differences(saved: Json, follows: Mapping[str, Json]) -> Iterator[str]:
    """The steps that cannot be, those that are missing, and those that say something else; maybe none."""
    try:
        has = _steps(saved)
    except NoProofError as error:
        yield f"proof: {error}"
        return
    wants = _steps(follows)
    rules = {step["rule"] for step in wants.values()}
    for key, step in has.items():
        if key not in wants:
            cannot = "cannot conclude" if step["rule"] in rules else "has no part in this, and cannot conclude"
            yield f"proof: rule {step['rule']} {cannot} {_told(key)}"
    for key, step in wants.items():
        if key not in has:
            yield f"proof: a step of rule {step['rule']} is missing: {_told(key)}"
            continue
        for part in _PARTS:
            said = has[key].get(part)
            if canonical(said) != canonical(step[part]):
                yield f"proof: rule {step['rule']}: {part} is {shown(said)}, and follows as {shown(step[part])}"


def _steps(proof: Json) -> dict[str, Mapping[str, Json]]:
    """Each step, under what it concludes of what; NoProofError when that cannot be read."""
    if not isinstance(proof, dict) or not all(isinstance(proof.get(key), list) for key in ("facts", "steps")):
        raise NoProofError("it is no list of facts with a list of steps")
    found: dict[str, Mapping[str, Json]] = {}
    for number, step in enumerate(proof["steps"], 1):
        where = f"step {number}"
        if not isinstance(step, dict) or not isinstance(step.get("rule"), str):
            raise NoProofError(f"{where} names no rule")
        if not isinstance(step.get("from"), list):
            raise NoProofError(f"{where} names no premises")
        premises = [_premise(one, proof["facts"], where) for one in step["from"]]
        key = canonical([step["rule"], _fact(step.get("concludes"), proof["facts"], where), premises])
        if key in found:
            raise NoProofError(f"{where} says the same as one before it")
        found[key] = step
    return found


def _premise(said: Json, facts: list[Json], where: str) -> Json:
    if isinstance(said, dict) and isinstance(said.get("of"), list):
        return {**said, "of": [_fact(one, facts, where) for one in said["of"]]}
    return _fact(said, facts, where)


def _fact(number: Json, facts: list[Json], where: str) -> Json:
    if type(number) is not int or not 0 <= number < len(facts):
        raise NoProofError(f"{where} names the fact {shown(number)}, and there is none of that number")
    told = facts[number]
    if not isinstance(told, dict) or not isinstance(told.get("fact"), dict):
        raise NoProofError(f"fact {number} is none")
    return told["fact"]


def _told(key: str) -> str:
    """A conclusion and what it comes of."""
    _, concludes, premises = json.loads(key)
    return f"{_named(concludes)} from {', '.join(map(_named, premises)) or 'nothing'}"


def _named(fact: Mapping[str, Json]) -> str:
    """«won(trick 5, hand W)»; the result of a count with the facts that were counted."""
    if "kind" not in fact:
        return shown(fact)
    fields = ", ".join(f"{name} {value}" for name, value in fact.items() if name != "kind")
    return f"{fact['kind']}({fields})"
