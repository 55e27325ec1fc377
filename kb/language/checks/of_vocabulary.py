"""Checks of the vocabulary and of its sentences."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from facts.errors import Fault, Place, did_you_mean
from facts.form import Texts
from facts.observe import OBSERVED
from facts.table import Table
from facts.templates import NAMES_OF_HAND
from kb.language.model import Edition
from kb.language.relied_on import FINDINGS, OF_PARTS, PARTS, REVOKE, REVOKES, RULED_OUT, WORD_LISTS
from kb.language.texts import each, misfilled
from kb.language.vocabulary import Kind, Vocabulary


def relied_on(edition: Edition) -> Iterator[Fault]:
    """What Python relies on in the vocabulary is there, by its name and with its fields.

    Python states what it observes, and tells what a revoke comes to. It knows the kinds of fact, the parts of a ruling
    and the words for that by the names in `kb/language/relied_on.py`. With

        won: {fields: {trick: trick, hand: seat, side: side}, ...}

    renamed to `winner`, rules would read a kind that nobody states. A vocabulary that knows no revokes is free.
    """
    vocabulary, kinds, parts = edition.vocabulary, edition.vocabulary.kinds, dict[str, list[Kind]]()
    for kind in kinds.values():
        parts.setdefault(kind.section or "", []).append(kind)
    if REVOKE not in kinds and REVOKES not in parts:
        return
    first = [*kinds.values()][0].place
    for name, fields in OBSERVED.items():
        if name not in kinds:
            yield Fault(first, f"there is no kind {name}, which is observed", f"add {name} with fields: {{{fields}}}")
        elif kinds[name].signature != fields:
            yield _otherwise(kinds[name], f"the fields {{{fields}}}, in this order")
    yield from _of_parts(parts, first)
    for name, word in ((name, word) for name, words in WORD_LISTS.items() for word in words):
        if word not in vocabulary.words.get(name, ()):
            place = vocabulary.word_places.get(name, first)
            yield Fault(place, f"{name} lacks {word}, which Python knows by name", f"add {word} to {name}")
    yield from _of_findings(edition.table)
    for section in parts.keys() - {"", *PARTS, *vocabulary.sections}:
        mend = f"{did_you_mean(section, (*PARTS, *vocabulary.sections))}, or add it to sections"
        yield from (Fault(kind.place, f"there is no part {section} of a ruling", mend) for kind in parts[section])


def _of_parts(parts: Mapping[str, list[Kind]], first: Place) -> Iterator[Fault]:
    if all(kind.name != REVOKE for kind in parts.get(REVOKES, ())):
        mend = f"give {REVOKE} ruling: {{section: {REVOKES}}}"
        yield Fault(first, f"no kind {REVOKE} is of the part {REVOKES} of a ruling", mend)
    for part in PARTS:
        if part not in parts:
            yield Fault(first, f"no kind is of the part {part} of a ruling", f"give one ruling: {{section: {part}}}")
        wanted = OF_PARTS[part].split(", ") if part in OF_PARTS else []
        for kind in parts.get(part, ()):
            if lacking := [field for field in wanted if field not in kind.signature.split(", ")]:
                yield _otherwise(kind, f"the field {lacking[0]}, as every kind of the part {part}")


def _of_findings(table: Table) -> Iterator[Fault]:
    for name, (type_, values) in FINDINGS.items() if table.findings else ():
        finding = table.findings.get(name)
        if finding is None:
            place = [*table.findings.values()][0].place
            yield Fault(place, f"there is no finding {name}, which Python knows by name", f"call the finding {name}")
        elif finding.type.name != type_:
            yield Fault(finding.place, f"the finding {name} is not as Python knows it", f"let it be a {type_}")
        else:
            words = (*finding.type.words, *finding.answers)
            for value in values:
                if value not in words:
                    problem = f"{name} lacks {value}, which Python knows by name"
                    yield Fault(finding.place, problem, f"add {value} to its values or answers")


def _otherwise(kind: Kind, fields: str) -> Fault:
    return Fault(kind.place, f"{kind.name} is not as Python knows it", f"give it {fields}")


def says(edition: Edition) -> Iterator[Fault]:
    """`{field}` in a sentence about a fact or an event is a field of it, and in `asks-of` and `says-of`, question
    and answer about a hand, a hand or a side as that hand sees them.

    The sentence is filled in from the fact. For a kind with the fields `trick` and `hand`,

        says: {en: "{player} revoked at trick {trick}"}

    has nothing to put for `{player}`; nor has a question for `{dummy}`, where nobody has said who declares.
    """
    sentences: list[tuple[Texts, Collection[str], Place]] = []
    for kind in edition.vocabulary.kinds.values():
        sentences += [(kind.says, kind.index, kind.place), (kind.asks, kind.index, kind.place)]
    for event in edition.table.events.values():
        sentences.append((event.says, event.fields, event.place))
    for finding in (one for table in edition.table.every for one in table.findings.values()):
        of_hand = (finding.asks_of, *(answer.says_of for answer in finding.answers.values()))
        sentences += [(texts, NAMES_OF_HAND, finding.place) for texts in of_hand]
    for texts, names, default in sentences:
        for _, text, place in each(texts, default):
            yield from (Fault(place, *wrong) for wrong in misfilled(text, names))


def unused_words(vocabulary: Vocabulary, editions: Iterable[Edition]) -> Iterator[Fault]:
    """Every kind of fact and every list of words is used.

    A kind is read by a rule of some edition or by what is impossible, or concluded as part of the ruling or for what is
    said to the players; a list of words is the type of a field. Anything else is a name that has changed in one place
    only, as a kind

        late-attention: {trick: integer}

    when the rules say `attention-too-late`.
    """
    read = {RULED_OUT}  # by Python
    concluded, told = set[str](), set[str]()
    for edition in editions:
        for rule in edition.rules:
            read |= {condition.kind for condition in rule.conditions()}
            concluded |= {conclusion.kind for conclusion in rule.then}
        told |= {condition.kind for saying in edition.spoken.sayings for condition in saying.conditions()}
        for ruled_out in (one for table in edition.table.every for one in table.impossible):
            parts = (ruled_out.facts, ruled_out.unless)
            read |= {kind for part in parts if part for item in part.items for kind in item.entries}
    for kind in vocabulary.kinds.values():
        if kind.name not in read and not (kind.name in concluded and (kind.section or kind.name in told)):
            problem = f"no rule concludes {kind.name}" if kind.section else f"no rule reads {kind.name}"
            yield Fault(kind.place, problem, "take the kind away, or write the rule that needs it")
    types = {field.type for kind in vocabulary.kinds.values() for field in kind.fields}
    for name, place in vocabulary.word_places.items():
        if name not in types:
            yield Fault(place, f"no field is a {name}", "take the list of words away, or use it")
