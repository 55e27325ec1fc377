"""How an amendment is laid over what it amends: a clause replaces that of its number, is added, or is taken away."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from facts.errors import Fault, Place
from facts.suggestions import did_you_mean, nearest
from kb.language.clauses import Overlay
from kb.language.faults import Faults
from kb.language.forms import EditionForm, ElectionForm, Names
from kb.language.model import Clause
from kb.language.names import book_order

Clauses = Mapping[str, Clause]


def lay_over(
    base: Clauses | None, overlay: Overlay, form: EditionForm | ElectionForm, faults: Faults
) -> dict[str, Clause]:
    """The clauses in the order of the book, then the definitions.

    ``base`` is None for a code of its own, which must list its clauses; ``form`` is the file that says so.
    """
    for ref, there in overlay.repealed.items():
        if ref not in (base or {}):
            faults.add(there, f"there is no {ref} to repeal", did_you_mean(ref, base or {}))
    faults.extend(_misplaced(base, overlay, form))
    kept = {ref: clause for ref, clause in (base or {}).items() if ref not in overlay.repealed}
    merged = {**kept, **overlay.clauses}
    if isinstance(form, EditionForm) and form.clauses is not None:
        order = _listed(form.clauses, form.place.file, merged, faults)
    else:
        order = _inherited([ref for ref in kept if kept[ref].law], overlay)
        if base is None:
            faults.add(
                form.place, "the list of the clauses is missing", 'add clauses: ["1A", …] in the order of the book'
            )
    definitions = [ref for ref, clause in merged.items() if not clause.law]
    return {ref: merged[ref] for ref in (*order, *definitions)}


def _misplaced(base: Clauses | None, overlay: Overlay, form: EditionForm | ElectionForm) -> Iterator[Fault]:
    """Clauses that neither replace one nor are said to be new, and those that are said to be and are not."""
    for ref, clause in overlay.clauses.items():
        if base is None and ref in overlay.new:
            yield Fault(clause.place, f"{ref} cannot be new: the edition amends none", "take new: true away")
        elif base is not None and ref in base and ref in overlay.new:
            mend = "take new: true away, so that it is replaced, or give the new one another number"
            yield Fault(clause.place, f"{ref} is not new: {_amended(form)} has it", mend)
        elif base is not None and ref not in base and ref not in overlay.new:
            near = nearest(ref, base)
            mend = "write new: true in it if it is to be added" + (f"; did you mean {near}?" if near else "")
            yield Fault(clause.place, f"{ref} replaces nothing in {_amended(form)}", mend)


def _amended(form: EditionForm | ElectionForm) -> str:
    if isinstance(form, ElectionForm):
        return " or ".join(one.value for one in form.of)
    return form.amends.value if form.amends else ""


def _listed(listed: Names, file: str, merged: Clauses, faults: Faults) -> list[str]:
    order: dict[str, Place] = {}
    for item in listed:
        ref = item.value
        if ref in order:
            faults.add(item.place, f"{ref} stands twice in the list", "keep one of the two", (order[ref], "first here"))
        elif ref and (ref not in merged or not merged[ref].law):
            faults.add(
                item.place,
                f"{ref} is in the list, but there is no such clause",
                "write the clause, or take it from the list",
            )
        elif ref:
            order[ref] = item.place
    for ref, clause in merged.items():
        if clause.law and ref not in order:
            faults.add(
                clause.place,
                f"{ref} is not in the edition's list of clauses",
                f"add it to clauses: in {file}",
            )
    return list(order)


def _inherited(order: list[str], overlay: Overlay) -> list[str]:
    """The inherited order, each new clause before the first inherited one that a book would print after it."""
    for ref in sorted((ref for ref, clause in overlay.clauses.items() if clause.law), key=book_order):
        if ref not in order:
            later = (i for i, other in enumerate(order) if book_order(other) > book_order(ref))
            order.insert(next(later, len(order)), ref)
    return order
