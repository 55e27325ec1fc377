"""What is claimed of a law and does not hold, as faults of the file that claims it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path

from facts.errors import Fault
from kb.language.folders import PROPERTIES
from kb.language.model import Edition
from kb.prove.prove import Proving
from kb.prove.verdict import Verdict, Witness


def own_claims(proving: Proving) -> list[str]:
    """The names of the properties that an edition's own file states or changes."""
    folder = Path(proving.edition.place.file).parent
    claimed = proving.claimed.properties.items()
    return [name for name, one in claimed if Path(one.place.file).parent == folder]


def claim_faults(proving: Proving, names: Collection[str]) -> Iterator[Fault]:
    """The properties of these names that fail; none of what holds but for its exceptions."""
    for verdict in proving.verdicts(names) if names else ():
        if verdict.fails:
            yield _fault(verdict, proving.edition)


def _fault(verdict: Verdict, edition: Edition) -> Fault:
    one, lang = verdict.of, edition.vocabulary.languages[0]
    own = Path(edition.place.file).with_name(PROPERTIES)
    inherited = Path(one.place.file) != own
    match verdict.standing:
        case "empty":
            what = f"{one.id} says nothing: there is no situation of which it could be true or false"
            return Fault(one.place, what, "mend its conditions, or take it away")
        case "needless":
            needless = next(each.expected for each in verdict.excepted if each.needless)
            mend = (
                f"name {one.id} in {own} with the exceptions that are left" if inherited else "take the exception away"
            )
            return Fault(needless.place, f"{one.id} holds without this exception", mend)
    example = "" if verdict.witness is None else f", for instance {_told(verdict.witness, lang)}"
    what = f"{one.id} does not hold in {verdict.refuted} of {verdict.tried}{example}"
    mend = "mend the rules, or write the exception and its reason under expected"
    if inherited:
        mend = f"mend the rules, or write {one.id}: {{dropped: true}} in {own}, or the exception and its reason there"
    return Fault(one.place, what, mend)


def _told(witness: Witness, lang: str) -> str:
    if witness.universe is None:
        return f"{witness.clause}"
    return "when " + ", and then when ".join(witness.universe.unusual(one, lang) for one in witness.situations)
