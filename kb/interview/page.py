"""The flow of one edition in one HTML file that needs no network: every question and ruling, in every language.

The file holds the graph of the flow with each text, line and row once, told for declarer South, who is turned to where
he sits; its script walks it. A node is ``[screen, band, row, node, row, node, ...]``, or at an end ``[head, said, now,
parts, end]``, all by number.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any, Final, get_args

from facts.cards import SEATS, SIDE, Denomination
from facts.contract import Contract, Doubled, score, vulnerable_on
from kb.explain.html import render
from kb.explain.page import Line, part
from kb.explain.say import Speaker
from kb.explain.spoken import Announcement, goes
from kb.explain.text import discretion, own, reasons
from kb.explain.words import Words
from kb.interview.asked import AskedPage
from kb.interview.counsel import Counsel
from kb.interview.graph import Asking, Graph, added
from kb.interview.said import Said
from kb.language.texts import fill
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.space.interview import Compass, Interview

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
    "far": "flow-so-far",
    "restart": "ask-restart",
    "slip": "desk-paper-slip",
    "share": "desk-ruling-share",
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
FORMAT: Final = "revoke-kb flow 1"
"""It changes where whoever reads it would have to (docs/flow.md)."""
TABLES: Final = ("texts", "screens", "bands", "rows", "lines", "parts", "ends")
TRICKS: Final = range(1, 5)
"""That may go over by two revokes."""
BOARDS: Final = range(1, 17)
"""After which the order of who is vulnerable begins again."""


def interview_page(data: Mapping[str, Any], speaker: Speaker) -> str:
    """The file with what ``interview_data`` made; it begins in the language of ``speaker``."""
    title = data["name"][data["langs"].index(speaker.lang)]
    return render("interview/page.html", lang=speaker.lang, title=title, speaker=speaker, data=data)


def interview_data(counsel: Counsel, words: Words) -> dict[str, Any]:
    """What the page's script works on, in every language of ``words``."""
    return _Page(counsel, words).made()


class _Page:
    def __init__(self, counsel: Counsel, words: Words) -> None:
        self.counsel = counsel
        self.words, self.langs = words, words.languages
        seats = {str(seat): dict.fromkeys(self.langs, _token(seat)) for seat in SEATS}
        sides = {str(side): dict.fromkeys(self.langs, _token(side)) for side in SIDES}
        named = replace(self.words, names={**self.words.names, "seat": seats, "side": sides})
        self.speakers = [Speaker(named, counsel.law.edition.vocabulary, lang) for lang in self.langs]
        self.graph = Graph(counsel, self.speakers)
        self.tables: dict[str, dict[str, int]] = {}
        self.nodes: list[Any] = []
        self.known: dict[tuple[Any, ...], int] = {}
        self.told: dict[str, list[Any]] = {}
        self.cited: set[str] = set()

    def made(self) -> dict[str, Any]:
        """Tables, and what is named once."""
        roots = {hand: self.node(self.graph.at(query)) for hand, query in self.graph.roots().items()}
        edition, interview, words, langs = self.counsel.law.edition, self.counsel.interview, self.words, self.langs
        compass = {one.id: self._compass(one) for one in interview.seats.values() if not one.when}
        cited = (law for law, one in edition.clauses.items() if one.says and self._is_cited(law))
        passing = [[self.text([goes(n, _token(side), one) for one in self.speakers]) for n in TRICKS] for side in SIDES]
        made = {
            "format": FORMAT,
            "langs": [*langs],
            "digest": edition.digest,
            "name": [edition.called(lang) for lang in langs],
            "roots": roots,
            "compass": compass,
            "names": {one: self._name("seat" if one in SEATS else "side", one) for one in (*SEATS, *SIDES)},
            "say": {name: self.text([words.phrases[key][lang] for lang in langs]) for name, key in PHRASES.items()},
            "goes": passing,
            "seats": [*interview.seats],
            "asks": self._asks(interview),
            "unknown": self.text([interview.unknown[lang] for lang in langs]),
            "laws": {law: [edition.clauses[law].says[lang].strip() for lang in langs] for law in cited},
            "result": self._result() if edition.scored == "duplicate" else None,
            "nodes": self.nodes,
        }
        tables = {name: [json.loads(one) for one in self.tables.get(name, ())] for name in TABLES}
        return {**tables, **made}

    def _result(self) -> dict[str, Any]:
        """Of the score: words, who is vulnerable on each board, and for each contract declarer's points by level, by
        vulnerability and by tricks."""
        words = {
            name: self.text([self.words.phrases[key][lang] for lang in self.langs]) for name, key in OF_RESULT.items()
        }
        strains, doubles = get_args(Denomination), get_args(Doubled)
        points = {
            f"{strain}{doubled}": [
                [
                    [score(Contract(level, strain, doubled), vulnerable, n) for n in range(14)]
                    for vulnerable in (False, True)
                ]
                for level in range(1, 8)
            ]
            for strain in strains
            for doubled in doubles
        }
        boards = [vulnerable_on(str(number)) for number in BOARDS]
        symbols = {strain: self._name("symbol", strain) for strain in strains}
        return {"words": words, "symbols": symbols, "doubles": [*doubles], "boards": boards, "points": points}

    def _asks(self, interview: Interview) -> dict[str, int]:
        asked = {one.id: one.asks for one in interview.questions.values()}
        asked |= {one.id: one.asks for one in interview.screens.values()}
        return {name: self.text([asks[lang] for lang in self.langs]) for name, asks in asked.items()}

    def _is_cited(self, law: str) -> bool:
        return any(law.startswith(one) for one in self.cited)

    def _name(self, kind: str, value: str) -> int:
        return self.text([self.words.name(kind, value, lang) for lang in self.langs])

    def _compass(self, one: Compass) -> dict[str, Any]:
        names = {"hand": "⟦R⟧", "declarer": "⟦D⟧"}
        texts = {"asks": one.asks, "help": one.help, "chip": one.chip, "mark": one.mark, "first": one.first}
        texts["band"] = one.band.says if one.band else {}
        told = {
            key: self.text([fill(said[lang], names) for lang in self.langs]) if said else 0
            for key, said in texts.items()
        }
        laws = [law for law in (one.band.laws if one.band else ()) if law in self.counsel.law.edition.clauses]
        self.cited.update(laws)
        return {**told, "laws": laws}

    # --- everything once

    def put(self, table: str, value: Any) -> int:
        """Its number in a table."""
        known = self.tables.setdefault(table, {})
        return known.setdefault(json.dumps(value, ensure_ascii=False), len(known))

    def text(self, told: Sequence[str]) -> int:
        """The number of a text in every language; 0 for none."""
        if not self.tables:
            self.put("texts", [""] * len(self.langs))
        return self.put("texts", [*told])

    def lines(self, of: Sequence[Sequence[Line]], depth: int = 0) -> list[int]:
        """Lines in every language, those under them after each; where one says it in other sentences than another, each
        line stands by itself."""
        together = [*zip_longest(*of, fillvalue=Line(""))]
        if any(len({one.laws for one in some}) > 1 for some in together):
            together = [(Line(""),) * at + (line,) for at, some in enumerate(of) for line in some]
        made: list[int] = []
        for lines in together:
            laws = lines[-1].laws
            self.cited.update(laws)
            told = [line.text for line in lines] + [""] * (len(of) - len(lines))
            made.append(self.put("lines", [depth, self.text(told), [*laws]]))
            made += self.lines([line.under for line in lines], depth + 1)
        return made

    # --- nodes

    def node(self, here: AskedPage) -> int:
        """The number of what follows what has been said."""
        key = self.graph.key(here)
        if key not in self.known:
            asking = self.graph.asking(here)
            node = self.end(here.said) if asking is None else self.asked(here, asking)
            at = self.put("nodes", node)
            if at == len(self.nodes):
                self.nodes.append(node)
            self.known[key] = at
        return self.known[key]

    def asked(self, here: AskedPage, asking: Asking) -> list[Any]:
        """What is asked."""
        first, rows = asking.shown[0], list[int]()
        for row in asking.rows:
            after = self.graph.at(row[0].query)
            told = [self.text(says) for says in zip(*((one.says, one.more, one.chip) for one in row), strict=True)]
            rows += [self.put("rows", [*told, added(here.settled, after.settled)]), self.node(after)]
        self.cited.update(first["band"]["laws"])
        band = [self.text([str(one["band"][key]) for one in asking.shown]) for key in ("title", "text")]
        asks, help_ = (self.text([one[key] for one in asking.shown]) for key in ("asks", "help"))
        unknown = next((added(here.settled, one.query) for one in first["rows"] if one.faint), {})
        screen = self.put("screens", [here.step and here.step.id, int(first["unusual"]), asks, help_, unknown])
        return [screen, self.put("bands", [*band, [*first["band"]["laws"]]]), *rows]

    def end(self, said: Said) -> list[Any]:
        """The ruling at an end."""
        incident = said.stated()
        if str(incident) not in self.told:
            self.told[str(incident)] = self.ruled(rule(self.counsel.law, incident))
        return self.told[str(incident)]

    def ruled(self, ruling: Ruling) -> list[Any]:
        """What is told of a ruling."""
        speakers = [one.of(ruling) for one in self.speakers]
        announced = [Announcement(ruling, one) for one in speakers]
        shown = [
            [*own(ruling, one), *part(one.phrase("reasons"), reasons(ruling, one)), *discretion(ruling, one)]
            for one in speakers
        ]
        parts = [
            self.put("parts", [self.text([one.title for one in some]), self.lines([one.lines for one in some])])
            for some in zip(*shown, strict=True)
        ]
        tricks = [ruling.opening.range[side] for side in SIDES]
        return [
            self.text([one.head for one in announced]),
            self.lines([one.lines for one in announced]),
            self.lines([one.left for one in announced]),
            parts,
            self.put("ends", [tricks, [one.status for one in ruling.revokes], [*ruling.cited]]),
        ]


def _token(name: str) -> str:
    """A seat or a side, to be put in when it is known who sits there."""
    return f"⟦{name}⟧"
