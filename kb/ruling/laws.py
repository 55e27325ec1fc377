"""Editions made ready to rule, those under one root, and how one stands to the day of an incident."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from facts.errors import InputError, brief, did_you_mean
from facts.incident import DEFAULT_EDITION, Incident
from facts.table import Table
from facts.yaml_reader import is_folder
from kb.engine import EngineName
from kb.engine.proof import Engine, Program
from kb.language.calendar import by_its_day, calendar_of
from kb.language.edition import load_declared, load_edition
from kb.language.folders import apart, edition_ids, rules_root
from kb.language.model import Edition, EditionForm, ElectionForm
from kb.space.layout import Sayable

ALWAYS_SHOWN: Final = frozenset({"won", "role", "table"})
"""Kinds of fact that every ruling shows, whether or not a rule reads them."""


class Law:
    """An edition with its elections, and what is needed to rule by it, each thing made when it is first asked for."""

    def __init__(
        self,
        edition: str | Path | Edition = DEFAULT_EDITION,
        elections: Sequence[str] = (),
        rules: Path | None = None,
        engine: EngineName = "durable",
    ) -> None:
        """``edition``: its id, a draft's folder, or one that has been read, with its elections; ``rules``: the folder
        of rules it is one of, the shipped ones for None. RulesError with every fault of its files."""
        self.root = rules_root() if rules is None else Path(rules)
        self.edition = edition if isinstance(edition, Edition) else load_edition(self.root, edition, elections)
        self.engine_name = engine

    @cached_property
    def program(self) -> Program:
        return Program(self.edition.vocabulary, self.edition.rules)

    @cached_property
    def sayable(self) -> Sayable:
        """What can be said of a table, and what of it cannot be together."""
        return Sayable(self.edition.table, self.edition.vocabulary, self.program.kinds)

    @cached_property
    def shown(self) -> frozenset[str]:
        """The kinds of fact that an engine is given: those that rules read, and those that every ruling shows."""
        return self.program.kinds | ALWAYS_SHOWN

    @cached_property
    def engine(self) -> Engine:
        """The engine; EngineError when durable-rules is not installed or refuses the rules."""
        if self.engine_name == "quick":
            return self.program
        from kb.engine.durable import DurableEngine  # noqa: PLC0415 - only the engine in use is loaded

        return DurableEngine(self.program)


def default_engine() -> tuple[EngineName, str]:
    """The engine to use when none is asked for, and why durable-rules, which is installed, cannot be, if it cannot."""
    try:
        import durable_rules_engine  # noqa: F401, PLC0415
    except ImportError as error:
        if find_spec("durable") is None:  # left out on purpose, as README says how
            return "quick", ""
        return "quick", f"durable-rules cannot be used ({error}); ruling with the quick engine"
    return "durable", ""


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
        self._law: Callable[[str, tuple[str, ...], EngineName], Law] = lru_cache(MOST_LAWS)(self._made)

    def knowing(self, draft: Mapping[tuple[str, ...], Edition], folder: Path) -> Laws:
        """The same, and a draft in its folder as it has been read, by the elections made in it; others of it are read,
        and not kept."""
        more = copy(self)

        def law(edition: str, elections: tuple[str, ...], engine: EngineName) -> Law:
            if edition != str(folder):
                return self._law(edition, elections, engine)
            return Law(draft.get(elections, edition), elections, self.root, engine)

        more._law = lru_cache(MOST_LAWS)(law)
        return more

    def of(self, edition: str | Path, elections: Sequence[str] = (), engine: EngineName | None = None) -> Law:
        """The law of that edition with those elections, and with those that its name has after a plus; RulesError if it
        is not there or is faulty. ``engine``: another than the usual one.
        """
        edition_id, made = apart(str(edition))
        return self._law(edition_id, tuple(sorted({*elections, *made})), engine or self.engine)

    def _made(self, edition: str, elections: tuple[str, ...], engine: EngineName) -> Law:
        return Law(edition, elections, self.root, engine)

    @cached_property
    def editions(self) -> tuple[str, ...]:
        """The ids of the editions under the root."""
        return edition_ids(self.root)

    def table(self, edition: str | None) -> Table:
        """What can be said under an edition, the usual one for None; what the rules declare for all where there is none
        of that name."""
        edition = edition or self.usual
        edition_id, _ = apart(edition)
        exists = edition_id in self.editions or is_folder(edition_id)
        return self.of(edition).edition.table if exists else load_declared(self.root)

    @property
    def usual(self) -> str:
        """The edition in force, or in a folder of rules without it the last there is."""
        return max(self.editions, key=lambda edition: (edition == DEFAULT_EDITION, edition), default=DEFAULT_EDITION)

    def tables(self, asked: str | None) -> Callable[[str | None], Table]:
        """What can be said under the edition asked for, or for None under the one that a file names."""
        return self.table if asked is None else lambda _: self.table(asked)

    def under(self, incident: Incident, edition: str | None, elections: Sequence[str]) -> Incident:
        """The incident to be ruled by what was asked for instead of what it names itself; elections go with an edition.

        ``edition``: None for its own, OF_THE_DAY for the one that its date names; InputError where it names none.
        """
        asked = tuple(elections)
        if edition == OF_THE_DAY:
            if incident.date is None:
                problem, mend = "it is not said on which day it was", "state its date, or name an edition"
                raise InputError.of(incident.place, problem, mend)
            return by_its_day(replace(incident, elections=asked), self.root)
        if edition is not None:
            edition_id, made = apart(edition)
            return replace(incident, edition=edition_id, elections=(*asked, *made))
        return replace(incident, elections=asked) if asked else incident

    def for_incident(self, incident: Incident) -> Law:
        """The law an incident names, or the usual one; InputError if there is none, RulesError if it is faulty."""
        if incident.edition not in self.editions and not is_folder(incident.edition):
            if "edition" not in incident.places:
                return self.of(self.usual, incident.elections)
            place = incident.places.get("edition", incident.place)
            mend = did_you_mean(incident.edition, self.editions)
            raise InputError.of(place, f"there is no edition {brief(incident.edition)}", mend)
        return self.of(incident.edition, incident.elections)


@dataclass(frozen=True, slots=True)
class OfItsDay:
    """What is known of the law on the day of an incident, and of what its jurisdiction had chosen."""

    in_force: bool | None
    """Whether the edition was in force; None where that is not known, or nothing was asked."""
    instead: EditionForm | None = None
    """The one that was, if it was another."""
    chosen: tuple[ElectionForm, ...] = ()
    """The elections of the jurisdiction that the ruling does not go by."""


def of_its_day(incident: Incident, edition: Edition) -> OfItsDay:
    """Of an edition that has no days, such as a draft, nothing is known."""
    if incident.date is None and not incident.jurisdiction:
        return OfItsDay(None)
    calendar = calendar_of(*edition.folders)
    chosen = calendar.elections(edition.offers, incident.jurisdiction)
    ignored = tuple(election for election in chosen if election.election not in edition.elections)
    dated, day = calendar.of(edition.id), incident.date
    if dated is None or day is None:
        return OfItsDay(None, chosen=ignored)
    in_force = calendar.in_force(dated, day, incident.jurisdiction)
    others = calendar.perhaps(day, incident.jurisdiction)
    return OfItsDay(in_force, others[0] if in_force is False and len(others) == 1 else None, ignored)
