"""Sentences in several languages: the ``{places}`` in them, and their translations.

``{n}`` is a value; ``{n|trick|tricks}`` a number with the word that goes with it: «1 trick», «2 tricks»; and
``{n|the later one|the # later ones}`` has words for the number where there is no #; a fourth part is for none at all:
``{n|trick|tricks|no trick}``. What stands in ``[brackets]`` is
said only if all that it names is known; ``[this|that]`` says that instead where this cannot be said.

That is for languages with one form of a word for 1 and one for all else. Where a language has others, a translation
gives as many, and which is for which number stands with them: ``{n?n==1 ? 0 : n<5 ? 1 : 2|lewa|lewy|lew}``. The rule
is the one of the ``Plural-Forms`` of gettext, whose ``||`` is written ``or``.

Every text stands in the rules in the complete languages, English and German. A translation into a further one, in a
file of its own as gettext has them, ``translations/fr.po``, gives as many of them as it has, by what they say in
English, so that it holds wherever that is said; what it lacks is said in English. Where texts that are alike in English
differ in German, the German is the context by which they are told apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from gettext import c2py
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

from facts.errors import Faults, InputError, Place, did_you_mean
from facts.form import InEveryLanguage, PlacedText, Texts
from facts.printable import whole
from facts.yaml_reader import KeyPath, Node, Scalar, Sequence, read_text
from facts.yaml_reader import Mapping as MappingNode
from kb.language.folders import TRANSLATIONS, complete_languages

if TYPE_CHECKING:
    from polib import POEntry, POFile  # hardly any rules are translated

_PART = re.compile(r"\[([^\[\]]*)\]")
_BRACED = re.compile(r"(\{[^{}]*\})")
_HOLE = re.compile(r"\{(?P<name>[A-Za-z][\w-]*(?:\.[\w-]+)?)(?:(?:\?(?P<rule>[^{}|]+))?(?P<forms>(?:\|[^{}|]+)+))?\}")
MOST_FORMS = 10
"""No language has more for its numbers."""
TWO_FORMS = "n != 1"
"""The rule for a word that has one form for 1 and one for all else."""

_Say: TypeAlias = Callable[[str], str]


class StandsFor(str):
    """What is said in place of a name that nobody has given; other words may take the place of the word before it."""

    __slots__ = ("after", "known")

    def __new__(cls, text: str, after: Mapping[str, str], known: bool = False) -> StandsFor:
        """``after``: the word before -> what is said instead of both; ``known``: not left out with its brackets."""
        said_for = super().__new__(cls, text)
        said_for.after, said_for.known = after, known
        return said_for

    after: Mapping[str, str]
    known: bool


def each(texts: Texts, default: Place) -> Iterator[tuple[str, str, Place]]:
    """Language, sentence and place of each; ``default`` where the place is not known."""
    for language, text in texts.items():
        yield language, text, text.place if isinstance(text, PlacedText) else default


def texts_mapped(texts: Texts, change: Callable[[str], str]) -> Texts:
    """The sentences changed, each in its place."""
    changed = InEveryLanguage()
    for language, text in texts.items():
        changed[language] = PlacedText(change(text), text.place) if isinstance(text, PlacedText) else change(text)
    return changed


def holes(text: str) -> list[str]:
    """The names in braces, in their order."""
    return [hole["name"] for hole in _HOLE.finditer(text)]


def has_words(text: str) -> bool:
    """Whether it says anything besides signs and what stands in braces for values."""
    return any(sign.isalpha() for sign in _HOLE.sub(lambda hole: hole["forms"] or "", text))


def stray_brace(text: str) -> bool:
    """Whether a brace or a bracket is left that belongs to no ``{name}`` or ``[part]``."""
    rest = _PART.sub(r"\1", _HOLE.sub("", text))
    return any(sign in rest for sign in "{}[]")


def wrong_forms(text: str) -> Iterator[tuple[str, str]]:
    """What is wrong with the forms of words for a number, each with how to mend it."""
    for hole in _HOLE.finditer(text):
        rule, form_count = hole["rule"] or TWO_FORMS, (hole["forms"] or "").count("|")
        try:
            wanted = 1 + max(plural(rule))
        except ValueError:
            yield f"{rule[:60]} is no rule for the forms of words", "write it as gettext does, such as n != 1"
        else:
            if form_count not in (0, wanted, wanted + 1):
                problem = f"{form_count} forms of a word go with a number, and its rule has {wanted}"
                yield problem, "give each, and perhaps one for none at all; or mend the rule"


def misfilled(text: str, names: Collection[str]) -> Iterator[tuple[str, str]]:
    """What is wrong with a sentence in which these names are filled, each with how to mend it."""
    for name in dict.fromkeys(holes(text)):
        if name not in names:
            yield f"nothing fills {{{name}}}", did_you_mean(name, names)
    if stray_brace(text):
        yield "a brace or a bracket belongs to no {name} or [part]", "close it, or take it away"
    yield from wrong_forms(text)


def fill(text: str, values: Mapping[str, str | None], number: _Say = str) -> str:
    """The sentence with its places filled; KeyError for one without a value outside brackets.

    ``number`` says the number that stands before a word that goes with it.
    """
    sentence = ""
    for nth, part in enumerate(_PART.split(text)):
        text, position = _sayable(part, values) if nth % 2 else part, 0
        for hole in _HOLE.finditer(text):
            value = values[hole["name"]] or ""
            sentence = _joined(sentence + text[position : hole.start()], _counted(hole, value, number))
            position = hole.end()
        sentence += text[position:]
    return sentence


def _sayable(part: str, values: Mapping[str, str | None]) -> str:
    """The first of the ways to say a part of which everything is known, or the last of several if all of it can be
    told somehow; nothing if there is none."""
    ways = [""]
    for nth, piece in enumerate(_BRACED.split(part)):  # bars within braces are none of these
        first, *others = [piece] if nth % 2 else piece.split("|")
        ways[-1] += first
        ways += others
    *earlier, last = ways
    if sayable := next((way for way in (*earlier, last) if all(_known(values.get(name)) for name in holes(way))), None):
        return sayable
    return last if earlier and all(values.get(name) is not None for name in holes(last)) else ""


def _known(value: str | None) -> bool:
    return value is not None and (not isinstance(value, StandsFor) or value.known)


def _counted(hole: re.Match[str], value: str, number: _Say) -> str:
    """A number with the words for one or for more; it stands before them, or where a # is, in either of them."""
    if hole["forms"] is None:
        return value
    words, form_of = hole["forms"][1:].split("|"), plural(hole["rule"] or TWO_FORMS)
    count = 1 + max(form_of)
    if value == "0" and len(words) > count:
        return words[-1]
    stated = whole(value.rpartition(" ")[2])
    of_more = stated if stated is None or stated < len(form_of) else 100 + stated % 100
    chosen = words[count - 1 if of_more is None else form_of[of_more]]
    spoken = number(value)
    return chosen.replace("#", spoken) if "#" in "".join(words[:count]) else f"{spoken} {chosen}"


@cache
def plural(rule: str) -> tuple[int, ...]:
    """The form of a word that goes with each number up to 199, by a rule of gettext; ValueError if it is none.

    A greater number has the form of what it ends in after the hundreds: no language has looked further.
    """
    by_rule = c2py(rule.replace(" or ", "||"))
    try:
        forms = tuple(by_rule(number) for number in range(200))
    except ArithmeticError as error:
        raise ValueError(f"it cannot be reckoned out ({error})") from None
    if not {*forms} <= {*range(MOST_FORMS)}:
        raise ValueError(f"forms are numbered from 0 to {MOST_FORMS - 1}")
    return forms


def with_plurals(text: str, rule: str) -> str:
    """The sentence with the rule for a number's forms beside the words that go with the number."""
    readable = rule.replace("||", " or ")
    return re.sub(r"\{[A-Za-z][\w-]*(?=\|)", lambda name: f"{name[0]}?{readable}", text)


def _joined(sentence: str, value: str) -> str:
    """A value after what is said before it; of a name nobody has given, with the words that go with the last one."""
    for preceding, instead in value.after.items() if isinstance(value, StandsFor) else ():
        begins = r"(^|\W)" if preceding[0].isalnum() else ""
        if re.search(rf"{begins}{re.escape(preceding)}\s?$", sentence, re.IGNORECASE):
            kept = sentence.rstrip()[: -len(preceding)]
            capital = sentence[len(kept)].isupper() and preceding[0].islower()
            return kept + (instead[:1].upper() + instead[1:] if capital else instead)
    return sentence + value


TextKey: TypeAlias = tuple[str, str]
"""A text in the first of the complete languages, and in the others: the context that tells it apart."""

_LANGUAGE: Final = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]+)*")
_PLURAL: Final = re.compile(r"plural=(.*?);?$")
_WRONG_LINE: Final = re.compile(r"\(line (\d+)\)")


@dataclass(frozen=True)
class Translations:
    """What is translated, by language."""

    complete: tuple[str, ...] = ()
    """The languages in which every text is given."""
    languages: Mapping[str, Mapping[TextKey, PlacedText]] = field(default_factory=dict)

    def of(self, text: TextKey, language: str) -> PlacedText | None:
        """A text in another language: of texts that are alike in English, the one that is alike in German as well."""
        translations = self.languages.get(language, {})
        return translations.get(text) or translations.get((text[0], ""))

    def over(self, node: Node) -> Node:
        """What a file holds, with each of its texts in every language that there is."""
        return self._over(node) if any(self.languages.values()) else node

    def _over(self, node: Node) -> Node:
        if isinstance(node, Sequence):
            return replace(node, items=tuple(map(self._over, node.items)))
        if not isinstance(node, MappingNode):
            return node
        text = said_in(node, self.complete)
        if text is None:
            return replace(node, entries={key: self._over(entry) for key, entry in node.entries.items()})
        first = str(node.entries[self.complete[0]].plain())
        entries, keys = dict(node.entries), dict(node.keys)
        for language in self.languages:
            if language not in node.entries and (foreign := self.of(text, language)):
                spaced = first.replace(first.strip(), foreign.strip())  # translators do not see what is around it
                entries[language], keys[language] = Scalar(spaced, foreign.place, quoted=True), foreign.place
        return replace(node, entries=entries, keys=keys)


def texts_in(node: Node, complete: tuple[str, ...], path: KeyPath = ()) -> Iterator[tuple[KeyPath, TextKey]]:
    """Every text that a file holds, and the keys and numbers that lead to it."""
    text = said_in(node, complete)
    if text is not None:
        yield path, text
        return
    for key, part in node.entries.items():
        yield from texts_in(part, complete, (*path, key))
    for number, part in enumerate(node.items, 1):
        yield from texts_in(part, complete, (*path, number))


def said_in(node: Node, complete: tuple[str, ...]) -> TextKey | None:
    """What a part of a file says in the complete languages, each in one line, if it is a text."""
    if not complete or not {*node.entries}.issuperset(complete):
        return None
    sentences = [node.entries[language] for language in complete]
    if not all(isinstance(sentence, Scalar) for sentence in sentences):
        return None
    first, *others = (" ".join(str(sentence.plain()).split()) for sentence in sentences)
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
    translations: dict[str, dict[TextKey, PlacedText]] = {}
    for file in translation_files(folders):
        try:
            refuse_language(file.stem, complete, Place(str(file), 1))
            entries = read_po(read_text(file), str(file))
            rule = _plural(entries, file)
        except InputError as error:
            faults += error.faults
            continue
        of_file = translations.setdefault(file.stem, {})
        for entry in entries:
            if not entry.msgstr or entry.fuzzy or entry.obsolete:
                continue
            place = Place(str(file), entry.linenum or 1)
            wrong = _wrong(entry, rule, place)
            if not wrong:
                translation = PlacedText(entry.msgstr if rule == TWO_FORMS else with_plurals(entry.msgstr, rule), place)
                of_file.setdefault((entry.msgid, ""), translation)
                of_file[entry.msgid, entry.msgctxt or ""] = translation
            faults += wrong
    return Translations(complete, translations)


def refuse_language(language: str, complete: tuple[str, ...], place: Place) -> None:
    """InputError where nothing can be translated into a language, or it is none."""
    if language in complete:
        problem = f"every text is given in {language} where it stands"
        raise InputError.of(place, problem, "mend it there, and translate nothing into it")
    if not _LANGUAGE.fullmatch(language):
        raise InputError.of(place, f"{language} is the name of no language", "name the code of one, such as fr")


def _plural(entries: POFile, file: Path) -> str:
    """The rule for the forms of words that go with a number."""
    stated = _PLURAL.search(entries.metadata.get("Plural-Forms", ""))
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
    translation, wanted = with_plurals(entry.msgstr, rule), {*holes(entry.msgid)}
    for problem, mend in misfilled(translation, sorted(wanted)):
        faults.add(place, problem, mend)
    for name in sorted(wanted.difference(holes(translation))):
        faults.add(place, f"the text does not name {{{name}}}, as the English does", f"put {{{name}}} into it")
    return faults
