"""The laws under one root, each made ready once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Final

from facts.errors import InputError
from facts.incident import Incident
from facts.opening import is_folder
from facts.readers.calendar import by_its_day
from facts.suggestions import brief, did_you_mean
from facts.table import Table
from kb.engine import EngineName
from kb.language.edition import load_declared
from kb.language.folders import editions
from kb.ruling.law import Law

MOST_LAWS: Final = 24
OF_THE_DAY: Final = "of-the-day"
"""Names no edition, but asks for the one that was in force on the day of an incident."""


class Laws:
    """The laws under one root: each is read when it is first asked for, and those asked for last are kept.

    Safe from any number of threads: two that ask for the same at once may both read it, and either is as good.
    """

    def __init__(self, root: Path, engine: EngineName = "durable") -> None:
        self.root = root
        self.engine = engine
        self._law = lru_cache(MOST_LAWS)(self._made)

    def of(
        self, edition: str | Path, elections: Sequence[str] = (), engine: EngineName | None = None, version: str = ""
    ) -> Law:
        """The law of that edition with those elections; RulesError if there is none or it is faulty.

        ``engine``: another than the usual one; ``version`` changes whenever the files do, if they may.
        """
        return self._law(str(edition), tuple(sorted(elections)), engine or self.engine, version)

    def _made(self, edition: str, elections: tuple[str, ...], engine: EngineName, _: str) -> Law:
        return Law(edition, elections, self.root, engine)

    @cached_property
    def editions(self) -> tuple[str, ...]:
        """The ids of the editions under the root."""
        return editions(self.root)

    def table(self, edition: str | None) -> Table:
        """What can be said under an edition; what the shipped rules declare where there is none of that name."""
        known = edition is not None and (edition in self.editions or is_folder(edition))
        return self.of(edition).edition.table if known and edition is not None else load_declared(self.root)

    def under(self, incident: Incident, edition: str | None, elections: Sequence[str]) -> Incident:
        """The incident to be ruled by what was asked for instead of what it names itself; elections go with an edition.

        ``edition``: None for its own, OF_THE_DAY for the one that its date names; InputError where it names none.
        """
        asked = tuple(elections)
        if edition == OF_THE_DAY:
            if incident.date is None:
                what, mend = "it is not said on which day it was", "state its date, or name an edition"
                raise InputError.of(incident.place, what, mend)
            return by_its_day(replace(incident, elections=asked), self.root)
        if edition is not None:
            return replace(incident, edition=edition, elections=asked)
        return replace(incident, elections=asked) if asked else incident

    def for_incident(self, incident: Incident) -> Law:
        """The law an incident names; InputError at its place if there is none, RulesError if its rules are faulty."""
        if incident.edition not in self.editions and not is_folder(incident.edition):
            place = incident.places.get("edition", incident.place)
            mend = did_you_mean(incident.edition, self.editions)
            raise InputError.of(place, f"there is no edition {brief(incident.edition)}", mend)
        return self.of(incident.edition, incident.elections)
