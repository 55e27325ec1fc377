"""A saved ruling checked: everything it says must be what the law says of the incident that it names.

It is read strictly: one JSON object a line, nothing said twice, and nothing without end.
What is taken from the document is the edition, the incident, and which language and voice it speaks. The rules must be
those that it names, by their digests; then the ruling is made from the incident once more, its proof is held against
the plain definition of the rule language, and it is told in the same words and held beside the document.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

from facts import __version__
from facts.equity import NotComputed, WhyNotComputed
from facts.errors import EngineError, Fault, Faults, InputError, Place, RulesError, brief, did_you_mean
from facts.form import FromFile, form_of, keys_of
from facts.readers.incident_file import incident_of
from facts.to_yaml import node_of
from facts.yaml_reader import reading
from kb.engine.proof import demand_whole
from kb.explain.words import Speaker, load_words
from kb.language.folders import law_name
from kb.language.model import Edition
from kb.ruling.laws import Law, Laws
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling
from kb.ruling.with_equity import rule_with_evidence
from kb.voices import Voice, saved

Json: TypeAlias = Any
"""What ``json.loads`` gives: no value of it is of any other type."""
MOST_BYTES: Final = 2_000_000
"""Of one ruling; the longest of the shipped cases has 60,000."""
_MEND: Final = "give rulings that «revoke rule --format json» has made, one a line"


@dataclass(frozen=True)
class SavedRecord(FromFile):
    """What a saved ruling rests on."""

    incident: Any
    facts: tuple[tuple[Any, ...], ...]
    rules: dict[str, str]
    """The digest of each rule."""


@dataclass(frozen=True)
class Saved(FromFile):
    """The parts of a saved ruling from which all others follow."""

    edition: str
    elections: tuple[str, ...]
    record: SavedRecord
    source: str = ""
    lang: str | None = None
    voice: str | None = None
    version: str = "0.1.0"  # of a ruling that says none


def lines(file: str) -> Iterator[tuple[Place, bytes]]:
    """Every line of a file that is not blank, or of standard input for ``-``; InputError when it cannot be had.

    One of more than ``MOST_BYTES`` is the last: it may have no end.
    """
    with nullcontext(sys.stdin.buffer) if file == "-" else reading(file) as stream:
        number, line = 0, b"\n"
        while len(line) <= MOST_BYTES and (line := stream.readline(MOST_BYTES + 1)):
            number += 1
            if line.strip():
                yield Place(file, number), line


def read_document(source: bytes | str | Mapping[str, Any], place: Place) -> dict[str, Any]:
    """The JSON object of a saved ruling, which may have been read already; InputError when it is none, or too large."""
    try:
        text = json.dumps(source) if isinstance(source, Mapping) else source
        if len(text) > MOST_BYTES:
            problem = f"this is more than {MOST_BYTES:,} bytes, and no ruling is; what comes after it is not read"
            raise InputError.of(place, problem, _MEND)
        decoded = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        document = loads_strictly(decoded)
        json.dumps(document, ensure_ascii=False).encode()  # half a character can be escaped, and not be written
    except UnicodeError as error:
        raise InputError.of(place, f"this is not UTF-8 ({error})", "save it as UTF-8 text") from None
    except json.JSONDecodeError as error:
        exact_place = replace(place, column=error.colno)
        raise InputError.of(exact_place, "this is no saved ruling: from here on it is no JSON", _MEND) from None
    except ValueError as error:
        raise InputError.of(place, f"this is no saved ruling: {error}", _MEND) from None
    if not isinstance(document, dict):
        raise InputError.of(place, "this is no saved ruling", _MEND)
    return document


def read_saved(document: Mapping[str, Any], place: Place) -> Saved:
    """The parts that a ruling needs; InputError with everything that is wrong with them."""
    faults = Faults()
    parts = {key: document[key] for key in keys_of(Saved) if document.get(key) is not None}
    saved: Saved = form_of(Saved).read(node_of(parts, place), faults)
    if faults:
        raise InputError([replace(fault, mend=_MEND) for fault in faults])
    return saved


def loads_strictly(text: str | bytes) -> Any:
    """What JSON says; ValueError where an object says a key twice, and for what is no number, or no ruling's."""

    def said_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        members: dict[str, Any] = {}
        for key, value in pairs:
            if key in members:
                raise ValueError(f"{key!r:.60} is said twice")
            members[key] = value
        return members

    def no_number(name: str) -> NoReturn:
        raise ValueError(f"{name:.60} is no number")

    def whole(digits: str) -> int:
        return int(digits) if len(digits) < _LONGEST else no_number(f"{digits[:9]}…")

    return json.loads(text, object_pairs_hook=said_once, parse_constant=no_number, parse_int=whole)


_LONGEST: Final = 120
FREE: Final = frozenset({"source"})
"""What a ruling may say as it likes."""
MAY_LACK: Final = frozenset({"lang", "voice", "provenance"})
"""What rulings did not always say; without them the text is in the usual language and voice."""
NO_ANSWER: Final = (WhyNotComputed.NO_LIBRARY, WhyNotComputed.SOLVER_FAILED)
"""Where it is no matter of the incident that double dummy says nothing."""
_NAMED_BY: Final = ("rule", "kind", "what", "fact", "hand", "seat", "trick", "card")


def differences(said: Json, follows: Json, path: str = "") -> Iterator[str]:
    """Every difference between two values, each with the way to it."""
    if isinstance(said, dict) and isinstance(follows, dict):
        for key in dict.fromkeys((*follows, *said)):
            key_path = f"{path}: {key}" if path else key
            if key not in said:
                yield f"{key_path} is missing"
            elif key not in follows:
                yield f"{key_path} does not follow from anything"
            else:
                yield from differences(said[key], follows[key], key_path)
    elif isinstance(said, list) and isinstance(follows, list):
        if len(said) != len(follows):
            yield from [*lists_differ(path, said, follows)] or [f"{path} says something twice, or not often enough"]
            return
        for number, (item, expected) in enumerate(zip(said, follows, strict=True), 1):
            about = expected if isinstance(expected, dict) else {}
            label = ", ".join(f"{key} {about[key]}" for key in _NAMED_BY if isinstance(about.get(key), str | int))
            yield from differences(item, expected, f"{path}, entry {number}{label and f' ({label})'}")
    elif isinstance(said, str) and isinstance(follows, str) and "\n" in follows and said != follows:
        lines = zip_longest(said.split("\n"), follows.split("\n"))
        number, item, expected = [(n, *both) for n, both in enumerate(lines, 1) if both[0] != both[1]][0]
        yield f"{path}: line {number} says {json_text(item)}, and follows as {json_text(expected)}"
    elif canonical(said) != canonical(follows):
        yield f"{path} is {json_text(said)}, and follows as {json_text(follows)}"


def lists_differ(path: str, said: Iterable[Json], follows: Iterable[Json]) -> Iterator[str]:
    """What is missing from a list, or too much in it, whatever the order."""
    has, wants = ({canonical(item): item for item in items} for items in (said, follows))
    yield from (f"{path}: {json_text(item)} is missing" for key, item in wants.items() if key not in has)
    yield from (f"{path}: {json_text(item)} does not follow" for key, item in has.items() if key not in wants)


def canonical(value: Json) -> str:
    """The same for equal values alone, types included: neither ``1`` nor ``1.0`` is ``true``."""
    return json.dumps(value, sort_keys=True)


def json_text(value: Json) -> str:
    """A value as it stands in JSON, cut short where it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


ALTERED: Final = "it was altered: rule on the incident again"
CHANGED: Final = "rule on the incident again, or check it with the rules by which it was given"


@dataclass(frozen=True)
class Verified:
    place: Place
    faults: tuple[Fault, ...]
    """Everything that does not hold; none if all does."""
    ruling: Ruling | None
    """What follows from its incident today; None where that cannot be had."""

    @property
    def holds(self) -> bool:
        """Whether it says nothing but what follows, and all of that."""
        return not self.faults


class Verifier:
    """Checks saved rulings by the rules under one root; each edition is read once."""

    def __init__(self, root: Path, drafts: Iterable[str] = ()) -> None:
        """``drafts``: folders of editions of one's own, in which rulings may have been given; RulesError if faulty."""
        self.laws = Laws(root, "quick")
        self.drafts = {self.laws.of(folder).edition.id: folder for folder in drafts}

    def verify(self, document: str | bytes | Mapping[str, Any], place: Place | None = None) -> Verified:
        """Checks one ruling, as text or read from JSON already; ``place``: where it stands."""
        here = place or Place("ruling", 1)
        ruling, faults = None, list[Fault]()
        try:
            whole = read_document(document, here)
            kept = read_saved(whole, here)
            editions = (*self.laws.editions, *self.drafts)
            if kept.edition not in editions:
                mend = f"{did_you_mean(kept.edition, editions)}; of a draft name the folder too"
                raise InputError.of(here, f"there is no edition {kept.edition!r:.60}", mend)
            try:
                law = self.laws.of(self.drafts.get(kept.edition, kept.edition), kept.elections)
            except RulesError as error:  # as of an election that it does not offer
                moved = (replace(fault, place=here, what=f"{fault.what} ({fault.place})") for fault in error.faults)
                raise InputError(moved) from None
            if kept.version != __version__:
                problem = f"revoke-kb {brief(kept.version)} gave this ruling, and this is {__version__}"
                faults.append(Fault(here, problem, "rule on the incident again, or check it with that version"))
            faults += [Fault(here, problem, CHANGED) for problem in _rules(kept.record.rules, law.edition)]
            ruling = self._ruled(law, kept, "evidence" in whole, here)
            demand_whole(ruling.whole, here)
            if not faults:
                if kept.voice is not None and kept.voice not in {*Voice}:
                    raise InputError.of(here, f"there is no voice {kept.voice!r:.60}", did_you_mean(kept.voice, Voice))
                voice = None if kept.voice is None else Voice(kept.voice)
                follows = json.loads(json.dumps(saved(ruling, _speaker(law, kept.lang, here), voice)))  # as from a file
                faults += [Fault(here, problem, ALTERED) for problem in _altered(whole, follows)]
        except InputError as error:
            faults += error.faults
        except RecursionError:
            faults.append(Fault(here, "this is nested too deeply for a ruling", _MEND))
        except EngineError as error:
            faults.append(Fault(here, str(error), "say more in the incident, and rule on it again"))
        return Verified(here, tuple(dict.fromkeys(faults)), ruling)

    def _ruled(self, law: Law, parts: Saved, evidence: bool, place: Place) -> Ruling:
        incident = incident_of(node_of(parts.record.incident, place), lambda _: law.edition.table)
        drafted = law.edition.id in self.drafts and incident.edition not in self.laws.editions  # by its folder then
        same = drafted or incident.edition == law.edition.id
        if not same or sorted(incident.elections) != sorted(law.edition.elections):
            asked = law_name(incident.edition, incident.elections)
            problem = f"the incident is to be ruled on by {asked!r:.60}, and the ruling is by {law.edition.named}"
            raise InputError.of(place, problem, ALTERED)
        if not evidence:
            return rule(law, incident)
        ruling = rule_with_evidence(law, incident)
        for computed in ruling.evidence.values():
            if isinstance(computed, NotComputed) and computed.why in NO_ANSWER:
                problem, _, mend = computed.detail.partition("; ")
                raise InputError.of(place, f"the evidence cannot be computed again: {problem}", mend)
        return ruling


def _speaker(law: Law, lang: str | None, place: Place) -> Speaker:
    words = load_words(law.root, law.edition.vocabulary)
    return Speaker(words, law.edition.vocabulary, words.language(lang or words.languages[0], place))


def _rules(digests: Mapping[str, str], edition: Edition) -> Iterator[str]:
    """The rules that are not those which a ruling names."""
    now = {rule.id: rule for rule in edition.rules}
    yield from (f"rule {name} is gone" for name in digests if name not in now)
    yield from (f"rule {name} is new ({rule.place})" for name, rule in now.items() if name not in digests)
    both = ((name, rule) for name, rule in now.items() if name in digests)
    yield from (f"rule {name} has changed ({rule.place})" for name, rule in both if digests[name] != rule.digest)


def _altered(document: Mapping[str, Json], follows: Mapping[str, Json]) -> list[str]:
    """The facts that are not those of the incident, or else everything that is not as it follows."""
    facts = [*lists_differ("record: facts", document["record"]["facts"], follows["record"]["facts"])]
    free = {*FREE, *(MAY_LACK - document.keys())}
    stated, wanted = ({key: value for key, value in each.items() if key not in free} for each in (document, follows))
    return facts or [*differences(stated, wanted)]
