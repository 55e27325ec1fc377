"""A saved ruling checked: everything it says must be what the law says of the incident that it names.

What is taken from the document is the edition, the incident, and which language and voice it speaks. The rules must be
those that it names, by their digests; then the ruling is made from the incident once more, its proof is held against
the plain definition of the rule language, and it is told in the same words and held beside the document.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from facts.errors import EngineError, Fault, InputError, Place
from facts.incident import Incident
from facts.readers.incident import incident_of
from facts.suggestions import did_you_mean
from facts.to_yaml import node_of
from kb.engine.quick import demand_whole
from kb.explain.say import Speaker
from kb.explain.words import load_words
from kb.language.model import Edition
from kb.ruling.law import Law
from kb.ruling.laws import Laws
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling
from kb.verify.differences import Json, differences, lists_differ
from kb.verify.document import Saved, read_document, read_saved
from kb.voices.saved import saved
from kb.voices.voices import Voice

ALTERED: Final = "it was altered: rule on the incident again"
CHANGED: Final = "rule on the incident again, or check it with the rules by which it was given"


@dataclass(frozen=True)
class Verified:
    """What came of checking one saved ruling."""

    place: Place
    faults: tuple[Fault, ...]
    """Everything that does not hold; none if all does."""
    ruling: Ruling | None
    """What follows from its incident today; None where that cannot be had."""

    @property
    def holds(self) -> bool:
        """Whether it says nothing but what follows, and all of that."""
        return not self.faults

    @property
    def looked_at(self) -> dict[str, int]:
        """How many steps, facts and situations there were to look at; ``evidence``: computed facts taken as stated."""
        if self.ruling is None:
            return {}
        opening = self.ruling.opening
        return {
            "steps": len(self.ruling.proof.steps),
            "facts": len(self.ruling.rests_on),
            "situations": 1 if opening is None else opening.among.bit_count(),
            "evidence": len(self.ruling.evidence),
        }


def verified_json(one: Verified) -> dict[str, Any]:
    """Where it stands, whose ruling it is, whether it holds, what was looked at, and everything that does not hold."""
    named = {} if one.ruling is None else {"board": one.ruling.incident.board, "edition": one.ruling.edition.id}
    faults = [{"what": fault.what, "mend": fault.mend} for fault in one.faults]
    place = {"file": one.place.file, "line": one.place.line}
    return {**place, **named, "holds": one.holds, "looked-at": one.looked_at, "faults": faults}


class Verifier:
    """Checks saved rulings by the rules under one root; each edition is read once."""

    def __init__(self, root: Path, drafts: Iterable[str] = ()) -> None:
        """``drafts``: folders of editions of one's own, in which rulings may have been given; RulesError if faulty."""
        self.laws = Laws(root, "quick")
        self.drafts = {self.laws.of(folder).edition.id: folder for folder in drafts}

    def verify(self, document: str | bytes | Mapping[str, Any], place: Place | None = None) -> Verified:
        """Checks one ruling, as text or read from JSON already; ``place``: where it stands."""
        at = place or Place("ruling", 1)
        ruling, faults = None, list[Fault]()
        try:
            whole = read_document(document, at)
            given = read_saved(whole, at)
            law = self._law(given, at)
            faults += [Fault(at, what, CHANGED) for what in _rules(given.record.rules, law.edition)]
            ruling = self._ruled(law, given, whole.get("evidence"), at)
            demand_whole(ruling.whole, at)
            if not faults:
                follows = self._told(law, ruling, given, at)
                faults += [Fault(at, what, ALTERED) for what in _differences(whole, follows)]
        except InputError as error:
            faults += error.faults
        except EngineError as error:
            faults.append(Fault(at, str(error), "say more in the incident, and rule on it again"))
        return Verified(at, tuple(dict.fromkeys(faults)), ruling)

    def _law(self, given: Saved, at: Place) -> Law:
        known = (*self.laws.editions, *self.drafts)
        if given.edition not in known:
            mend = f"{did_you_mean(given.edition, known)}; of a draft name the folder too"
            raise InputError.of(at, f"there is no edition {given.edition!r:.60}", mend)
        return self.laws.of(self.drafts.get(given.edition, given.edition), given.elections)

    def _ruled(self, law: Law, given: Saved, evidence: Json, at: Place) -> Ruling:
        incident = incident_of(node_of(given.record.incident, at), lambda _: law.edition.table)
        if not self._named(incident, law.edition):
            asked = _law_named(incident.edition, incident.elections)
            by = _law_named(law.edition.id, law.edition.elections)
            what = f"the incident is to be ruled on by {asked!r:.60}, and the ruling is by {by}"
            raise InputError.of(at, what, ALTERED)
        if evidence is None:
            return rule(law, incident)
        from kb.ruling.equity import rule_with_evidence  # noqa: PLC0415 - it loads what most rulings do not need
        from kb.verify.told_evidence import told_answers  # noqa: PLC0415

        return rule_with_evidence(law, incident, told_answers(evidence, at))

    def _named(self, incident: Incident, edition: Edition) -> bool:
        """Whether an incident names the law; one ruled on by a draft may name the folder that it was then in."""
        drafted = edition.id in self.drafts and incident.edition not in self.laws.editions
        same = incident.edition == edition.id or drafted
        return same and sorted(incident.elections) == sorted(edition.elections)

    def _told(self, law: Law, ruling: Ruling, given: Saved, at: Place) -> dict[str, Json]:
        """What a ruling says of itself in the language and voice of a document, as it comes back from a file."""
        told = saved(ruling, _speaker(law, given.lang, at), _voice(given.voice, at))
        back: dict[str, Json] = json.loads(json.dumps(told))
        return back


def _law_named(edition: str, elections: Iterable[str]) -> str:
    """«duplicate-2007+dbv-2007»."""
    return "+".join((edition, *elections))


def _speaker(law: Law, named: str | None, at: Place) -> Speaker:
    words = load_words(law.root, law.edition.vocabulary)
    lang = named or words.languages[0]
    if lang not in words.languages:
        raise InputError.of(at, f"the rules are not written in {lang!r:.60}", did_you_mean(lang, words.languages))
    return Speaker(words, law.edition.vocabulary, lang)


def _voice(name: str | None, at: Place) -> Voice | None:
    if name is None:
        return None
    if name not in {*Voice}:
        raise InputError.of(at, f"there is no voice {name!r:.60}", did_you_mean(name, Voice))
    return Voice(name)  # type: ignore[call-arg] # looked up, not made


def _rules(named: Mapping[str, str], edition: Edition) -> Iterator[str]:
    """The rules that are not those which a ruling names."""
    now = {rule.id: rule for rule in edition.rules}
    yield from (f"rule {name} is gone" for name in named if name not in now)
    yield from (f"rule {name} is new ({one.place})" for name, one in now.items() if name not in named)
    both = ((name, one) for name, one in now.items() if name in named)
    yield from (f"rule {name} has changed ({one.place})" for name, one in both if named[name] != one.digest)


def _differences(document: Mapping[str, Any], follows: Mapping[str, Any]) -> list[str]:
    """The facts that are not those of the incident, or else everything that is not as it follows."""
    facts = [*lists_differ("record: facts", document["record"]["facts"], follows["record"]["facts"])]
    return facts or [*differences(document, follows)]
