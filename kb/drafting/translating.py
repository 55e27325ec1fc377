"""A file of translations brought up to the rules: what is missing is added, and nothing that somebody wrote is lost."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from facts.errors import Faults
from facts.form import read_form
from facts.yaml_reader import Node, read_yaml
from kb.drafting.as_written import AsWritten, as_written
from kb.language.read_translations import EntryForm, TranslationFile
from kb.language.translatable import Translatable
from kb.language.translations import Said

_HEAD: Final = """\
# yaml-language-server: $schema=../.schema/translation.json
# The texts of the rules in LANGUAGE. Write what stands empty after LANGUAGE: in that language; what stays empty
# is said in English. What stands in braces and brackets is explained in rules/README.md. `revoke translate LANGUAGE`
# adds what the rules say anew, and tells how much is done.
#
# at    where the text stands, and first of all places where it does
# was   the English was this when it was translated, and has been changed: mend the translation, and take was: away

# Which form of a word goes with a number, as gettext writes it: {n|trick|tricks} has as many as the language.
plural: "n != 1"

"""


@dataclass(frozen=True, slots=True)
class TranslatedEntry:
    """A text and its translation."""

    file: str
    at: str
    said: Said
    text: str = ""
    """Empty until somebody writes it."""
    was: str | None = None
    """What the English was when it was translated, if that is not what it is."""
    lines: tuple[str, ...] = field(default=(), compare=False)
    """As it stands in the file, with the remarks before it; none for one that is to be written."""
    line: int = field(default=0, compare=False)
    """In which it begins."""


@dataclass(frozen=True)
class Translating:
    """A file of translations."""

    language: str
    complete: tuple[str, ...]
    texts: tuple[TranslatedEntry, ...] = ()
    no_longer: tuple[TranslatedEntry, ...] = ()
    """What is translated and nothing says any more."""
    head: str = ""

    def has(self, said: Said) -> bool:
        """Whether a text is translated, or one that is alike in English."""
        return said in self._done or said[0] in self._done

    @cached_property
    def _done(self) -> frozenset[Said | str]:
        done = [entry.said for entry in self.texts if entry.text and entry.was is None]
        return frozenset((*done, *(said[0] for said in done)))

    @property
    def changed(self) -> list[TranslatedEntry]:
        """Those whose English has been changed since."""
        return [entry for entry in self.texts if entry.was is not None]


def read_translating(text: str, file: str, language: str, complete: tuple[str, ...]) -> Translating:
    """What a file holds; InputError if it is no YAML. Whatever else may be wrong has been told before."""
    node = read_yaml(text, file)
    form: TranslationFile = read_form(TranslationFile, node, Faults())
    written = as_written(text, node)
    made = _Made(language, complete, written)
    texts = tuple(made.entry(one, group) for group, entries in form.texts.items() for one in entries)
    return Translating(
        language, complete, texts, tuple(made.entry(one, "") for one in form.no_longer), _head(written, node)
    )


@dataclass(frozen=True, slots=True)
class _Made:
    language: str
    complete: tuple[str, ...]
    written: AsWritten

    def entry(self, form: EntryForm, group: str) -> TranslatedEntry:
        said = form.said(self.complete)
        line = form.place.line
        return TranslatedEntry(
            group, form.at, said, form.text(self.language), form.was, self.written.lines_of(line), line
        )


def _head(written: AsWritten, node: Node) -> str:
    """What stands before the texts; the rule for the forms of words, wherever it stands."""
    head = written.head
    plural = node.entries.get("plural")
    if plural is not None and not any(line.startswith("plural:") for line in head.splitlines()):
        head += f"plural: {_quoted(str(plural.plain()))}\n"
    return head


def brought_up(old: Translating, known: Sequence[Translatable], wanted: Iterable[Said]) -> Translating:
    """The file with what it has of the texts that are ``known``, and an empty entry for each ``wanted`` that it lacks.

    What was translated of an English text that has been changed stands beside the new one, with what it was. What
    nothing says any more is kept by itself.
    """
    there = _entries_of(old, [one.said for one in known])
    of_now = {one.said: there.pop(one.said) for one in known if one.said in there}
    before = {(entry.file, entry.at): said for said, entry in there.items() if entry.text}
    new = [one for one in known if one.said in {*wanted} - of_now.keys()]
    changed = {one.said: there.pop(before.pop((one.file, one.at))) for one in new if (one.file, one.at) in before}
    texts = []
    for one in known:
        if one.said in of_now:
            texts.append(_as_now(of_now[one.said], one))
        elif one in new:
            texts.append(_changed(changed.get(one.said), one))
    return replace(old, texts=tuple(texts), no_longer=tuple(entry for entry in there.values() if entry.text))


def _entries_of(file: Translating, known: Sequence[Said]) -> dict[Said, TranslatedEntry]:
    """The entries by what they translate; where only the German has been changed, by what it is now."""
    written: dict[Said, TranslatedEntry] = {}
    for entry in (*file.texts, *file.no_longer):
        if entry.said not in written or not written[entry.said].text:
            written[entry.said] = entry
    first = {said[0]: said for said in reversed(known) if said not in written}
    now = {*known}
    return {said if said in now else first.pop(said[0], said): entry for said, entry in written.items()}


def _changed(before: TranslatedEntry | None, text: Translatable) -> TranslatedEntry:
    """An entry to be written, or mended where it was translated when the English was another."""
    new = TranslatedEntry(text.file, text.at, text.said)
    if before is None:
        return new
    was = before.was or before.said[0]
    return replace(new, text=before.text, was=None if was == text.said[0] else was)


def _as_now(entry: TranslatedEntry, text: Translatable) -> TranslatedEntry:
    """An entry as it stands, if it stands where its text does now and says what it says."""
    now = replace(entry, file=text.file, at=text.at, said=text.said)
    return entry if now == entry else replace(now, lines=())


def as_text(file: Translating) -> str:
    """The file as it is written. What has not changed stands as it stood, remarks and all."""
    kept = _text(file)
    again = read_translating(kept, "", file.language, file.complete)
    if (again.texts, again.no_longer) == (file.texts, _of_no_file(file.no_longer)):
        return kept
    bare = [tuple(replace(entry, lines=()) for entry in some) for some in (file.texts, file.no_longer)]
    return _text(replace(file, texts=bare[0], no_longer=bare[1]))


def _of_no_file(entries: Iterable[TranslatedEntry]) -> tuple[TranslatedEntry, ...]:
    return tuple(replace(entry, file="") for entry in entries)


def _text(file: Translating) -> str:
    groups: dict[str, list[TranslatedEntry]] = {}
    for entry in file.texts:
        groups.setdefault(entry.file, []).append(entry)
    lines = [
        file.head or _HEAD.replace("LANGUAGE", file.language),
        "texts:" if groups else "texts: {}",
        "\n",
    ]
    for group, entries in groups.items():
        lines.append(f"\n  {_quoted(group)}:\n")
        for entry in entries:
            lines += entry.lines or _written(entry, file, "    ")
    if file.no_longer:
        lines.append("\nno-longer:\n")
        for entry in file.no_longer:
            lines += _written(entry, file, "  ")
    return "".join(lines)


def _written(entry: TranslatedEntry, file: Translating, indent: str) -> list[str]:
    values: Mapping[str, str | None] = {
        "at": entry.at,
        **dict(zip(file.complete, entry.said, strict=True)),
        "was": entry.was,
        file.language: entry.text,
    }
    lines = [f"{key}: {_quoted(value)}" for key, value in values.items() if value is not None]
    return [f"{indent}{'- ' if number == 0 else '  '}{line}\n" for number, line in enumerate(lines)]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
