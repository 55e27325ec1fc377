"""The desk itself: every law made ready once for all threads, the register, and what is told of a fault."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from threading import RLock
from typing import Final

from facts.errors import Fault, InputError, did_you_mean
from facts.incident import Incident
from facts.table import Table
from kb.desk.guard import Settings
from kb.desk.register import Register
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


class Desk:
    """One desk with its rules and register; RulesError or RegisterError when it cannot be set up.

    A law is named by its edition and elections together, ``duplicate-2007+dbv-2007``. No name is ever taken for a path.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings, root = settings, settings.rules
        self.editions = tuple(sorted(editions(root), key=lambda one: (one == DEFAULT_EDITION, one), reverse=True))
        """The shipped editions, the one in force first."""
        self.laws = Laws(root, default_engine()[0])
        self._making = RLock()
        """Held while a law or an interview is made ready, so that no two threads make the same."""
        self._counsel = lru_cache(MOST_COUNSELS)(lambda name: Counsel.of(self.law(name, "quick")))
        self.words: Words = load_words(root, self.law(DEFAULT_EDITION).edition.vocabulary)
        self.register = Register(settings.register)

    def titles(self, lang: str) -> list[tuple[str, str]]:
        """The name of every law that can be chosen, and what it is called: editions, each with its elections."""
        offers = ((name, self.edition(name).offers.values()) for name in self.editions)
        elected = ((name, sorted({one for offered in some for one in offered})) for name, some in offers)
        names = (one for name, some in elected for one in (name, *(f"{name}+{each}" for each in some)))
        return [(name, self.title(name, lang)) for name in names]

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
            law.engine  # noqa: B018 - made here
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
        """The interview under a law; InputError as above."""
        with self._making:
            return self._counsel(name)


def law_named(incident: Incident) -> str:
    """The name of the law an incident is to be ruled by."""
    return "+".join((incident.edition, *incident.elections))


def tell(fault: Fault) -> Fault:
    """The fault without the folder of its file: nobody is told where on the desk's computer that lies."""
    name = fault.place.file.replace("\\", "/").rsplit("/", 1)[-1]
    return replace(fault, place=replace(fault.place, file=name))
