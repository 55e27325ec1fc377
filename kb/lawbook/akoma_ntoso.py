"""The text of an edition in Akoma Ntoso 3.0, the OASIS standard by which programs exchange laws.

Each clause bears an ``eId``, a name by which others can refer to it; its rules stand below it as sentences. What an
edition changes in the one it amends is told as the standard tells modifications: each with what it replaces there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final
from xml.etree import ElementTree as ET

from facts.calendar import span
from facts.readers.calendar import NOT_YET
from kb.explain.say import Speaker
from kb.language.model import Clause, Edition, Rule
from kb.lawbook.book import Book, BookEntry
from kb.lawbook.sentences import Sentences

NAMESPACE: Final = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0"
THREE_LETTERS: Final = {"en": "eng", "de": "deu"}
"""The languages as ISO 639-2 names them; what is not known is «und» there."""
NO_DATE: Final = "0001-01-01"
"""The standard wants a date, also of what is in force on none."""
ENCODER: Final = "#revoke-kb"


def akoma_ntoso(book: Book, speaker: Speaker) -> str:
    """The whole edition as a document: an act, or a bill if no day is known from which it is in force."""
    made = _Document(book, speaker).made()
    ET.indent(made, " ")
    return ET.tostring(made, "unicode", xml_declaration=True).replace("encoding='us-ascii'", 'encoding="utf-8"') + "\n"


class _Document:
    def __init__(self, book: Book, speaker: Speaker) -> None:
        self.book = book
        self.speaker = speaker
        self.lang = speaker.lang
        self.sentences = Sentences(speaker, str, str)
        self.phrase = self.sentences.phrase

    def made(self) -> ET.Element:
        root = ET.Element("akomaNtoso", {"xmlns": NAMESPACE})
        kind = _kind(self.book.edition)
        document = ET.SubElement(root, kind, {"name": kind, "contains": "singleVersion"})
        self._meta(ET.SubElement(document, "meta"))
        self._preface(ET.SubElement(document, "preface"))
        body = ET.SubElement(document, "body")
        for chapter in self.book.chapters:
            title = self.speaker.phrase("law", law=chapter.number)
            self._law(body, chapter.number, title, chapter.title[self.lang], chapter.entries)
        if self.book.definitions:
            self._law(body, "", "", self.phrase("definitions"), self.book.definitions)
        return root

    def _preface(self, preface: ET.Element) -> None:
        edition = self.book.edition
        _text(_text(preface, "p"), "docTitle", edition.called(self.lang))
        _text(
            preface,
            "p",
            self.phrase("in-force", authority=edition.authority, date=edition.in_force, until=edition.until or None),
        )
        _text(preface, "p", self.phrase("letters"))

    def _law(self, body: ET.Element, law: str, number: str, title: str, entries: Sequence[BookEntry]) -> None:
        section = ET.SubElement(body, "section", {"eId": _section(law)})
        if number:
            _text(section, "num", number)
        _text(section, "heading", title)
        for entry in entries:
            self._clause(section, entry.clause)

    def _meta(self, meta: ET.Element) -> None:
        edition = self.book.edition
        identification = ET.SubElement(meta, "identification", {"source": ENCODER})
        work = self._level(identification, "Work", _uri(edition), "/!main")
        _value(work, "FRBRcountry", "xx")  # the code for no country: the law of a game is no state's
        _value(work, "FRBRname", edition.id)
        _value(work, "FRBRauthoritative", "false")  # told in our own words
        language = THREE_LETTERS.get(self.lang, "und")
        written = f"{_uri(edition)}/{language}@"
        expression = self._level(identification, "Expression", written, "/!main")
        ET.SubElement(expression, "FRBRlanguage", {"language": language})
        self._level(identification, "Manifestation", written, "/!main.xml")
        if self.book.base:
            self._modifications(ET.SubElement(meta, "analysis", {"source": ENCODER}), self.book.base)
        references = ET.SubElement(meta, "references", {"source": ENCODER})
        for name, tag, sort, said in (
            ("authority", "TLCOrganization", "organization", edition.authority),
            ("revoke-kb", "TLCObject", "object", "revoke-kb"),
        ):
            href = f"/ontology/{sort}/{_slug(said)}"
            ET.SubElement(references, tag, {"eId": name, "href": href, "showAs": said})

    def _level(self, identification: ET.Element, name: str, uri: str, component: str) -> ET.Element:
        """What identifies the law as such, the law in one language, or this file."""
        level = ET.SubElement(identification, f"FRBR{name}")
        _value(level, "FRBRthis", uri + component)
        _value(level, "FRBRuri", uri + component.removeprefix("/!main"))
        ET.SubElement(level, "FRBRdate", {"date": _day(self.book.edition), "name": "in-force"})
        ET.SubElement(level, "FRBRauthor", {"href": "#authority"})
        return level

    def _modifications(self, analysis: ET.Element, base: Edition) -> None:
        changes = self.book.changes
        told = [
            *(("substitution", one.clause) for one in changes.get("changed", ())),
            *(("insertion", one.clause) for one in changes.get("added", ())),
            *(("repeal", clause) for clause in self.book.repealed),
        ]
        active = ET.SubElement(analysis, "activeModifications") if told else analysis
        for number, (how, clause) in enumerate(told, 1):
            mod = ET.SubElement(active, "textualMod", {"type": how, "eId": f"mod_{number}"})
            here = f"{_uri(self.book.edition)}/!main" if how == "repeal" else f"#{_id(clause)}"
            ET.SubElement(mod, "source", {"href": here})
            ET.SubElement(mod, "destination", {"href": f"{_uri(base)}/~{_id(clause)}"})

    def _clause(self, section: ET.Element, clause: Clause) -> None:
        here = ET.SubElement(section, "subsection", {"eId": _id(clause)})
        _text(here, "num", clause.ref)
        content = ET.SubElement(here, "content")
        said = _text(content, "p", " ".join(clause.says[self.lang].split()))
        for note in self._notes(clause):
            _text(ET.SubElement(said, "authorialNote", {"placement": "bottom"}), "p", note)
        for number, rule in enumerate(clause.rules, 1):
            self._rule(content, rule, f"{_id(clause)}__list_{number}")

    def _notes(self, clause: Clause) -> Iterator[str]:
        """Why it is not encoded, what was decided about it, what is said of it, and that it is only recalled."""
        if clause.reason:
            yield f"{self.phrase('reason')}: {clause.reason[self.lang]}"
        for label, remarks in (("minute", clause.minutes), ("note", clause.notes)):
            for one in remarks:
                yield f"{self.phrase(label)}{f' ({one.signed})' if one.signed else ''}: {one.says[self.lang]}"
        if clause.source.recalled:
            yield self.phrase("recalled")

    def _rule(self, content: ET.Element, rule: Rule, name: str) -> None:
        """A rule as a list: its conditions, its exceptions, its conclusions, and what is said of it."""
        said = self.sentences.rule(rule)
        block = ET.SubElement(content, "blockList", {"eId": name, "class": "rule"})
        _text(block, "listIntroduction", self.phrase("rule", id=rule.id))
        parts = [("when", said.when), ("unless", said.unless), ("then", said.then), ("said", (said.because,))]
        for number, (label, sentences) in enumerate([part for part in parts if part[1]], 1):
            item = ET.SubElement(block, "item", {"eId": f"{name}__item_{number}", "class": label})
            _text(item, "heading", self.phrase(label))
            for sentence in sentences:
                _text(item, "p", sentence)


def _text(parent: ET.Element, tag: str, text: str = "") -> ET.Element:
    made = ET.SubElement(parent, tag)
    made.text = text or None
    return made


def _value(parent: ET.Element, tag: str, value: str) -> None:
    ET.SubElement(parent, tag, {"value": value})


def _kind(edition: Edition) -> str:
    return "bill" if edition.in_force == NOT_YET else "act"


def _day(edition: Edition) -> str:
    return NO_DATE if edition.in_force == NOT_YET else span(edition.in_force).first.isoformat()


def _uri(edition: Edition) -> str:
    """The name of the work by the naming convention of the standard."""
    elected = "".join(f"+{one}" for one in edition.elections)
    return f"/akn/xx/{_kind(edition)}/{_slug(edition.authority)}/{_day(edition)}/{_slug(edition.id + elected)}"


def _section(law: str) -> str:
    return f"sec_{_slug(law)}" if law else "sec_definitions"


def _id(clause: Clause) -> str:
    return f"{_section(clause.law)}__subsec_{_slug(clause.ref)}"


def _slug(text: str) -> str:
    return re.sub(r"[^\w.+-]+", "-", text).strip("-") or "-"
