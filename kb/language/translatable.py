"""Every text of the rules that can be translated, and how many of them are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from facts.errors import Faults, RulesError
from facts.yaml_reader import read_text, read_yaml
from kb.language.cache import digest_of, kept
from kb.language.edition import READERS
from kb.language.folders import ELECTIONS
from kb.language.model import Edition
from kb.language.read_translations import complete_languages, read_translations, translation_files
from kb.language.texts import has_words
from kb.language.translations import Said, Translations, texts_in


@dataclass(frozen=True, slots=True)
class Translatable:
    """A text of the rules."""

    file: str
    """Where it stands first, from the folder of the rules, or by the name of a draft's folder."""
    at: str
    """What leads to it in the file."""
    said: Said
    """In the complete languages."""


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


def translations_in(root: Path, folders: Iterable[Path]) -> Translations:
    """The translations of these folders, each laid over those before it; InputError with every fault."""
    faults = Faults()
    files = [(file, read_yaml(read_text(file), str(file))) for file in translation_files(folders)]
    found = read_translations(files, complete_languages(root), faults)
    if faults:
        raise RulesError(sorted(faults))
    return found


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
