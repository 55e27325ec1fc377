"""Draft amendments and interviews written for a test, and the situations of those that are shipped."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable, Mapping
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import pytest

from facts.errors import Place
from facts.fact import Fact
from facts.form import NOWHERE
from facts.incident import Finding, Incident
from kb.engine.sets import Bits, Facts
from kb.language.edition import load_edition
from kb.language.folders import MATTERS, PROPERTIES, rules_root
from kb.language.model import Edition
from kb.space.bits import members
from kb.space.completions import Completions
from kb.space.interview import Answer, Interview, Needs, Question
from kb.space.layout import FindingKey, Layout, Sayable, Situations
from kb.space.measures import Measures, load_measures
from kb.space.outcomes import EditionRun
from kb.space.read_interview import INTERVIEW, WIDER, load_interview
from kb.space.seating import MIDDLE
from kb.space.universe import Universe, observed
from support.tables import shipped_table

K = TypeVar("K")

EDITION = """\
edition: {name}
title: {{en: A draft, de: Ein Entwurf}}
authority: a test
in-force: "2030"
amends: duplicate-2017
"""
SMALL_INTERVIEW = """\
unknown: {en: "?", de: "?"}
questions:
  hand:
    asks:  {en: "Whose card?", de: "Wessen Karte?"}
    about: {en: the card was, de: die Karte war}
    answers:
      defender: {says: {en: "a defender's", de: "eines Gegenspielers"}, first: {player: defender}, stands: {first: {trick: 5}}}
      declarer: {says: {en: "declarer's", de: "des Alleinspielers"}, first: {player: declarer}, stands: {first: {trick: 5}}}
  required-faced:
    asks:  {en: "Did it lie open?", de: "Lag sie offen?"}
    when:  {hand: defender}
  next-trick:
    about: {en: "gone on:", de: "weitergespielt:"}
    answers:
      "yes": {says: {en: "yes", de: "ja"}, first: {next-trick: played}}
      "no":  {}
  won-by:
    when:  {next-trick: "yes"}
    answers:
      opponent: {first: {later-tricks: 1}}
      revoker:  {says: {en: "him", de: "ihm"}, first: {later-tricks: 1}}
seats:
  revoke:
    asks: {en: "Which hand?", de: "Welche Hand?"}
    chip: {en: "{hand} revoked", de: "Revoke von {hand}"}
    band: {says: {en: "No card moves.", de: "Keine Karte bewegen."}}
  declarer:
    asks: {en: "Who declares?", de: "Wer spielt?"}
    chip: {en: "{declarer} declares", de: "{declarer} spielt"}
screens:
  played-on:
    asks: {en: "Played on?", de: "Weitergespielt?"}
    rows:
      - {says: {en: "It was", de: "Ja"}, chip: {en: "played on", de: "weitergespielt"}, is: {next-trick: ["yes"]}}
      - {says: {en: "Not by {hand}", de: "Nicht von {hand}"}, chip: {en: "not played on", de: "nicht weitergespielt"}, is: {next-trick: "no"}}
      - {says: {en: "Unknown", de: "Unbekannt"}, chip: {en: "played on?", de: "weitergespielt?"}, is: {next-trick: unknown}}
"""
"""Nine situations."""
SMALL_WIDER = """\
questions:
  hand:
    answers:
      dummy: {says: {en: "dummy's", de: "des Dummys"}, first: {player: dummy}, stands: {first: {trick: 5}}}
  required-faced:
    when: {hand: [defender, declarer]}
  next-trick:
    answers:
      "yes": {when: {hand: "not dummy"}}
  how-late:
    asks:  {en: "How late?", de: "Wie spät?"}
    about: {en: "noticed", de: "bemerkt"}
    when:  {next-trick: "yes"}
    answers:
      "in-time": {says: {en: "in time", de: "beizeiten"}}
      too-late:  {says: {en: "too late", de: "zu spät"}, first: {noticed: after-round}}
"""
"""What may be laid over it: 21 situations."""


def universe(wider: bool = False) -> Universe:
    """The situations of the shipped interview, or of the wider one."""
    return _universe(wider)


@cache
def _universe(wider: bool) -> Universe:
    return Universe(load_interview(rules_root(), shipped("duplicate-2017"), wider=wider))


@cache
def situations() -> Situations:
    """Those of the shipped interview with their facts."""
    return observed(universe())


def universe_in(folder: Path, interview: str, wider: str | None = None) -> Universe:
    """The situations of an interview written for a test."""
    for name, text in ((INTERVIEW, interview), (WIDER, wider)):
        if text is not None:
            (folder / name).write_text(text, encoding="utf-8")
    return Universe(load_interview(folder, shipped("duplicate-2017"), wider=True))


def bare_universe(*questions: tuple[str, str, Needs]) -> Universe:
    """The situations of questions without words, each with its name, its answers of a letter, and when it is asked."""
    here = Place("", 1)
    made = {
        name: Question(name, {}, {}, {}, when, {one: Answer(one, {}, (), (), here) for one in answers}, here)
        for name, answers, when in questions
    }
    return Universe(Interview(made, {}, shipped_table(), here))


def standing(of: Universe, number: int) -> Incident:
    """The incident of a situation with what stands for what is not said."""
    said: dict[int, dict[str, Any]] = {}
    for question, given in of.answers(number).items():
        answer = of.interview.questions[question].answers[given]
        for one in (*answer.fills, *answer.stands):
            said.setdefault(one.revoke, {})[one.key] = one.value
    for of_one in said.values() if "trick" not in of.interview.table.names else ():
        of_one["trick"] = MIDDLE  # any stands for all
    found = [{key: of_one.pop(key, None) for key in ("player", "trick")} | {"said": of_one} for of_one in said.values()]
    return Incident(
        place=NOWHERE, declarer="S", revokes=tuple(Finding(**one, of=of.interview.table.of) for one in found)
    )


def _known(of: Universe, number: int) -> tuple[Completions, Mapping[FindingKey, Any]]:
    """What is said in a situation by itself, or presumed: nothing of what is unknown."""
    vocabulary = shipped("duplicate-2017").vocabulary
    ways = Completions(standing(of, number), Sayable(of.interview.table, vocabulary, frozenset(vocabulary.kinds)))
    assert ways.possible, of.answers(number)
    unknown = {key for key, one in ways.choices.items() if one.how == "unknown"}
    return ways, {key: None if key in unknown else next(iter(held)) for key, held in ways.values.items()}


def facts_alone(of: Universe, number: int) -> set[Fact]:
    """The facts of a situation by itself, without the sets."""
    ways, known = _known(of, number)
    said = {key: {value: ways.whole} for key, value in known.items()}
    return set(Layout(ways.incident, ways.table, said, ways.whole).situations.facts_of(0))


def concrete(of: Universe, number: int) -> dict[str, Any]:
    """A situation as plain data, with a seat, a trick and a number for everything: for those who know no others."""
    ways, known = _known(of, number)
    revokes: list[dict[str, Any]] = [{} for _ in ways.incident.revokes]
    for (revoke, name), value in known.items():
        if revoke >= 0 and value is not None:
            revokes[revoke][name] = list(value) if isinstance(value, tuple) else value
    if len(revokes) > 1:
        winners = {found["trick"]: found["won-by"] for found in revokes if "won-by" in found}
        for found in revokes:
            found.pop("other-side-revoked", None)
            found.pop("other-revoke-stands", None)
            found.update({"won-by": winners[found["trick"]]} if found["trick"] in winners else {})
    return {"declarer": ways.incident.declarer, "revokes": revokes}


def in_parts(patch: pytest.MonkeyPatch, most: int) -> None:
    """From now on what looks at a universe in parts does so in parts of so many situations."""
    parts = Universe.parts
    patch.setattr(Universe, "parts", lambda self, _=0: parts(self, most))


def bits_of(numbers: Iterable[int]) -> Bits:
    """The set of these situations."""
    return sum(1 << number for number in {*numbers})


def sample(of: Universe, number: int) -> list[int]:
    """So many situations from anywhere in it, the same each time."""
    return sorted(Random(number).sample(range(len(of)), number))


def told(held: Iterable[tuple[K, Bits]], numbers: Collection[int]) -> dict[int, set[K]]:
    """What holds in each of these situations."""
    marks = bits_of(numbers)
    found: dict[int, set[K]] = {number: set() for number in numbers}
    for what, bits in held:
        for number in members(bits & marks):
            found[number].add(what)
    return found


@cache
def shipped(code: str) -> Edition:
    """An edition as it is shipped; «edition» or «edition+election»."""
    edition, *elections = code.split("+")
    return load_edition(rules_root(), edition, elections)


@cache
def measures() -> Measures:
    """What a ruling weighs on a side, as it is shipped."""
    return load_measures(rules_root(), shipped("duplicate-2017").vocabulary)


@cache
def run_of(code: str) -> EditionRun:
    """A shipped edition on all situations of the interview."""
    return EditionRun(shipped(code), situations())


def draft(folder: Path, law: str, properties: str | None = None, amends: str = "duplicate-2017") -> Path:
    """A folder with an amendment: ``law`` is what stands in its law file, ``properties`` what it claims of itself."""
    folder.mkdir()
    edition = EDITION.format(name=folder.name).replace("duplicate-2017", amends)
    (folder / "edition.yaml").write_text(edition, encoding="utf-8")
    (folder / "law.yaml").write_text(law, encoding="utf-8")
    if properties is not None:
        (folder / PROPERTIES).write_text(properties, encoding="utf-8")
    return folder


def rules_with_interview(folder: Path, interview: str) -> Path:
    """A copy of the shipped rules, without their cases and what is claimed of them, with another interview and nothing
    beyond it."""
    root = Path(
        shutil.copytree(rules_root(), folder, ignore=shutil.ignore_patterns("cases", INTERVIEW, WIDER, PROPERTIES))
    )
    for file in (rules_root() / MATTERS).rglob(INTERVIEW):  # which are short
        shutil.copy(file, root / file.relative_to(rules_root()))
    (root / INTERVIEW).write_text(interview, encoding="utf-8")
    return root


def each_alone(facts: Iterable[Iterable[Fact]]) -> Situations:
    """Situations of which each has its own facts."""
    kinds: dict[str, Facts] = {}
    number = 0
    for number, of_one in enumerate(facts, 1):
        for fact in of_one:
            held = kinds.setdefault(str(fact[0]), Facts())
            held[fact] = held.get(fact, 0) | 1 << number - 1
    return Situations((1 << number) - 1, kinds)
