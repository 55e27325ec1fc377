"""What the workshop's page asks of the laws while a draft is written; it runs in the editor's own browser.

A draft is its files: name in its folder -> text. What is given and what comes back is such as JSON holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from shutil import rmtree
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import BadZipFile, ZipFile

from facts.errors import Fault, InputError, RevokeKbError
from facts.readers.incident_file import read_incident
from facts.yaml_reader import Scalar, read_yaml
from kb.cases.cases import Trial
from kb.compare.compare import compared
from kb.compare.telling import Wording, first_page
from kb.drafting.new_draft import new_draft
from kb.explain.page import as_text
from kb.explain.words import Speaker, load_words
from kb.language.edition import load_edition
from kb.language.folders import CASES, EDITION
from kb.prove.deep import every_fault
from kb.ruling.laws import Law, Laws
from kb.ruling.make_ruling import rule
from kb.schemas import all_schemas
from kb.voices import told

Files = Mapping[str, str]


class Workshop:
    """The shipped laws, for one draft after the other."""

    def __init__(self, root: Path) -> None:
        self.root, self.laws = root, Laws(root, "quick")
        self._away = TemporaryDirectory()

    @contextmanager
    def _laid(self, files: Files) -> Iterator[Path]:
        """The draft's files in a folder that bears its name, always the same, so that what is read once is known;
        InputError where ``edition.yaml`` is missing."""
        if EDITION not in files:
            raise InputError.of(EDITION, "a draft has this file, and here it is missing", "begin a draft, or open one")
        folder = Path(self._away.name) / _named(files)
        rmtree(self._away.name, ignore_errors=True)
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        yield folder

    def asked(self, name: str, *arguments: Any) -> dict[str, Any]:
        """What one of the methods below gives (``found``), or the faults for which it gives nothing."""
        job: Callable[..., Any] = getattr(self, name)
        try:
            return {"found": job(*arguments), "faults": []}
        except InputError as error:
            return {"found": None, "faults": [_told(fault) for fault in error.faults]}
        except RevokeKbError as error:
            return {"found": None, "faults": [{"file": "", "line": 1, "what": str(error), "mend": ""}]}

    def editions(self, lang: str) -> list[dict[str, Any]]:
        """Each edition with its clauses, the latest first: id, title, and number and text of each."""
        shown = sorted((self.laws.of(name).edition for name in self.laws.editions), key=lambda law: law.in_force)
        return [
            {
                "id": edition.id,
                "title": edition.called(lang),
                "clauses": [[ref, clause.says[lang]] for ref, clause in edition.clauses.items() if clause.law],
            }
            for edition in reversed(shown)
        ]

    def begun(self, name: str, edition: str, changed: Sequence[str], added: Sequence[str]) -> dict[str, str]:
        """The files of a new draft that amends an edition: the clauses that it changes, and the numbers it adds."""
        return new_draft(Path(name), self.laws.of(edition).edition, changed, added)

    def opened(self, archive: bytes) -> list[Any]:
        """The files of a zip, all that are text, and the names of the others."""
        try:
            with ZipFile(BytesIO(bytes(archive))) as zipped:
                contents = {info.filename: zipped.read(info) for info in zipped.infolist() if not info.is_dir()}
        except BadZipFile:
            raise InputError.of("zip", "this is no zip archive", "open one that was saved here") from None
        home = min((file.removesuffix(EDITION) for file in contents if Path(file).name == EDITION), key=len, default="")
        files, others = dict[str, str](), list[str]()
        for name, data in contents.items():
            try:
                if ".." in Path(name).parts:
                    raise ValueError(name)
                files[name.removeprefix(home)] = data.decode()
            except ValueError:  # no text, or no file of the folder
                others.append(name)
        return [files, others]

    def saved(self, files: Files) -> bytes:
        made, name = BytesIO(), _named(files)
        with ZipFile(made, "w") as zipped:
            for file, text in files.items():
                zipped.writestr(f"{name}/{file}", text)
        return made.getvalue()

    def faults(self, files: Files) -> list[dict[str, Any]]:
        """What ``revoke check`` finds: file, line, what is wrong and how it is mended."""
        with self._laid(files) as folder:
            return [_told(fault, folder) for fault in every_fault(self.root, folder, laws=self.laws).faults]

    def cases(self, files: Files) -> list[dict[str, Any]]:
        """What comes of the draft's cases: id, title, and how it is otherwise than expected."""
        with self._laid(files) as folder:
            trial = Trial(Laws(self.root, "quick"), folder)
            outcomes = trial.run(trial.cases(folder / CASES)) if (folder / CASES).is_dir() else ()
            return [
                {
                    "id": outcome.case.id,
                    "title": outcome.case.title,
                    "differences": [text.replace(f"{folder}/", "") for text in outcome.differences],
                }
                for outcome in outcomes
            ]

    def changes(self, files: Files, lang: str) -> str:
        with self._laid(files) as folder:
            draft = Law(folder, (), self.root, "quick").edition
            words = load_words(self.root, draft.vocabulary)
            wording = Wording(compared(self.root, self._amended(files), draft), words, lang)
            return as_text(first_page(wording), Speaker(words, draft.vocabulary, lang))

    def ruled(self, files: Files, incident: str, lang: str) -> list[str]:
        """The ruling on an incident by the amended edition, and by the draft."""
        with self._laid(files) as folder:
            laws = [self.laws.of(self._amended(files).id), Law(folder, (), self.root, "quick")]
            return [self._ruling(law, incident, lang) for law in laws]

    def schemas(self, files: Files) -> dict[str, Any]:
        """The JSON Schema of each sort of file, in the words of the draft."""
        with self._laid(files) as folder:
            draft = load_edition(self.root, folder)
            return all_schemas(draft.vocabulary, draft.table)

    def _amended(self, files: Files) -> Any:
        return self.laws.of(_said(files, "amends")).edition

    def _ruling(self, law: Law, text: str, lang: str) -> str:
        read = read_incident(text, "incident", lambda _: law.edition.table)
        ruling = rule(law, replace(read, edition=law.edition.id, elections=law.edition.elections))
        speaker = Speaker(load_words(self.root, law.edition.vocabulary), law.edition.vocabulary, lang)
        return as_text(replace(told(ruling, speaker), title="", foot=""), speaker)


def _said(files: Files, key: str) -> str:
    """What ``edition.yaml`` says of itself; InputError where it is no YAML."""
    node = read_yaml(files[EDITION], EDITION).entries.get(key)
    return str(node.value) if isinstance(node, Scalar) else ""


def _named(files: Files) -> str:
    try:
        return re.sub(r"[^\w-]", "-", _said(files, "edition")) or "draft"
    except InputError:
        return "draft"


def _told(fault: Fault, folder: Path | None = None) -> dict[str, Any]:
    """A fault with its file named as in the draft."""
    place, home = fault.place, f"{folder}/"
    problem, mend = (text.replace(home, "") for text in (fault.what, fault.mend))
    return {"file": place.file.removeprefix(home), "line": place.line, "what": problem, "mend": mend}
