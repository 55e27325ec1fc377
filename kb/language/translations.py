"""The texts of the rules in further languages, each in a file of its own, as gettext has them: ``translations/fr.po``.

Every text stands in the rules in the complete languages, English and German. A translation gives as many of them as it
has, by what they say in English, so that it holds wherever that is said; what it lacks is said in English. Where texts
that are alike in English differ in German, the German is the context by which they are told apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from facts.errors import Faults, InputError, Place
from facts.form import PlacedText
from facts.yaml_reader import Mapping as MappingNode
from facts.yaml_reader import Node, Scalar, Sequence, Steps, read_text
from kb.language.cache import digest
from kb.language.folders import TRANSLATIONS, complete_languages
from kb.language.texts import TWO_FORMS, holes, misfilled, plural, with_plurals

if TYPE_CHECKING:
    from polib import POEntry, POFile  # hardly any rules are translated

Said: TypeAlias = tuple[str, str]
"""A text in the first of the complete languages, and in the others: the context that tells it apart."""

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")
_PLURAL: Final = re.compile(r"plural=(.*?);?$")
_WRONG_LINE: Final = re.compile(r"\(line (\d+)\)")


@dataclass(frozen=True)
class Translations:
    """What is translated, by language."""

    complete: tuple[str, ...] = ()
    """The languages in which every text is given."""
    languages: Mapping[str, Mapping[Said, PlacedText]] = field(default_factory=dict)
    digest: str = ""
    """Of all that they say."""

    def of(self, said: Said, language: str) -> PlacedText | None:
        """A text in another language: of texts that are alike in English, the one that is alike in German as well."""
        known = self.languages.get(language, {})
        return known.get(said) or known.get((said[0], ""))

    def over(self, node: Node) -> Node:
        """What a file holds, with each of its texts in every language that there is."""
        return self._over(node) if any(self.languages.values()) else node

    def _over(self, node: Node) -> Node:
        if isinstance(node, Sequence):
            return replace(node, items=tuple(map(self._over, node.items)))
        if not isinstance(node, MappingNode):
            return node
        said = said_in(node, self.complete)
        if said is None:
            return replace(node, entries={key: self._over(one) for key, one in node.entries.items()})
        first = str(node.entries[self.complete[0]].plain())
        entries, keys = dict(node.entries), dict(node.keys)
        for language in self.languages:
            if language not in node.entries and (one := self.of(said, language)):
                spaced = first.replace(first.strip(), one.strip())  # a translator does not see what is around a text
                entries[language], keys[language] = Scalar(spaced, one.place, quoted=True), one.place
        return replace(node, entries=entries, keys=keys)


def texts_in(node: Node, complete: tuple[str, ...], path: Steps = ()) -> Iterator[tuple[Steps, Said]]:
    """Every text that a file holds, and the keys and numbers that lead to it."""
    said = said_in(node, complete)
    if said is not None:
        yield path, said
        return
    for key, one in node.entries.items():
        yield from texts_in(one, complete, (*path, key))
    for number, one in enumerate(node.items, 1):
        yield from texts_in(one, complete, (*path, number))


def said_in(node: Node, complete: tuple[str, ...]) -> Said | None:
    """What a part of a file says in the complete languages, each in one line, if it is a text."""
    if not complete or not {*node.entries}.issuperset(complete):
        return None
    said = [node.entries[language] for language in complete]
    if not all(isinstance(one, Scalar) for one in said):
        return None
    first, *others = (" ".join(str(one.plain()).split()) for one in said)
    return first, " / ".join(others)


def translation_files(folders: Iterable[Path]) -> list[Path]:
    """The files of translations of these folders, in their order."""
    return [file for folder in folders for file in sorted((folder / TRANSLATIONS).glob("*.po"))]


def read_po(text: str, file: str) -> POFile:
    """The entries of a file; InputError where it is none."""
    from polib import pofile  # noqa: PLC0415 - hardly any rules are translated

    try:
        return pofile(text + "\n", wrapwidth=0, check_for_duplicates=False)
    except OSError as error:
        line = _WRONG_LINE.search(str(error))
        place = Place(file, int(line[1]) if line else 1)
        raise InputError.of(
            place, "this is no file of translations", 'write such as msgid "…" and msgstr "…"'
        ) from None


def read_translations(root: Path, folders: Iterable[Path], faults: Faults) -> Translations:
    """What the files of these folders hold, each laid over those before it of the same language; faults are added."""
    complete = complete_languages(root)
    known: dict[str, dict[Said, PlacedText]] = {}
    for file in translation_files(folders):
        try:
            refuse_language(file.stem, complete, Place(str(file), 1))
            found = read_po(read_text(file), str(file))
            rule = _plural(found, file)
        except InputError as error:
            faults += error.faults
            continue
        of_file = known.setdefault(file.stem, {})
        for entry in found:
            if not entry.msgstr or entry.fuzzy or entry.obsolete:
                continue
            place = Place(str(file), entry.linenum or 1)
            wrong = _wrong(entry, rule, place)
            if not wrong:
                one = PlacedText(entry.msgstr if rule == TWO_FORMS else with_plurals(entry.msgstr, rule), place)
                of_file.setdefault((entry.msgid, ""), one)
                of_file[entry.msgid, entry.msgctxt or ""] = one
            faults += wrong
    said = (f"{name} {key} {one}" for name, some in known.items() for key, one in some.items())
    return Translations(complete, known, digest(said) if known else "")


def refuse_language(language: str, complete: tuple[str, ...], place: Place) -> None:
    """InputError where nothing can be translated into a language, or it is none."""
    if language in complete:
        what = f"every text is given in {language} where it stands"
        raise InputError.of(place, what, "mend it there, and translate nothing into it")
    if not _LANGUAGE.fullmatch(language):
        raise InputError.of(place, f"{language} is the name of no language", "name the code of one, such as fr")


def _plural(found: POFile, file: Path) -> str:
    """The rule for the forms of words that go with a number."""
    stated = _PLURAL.search(found.metadata.get("Plural-Forms", ""))
    rule = stated[1].strip() if stated else TWO_FORMS
    try:
        plural(rule)
    except ValueError:
        mend = "write it under Plural-Forms as gettext does, such as plural=n != 1; or plural=n > 1;"
        raise InputError.of(file, f"{rule} is no rule for the forms of words", mend) from None
    return rule


def _wrong(entry: POEntry, rule: str, place: Place) -> Faults:
    """What is wrong with a translation, held against the English."""
    faults = Faults()
    said, wanted = with_plurals(entry.msgstr, rule), {*holes(entry.msgid)}
    for what, mend in misfilled(said, sorted(wanted)):
        faults.add(place, what, mend)
    for name in sorted(wanted.difference(holes(said))):
        faults.add(place, f"the text does not name {{{name}}}, as the English does", f"put {{{name}}} into it")
    return faults
