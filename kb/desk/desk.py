"""The desk itself, what was given to it to rule on, and its pages, which say everything escaped.

What was given is carried from page to page by an address. It states answers, ``revoke=W&declarer=S…`` as ``/ruling``
has it, or holds a word, which is the whole text, packed; either is carried as one parameter, ``f``. Nothing is kept on
the desk between two pages, so the browser's back key, a bookmark and a second window all do what one expects.
"""

from __future__ import annotations

import base64
import binascii
import json
import zlib
from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import islice
from pathlib import PurePosixPath
from threading import Lock, RLock
from typing import Annotated, Any, Final
from urllib.parse import parse_qsl, urlencode

from anyio import to_thread
from fastapi import Depends, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from facts.cards import SEATS
from facts.errors import Fault, InputError, did_you_mean
from facts.incident import DEFAULT_EDITION, Incident
from facts.readers.archives import FORMATS, USUAL, format_of
from facts.readers.incident_file import Tables
from facts.table import REVOKE, Table
from facts.to_yaml import plain, yaml_text
from kb.desk.aside import Aside, give_back
from kb.desk.guard import LANG, Settings, language, visit_of
from kb.desk.register import Register
from kb.engine import EngineName
from kb.engine.proof import demand_whole
from kb.explain.html import render
from kb.explain.words import Speaker, Words, load_words
from kb.interview.account import WHOSE, bare
from kb.interview.address import MATTER, PAGE_KEYS, account_of, address, law_asked, place_of, seated
from kb.interview.adviser import Counsel
from kb.interview.question import Chip, Telling
from kb.language.folders import apart, edition_ids, law_name
from kb.language.model import Edition
from kb.ruling.laws import Law, Laws, default_engine
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling

MOST_COUNSELS: Final = 6


class Desk:
    """One desk with its rules and register; RulesError or RegisterError when it cannot be set up.

    A law is named by its edition and elections together, ``duplicate-2007+dbv-2007``. No name is ever taken for a path.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings, root = settings, settings.rules
        self.editions = tuple(sorted(edition_ids(root), key=lambda name: (name == DEFAULT_EDITION, name), reverse=True))
        """The shipped editions, the one in force first."""
        self.laws = Laws(root, default_engine()[0])
        self._making = RLock()
        """Held while a law or an interview is made ready, so that no two threads make the same."""
        self._counsel = lru_cache(MOST_COUNSELS)(lambda name, of: Counsel.of(self.law(name, "quick"), of))
        self.words: Words = load_words(root, self.law(DEFAULT_EDITION).edition.vocabulary)
        self.aside = Aside(root)
        self.register = Register(settings.register)
        self.held: OrderedDict[Submission, Ruling] = OrderedDict()
        """The rulings asked for last, since each page of one asks for it; changed by whoever is ``holding`` them."""
        self.holding = Lock()

    def titles(self, lang: str) -> list[tuple[str, str]]:
        """The name of every law that can be chosen, and what it is called: editions, each with its elections."""
        offers = ((name, self.edition(name).offers.values()) for name in self.editions)
        elected = ((name, sorted({election for offered in sets for election in offered})) for name, sets in offers)
        names = (law for name, elections in elected for law in (name, *(law_name(name, [each]) for each in elections)))
        return [(name, self.title(name, lang)) for name in names]

    def title(self, name: str, lang: str) -> str:
        """What a law is called; one that is gone, by its name alone."""
        return self.edition(name).called(lang) if apart(name)[0] in self.editions else name

    def edition(self, name: str) -> Edition:
        """The edition; InputError if there is none."""
        return self.law(name).edition

    def law(self, name: str, engine: EngineName | None = None) -> Law:
        """The law, ready to rule; InputError as above."""
        base, elected = apart(name)
        if base not in self.editions:
            mend = did_you_mean(base[:80], self.editions)
            raise InputError.of("edition", f"there is no edition {base[:80]}", mend)
        law = self.laws.of(base, elected, engine)
        with self._making:
            law.engine  # noqa: B018 - made here
        return law

    def table(self, law: str | None) -> Table:
        """What can be said under a law; under the one in force where none is named, or none of that name is known."""
        is_known = law is not None and apart(law)[0] in self.editions
        return self.edition(law if is_known and law is not None else DEFAULT_EDITION).table

    def speaker(self, edition: Edition, lang: str) -> Speaker:
        return Speaker(self.words, edition.vocabulary, lang)

    def rule(self, incident: Incident) -> Ruling:
        """The ruling; InputError when there can be none, EngineError when its proof is not what the rules say."""
        ruling = rule(self.law(law_name(incident.edition, incident.elections)), incident)
        demand_whole(ruling.whole, incident.place)
        return ruling

    def counsel(self, name: str, of: str = REVOKE) -> Counsel:
        """The interview of a matter under a law; InputError as above."""
        with self._making:
            return self._counsel(name, of)

    def asked_by(self, query: Mapping[str, str]) -> Counsel:
        """The interview that an address of answers belongs to; InputError as above."""
        return self.counsel(law_asked(query), query.get(MATTER) or REVOKE)


def bare_fault(fault: Fault) -> Fault:
    """The fault without the folder of its file: nobody is told where on the desk's computer that lies."""
    name = fault.place.file.replace("\\", "/").rsplit("/", 1)[-1]
    return replace(fault, place=replace(fault.place, file=name))


# --- what was given, and the address that carries it


MOST_BOARDS: Final = 200
"""Of one file."""
MOST_BOARD: Final = 60_000
"""Signs of an incident file, which is one board: the fullest have some thousands."""
MOST_WORD: Final = 6_000
"""Letters of a word; addresses much longer do not pass every proxy."""
MOST_TEXT: Final = 200_000
"""Signs that a word may unfold to."""
RULING_PATH: Final = "/ruling?"
MOST_ADDRESS: Final = 2_000
"""Letters of an address."""
WORD: Final = "f"
SEAT_KEYS: Final = {"revoke-1.hand": "revoke", "irregularity-1.hand": "revoke", "revoke-2.hand": "other"}
"""What an address states as seats."""


@dataclass(frozen=True)
class Submission:
    """The text of one board."""

    text: str
    form: str = USUAL.name
    """Which of FORMATS it is."""
    law: str = ""
    """The law to rule by, if it is not the one that the text names."""
    asked: str = ""
    """The answers that the text says, as an address states them; empty where it was not told by answers."""

    @property
    def word(self) -> str:
        """The answers, or else the text packed, for an address; InputError when that is too long."""
        if self.asked:
            return self.asked
        packed = zlib.compress(json.dumps([self.form, self.law, self.text], ensure_ascii=False).encode(), 9)
        word = base64.urlsafe_b64encode(packed).decode().rstrip("=")
        if len(word) > MOST_WORD:
            raise InputError.of(
                "input", "this is too long for one board", "give the cards and what happened, and nothing else"
            )
        return word

    @property
    def kept(self) -> str:
        """The text as it is kept: the answers that it says stand above it, so that they can be asked again."""
        return f"# {RULING_PATH}{self.asked}\n{self.text}" if self.asked else self.text

    @staticmethod
    def of_word(word: str) -> Submission:
        """What a word holds; InputError if it is none."""
        try:
            packed = base64.urlsafe_b64decode(word + "=" * (-len(word) % 4))
            unpacking = zlib.decompressobj()
            parts = json.loads(unpacking.decompress(packed, 4 * MOST_TEXT).decode())
            json.dumps(parts, ensure_ascii=False).encode()  # half a character can be written in JSON, and nowhere else
        except (ValueError, zlib.error, binascii.Error, RecursionError):
            parts = None
        match parts:
            case [str(form), str(law), str(text)] if form in FORMATS and len(text) <= MOST_TEXT:
                return Submission(text, form, law)
        raise InputError.of("input", "the address is not whole", "begin again")

    @staticmethod
    def of_incident(incident: Incident) -> Submission:
        return Submission(yaml_text(plain(incident), flow=False))

    def incident(self, tables: Tables) -> Incident:
        """What it states, as far as that can be said under its law; InputError when it cannot be read, or is not one
        board.
        """
        match [*islice(self.boards(tables), 2)]:
            case [InputError() as error]:
                raise error
            case [board]:
                return board  # type: ignore[return-value]
            case boards:
                problem = "there are several boards here" if boards else "there is no board here"
                raise InputError.of("input", problem, "give one")

    def boards(self, tables: Tables) -> Iterator[Incident | InputError]:
        """Each board of the text under its law, an InputError for each that cannot be read; InputError for too many."""
        if self.form == USUAL.name:
            refuse_too_long(self.text)
        data = self.text.encode("utf-8", "replace")
        boards = FORMATS[self.form].boards(data, self.form, lambda edition: tables(self.law or edition))
        for number, board in enumerate(boards):
            if number == MOST_BOARDS:
                raise InputError.of(
                    "input", f"there are more than {MOST_BOARDS} boards in this", "give fewer at a time"
                )
            yield board if isinstance(board, InputError) else under(board, self.law)


def parted(kept: str) -> tuple[str, str]:
    """The answers that stand above a text as it is kept, if any do, and the text."""
    asked, _, text = kept.partition("\n")
    return (asked.removeprefix(f"# {RULING_PATH}"), text) if asked.startswith(f"# {RULING_PATH}") else ("", kept)


def format_name(text: str, name: str = "") -> str:
    """The name of the format that a text has, by the end of its file's name or else by its looks."""
    return format_of(text.encode("utf-8", "replace"), PurePosixPath(name).suffix).name


def refuse_too_long(text: str) -> None:
    """InputError for the text of an incident that would keep the desk busy with reading alone."""
    if len(text) > MOST_BOARD:
        problem = f"this is too long for one board: {len(text):,} signs, at most {MOST_BOARD:,}"
        raise InputError.of("input", problem, "give the cards and what happened, and nothing else")


def under(incident: Incident, law: str) -> Incident:
    """The incident with the law it is to be ruled by; as it is for no law."""
    if not law:
        return incident
    edition, elected = apart(law)
    return replace(incident, edition=edition, elections=elected)


# --- addresses


def query_of(request: Request) -> dict[str, str]:
    """What an address states; InputError where it is too long, or says something twice."""
    params = request.query_params
    if WORD not in params:
        _demand_short(request.url.query)
    twice = next((key for key in params if len(params.getlist(key)) > 1), None)
    if twice is not None:
        raise InputError.of(place_of(twice, params), f"{twice[:40]} is said twice", "say it once")
    stated = {key: value for key, value in params.items() if key != LANG}
    return {**query_in(stated.pop(WORD, "")), **stated}


def query_in(word: str) -> dict[str, str]:
    """What is carried from page to page as an address states it; InputError as above."""
    if "=" not in word:
        return {WORD: word} if word else {}
    _demand_short(word)
    return dict(parse_qsl(word))


def _demand_short(query: str) -> None:
    if len(query) > MOST_ADDRESS:
        raise InputError.of("address", f"the address is longer than {MOST_ADDRESS} letters", "begin again")


def submission(query: Mapping[str, str], desk: Desk) -> Submission:
    """What an address states, by its word or by its answers; InputError names each key and value that is wrong."""
    if WORD in query:
        return Submission.of_word(query[WORD])
    asked = urlencode({key: value for key, value in query.items() if key not in PAGE_KEYS and value}, safe=",?")
    return replace(Submission.of_incident(_stated(query, desk)), asked=asked)


def _stated(query: Mapping[str, str], desk: Desk) -> Incident:
    counsel = desk.asked_by(query)
    with counsel.lock:
        return under(seated(counsel, query), law_asked(query))


def restate(query: Mapping[str, str], changes: Iterable[str], incident: Incident, desk: Desk) -> Submission:
    """An incident that is stated by an address with these changes; by a word where its answers cannot say them."""
    new = dict(query)
    for key, _, value in (change.partition("=") for change in changes):
        name = SEAT_KEYS.get(key, bare(key))
        if name.rpartition(".")[2] not in WHOSE:  # never a part that is played, instead of a seat
            new[name] = value
    new = {key: value for key, value in new.items() if value}
    with suppress(InputError):
        if WORD not in new and plain(_stated(new, desk)) == plain(incident) and len(urlencode(new)) <= MOST_ADDRESS:
            return submission(new, desk)
    return Submission.of_incident(incident)


def chips_of(query: Mapping[str, str], desk: Desk, speaker: Speaker) -> list[Chip]:
    """The answers that an address of answers holds; none of any other."""
    if WORD in query:
        return []
    counsel = desk.asked_by(query)
    with counsel.lock:
        return Telling(account_of(counsel, query), speaker, query).chips()


# --- pages for people


MOST_HELD: Final = 300
LARGE_RULING: Final = 10_000
"""Ways of filling in what is not said: a ruling on so many takes megabytes, and is not held."""
YEAR: Final = 365 * 24 * 3600
MENU: Final = (
    ("ask", "/"),
    ("record", "/record"),
    ("register", "/register"),
    ("law", "/law"),
    ("chart", f"/law/{DEFAULT_EDITION}/chart"),
    ("class", "/class"),
)
"""The menu: each area of the desk with its address."""


def redirect(path: str, **fields: object) -> RedirectResponse:
    return RedirectResponse(address(path, **fields), status_code=303)


class PageRequest:
    """One request for a page, the desk that is asked, and the language it is answered in."""

    def __init__(self, request: Request, desk: Desk) -> None:
        self.request, self.desk, self.words = request, desk, desk.words
        self.lang = language(request, self.words, desk.settings.lang)
        self.large = False
        """Whether one of its rulings is."""

    def t(self, key: str, **places: object) -> str:
        return self.words.phrase(f"desk-{key}", self.lang, **places)

    def day(self, moment: datetime, year: bool = True) -> str:
        """«22 November 2026»; without its year where that goes without saying."""
        month = self.words.name("month", str(moment.month), self.lang)
        day = self.words.phrase("day", self.lang, day=moment.day, month=month)
        return f"{day} {moment.year}" if year else day

    def speaker(self, edition: Edition) -> Speaker:
        return self.desk.speaker(edition, self.lang)

    def given(self, word: str) -> Submission:
        return submission(query_in(word), self.desk)

    def ruling(self, submitted: Submission) -> Ruling:
        """The ruling on what was given; InputError when there can be none."""
        rulings = self.desk.held
        ruling = rulings.get(submitted) or self.desk.rule(submitted.incident(self.desk.table))
        self.large |= (is_large := ruling.certainty.completions.size > LARGE_RULING)
        if not is_large:
            with self.desk.holding:
                rulings[submitted] = ruling
                rulings.move_to_end(submitted)
                if len(rulings) > MOST_HELD:
                    rulings.popitem(last=False)
        return ruling

    def ruled(self, word: str) -> tuple[Ruling, Speaker]:
        """The ruling on what is carried from page to page, and who speaks of it: one that says seats."""
        ruling = self.ruling(self.given(word))
        return ruling, self.speaker(ruling.edition)

    def page(self, template: str, status: int = 200, **context: Any) -> HTMLResponse:
        """The page; a language chosen in the address is remembered."""
        path, languages = self.request.url.path, self.words.phrases["desk-language"]
        within = [(len(start), name) for name, start in MENU[1:] if f"{path}/".startswith(f"{start}/")]
        context = {
            "t": self.t,
            "to": address,
            "phrase": lambda key, **places: self.words.phrase(key, self.lang, **places),
            "lang": self.lang,
            "seats_named": {seat: self.words.name("seat", seat, self.lang) for seat in SEATS},
            "day": self.day,
            "areas": MENU,
            "area": max(within, default=(0, MENU[0][0]))[1],  # what is asked and ruled on belongs to the first
            "languages": [(lang, languages.get(lang, lang), self._in(lang)) for lang in self.words.languages],
            "partly": self.lang in self.words.partial,
            "may_leave": lambda: visit_of(self.request).entered,
            **context,
        }
        response = HTMLResponse(render(f"desk/templates/{template}", **context), status)
        if self.request.query_params.get(LANG) == self.lang != self.request.cookies.get(LANG):
            secure = self.request.url.scheme == "https"
            response.set_cookie(LANG, self.lang, YEAR, samesite="lax", httponly=True, secure=secure)
        return response

    def _in(self, lang: str) -> str:
        """The address of this page in another language; of the start page for one that was sent."""
        if self.request.method != "GET":
            return address("/", lang=lang)
        fields = [(key, value) for key, value in self.request.query_params.multi_items() if key != LANG]
        return f"{self.request.url.path}?{urlencode([*fields, (LANG, lang)])}"


async def _asked(request: Request) -> AsyncIterator[PageRequest]:
    page = PageRequest(request, request.app.state.desk)
    yield page
    if page.large:
        await to_thread.run_sync(give_back)


PageDep = Annotated[PageRequest, Depends(_asked)]
"""What a function that answers with a page is given."""
