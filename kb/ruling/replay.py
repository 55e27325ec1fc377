"""A ruling kept for later: what it needs to be given again, and what has changed since if it cannot be."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Annotated, Any, Final

from facts.errors import Fault, InputError, MisreadError, Place
from facts.fact import Fact, Value
from facts.form import FromFile, ReadBy, keys_of
from facts.readers.bare_values import cannot_stand
from facts.readers.form import read_form
from facts.readers.incident import incident_of
from facts.to_yaml import node_of, plain
from kb.engine.codegen import order_key
from kb.language.known import EVIDENCE
from kb.language.model import Edition
from kb.ruling.laws import Laws
from kb.ruling.receipt import receipt
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling

_MEND: Final = "give a file that «revoke rule --format json» has made"


def _value(given: Any) -> Value:
    """The value of a field of a fact."""
    if given is None or isinstance(given, str | int):
        return given
    raise MisreadError(*cannot_stand(given, "write a value"))


@dataclass(frozen=True)
class SavedRecord(FromFile):
    """What a saved ruling rests on."""

    incident: Any
    facts: tuple[tuple[Annotated[Value, ReadBy(_value)], ...], ...]
    rules: dict[str, str]
    """The digest of each rule."""


@dataclass(frozen=True)
class Saved(FromFile):
    """The parts of a saved ruling that a replay needs."""

    source: str
    edition: str
    elections: tuple[str, ...]
    receipt: str
    proof: Any
    record: SavedRecord


@dataclass(frozen=True)
class Replay:
    """A ruling given again from its saved facts."""

    saved: Saved
    ruling: Ruling
    changes: tuple[str, ...]
    """Everything that is not as it was: rules and facts, each named; empty when nothing has changed."""


def record(ruling: Ruling) -> dict[str, Any]:
    """What a ruling rests on, as JSON: the incident, the facts, and the digest of each rule."""
    return {
        "incident": plain(ruling.incident),
        "facts": [list(fact) for fact in sorted(ruling.rests_on, key=order_key)],
        "rules": _digests(ruling.edition),
    }


def read_saved(text: str, file: str) -> Iterator[Saved]:
    """The saved rulings of a file, one a line; InputError, at the line, for what is none."""
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield _saved(line, Place(file, number))


def _saved(line: str, place: Place) -> Saved:
    faults: list[Fault] = []
    with suppress(ValueError, RecursionError):
        ruling = json.loads(line)
        known = {key: ruling[key] for key in keys_of(Saved) if key in ruling} if isinstance(ruling, dict) else ruling
        saved: Saved = read_form(Saved, node_of(known, place), faults)
        if not faults:
            return saved
    raise InputError.of(place, "this is no saved ruling", _MEND)


def replay(laws: Laws, saved: Saved) -> Replay:
    """The ruling on the saved facts; InputError when its edition or its incident cannot be had any more."""
    law = laws.of(saved.edition, saved.elections)
    incident = incident_of(node_of(saved.record.incident, Place(saved.source, 1)), lambda _: law.edition.table)
    facts = [tuple(fact) for fact in saved.record.facts]
    today = rule(law, incident)
    estimated = any(fact[0] == EVIDENCE for fact in facts)
    ruling = replace(today, proof=law.engine.run(facts)) if estimated else today
    changes = (*_rules(saved, law.edition), *_facts(facts, today.rests_on))
    now = receipt(law.edition, facts)
    if not changes and now != saved.receipt:
        changes = (f"the receipt of these facts under these rules is {now}, not {saved.receipt}: the file was altered",)
    return Replay(saved, ruling, changes)


def _digests(edition: Edition) -> Mapping[str, str]:
    return {rule.id: rule.digest for rule in edition.rules}


def _rules(saved: Saved, edition: Edition) -> Iterator[str]:
    before, now = saved.record.rules, _digests(edition)
    places = {rule.id: rule.place for rule in edition.rules}
    yield from (f"rule {name} is gone" for name in before if name not in now)
    yield from (f"rule {name} is new ({places[name]})" for name in now if name not in before)
    both = (name for name in before if name in now)
    yield from (f"rule {name} has changed ({places[name]})" for name in both if before[name] != now[name])


def _facts(saved: list[Fact], observed: frozenset[Fact]) -> Iterator[str]:
    shown = [fact for fact in saved if fact[0] != EVIDENCE]
    yield from (f"a fact that the incident does not show: {_said(fact)}" for fact in shown if fact not in observed)
    missing = observed.difference(saved)
    yield from (f"a fact of the incident that was not there: {_said(fact)}" for fact in sorted(missing, key=order_key))


def _said(fact: Fact) -> str:
    return f"{fact[0]} {', '.join(map(str, fact[1:]))}"
