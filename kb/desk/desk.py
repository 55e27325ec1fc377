"""The desk itself: what all its pages share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from fastapi import Request

from facts.errors import Fault
from kb.desk import guard
from kb.desk.drafts import Drafts
from kb.desk.given import Given
from kb.desk.jobs import Jobs
from kb.desk.pages import Visit, environment, language
from kb.desk.recent import Recent
from kb.desk.register import Register
from kb.desk.settings import Settings
from kb.desk.shelf import Advice, Shelf, law_named, survey
from kb.ruling.ruling import Ruling

MOST_RULINGS: Final = 300


class Desk:
    """One desk with its rules, register and drafts; RulesError or RegisterError when it cannot be set up."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.drafts = Drafts(settings.drafts, settings.rules)
        self.shelf = Shelf(settings.rules, self.drafts)
        self.register = Register.open(settings.register)
        self.jobs = Jobs()
        self._templates = environment()
        self._rulings: Recent[tuple[Given, str], Ruling] = Recent(MOST_RULINGS)

    def visit(self, request: Request) -> Visit:
        """A request with its language."""
        lang = language(request, self.shelf.words, self.settings.lang)
        return Visit(request, lang, self.shelf.words, self._templates, guard.token, guard.may_leave)

    def ruling(self, given: Given) -> Ruling:
        """The ruling on what was given; InputError when there can be none."""
        incident = given.incident()
        version = self.shelf.version(law_named(incident))
        return self._rulings.get((given, version), lambda: self.shelf.rule(incident))

    def advice(self, law: str) -> Advice | None:
        """The interview under a law; None while it is being made ready. InputError if there is no such law."""
        edition = self.shelf.edition(law)
        base = law.partition("+")[0]
        folder = base if base in self.shelf.editions else str(self.drafts.folder(base))
        key = ("survey", law, self.shelf.version(law))
        done = self.jobs.ask(key, survey, str(self.shelf.root), folder, edition.elections)
        if not done.done():
            return None
        done.result()
        return self.shelf.advice(law)

    def close(self) -> None:
        """Puts everything away."""
        self.jobs.close()
        self.register.close()


@dataclass(frozen=True)
class Told:
    """A fault as a page tells it: the name of a file never says where on the desk's computer it lies."""

    where: str
    what: str
    mend: str


def tell(fault: Fault) -> Told:
    """The fault without the path of its file."""
    place = fault.place
    name = place.file.replace("\\", "/").rsplit("/", 1)[-1]
    return Told(f"{name}:{place.line}:{place.column}", fault.what, fault.mend)
