"""Reading a law file: laws, their clauses, and the definitions that belong to none."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import cast

from facts.errors import Place
from facts.yaml_reader import Mapping, Node, Scalar
from kb.language.faults import Faults
from kb.language.file_shapes import LawFile, LawsFile
from kb.language.model import Clause, Encoding, Texts
from kb.language.names import belongs_to
from kb.language.nodes import entries, items, string
from kb.language.rule import RuleReader
from kb.language.shape import shape_faults
from kb.language.texts import read_texts


@dataclass
class Overlay:
    """What a folder says: its clauses, which of them it takes away, and the titles of its laws."""

    laws: dict[str, Texts] = field(default_factory=dict)
    law_places: dict[str, Place] = field(default_factory=dict)
    clauses: dict[str, Clause] = field(default_factory=dict)
    repealed: dict[str, Place] = field(default_factory=dict)


@dataclass
class ClauseReader:
    """Reads law files into an overlay."""

    rules: RuleReader
    overlay: Overlay = field(default_factory=Overlay)

    @property
    def faults(self) -> Faults:
        """Where faults go."""
        return self.rules.faults

    def file(self, node: Node) -> None:
        """One law file."""
        at = entries(node)
        self.faults.extend(shape_faults(node, LawFile if "law" in at or "clauses" in at else LawsFile))
        if isinstance(law := at.get("law"), Scalar):
            self.law(str(law.value), law.place, node)
        if isinstance(laws := at.get("laws"), Mapping):
            for number, one in laws.entries.items():
                self.law(number, laws.keys[number], one)
        if isinstance(definitions := at.get("definitions"), Mapping):
            for name, definition in definitions.entries.items():
                if name[:1].isdigit():
                    what = f"{name} cannot be the name of a definition: it looks like a clause of the law"
                    self.faults.add(definitions.keys[name], what, "begin it with a letter")
                self.clause(name, "", definition, definitions.keys[name])

    def law(self, number: str, place: Place, node: Node) -> None:
        """One law with its clauses."""
        at = entries(node)
        if number in self.overlay.law_places:
            there = (self.overlay.law_places[number], "first here")
            what = f"Law {number} stands here for the second time"
            self.faults.add(place, what, "put it together with the first", there)
        self.overlay.law_places.setdefault(number, place)
        if "title" in at:
            self.overlay.laws[number] = self.texts(at["title"])
        self.clauses(at.get("clauses"), number)

    def clauses(self, node: Node | None, law: str | None) -> None:
        """Clauses of one law; ``law`` None: of any, as in an election."""
        if isinstance(node, Mapping):
            for ref, clause in node.entries.items():
                place = node.keys[ref]
                if law and not belongs_to(ref, law):
                    mend = "move it to its own law, or mend the number"
                    self.faults.add(place, f"{ref} is not a clause of Law {law}", mend)
                self.clause(ref, law if law is not None else _law_of(ref), clause, place)

    def clause(self, ref: str, law: str, node: Node, place: Place) -> None:
        """One clause, or its repeal."""
        at = entries(node)
        there = self.overlay.clauses[ref].place if ref in self.overlay.clauses else self.overlay.repealed.get(ref)
        if there:
            what = f"{ref} stands here for the second time"
            self.faults.add(place, what, "keep one of the two", (there, "first here"))
        if "repealed" in at:
            self.overlay.repealed[ref] = place
            return
        encoded_as = cast(Encoding, (string(at.get("encoded-as")) or "rules") if law else "definition")
        rules = tuple(self.rules.read(rule, ref, n) for n, rule in enumerate(items(at.get("rules")), 1))
        self.overlay.clauses[ref] = Clause(
            ref,
            law,
            self.texts(at.get("says")),
            encoded_as,
            place,
            rules,
            self.texts(at.get("reason")),
            string(at.get("source")) == "recalled",
            self.texts(at.get("note")),
        )

    def texts(self, node: Node | None) -> Texts:
        """Sentences in every language."""
        return read_texts(node, self.rules.vocabulary.languages, self.faults)


def _law_of(ref: str) -> str:
    number = re.match(r"\d+", ref)
    return number[0] if number else ref
