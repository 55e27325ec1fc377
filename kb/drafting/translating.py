"""A file of translations brought up to the rules: what is missing is added, and nothing that somebody wrote is lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from polib import POEntry, POFile

from facts.yaml_reader import read_text, read_yaml
from kb.language.folders import ELECTIONS, complete_languages
from kb.language.texts import TextKey, has_words, texts_in

HEAD: Final = """\
The texts of the rules in LANGUAGE. What stands empty is said in English. What stands in braces and brackets is
explained in rules/README.md; {n|trick|tricks} has as many words as Plural-Forms has forms. `revoke translate LANGUAGE`
adds what the rules say anew, and tells how much is done.
"""


@dataclass(frozen=True, slots=True)
class Translatable:
    file: str
    """Where it stands first, from the folder of the rules, or by the name of a draft's folder."""
    at: str
    """What leads to it in the file."""
    said: TextKey


def translatable(root: Path, folders: Iterable[Path]) -> list[Translatable]:
    """The texts that these folders hold, each once, in their order; InputError for a file that cannot be read.

    ``folders``: that of the rules, and others.
    """
    texts: dict[TextKey, Translatable] = {}
    complete = complete_languages(root)
    files = (
        file for folder in folders for within in (folder, folder / ELECTIONS) for file in sorted(within.glob("*.yaml"))
    )
    for file in files:
        name = file.relative_to(root if file.is_relative_to(root) else file.parent.parent).as_posix()
        for path, text in texts_in(read_yaml(read_text(file), str(file)), complete):
            if has_words(text[0]):
                place = " ".join(map(str, path)).removeprefix("clauses ")
                texts.setdefault(text, Translatable(name, place, text))
    return [*texts.values()]


def new_file(language: str) -> POFile:
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


def bring_up(file: POFile, known: Sequence[Translatable], wanted: Collection[TextKey]) -> None:
    """Puts into a file what it has of the texts that are ``known``, and an empty entry for each ``wanted`` it lacks.

    What nothing says any more is kept as obsolete: translators' programs offer it for what is said instead.
    """
    alike = Counter(text.said[0] for text in known)
    there = {(entry.msgid, entry.msgctxt or ""): entry for entry in reversed(file)}
    entries = []
    for text in known:
        english, context = text.said
        key = english, context if alike[english] > 1 else ""
        entry = there.pop(key, None)
        if entry is None and text.said in wanted:
            entry = POEntry(msgid=english, msgctxt=key[1] or None)
        if entry is not None:
            entry.comment, entry.occurrences, entry.obsolete = f"{text.at}\n{context}".strip(), [(text.file, "")], False
            entries.append(entry)
    gone = [entry for entry in there.values() if entry.msgstr]
    for entry in gone:
        entry.obsolete = True
    file[:] = [*entries, *gone]
