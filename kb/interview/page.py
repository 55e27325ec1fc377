"""The flow of one edition in one HTML file that needs no network: every question and ruling.

The file holds the graph of the flow with each text, line and row once, told for declarer South, who is turned to where
he sits; its script walks it. A node is ``[screen, band, node, ...]``, one for each row of the screen, or at an end
``[head, said, now, parts, end]``: all by number, but a node itself where it stands first.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any, Final, get_args

from facts.cards import SEATS, SIDE, Denomination, Seat, part_of
from facts.contract import Contract, Doubled, score, vulnerable_on
from facts.errors import InputError
from facts.form import Texts
from facts.table import REVOKE
from kb.engine.bounds import Effort
from kb.engine.sets import Bits, SetJoin
from kb.explain.announcement import Announcement, goes
from kb.explain.as_text import discretion, own_parts, reasons
from kb.explain.html import render
from kb.explain.page import Line, part
from kb.explain.words import Speaker, Words
from kb.interview.account import HAND_QUESTION
from kb.interview.adviser import Adviser, Counsel
from kb.interview.flow import FlowStep
from kb.interview.question import AskedPage, Ends, TapRow
from kb.language.rule import Rule
from kb.language.texts import fill, holes
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling
from kb.space.bits import parts
from kb.space.interview import Compass, Question, Screen

SIDES: Final = tuple(dict.fromkeys(SIDE.values()))
PHRASES: Final = {
    "change": "desk-flow-change",
    "turn": "desk-flow-turn",
    "either": "flow-either",
    "none": "flow-none",
    "least": "flow-at-least",
    "most": "flow-up-to",
    "asks": "spoken-asks",
    "say": "desk-ruling-say",
    "now": "desk-ruling-now",
    "judge": "director",
    "far": "flow-so-far",
    "restart": "ask-restart",
    "slip": "desk-paper-slip",
    "share": "desk-ruling-share",
    "camera": "desk-paper-share",
}
"""Name in the script -> phrase."""
OF_RESULT: Final = {
    "title": "desk-seat-title",
    "level": "desk-seat-level",
    "strain": "desk-seat-strain",
    "doubled": "desk-seat-doubled",
    "undoubled": "desk-seat-undoubled",
    "tricks": "desk-seat-tricks",
    "open": "desk-seat-not-yet",
    "number": "desk-field-board",
    "board": "board",
    "enter": "desk-ruling-enter",
    "moved": "tricks-entered",
    "wrong": "desk-result-wrong",
}
"""The same, of the score."""
FORMAT: Final = "revoke-kb flow 3"
"""It changes where whoever reads it would have to (docs/flow.md)."""
TABLES: Final = ("texts", "screens", "bands", "rows", "lines", "parts", "ends")
DECLARER_SEAT: Final[Seat] = "S"
"""Where declarer sits in the graph; a table is turned to it."""
SEAT_GROUPS: Final[tuple[tuple[Seat, ...], ...]] = (("S",), ("N",), ("W", "E"))
"""What is told of both defenders differs by seats alone, or else both are told; in the short flow of another matter
each is by himself, as what cannot be goes by where he sits."""
FROM_REVOKER: Final = {"⟦W⟧⟦E⟧": "⟦R⟧", "⟦N⟧⟦S⟧": "⟦left⟧", "⟦E⟧⟦W⟧": "⟦partner⟧", "⟦S⟧⟦N⟧": "⟦right⟧"}
"""Whom the texts of the first and of the second name -> who that is as seen from the hand that revoked."""
SEAT_TOKEN: Final = re.compile("(⟦.*?⟧)")
TRICKS: Final = range(1, 5)
"""That may go over by two revokes."""
BID_LEVELS: Final = range(1, 8)
BOARDS: Final = range(1, 17)
"""After which the order of who is vulnerable begins again."""


def interview_page(data: Mapping[str, Any], speaker: Speaker, others: Mapping[str, str]) -> str:
    """The file with what ``interview_data`` made, in the language of ``speaker``; ``others``: language -> its file."""
    column = data["langs"].index(speaker.lang)
    laws, ends = {law: row[column] for law, row in data["laws"].items()}, [row[:2] for row in data["ends"]]
    texts, name = [row[column] for row in data["texts"]], data["name"][column]
    here = {**data, "texts": texts, "laws": laws, "name": name, "ends": ends}  # the laws of an end stand at its lines
    return render("interview/page.html", lang=speaker.lang, speaker=speaker, data=here, others=others)


def interview_data(counsel: Counsel, words: Words) -> dict[str, Any]:
    """What the page's script works on, in every language of ``words``."""
    return _Page(counsel, words).made()


class Graph:
    """What is asked, the rows to tap, where each leads, and the statements of each end; told by speakers of several
    languages that name seats.

    «I don't know» is no row of it: whoever walks it keeps every position that is possible, so nothing is presumed. Ways
    on which the rest comes to the same are one: the same is asked, with the same words, and ends in the same rulings.
    """

    def __init__(self, counsel: Counsel, speakers: Collection[Speaker]) -> None:
        self.counsel, self.speakers = counsel, tuple(speakers)
        self._known: Ends = {}
        by_wording = self._told()
        finer = [there for bits in counsel.run.acts.values() for _, there in parts(bits, by_wording)]
        self._finer = Adviser(counsel.universe, finer)
        """Tells rulings apart by the clauses and the words of their reasons as well."""

    def _told(self) -> dict[Any, Bits]:
        """Where what is concluded, and where the words of rules and sayings name what."""
        run, edition = self.counsel.run, self.counsel.law.edition
        fired = (edition.rules[number] for number in run.run.fired)
        of_law = [law_rule for law_rule in fired if edition.clauses[law_rule.clause].law]
        worded: list[tuple[Rule, tuple[Texts, ...]]] = [(law_rule, (law_rule.because,)) for law_rule in of_law]
        worded += ((saying, (saying.says, saying.head)) for saying in edition.spoken.sayings)
        effort = Effort([speaking for speaking, _ in worded], len(self.counsel.universe))
        by_wording: dict[Any, Bits] = {**run.ruled}
        for number, (speaking, texts) in enumerate(worded):
            names = sorted({name for by_lang in texts for text in by_lang.values() for name in holes(text)})
            for env, bits in SetJoin(edition.vocabulary, speaking).ways(run.run.facts, run.run.everything, effort):
                key = (number, *[(name, env[name]) for name in names if name in env])
                by_wording[key] = by_wording.get(key, 0) | bits
        return by_wording

    # --- nodes

    def roots(self) -> list[dict[Seat, Mapping[str, str]]]:
        """For each seat that may have revoked, where the graph begins; the seats of whom all is told together."""
        seats = self.counsel.interview.seats
        if "declarer" not in seats or len(self.counsel.interview.table.parts) == 1:
            return [{DECLARER_SEAT: {name: DECLARER_SEAT for name in ("revoke", "declarer") if name in seats}}]
        asked = self.counsel.interview.questions[HAND_QUESTION].answers
        alike = SEAT_GROUPS if self.counsel.interview.table.of == REVOKE else zip(SEATS)
        groups = [group for group in alike if part_of(group[0], DECLARER_SEAT) in asked]
        return [{hand: {"revoke": hand, "declarer": DECLARER_SEAT} for hand in group} for group in groups]

    def at(self, query: Mapping[str, str]) -> AskedPage:
        """What has been said, and what is asked then."""
        return AskedPage(self.counsel, query, self.speakers[0], self._known)

    def asking(self, *pages: AskedPage) -> tuple[list[dict[str, Any]], list[tuple[TapRow, ...]]]:
        """What the desk shows of each page in each language, and in each its rows that say something; the last of what
        might be unusual says that nothing else was."""
        shown = [page.told_by(speaker).context() for page in pages for speaker in self.speakers]
        rows = [
            [
                *(row for row in context["compass"] if row.query and not row.more),
                *(row for row in context["rows"] if not (row.open or row.ticked)),
                *filter(None, [context["closing"]]),
            ]
            for context in shown
        ]
        return shown, [*zip(*rows, strict=True)]

    def key(self, page: AskedPage) -> tuple[Any, ...]:
        """What everything depends on that is still to come."""
        account = page.account
        # a row may leave every answer possible, and is not asked again
        asked = frozenset(
            shown.id for shown in account.screens if not shown.closes and {*shown.questions} & account.answers.keys()
        )
        seats = tuple(sorted(account.seats.items()))
        fine, diagram = replace(account, adviser=self._finer).possible, self._finer.diagram
        return seats, diagram.mattering(diagram.usual(fine, account.denied)), asked, account.closed, page.change


def added(old: Mapping[str, str], new: Mapping[str, str]) -> dict[str, str]:
    """What an address says that another has not said."""
    return {key: value for key, value in new.items() if key != "change" and old.get(key) != value}


class _Page:
    def __init__(self, counsel: Counsel, words: Words) -> None:
        self.counsel = counsel
        self.words, self.langs = words, words.languages
        seats = {str(seat): dict.fromkeys(self.langs, _token(seat)) for seat in SEATS}
        sides = {str(side): dict.fromkeys(self.langs, _token(side)) for side in SIDES}
        with_tokens = replace(self.words, names={**self.words.names, "seat": seats, "side": sides})
        self.speakers = [Speaker(with_tokens, counsel.law.edition.vocabulary, lang) for lang in self.langs]
        self.graph = Graph(counsel, self.speakers)
        self.tables: dict[str, dict[str, int]] = {}
        self.nodes: list[Any] = []
        self.known: dict[tuple[Any, ...], int] = {}
        self.told: dict[str, list[Any]] = {}
        self.cited: set[str] = set()

    def made(self) -> dict[str, Any]:
        """Tables, and what is named once."""
        roots, placed = dict[Seat, int](), dict[int, int]()
        for group in self.graph.roots():
            if (root := self.node([self.graph.at(query) for query in group.values()])) is not None:
                roots |= dict.fromkeys(group, root)
        edition, interview, words, langs = self.counsel.law.edition, self.counsel.interview, self.words, self.langs
        compass = {compass.id: self._compass(compass) for compass in interview.seats.values() if not compass.when}
        cited = (law for law, clause in edition.clauses.items() if clause.says and law.startswith((*self.cited,)))
        passing = [
            [self.text([goes(n, _token(side), speaker) for speaker in self.speakers]) for n in TRICKS] for side in SIDES
        ]
        asked: list[Question | Screen] = [*interview.questions.values(), *interview.screens.values()]
        made = {
            "format": FORMAT,
            "of": self.counsel.interview.table.of,
            "langs": [*langs],
            "digest": edition.digest,
            "name": [edition.called(lang) for lang in langs],
            "roots": {seat: self._within(number, placed) for seat, number in roots.items()},
            "compass": compass,
            "names": {name: self._name("seat" if name in SEATS else "side", name) for name in (*SEATS, *SIDES)},
            "say": {name: self.text([words.phrases[key][lang] for lang in langs]) for name, key in PHRASES.items()},
            "goes": passing,
            "seats": [*interview.seats],
            "asks": {step.id: self.text([step.asks[lang] for lang in langs]) for step in asked},
            "unknown": self.text([interview.unknown[lang] for lang in langs]),
            "laws": {law: [edition.clauses[law].says[lang].strip() for lang in langs] for law in cited},
            "result": self._result() if edition.scored == "duplicate" else None,
        }
        tables = {name: [json.loads(row) for row in self.tables.get(name, ())] for name in TABLES}
        return {**tables, **made}

    def _within(self, number: int, placed: dict[int, int]) -> Any:
        """A node with all that it leads to, or its number among those ``placed``, where it stands already."""
        if number in placed:
            return placed[number]
        placed[number], node = len(placed), self.nodes[number]
        if isinstance(node[1], list):
            return node
        return [*node[:2], *(self._within(to, placed) for to in node[2:])]

    def _result(self) -> dict[str, Any]:
        """Of the score: words, who is vulnerable on each board, declarer's points by contract, level and vulnerability
        for making it and for each trick more, and by doubling and vulnerability for each number of tricks less."""
        words = {
            name: self.text([self.words.phrases[key][lang] for lang in self.langs]) for name, key in OF_RESULT.items()
        }
        strains, doubles = get_args(Denomination), get_args(Doubled)
        made = {
            f"{strain}{doubled}": [
                [_made(Contract(level, strain, doubled), v) for v in (False, True)] for level in BID_LEVELS
            ]
            for strain in strains
            for doubled in doubles
        }
        lost = {
            doubled: [[score(Contract(7, "NT", doubled), v, n) for n in range(12, -1, -1)] for v in (False, True)]
            for doubled in doubles
        }
        boards = [vulnerable_on(str(number)) for number in BOARDS]
        symbols = {strain: self._name("symbol", strain) for strain in strains}
        return {"words": words, "symbols": symbols, "doubles": [*doubles], "boards": boards, "made": made, "lost": lost}

    def _name(self, kind: str, value: str) -> int:
        return self.text([self.words.name(kind, value, lang) for lang in self.langs])

    def _compass(self, seat: Compass) -> dict[str, Any]:
        names = {"hand": "⟦R⟧", "declarer": "⟦D⟧"}
        texts = {"asks": seat.asks, "help": seat.help, "chip": seat.chip, "mark": seat.mark, "first": seat.first}
        texts["band"] = seat.band.says if seat.band else {}
        numbers = {
            key: self.text([fill(by_lang[lang], names) for lang in self.langs]) if by_lang else 0
            for key, by_lang in texts.items()
        }
        laws = [law for law in (seat.band.laws if seat.band else ()) if law in self.counsel.law.edition.clauses]
        self.cited.update(laws)
        return {**numbers, "laws": laws}

    # --- everything once

    def put(self, table: str, value: Any) -> int:
        """Its number in a table."""
        numbers = self.tables.setdefault(table, {})
        return numbers.setdefault(json.dumps(value, ensure_ascii=False), len(numbers))

    def text(self, texts: Sequence[str]) -> int:
        """The number of a text in every language, and of each for both defenders; 0 for none."""
        if not self.tables:
            self.put("texts", [""] * len(self.langs))
        first, second = texts[: len(self.langs)], texts[len(self.langs) :]
        return self.put("texts", [_either(*both) for both in zip(first, second or first, strict=True)])

    def lines(self, by_lang: Sequence[Sequence[Line]], depth: int = 0) -> list[int]:
        """Lines in every language, those under them after each; where one says it in other sentences than another, each
        line stands by itself."""
        together = [*zip_longest(*by_lang, fillvalue=Line(""))]
        if any(len({line.laws for line in group}) > 1 for group in together):
            together = [(Line(""),) * nth + (line,) for nth, rows in enumerate(by_lang) for line in rows]
        made: list[int] = []
        for lines in together:
            laws = lines[-1].laws
            self.cited.update(laws)
            texts = [line.text for line in lines] + [""] * (len(by_lang) - len(lines))
            made.append(self.put("lines", [depth, self.text(texts), [*laws]]))
            made += self.lines([line.under for line in lines], depth + 1)
        return made

    # --- nodes

    def node(self, here: Sequence[AskedPage]) -> int | None:
        """The number of what follows what has been said; of both defenders, if it is one of them. None where all that
        follows is refused, as the hands sit."""
        key = self.graph.key(here[0])
        if key not in self.known:
            step = here[0].step
            node = self.asked(here, step) if step is not None else self.end(here)
            if node is None:
                return None
            number = self.put("nodes", node)
            if number == len(self.nodes):
                self.nodes.append(node)
            self.known[key] = number
        return self.known[key]

    def end(self, here: Sequence[AskedPage]) -> list[Any] | None:
        incidents = [page.account.stated() for page in here]
        if str(incidents) not in self.told:
            try:
                self.told[str(incidents)] = self.ruled([rule(self.counsel.law, incident) for incident in incidents])
            except InputError:
                if len(here) > 1:  # of the other defender it may be so
                    raise
                return None
        return self.told[str(incidents)]

    def asked(self, here: Sequence[AskedPage], step: FlowStep) -> list[Any] | None:
        """What is asked, without the rows that lead to what is refused."""
        shown, tapped = self.graph.asking(*here)
        first, rows, leads = shown[0], list[int](), list[int]()
        for row in tapped:
            pages = [self.graph.at(tap.query) for tap in row[:: len(self.langs)]]
            texts = [self.text(says) for says in zip(*((tap.says, tap.more, tap.chip) for tap in row), strict=True)]
            if (to := self.node(pages)) is not None:
                rows.append(self.put("rows", [*texts, added(here[0].settled, pages[0].settled)]))
                leads.append(to)
        if not rows:
            return None
        laws = tuple(dict.fromkeys(law for context in shown for law in context["band"]["laws"]))
        self.cited.update(laws)
        band = [self.text([str(context["band"][key]) for context in shown]) for key in ("title", "text")]
        asks, help_ = (self.text([context[key] for context in shown]) for key in ("asks", "help"))
        unknown = next((added(here[0].settled, row.query) for row in first["rows"] if row.faint), {})
        screen = self.put("screens", [step.id, int(first["unusual"]), asks, help_, unknown, rows])
        return [screen, self.put("bands", [*band, [*laws]]), *leads]

    def ruled(self, rulings: Sequence[Ruling]) -> list[Any]:
        """What is told of a ruling, or of those of both defenders."""
        tellings = [(ruling, speaker.of(ruling)) for ruling in rulings for speaker in self.speakers]
        announced = [Announcement(ruling, speaker) for ruling, speaker in tellings]
        shown = [
            [
                *own_parts(ruling, speaker),
                *part(speaker.phrase("reasons"), reasons(ruling, speaker)),
                *discretion(ruling, speaker),
            ]
            for ruling, speaker in tellings
        ]
        parts = [
            self.put("parts", [self.text([part.title for part in same]), self.lines([part.lines for part in same])])
            for same in zip(*shown, strict=True)
        ]
        tricks = [rulings[0].certainty.range[side] for side in SIDES]
        return [
            self.text([announcement.head for announcement in announced]),
            self.lines([announcement.lines for announcement in announced]),
            self.lines([announcement.left for announcement in announced]),
            parts,
            self.put("ends", [tricks, [revoke.status for revoke in rulings[0].revokes], [*rulings[0].cited]]),
        ]


def _either(first: str, second: str) -> str:
    """One text for both defenders; where they differ by more than seats, both with a mark between them."""
    firsts, seconds = SEAT_TOKEN.split(first), SEAT_TOKEN.split(second)
    merged = [mine if mine == his else FROM_REVOKER.get(mine + his) for mine, his in zip(firsts, seconds, strict=False)]
    return f"{first}⟦/⟧{second}" if len(firsts) != len(seconds) or None in merged else "".join(filter(None, merged))


def _made(contract: Contract, vulnerable: bool) -> tuple[int, int]:
    just, more = (score(contract, vulnerable, 6 + contract.level + over) for over in (0, 1))
    return just, more - just


def _token(name: str) -> str:
    """A seat or a side, to be put in when it is known who sits there."""
    return f"⟦{name}⟧"
