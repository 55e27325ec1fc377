"""Reading the files of translations, and what is wrong with them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from facts.errors import Fault, Faults, InputError, Place, RulesError
from facts.form import Entries, FromFile, Placed, PlacedForm, no_entries, read_form
from facts.suggestions import did_you_mean
from facts.yaml_reader import Node, read_text, read_yaml
from kb.language.digest import digest
from kb.language.folders import TRANSLATIONS, VOCABULARY
from kb.language.texts import TWO_FORMS, forms_given, holes, plural, stray_brace, with_plurals, wrong_forms
from kb.language.translations import Said, Translation, Translations, in_one_line
from kb.language.vocabulary import languages_named

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")


@dataclass(frozen=True, kw_only=True)
class EntryForm(PlacedForm):
    """A text, in the complete languages and in the one that it is translated into."""

    at: str = ""
    was: str | None = None
    rest: Entries[Placed[str]] = field(default_factory=no_entries)

    def text(self, language: str) -> str:
        """The text in a language, in one line; empty if it is not given."""
        return in_one_line(self.rest[language].value) if language in self.rest else ""

    def said(self, complete: tuple[str, ...]) -> Said:
        """The text in the complete languages."""
        return tuple(self.text(language) for language in complete)


@dataclass(frozen=True, kw_only=True)
class TranslationFile(FromFile):
    """The texts of the rules in a further language."""

    plural: Placed[str] | None = None
    texts: Entries[tuple[EntryForm, ...]] = field(default_factory=no_entries)
    no_longer: tuple[EntryForm, ...] = ()


def translation_files(folders: Iterable[Path]) -> list[Path]:
    """The files of translations of these folders, in their order."""
    return [file for folder in folders for file in sorted((folder / TRANSLATIONS).glob("*.yaml"))]


def refuse_language(language: str, root: Path) -> None:
    """RulesError where nothing can be translated into a language, or it is none."""
    if faults := [*_of_its_name(language, complete_languages(root), Place(language, 1))]:
        raise RulesError(faults)


def complete_languages(root: Path) -> tuple[str, ...]:
    """Those that the vocabulary names; none where it cannot be read, as is told elsewhere."""
    try:
        return languages_named(read_yaml(read_text(root / VOCABULARY), VOCABULARY))
    except InputError:
        return ()


def read_translations(files: Sequence[tuple[Path, Node]], complete: tuple[str, ...], faults: Faults) -> Translations:
    """What the files hold, each laid over those before it of the same language; faults are added."""
    known: dict[str, dict[Said, Translation]] = {}
    rules: dict[str, str] = {}
    for file, node in files:
        language = file.stem
        faults.extend(_of_its_name(language, complete, node.place))
        form: TranslationFile = read_form(TranslationFile, node, faults)
        rules[language] = _plural(form.plural, rules.get(language, TWO_FORMS), faults)
        of_file = _Reader(language, complete, rules[language], faults).read(form)
        known[language] = {**known.get(language, {}), **of_file}
    files_digest = digest(f"{name} {said} {one.text}" for name, some in known.items() for said, one in some.items())
    return Translations(complete, known, files_digest if known else "")


def _of_its_name(language: str, complete: tuple[str, ...], place: Place) -> Iterator[Fault]:
    if language in complete:
        yield Fault(
            place, f"every text is given in {language} where it stands", "mend it there, and take this file away"
        )
    elif not _LANGUAGE.fullmatch(language):
        yield Fault(
            place, f"{language} is the name of no language", "call the file by the code of one, such as fr.yaml"
        )


def _plural(named: Placed[str] | None, usual: str, faults: Faults) -> str:
    if named is None:
        return usual
    try:
        plural(named.value)
    except ValueError:
        mend = "write it as gettext does, such as n != 1, or n > 1"
        faults.add(named.place, f"{named.value} is no rule for the forms of words", mend)
        return usual
    return named.value


@dataclass(frozen=True)
class _Reader:
    language: str
    complete: tuple[str, ...]
    rule: str
    """For the forms of words that go with a number."""
    faults: Faults

    def read(self, form: TranslationFile) -> dict[Said, Translation]:
        """The translations that can be used: what is empty, was of another text, or is faulty, is none."""
        read: dict[Said, Translation] = {}
        for entry in (entry for entries in form.texts.values() for entry in entries):
            said = entry.said(self.complete)
            self.keys(entry)
            if not entry.text(self.language) or entry.was is not None:
                continue
            own = entry.rest[self.language]
            found = [*self.wrong(entry, own)]
            self.faults.extend(found)
            if not found:
                text = own.value if self.rule == TWO_FORMS else with_plurals(own.value, self.rule)
                one = Translation(text, own.place)
                read.setdefault(said[:1], one)
                read[said] = one
        return read

    def keys(self, entry: EntryForm) -> None:
        """What is no text in any of the languages, and what cannot be found."""
        known = (*self.complete, self.language)
        for key, one in entry.rest.items():
            if key not in known:
                self.faults.add(one.place, f"{key} is no key here", did_you_mean(key, ("at", "was", *known)))
        if not entry.text(self.complete[0]):
            first = self.complete[0]
            self.faults.add(entry.place, f"the text in {first} is missing", f"add {first}: as the rules have it")

    def wrong(self, entry: EntryForm, own: Placed[str]) -> Iterator[Fault]:
        """What is wrong with a text in this language, held against it in the others."""
        given = [{*holes(text)} for language in self.complete if (text := entry.text(language))]
        named, every = {*holes(with_plurals(own.value, self.rule))}, set[str]().union(*given)
        for name in sorted(named - every):
            yield Fault(own.place, f"nothing fills {{{name}}}", did_you_mean(name, sorted(every)))
        for name in sorted(set[str].intersection(*given) - named if given else ()):
            what = f"the text in {self.language} does not name {{{name}}}, as the others do"
            yield Fault(own.place, what, f"put {{{name}}} into it")
        if stray_brace(with_plurals(own.value, self.rule)):
            yield Fault(own.place, "a brace or a bracket belongs to no {name} or [part]", "close it, or take it away")
        yield from (Fault(own.place, *wrong) for wrong in wrong_forms(own.value))
        yield from self.forms(own)

    def forms(self, own: Placed[str]) -> Iterator[Fault]:
        """Words that go with a number and are too few, or too many, for the language."""
        wanted = plural(self.rule)[1]
        for given in forms_given(own.value):
            if given not in (wanted, wanted + 1):
                what = f"{given} forms of a word go with a number, and the language has {wanted}"
                yield Fault(own.place, what, "give each, and perhaps one for none at all; or mend plural:")
