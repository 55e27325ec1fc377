"""Names that files use of each other: editions, and the elections that they offer."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from facts.errors import Fault, Place, RulesError
from facts.form import Entries, Placed
from facts.suggestions import did_you_mean
from kb.language.faults import Faults
from kb.language.folders import ELECTIONS, editions, elections
from kb.language.forms import ElectionForm, Names
from kb.language.model import Edition


def check_id(edition: Edition, folder: Path, root: Path, faults: Faults) -> None:
    """An edition under ``root`` bears the name of its folder; a draft elsewhere a name of its own."""
    known = editions(root)
    if folder == root / folder.name and folder.name in known:
        if edition.id not in ("", folder.name):
            what = "the edition and its folder bear different names"
            faults.add(edition.place, what, f"call it {folder.name}")
    elif edition.id in known:
        what = f"{edition.id} is the name of another edition"
        faults.add(edition.place, what, "give the draft a name of its own")


def check_offers(edition: Edition, offers: Entries[Names], faults: Faults) -> None:
    """What ``offers`` names: clauses of the edition, and elections that exist."""
    for ref, offered in offers.items():
        if ref not in edition.clauses:
            faults.add(offers.places[ref], f"{edition.id} has no clause {ref}", did_you_mean(ref, edition.clauses))
        for one in offered:
            _known(one, "election", tuple(elections(*edition.folders)), faults)


def check_election(edition: Edition, election: str, form: ElectionForm, root: Path, faults: Faults) -> None:
    """What the file of an election names: itself, editions among them this one, and the clause that offers it."""
    if form.election not in ("", election):
        what = "the election and its file bear different names"
        faults.add(form.place_of("election"), what, f"call it {election}")
    under = form.under
    if under and election not in edition.offers.get(under, ()):
        offering = [ref for ref, offered in edition.offers.items() if election in offered]
        what = f"{edition.id} does not offer {election} under {under}"
        faults.add(form.place_of("under"), what, did_you_mean(under, offering))
    of = {one.value for one in form.of if one.value}
    if of and not of & set(edition.lineage):
        what = f"{edition.id} offers this election, but is not named here"
        faults.add(form.place_of("of"), what, f"add {edition.id}")
    for one in form.of:
        _known(one, "edition", (*editions(root), *edition.lineage), faults)


def refuse_unoffered(edition: Edition, wanted: Iterable[str]) -> None:
    """RulesError for an election that does not exist or that the edition does not offer."""
    known = elections(*edition.folders)
    offered = sorted({name for names in edition.offers.values() for name in names})
    faults = Faults()
    for name in wanted:
        if name not in known:
            place = Place(str(edition.folders[0] / ELECTIONS), 1)
            faults.add(place, f"there is no election {name}", did_you_mean(name, known))
        elif name not in offered:
            what = f"{edition.id} does not offer the election {name}"
            faults.append(Fault(edition.place, what, f"it offers {', '.join(offered) or 'none'}"))
    if faults:
        raise RulesError(faults)


def _known(one: Placed[str], noun: str, known: tuple[str, ...], faults: Faults) -> None:
    if one.value and one.value not in known:
        faults.add(one.place, f"there is no {noun} {one.value}", did_you_mean(one.value, known))
