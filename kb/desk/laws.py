"""The law as the desk has it at hand: editions, words and interviews, each made ready once for all threads."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import Final, Generic, TypeVar

from facts.errors import EngineError, InputError
from facts.incident import Incident
from facts.suggestions import did_you_mean
from facts.table import Table
from kb.engine import EngineName
from kb.engine.proof import demand_whole
from kb.explain.say import Speaker
from kb.explain.words import Words, load_words
from kb.interview.counsel import Counsel
from kb.language.folders import DEFAULT_EDITION, editions
from kb.language.model import Edition
from kb.ruling.law import Law, Laws, default_engine
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling

MOST_COUNSELS: Final = 6
WAITING: Final = 8
"""So many wait for values that others are making; each holds a thread that rulings could do with."""
Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """The values asked for last, none made twice; safe from any number of threads."""

    def __init__(self, most: int) -> None:
        self.most = most
        self._values: OrderedDict[Key, Future[Value]] = OrderedDict()
        self._waiting = 0
        self._lock = Lock()

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value of the key, made if it is not there; what ``make`` raises is raised, and nothing kept.

        EngineError when too many wait already for what is being made.
        """
        with self._lock:
            found = self._values.get(key)
            if found is None:
                mine = self._values[key] = Future[Value]()
            else:
                self._values.move_to_end(key)
                if not found.done():
                    if self._waiting >= WAITING:
                        raise EngineError("too much is being worked out at the moment; ask again in a minute")
                    self._waiting += 1
        if found is not None:
            return self._waited(found)
        try:
            mine.set_result(make())
        except BaseException as error:
            with self._lock:
                self._values.pop(key, None)
            mine.set_exception(error)
            raise
        with self._lock:
            while len(self._values) > self.most:
                self._values.popitem(last=False)
        return mine.result()

    def _waited(self, found: Future[Value]) -> Value:
        try:
            return found.result()
        finally:
            with self._lock:
                self._waiting -= 1


class DeskLaws:
    """Everything made of the rules.

    A law is named by its edition and elections together, ``duplicate-2007+dbv-2007``. No name is ever taken for a path.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self.editions = tuple(sorted(editions(root), key=lambda one: (one == DEFAULT_EDITION, one), reverse=True))
        """The shipped editions, the one in force first."""
        self.laws = Laws(root, default_engine()[0])
        self._counsels: Recent[str, Counsel] = Recent(MOST_COUNSELS)
        self._making = Lock()
        self.words: Words = load_words(root, self.law(DEFAULT_EDITION).edition.vocabulary)

    def names(self) -> Iterator[str]:
        """Every law that can be chosen: editions, each with its elections."""
        for name in self.editions:
            yield name
            offers = self.edition(name).offers
            yield from (f"{name}+{one}" for one in sorted({one for offered in offers.values() for one in offered}))

    def titles(self, lang: str) -> list[tuple[str, str]]:
        """The name of every law that can be chosen, and what it is called."""
        return [(name, self.title(name, lang)) for name in self.names()]

    def title(self, name: str, lang: str) -> str:
        """What a law is called; one that is gone, by its name alone."""
        return self.edition(name).called(lang) if name.partition("+")[0] in self.editions else name

    def edition(self, name: str) -> Edition:
        """The edition; InputError if there is none."""
        return self.law(name).edition

    def law(self, name: str, engine: EngineName | None = None) -> Law:
        """The law, ready to rule; InputError as above."""
        base, *elected = name.split("+")
        if base not in self.editions:
            mend = did_you_mean(base[:80], self.editions)
            raise InputError.of("edition", f"there is no edition {base[:80]}", mend)
        law = self.laws.of(base, elected, engine)
        with self._making:
            law.engine  # noqa: B018 - made here, so that no two threads make it
        return law

    def table(self, law: str | None) -> Table:
        """What can be said under a law; under the one in force where none is named, or none of that name is known."""
        known = law is not None and law.partition("+")[0] in self.editions
        return self.edition(law if known and law is not None else DEFAULT_EDITION).table

    def speaker(self, edition: Edition, lang: str) -> Speaker:
        """Speaks of rulings under the edition."""
        return Speaker(self.words, edition.vocabulary, lang)

    def rule(self, incident: Incident, engine: EngineName | None = None) -> Ruling:
        """The ruling; InputError when there can be none, EngineError when its proof is not what the rules say."""
        ruling = rule(self.law(law_named(incident), engine), incident)
        demand_whole(ruling.whole, incident.place)
        return ruling

    def counsel(self, name: str) -> Counsel:
        """The interview under a law; InputError as above, EngineError when too many wait for one."""
        return self._counsels.get(name, lambda: Counsel.of(self.law(name, "quick")))


def law_named(incident: Incident) -> str:
    """The name of the law an incident is to be ruled by."""
    return "+".join((incident.edition, *incident.elections))


def under(incident: Incident, law: str) -> Incident:
    """The incident with the law it is to be ruled by; as it is for no law."""
    if not law:
        return incident
    edition, *elected = law.split("+")
    return replace(incident, edition=edition, elections=tuple(elected))
