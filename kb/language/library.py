"""The rule files of one folder, put together: editions, what they amend, and the elections they offer."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from facts.dates import NOT_YET_IN_FORCE, span
from facts.errors import Fault, Faults, InputError, Place, RulesError, did_you_mean
from facts.form import PlacedText, Texts, form_of
from facts.yaml_reader import Mapping, Node, read_faulty_yaml, read_text
from kb.language.clauses import Overlay, book_order, lay_over, numbers_of, read_renames, renamed
from kb.language.folders import (
    EDITION,
    TABLE,
    VOCABULARY,
    WORDS,
    amended,
    drafts,
    edition_ids,
    elections,
    law_files,
    misnamed,
)
from kb.language.model import Edition, EditionForm, ElectionForm
from kb.language.rule import SpokenRules
from kb.language.side_rules import SPOKEN_FILE, read_spoken
from kb.language.table_files import table_of
from kb.language.texts import read_translations
from kb.language.vocabulary import Vocabulary, read_vocabulary, read_words


class Library:
    """Reads each file once, and gathers in ``faults`` all that is wrong with the files it was asked for."""

    def __init__(self, root: Path, folder: Path | None = None) -> None:
        """``folder``: an edition or draft, in whose translations everything is read."""
        self.root = root
        self.faults = Faults()
        self._unreadable: set[Path] = set()
        self._first: dict[str, set[str]] = {name: set() for name in (EDITION, VOCABULARY, TABLE)}
        """Of the files on which the rest stands, those that cannot be read as they should."""
        own_drafts = drafts(root, folder) if folder else []
        self.translations = read_translations(root, [root, *reversed(own_drafts)], self.faults)
        with self._resting_on(VOCABULARY):
            vocabulary = read_vocabulary(self._node(self.root / VOCABULARY), self.faults)
        self.vocabulary = replace(vocabulary, translations=self.translations)
        self.spoken = self._spoken(self.root, self.vocabulary, SpokenRules())
        self._read: dict[Path, Edition] = {}

    def due(self, faults: Iterable[Fault]) -> list[Fault]:
        """Of all faults those to be mended first, since the rest may follow from them: in what an edition says of
        itself, then in its words, then in what can be said; all where these files can be read."""
        first = next(filter(None, self._first.values()), None)
        return sorted(fault for fault in faults if first is None or fault.place.file in first)

    @contextmanager
    def _resting_on(self, name: str) -> Iterator[None]:
        """Reads something on which the rest stands."""
        faults_before, severe = len(self.faults), self.faults.severe
        yield
        if self.faults.severe > severe:
            self._first[name] |= {fault.place.file for fault in self.faults[faults_before:]}

    def edition(self, folder: Path, above: tuple[Path, ...] = ()) -> Edition:
        """The edition in ``folder`` with what it amends; ``above`` are the folders that amend it."""
        if folder not in self._read:
            with self._resting_on(EDITION):
                node = self._node(folder / EDITION)
                faults = Faults() if folder / EDITION in self._unreadable else self.faults
                form: EditionForm = form_of(EditionForm).read(node, faults)
                if form.amends is None and form.clauses is None:
                    mend = 'add amends: with the edition to begin from, or clauses: ["1A", …] in the order of the book'
                    faults.add(form.place, "the edition amends none, and the list of its clauses is missing", mend)
                amends = self._amended(form.amends, folder, above)
            base = None if amends is None else self.edition(amends, (*above, folder))
            with self._resting_on(EDITION):
                renames = read_renames(base, form.renames, self.faults)
            edition = self._assembled(folder, form, base and renamed(base, renames))
            numbers = numbers_of(base, renames, edition) if base else {}
            edition = self._read[folder] = replace(edition, renames=renames, numbers=numbers)
            self._check_names(edition, folder, form)
        return self._read[folder]

    def _check_names(self, edition: Edition, folder: Path, form: EditionForm) -> None:
        """An edition under the root bears the name of its folder; a draft elsewhere a name of its own. What is offered
        is by clauses that there are, and elections that exist."""
        shipped = edition_ids(self.root)
        if folder == self.root / folder.name and folder.name in shipped:
            if edition.id not in ("", folder.name):
                problem = "the edition and its folder bear different names"
                self.faults.add(edition.place, problem, f"call it {folder.name}")
        elif edition.id in shipped:
            problem = f"{edition.id} is the name of another edition"
            self.faults.add(edition.place, problem, "give the draft a name of its own")
        for begun in (form.in_force, *form.adopted.values()) if form.until else ():
            if begun not in ("", NOT_YET_IN_FORCE) and span(form.until).last < span(begun).first:
                problem = f"the last day, {form.until}, lies before the first, {begun}: no day would find the edition"
                self.faults.add(form.place_of("until"), problem, "mend one of the two")
        for ref, offered in form.offers.items():
            self._missing(edition.whole).demand("clause", ref, form.offers.places[ref], edition.clauses)
            for election in offered:
                self.faults.demand("election", election, election.place, elections(*edition.folders))

    def elect(self, edition: Edition, election: str) -> Edition:
        """The edition as it stands where an authority made this election."""
        node = self._node(elections(*edition.folders)[election])
        self.faults.kinds = edition.vocabulary.fields
        form: ElectionForm = form_of(ElectionForm).read(node, self.faults)
        if form.election not in ("", election):
            problem = "the election and its file bear different names"
            self.faults.add(form.place_of("election"), problem, f"call it {election}")
        overlay = Overlay(self.faults, edition.vocabulary)
        overlay.read_clauses(form.clauses, None)
        by = [ref for ref, offered in edition.offers.items() if election in offered and ref in edition.clauses]
        written = {*overlay.clauses, *overlay.repealed}
        if by and not {*by} & written and written <= edition.clauses.keys():
            problem = f"it does not say how {' and '.join(by)}, which offers it, stands where it is made"
            mend = "write that clause too, or offer it under one that it changes"
            self.faults.add(form.place_of("clauses"), problem, mend)
        clauses = lay_over(edition, overlay, form, self._missing(edition.whole))
        made = tuple(sorted({*edition.elections, election}))
        gone = edition.repealed.union(overlay.repealed) - overlay.clauses.keys()
        return replace(
            edition, clauses=clauses, repealed=gone, elections=made, elected={**edition.elected, election: form.title}
        )

    def _missing(self, whole: bool) -> Faults:
        """Where what is missing is told: nowhere, if files of the edition could not be read and may have had it."""
        return self.faults if whole else Faults()

    def _assembled(self, folder: Path, form: EditionForm, base: Edition | None) -> Edition:
        with self._resting_on(VOCABULARY):
            vocabulary = self._vocabulary(folder, base)
        self.faults.kinds = vocabulary.fields
        overlay = Overlay(self.faults, vocabulary)
        for file in misnamed(folder):  # it may hold the whole amendment, and nobody would be told that he rules without
            self.faults.add(Place(str(file), 1), "the file is not read", f"call it {file.stem}.yaml")
        for file in law_files(folder):
            overlay.read_file(self._node(file))
        folders = (*(base.folders if base else (self.root,)), folder)
        with self._resting_on(TABLE):
            table = table_of(folders, self.faults, self.translations.over)
        whole = not misnamed(folder) and self._unreadable.isdisjoint(law_files(folder))
        whole = whole and (base is None or base.whole)
        missing = self._missing(whole)
        own_draft = folder.parent.resolve() != self.root.resolve()
        kept = base.offers if base and own_draft else {}  # a draft leaves those of what it amends, a later edition not
        return Edition(
            form.edition,
            form.title,
            form.authority,
            form.in_force,
            vocabulary,
            _laws(base, overlay, missing),
            lay_over(base, overlay, form, missing),
            base.id if base else None,
            until=form.until,
            offers={
                **kept,
                **{ref: tuple(filter(None, offered)) for ref, offered in form.offers.items()},
            },
            scored=form.scored or (base.scored if base else "duplicate"),
            repealed=(base.repealed if base else frozenset()).union(overlay.repealed) - overlay.clauses.keys(),
            lineage=(form.edition, *(base.lineage if base else ())),
            folders=folders,
            place=form.place_of("edition"),
            table=table,
            spoken=self._spoken(folder, vocabulary, base.spoken if base else self.spoken),
            whole=whole,
        )

    def _vocabulary(self, folder: Path, base: Edition | None) -> Vocabulary:
        """The words of the edition it amends, and those of its own ``vocabulary.yaml``."""
        vocabulary = self.vocabulary if base is None else base.vocabulary
        if (folder / VOCABULARY).is_file():
            vocabulary = read_vocabulary(self._node(folder / VOCABULARY), self.faults, vocabulary)
        if (folder / WORDS).is_file():
            names, phrases = read_words(self._node(folder / WORDS), self.faults)
            names = {kind: {**vocabulary.names.get(kind, {}), **words} for kind, words in names.items()}
            vocabulary = replace(
                vocabulary, names={**vocabulary.names, **names}, phrases={**vocabulary.phrases, **phrases}
            )
        return vocabulary

    def _spoken(self, folder: Path, vocabulary: Vocabulary, base: SpokenRules) -> SpokenRules:
        """What is said to the players: what the folder says before what is said already."""
        file = folder / SPOKEN_FILE
        if not file.is_file():
            return base
        spoken = read_spoken(self._node(file), vocabulary, self.faults)
        return SpokenRules((*spoken.unspoken, *base.unspoken), (*spoken.sayings, *base.sayings))

    def _node(self, file: Path) -> Node:
        """What the file holds; nothing, and faults, when it cannot be read."""
        try:
            node, faults = read_faulty_yaml(read_text(file), str(file))
        except InputError as error:
            node, faults = None, error.faults
        self.faults += faults
        if not isinstance(node, Mapping) or (faults and not node.entries):
            self._unreadable.add(file)
        return self.translations.over(node or Mapping({}, {}, Place(str(file), 1)))

    def _amended(self, name: PlacedText | None, folder: Path, above: tuple[Path, ...]) -> Path | None:
        """The folder of what it says that it amends."""
        if name is None:
            return None
        base = amended(self.root, folder, name)
        if base is None:
            beside = (folder.parent / name / EDITION).is_file()
            suggestion = f"write ../{name}" if beside else did_you_mean(name, edition_ids(self.root))
            mend = "give the path of a draft from this folder" if "/" in name else suggestion
            self.faults.add(name.place, f"there is no edition {name}", mend)
        elif base.resolve() in {path.resolve() for path in (*above, folder)}:
            mend = "let one of them stand alone"
            self.faults.add(name.place, f"{name} amends this edition, directly or through others", mend)
            return None
        return base


def _laws(base: Edition | None, overlay: Overlay, faults: Faults) -> dict[str, Texts]:
    """The titles of the laws, in the order of the book."""
    laws = {**(base.laws if base else {}), **overlay.laws}
    for number, place in overlay.law_places.items():
        if number not in laws:
            faults.add(place, f"Law {number} has no title", 'add title: {en: "…", de: "…"}')
            laws[number] = {}
    return dict(sorted(laws.items(), key=lambda law: book_order(law[0])))


def refuse_unoffered(edition: Edition, wanted: Iterable[str]) -> None:
    """RulesError for an election that the edition does not offer."""
    offered = {name for names in edition.offers.values() for name in names} & elections(*edition.folders).keys()
    faults = Faults()
    for name in wanted:
        if name not in offered:
            mend = did_you_mean(name, sorted(offered)) if offered else "leave it out: it offers none"
            faults.add(edition.place, f"{edition.id} does not offer the election {name}", mend)
    if faults:
        raise RulesError(faults)
