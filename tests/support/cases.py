"""Every case of the project, each under each edition it names; more from the folder in REVOKE_CASES."""

from __future__ import annotations

import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

from facts.incident import Incident
from kb.cases.cases import read_cases
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling
from support.ruling import ROOT, laws
from support.tables import shipped_table


@cache
def incidents() -> tuple[tuple[str, Incident], ...]:
    """Name and incident, in order; editions that are not there are left out."""
    folders = [*sorted(ROOT.glob("*/cases")), *map(Path, filter(None, [os.environ.get("REVOKE_CASES")]))]
    known = {folder.parent.name for folder in ROOT.glob("*/edition.yaml")}
    found = {}
    for folder in folders:
        table = laws().table(folder.parent.name) if folder.parent.name in known else shipped_table()
        for case in read_cases(folder, table):
            for expected in case.expect:
                if expected.edition in known:
                    under = case.under(expected)
                    found[f"{case.id} {expected.edition} {' '.join(under.elections)}"] = under
    return tuple(found.items())


@cache
def rulings() -> tuple[tuple[str, Ruling], ...]:
    """The ruling on each, by the quick engine."""
    return tuple((name, ruled(incident)) for name, incident in incidents())


def sample(number: int, seed: int = 1) -> list[tuple[str, Ruling]]:
    """Some of the rulings, the same each time; all of them if REVOKE_ALL is set."""
    if os.environ.get("REVOKE_ALL"):
        return list(rulings())
    every = list(incidents())
    return [(name, ruled(incident)) for name, incident in Random(seed).sample(every, min(number, len(every)))]


def ruled(incident: Incident) -> Ruling:
    """The ruling by the quick engine."""
    law = laws().of(incident.edition, incident.elections)
    return rule(law, replace(incident, edition=law.edition.id))
