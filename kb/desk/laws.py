"""The law as the desk has it at hand: editions, drafts, words and interviews, each made ready once for all threads."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from facts.errors import InputError
from facts.incident import Incident
from facts.suggestions import did_you_mean
from facts.table import Table
from kb.desk.drafts import Drafts
from kb.desk.pool import Pool, Recent
from kb.engine import EngineName
from kb.engine.quick import demand_whole
from kb.explain.say import Speaker
from kb.explain.words import Words, load_words
from kb.interview.counsel import Counsel
from kb.language.folders import DEFAULT_EDITION, editions
from kb.language.model import Edition
from kb.ruling.law import Law, Laws, default_engine
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling

P = ParamSpec("P")
T = TypeVar("T")

MOST_COUNSELS: Final = 6
MOST_READ: Final = 200
"""Versions of drafts of which it is known whether they can be read."""
QUICK, CHECKING, SLOW, LONG = 30.0, 120.0, 300.0, 900.0
"""Seconds for a ruling by a draft, its checks, what is worked out over all situations, a page with every ruling."""


class DeskLaws:
    """Everything made of the rules.

    A law is named by its edition and elections together, ``duplicate-2007+dbv-2007``, or is a draft by its name. No
    name is ever taken for a path.
    """

    def __init__(self, root: Path, drafts: Drafts, is_apart: bool = False) -> None:
        """``is_apart``: in the process that works by drafts."""
        self.is_apart = is_apart
        self.root = root
        self.drafts = drafts
        self.editions = tuple(sorted(editions(root), key=lambda one: (one == DEFAULT_EDITION, one), reverse=True))
        """The shipped editions, the one in force first."""
        self.laws = Laws(root, default_engine()[0])
        self._pool = Pool()
        self._counsels: Recent[tuple[str, str], Counsel] = Recent(MOST_COUNSELS)
        self._read: Recent[tuple[str, str], InputError | None] = Recent(MOST_READ)
        self._making = Lock()
        self.words: Words = load_words(root, self.law(DEFAULT_EDITION).edition.vocabulary)

    def names(self) -> Iterator[str]:
        """Every law that can be chosen: editions, each with its elections, then drafts."""
        for name in self.editions:
            yield name
            offers = self.edition(name).offers
            yield from (f"{name}+{one}" for one in sorted({one for offered in offers.values() for one in offered}))
        yield from self.drafts.names()

    def titles(self, lang: str) -> list[tuple[str, str]]:
        """The name of every law that can be chosen, and what it is called; a draft by its name alone."""
        return [(name, self.title(name, lang)) for name in self.names()]

    def title(self, name: str, lang: str) -> str:
        """What a law is called; a draft, and a law that is gone, by its name alone."""
        base, *elected = name.split("+")
        if base not in self.editions:
            return name
        edition = self.laws.of(self.folder(name), elected, None, self.version(name)).edition
        return edition.called(lang)

    def edition(self, name: str) -> Edition:
        """The edition, or draft; InputError if there is none or its files are faulty."""
        return self.law(name).edition

    def law(self, name: str, engine: EngineName | None = None) -> Law:
        """The law, ready to rule; InputError as above, EngineError when too many wait for drafts to be read."""
        if self.by_draft(name):
            self._demand_readable(name)
        law = self.laws.of(self.folder(name), name.split("+")[1:], engine, self.version(name))
        with self._making:
            law.engine  # noqa: B018 - made here, so that no two threads make it
        return law

    def _demand_readable(self, name: str) -> None:
        """InputError for a draft that cannot be read. Each of its versions is tried apart once, and then read here by
        one who asks, not by each of them.
        """

        def outcome() -> InputError | None:
            try:
                self.tried(DeskLaws.edition, name)
            except InputError as error:
                return error
            self.laws.of(self.folder(name), (), None, self.version(name))
            return None

        error = self._read.get((name, self.version(name)), outcome)
        if error is not None:
            raise type(error)(error.faults)

    def version(self, name: str) -> str:
        """Changes whenever the rules do: a shipped edition's never, a draft's with every change of its files."""
        folder = self.folder(name)
        return folder if isinstance(folder, str) else self.drafts.digest(folder.name)

    def folder(self, name: str) -> str | Path:
        """An edition's id or a draft's folder, as the readers of rules take it; InputError if there is neither."""
        base = name.partition("+")[0]
        if base in self.editions:
            return base
        if base in self.drafts.names():
            return self.drafts.folder(base)
        mend = did_you_mean(base[:80], (*self.editions, *self.drafts.names()))
        raise InputError.of("edition", f"there is no edition {base[:80]}", mend)

    def table(self, law: str | None) -> Table:
        """What can be said under a law; under the one in force where none is named, or none of that name is known."""
        known = law is not None and law.partition("+")[0] in (*self.editions, *self.drafts.names())
        return self.edition(law if known and law is not None else DEFAULT_EDITION).table

    def speaker(self, edition: Edition, lang: str) -> Speaker:
        """Speaks of rulings under the edition."""
        return Speaker(self.words, edition.vocabulary, lang)

    def rule(self, incident: Incident, engine: EngineName | None = None) -> Ruling:
        """The ruling; InputError when there can be none, EngineError when its proof is not what the rules say.

        By a draft it is tried apart, and what ends well there is then made here.
        """
        name = law_named(incident)
        if self.by_draft(name):
            engine = "quick"
            self.tried(DeskLaws.rule, incident, engine)
        ruling = rule(self.law(name, engine), incident)
        demand_whole(ruling.whole, incident.place)
        return ruling

    def counsel(self, name: str) -> Counsel:
        """The interview under a law; InputError as above, EngineError when too many wait for one."""

        def made() -> Counsel:
            if self.by_draft(name):
                self.tried(DeskLaws.counsel, name)
            return Counsel.of(self.law(name, "quick"))

        return self._counsels.get((name, self.version(name)), made)

    def by_draft(self, *names: str) -> bool:
        """Whether one of the laws is a draft, with which nothing is done in this process."""
        return not self.is_apart and any(isinstance(self.folder(name), Path) for name in names)

    def tried(self, job: Callable[Concatenate[DeskLaws, P], object], *given: P.args, **named: P.kwargs) -> None:
        """Does a job in the pool, by way of trial: what it gives could not be handed over. Errors as of ``Pool``."""
        self._pool.run(QUICK, _done, self.root, self.drafts.home, job, given, named, False)

    def apart(self, seconds: float, job: Callable[Concatenate[DeskLaws, P], T], *given: P.args, **named: P.kwargs) -> T:
        """What a job gives, done in the pool; errors as of ``Pool``."""
        found: T = self._pool.run(seconds, _done, self.root, self.drafts.home, job, given, named, True)
        return found

    def close(self) -> None:
        """What is done in the pool is broken off."""
        self._pool.close()


@lru_cache(1)
def _laws(root: Path, home: Path) -> DeskLaws:
    """The laws of the desk in a process of its own."""
    return DeskLaws(root, Drafts(home, root), is_apart=True)


def _done(root: Path, home: Path, job: Callable[..., Any], given: Any, named: Any, wanted: bool) -> Any:
    found = job(_laws(root, home), *given, **named)
    return found if wanted else None


def law_named(incident: Incident) -> str:
    """The name of the law an incident is to be ruled by."""
    return "+".join((incident.edition, *incident.elections))


def under(incident: Incident, law: str) -> Incident:
    """The incident with the law it is to be ruled by; as it is for no law."""
    if not law:
        return incident
    edition, *elected = law.split("+")
    return replace(incident, edition=edition, elections=tuple(elected))
