"""Reading a law file: laws, their clauses, and the definitions that belong to none."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from facts.errors import Place
from facts.form import Entries, Placed
from facts.readers.form import read_form
from facts.yaml_reader import Node
from kb.language.faults import Faults
from kb.language.forms import (
    ClauseForm,
    Clauses,
    DefinitionForm,
    LawFile,
    LawForm,
    LawsFile,
    MinuteForm,
    NoteForm,
    RepealForm,
    SourceForm,
)
from kb.language.model import Clause, Note, Source
from kb.language.names import belongs_to
from kb.language.rule import RuleReader
from kb.language.texts import read_texts
from kb.language.vocabulary import Texts


@dataclass
class Overlay:
    """What a folder says: its clauses, which of them it takes away, and the titles of its laws."""

    laws: dict[str, Texts] = field(default_factory=dict)
    law_places: dict[str, Place] = field(default_factory=dict)
    clauses: dict[str, Clause] = field(default_factory=dict)
    repealed: dict[str, Place] = field(default_factory=dict)
    new: set[str] = field(default_factory=set)
    """Those that are said to be added."""


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
        file: LawFile | LawsFile = read_form(LawFile | LawsFile, node, self.faults)
        if isinstance(file, LawsFile):
            for number, one in file.laws.items():
                self.law(number, file.laws.places[number], one)
        elif file.law.value:
            self.law(file.law.value, file.law.place, file)
        for name, definition in file.definitions.items():
            place = file.definitions.places[name]
            if name[:1].isdigit():
                what = f"{name} cannot be the name of a definition: it looks like a clause of the law"
                self.faults.add(place, what, "begin it with a letter")
            self.clause(name, "", definition, place)

    def law(self, number: str, place: Place, law: LawForm) -> None:
        """One law with its clauses."""
        if number in self.overlay.law_places:
            there = (self.overlay.law_places[number], "first here")
            what = f"Law {number} stands here for the second time"
            self.faults.add(place, what, "put it together with the first", there)
        self.overlay.law_places.setdefault(number, place)
        if law.title is not None:
            self.overlay.laws[number] = self.texts(law.title)
        self.clauses(law.clauses, number)

    def clauses(self, clauses: Clauses, law: str | None) -> None:
        """Clauses of one law; ``law`` None: of any, as in an election."""
        for ref, clause in clauses.items():
            place = clauses.places[ref]
            if law and not belongs_to(ref, law):
                mend = "move it to its own law, or mend the number"
                self.faults.add(place, f"{ref} is not a clause of Law {law}", mend)
            self.clause(ref, law if law is not None else law_of(ref), clause, place)

    def clause(self, ref: str, law: str, form: ClauseForm | DefinitionForm | RepealForm, place: Place) -> None:
        """One clause, or its repeal."""
        there = self.overlay.clauses[ref].place if ref in self.overlay.clauses else self.overlay.repealed.get(ref)
        if there:
            what = f"{ref} stands here for the second time"
            self.faults.add(place, what, "keep one of the two", (there, "first here"))
        if isinstance(form, RepealForm):
            self.overlay.repealed[ref] = place
            return
        if form.new:
            self.overlay.new.add(ref)
        of_law = form if isinstance(form, ClauseForm) else None
        self.overlay.clauses[ref] = Clause(
            ref,
            law,
            self.texts(form.says),
            (of_law.encoded_as or "rules") if of_law else "definition",
            place,
            tuple(self.rules.read(rule, ref, number) for number, rule in enumerate(form.rules, 1)),
            self.texts(of_law.reason if of_law else None),
            _source(of_law.source) if of_law else Source(),
            tuple(self.note(one) for one in of_law.minutes) if of_law else (),
            tuple(self.note(one) for one in form.notes),
        )

    def note(self, form: MinuteForm | NoteForm | Entries[Placed[str]]) -> Note:
        """A minute, or a note with its author or without."""
        if isinstance(form, Entries):
            return Note(self.texts(form))
        return Note(self.texts(form.says), form.by, form.date, form.link)

    def texts(self, said: Entries[Placed[str]] | None) -> Texts:
        """Sentences in every language."""
        return read_texts(said, self.rules.vocabulary.languages, self.faults)


def _source(form: str | SourceForm) -> Source:
    if isinstance(form, SourceForm):
        return Source(form.read == "recalled", form.in_, form.page, form.link)
    return Source(form == "recalled")


def law_of(ref: str) -> str:
    """The number of the law to which a clause belongs by its own."""
    number = re.match(r"\d+", ref)
    return number[0] if number else ref
