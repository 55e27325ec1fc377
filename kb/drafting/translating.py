"""A file of translations brought up to the rules: what is missing is added, and nothing that somebody wrote is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from polib import POEntry, POFile

from facts.yaml_reader import read_text, read_yaml
from kb.language.cache import digest_of, kept
from kb.language.edition import READERS
from kb.language.folders import ELECTIONS, complete_languages
from kb.language.model import Edition
from kb.language.texts import has_words
from kb.language.translations import Said, texts_in, translation_files

HEAD: Final = """\
The texts of the rules in LANGUAGE. What stands empty is said in English. What stands in braces and brackets is
explained in rules/README.md; {n|trick|tricks} has as many words as Plural-Forms has forms. `revoke translate LANGUAGE`
adds what the rules say anew, and tells how much is done.
"""


@dataclass(frozen=True, slots=True)
class Translatable:
    """A text of the rules."""

    file: str
    """Where it stands first, from the folder of the rules, or by the name of a draft's folder."""
    at: str
    """What leads to it in the file."""
    said: Said


@dataclass(frozen=True, slots=True)
class Share:
    """How much is translated."""

    done: int
    of: int

    @property
    def percent(self) -> int:
        """100 only if nothing is missing."""
        return 100 * self.done // self.of if self.of else 100


def translatable(root: Path, folders: Iterable[Path]) -> list[Translatable]:
    """The texts that these folders hold, each once, in their order; InputError for a file that cannot be read.

    ``folders``: that of the rules, and others.
    """
    found: dict[Said, Translatable] = {}
    complete = complete_languages(root)
    for file in _files(folders):
        name = file.relative_to(root if file.is_relative_to(root) else file.parent.parent).as_posix()
        for path, said in texts_in(read_yaml(read_text(file), str(file)), complete):
            if has_words(said[0]):
                at = " ".join(map(str, path)).removeprefix("clauses ")
                found.setdefault(said, Translatable(name, at, said))
    return [*found.values()]


def share(root: Path, edition: Edition, language: str) -> Share:
    """How many of the texts of an edition are translated; what has been counted once comes from the cache."""

    def found_by() -> str:
        files = [*_files(edition.folders), *translation_files(edition.folders)]
        return digest_of(language, map(str, files), READERS)

    def count() -> tuple[int, int]:
        texts = translatable(root, edition.folders)
        done = [one for one in texts if edition.vocabulary.translations.of(one.said, language)]
        return len(done), len(texts)

    return Share(*kept("share", found_by, count))


def _files(folders: Iterable[Path]) -> Iterator[Path]:
    for folder in folders:
        yield from sorted(folder.glob("*.yaml"))
        yield from sorted((folder / ELECTIONS).glob("*.yaml"))


def new_file(language: str) -> POFile:
    """A file without an entry."""
    file = POFile(wrapwidth=0)
    file.header = HEAD.replace("LANGUAGE", language)
    file.metadata = {
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": "nplurals=2; plural=n != 1;",
    }
    return file


def bring_up(file: POFile, known: Sequence[Translatable], wanted: Collection[Said]) -> None:
    """Puts into a file what it has of the texts that are ``known``, and an empty entry for each ``wanted`` it lacks.

    What nothing says any more is kept as obsolete: translators' programs offer it for what is said instead.
    """
    alike = Counter(one.said[0] for one in known)
    there = {(entry.msgid, entry.msgctxt or ""): entry for entry in reversed(file)}
    entries = []
    for one in known:
        english, context = one.said
        key = english, context if alike[english] > 1 else ""
        entry = there.pop(key, None)
        if entry is None and one.said in wanted:
            entry = POEntry(msgid=english, msgctxt=key[1] or None)
        if entry is not None:
            entry.comment, entry.occurrences, entry.obsolete = f"{one.at}\n{context}".strip(), [(one.file, "")], False
            entries.append(entry)
    gone = [entry for entry in there.values() if entry.msgstr]
    for entry in gone:
        entry.obsolete = True
    file[:] = [*entries, *gone]
