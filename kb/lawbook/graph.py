"""Which clause feeds which: a flowchart in Mermaid, of a whole edition or of what stands around one clause."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.language.model import Clause, Edition


@dataclass(frozen=True, slots=True)
class Feeds:
    """What one clause or definition concludes, and another looks at."""

    clause: str
    into: str
    kinds: tuple[str, ...]
    alone: tuple[str, ...]
    """Those of the kinds that nothing else concludes or states: without the clause the other has nothing to look at."""


def looked_at(clause: Clause) -> list[str]:
    """The kinds of fact that its rules look at."""
    return [*dict.fromkeys(item.kind for rule in clause.rules for item in rule.conditions())]


def feeds(edition: Edition) -> Iterator[Feeds]:
    """Every two clauses of which one feeds the other, in the order of the book."""
    concluding: dict[str, dict[str, None]] = {}
    for ref, clause in edition.clauses.items():
        for rule in clause.rules:
            for head in rule.then:
                concluding.setdefault(head.kind, {})[ref] = None
    for into, clause in edition.clauses.items():
        read = looked_at(clause)
        for ref in edition.clauses:
            shared = tuple(kind for kind in read if ref in concluding.get(kind, ()) and ref != into)
            alone = (kind for kind in shared if len(concluding[kind]) == 1 and kind not in edition.stated)
            if shared:
                yield Feeds(ref, into, shared, tuple(alone))


def mermaid(edition: Edition, clause: str | None) -> str:
    """The flowchart; a thick arrow where the kinds on it come from nowhere else. InputError without such a clause."""
    if clause is not None:
        edition.clause(clause)
    found = [one for one in feeds(edition) if clause in (None, one.clause, one.into)]
    refs = dict.fromkeys(ref for one in found for ref in (one.clause, one.into))
    names = {ref: f"c{number}" for number, ref in enumerate(refs if clause is None else {clause: None, **refs})}
    lines = ["flowchart LR", *(f'  {name}["{ref}"]' for ref, name in names.items())]
    for one in found:
        arrow = "==>" if one.alone else "-->"
        lines.append(f'  {names[one.clause]} {arrow}|"{", ".join(one.alone or one.kinds)}"| {names[one.into]}')
    if clause is not None:
        lines.append(f"  style {names[clause]} stroke-width:4px")
    return "\n".join(lines) + "\n"
