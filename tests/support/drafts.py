"""Draft amendments written for a test, and spaces small enough for one."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

from kb.language.edition import load_edition, rules_root
from kb.language.model import Edition
from kb.space.read_interview import load_interview
from kb.study.situations import Space

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
      defender: {says: {en: "a defender's", de: "eines Gegenspielers"}, first: {hand: W, trick: 5, suit: H}, incident: {declarer: S}}
      declarer: {says: {en: "declarer's", de: "des Alleinspielers"}, first: {hand: S, trick: 5, suit: H}, incident: {declarer: S}}
  required-faced:
    asks:  {en: "Did it lie open?", de: "Lag sie offen?"}
    about: {en: "it lay open:", de: "sie lag offen:"}
    when:  {hand: defender}
    answers:
      "no":  {says: {en: "no", de: "nein"}}
      "yes": {says: {en: "yes", de: "ja"}, first: {required-faced: true}}
  next-trick:
    asks:  {en: "Gone on?", de: "Weitergespielt?"}
    about: {en: "gone on:", de: "weitergespielt:"}
    answers:
      "yes": {says: {en: "yes", de: "ja"}, first: {next-trick: played}}
      "no":  {says: {en: "no", de: "nein"}}
  won-by:
    asks:  {en: "Who won?", de: "Wer gewann?"}
    about: {en: "won by", de: "gewonnen von"}
    when:  {next-trick: "yes"}
    answers:
      opponent: {says: {en: "an opponent", de: "einem Gegner"}, first: {won-by: $right-of-first, later-tricks: 1}}
      revoker:  {says: {en: "him", de: "ihm"}, first: {won-by: $first, later-tricks: 1}}
    if-unknown: {}
"""


@cache
def whole_space() -> Space:
    """The space of the shipped interview."""
    return Space.of(load_interview(rules_root(), shipped("duplicate-2017").vocabulary))


def thinned(step: int) -> Space:
    """Every so many-th situation of it."""
    space = whole_space()
    return Space(space.interview, space.ways[::step])


@cache
def few_situations(step: int = 400) -> Space:
    """Some situations of one revoke, rather more of two."""
    space = whole_space()
    two = [way for way in space.ways if way[1] not in ("none", "repeated")]
    return Space(space.interview, (*space.ways[::step], *two[:: step // 28]))


@cache
def shipped(edition: str) -> Edition:
    """An edition as it is shipped."""
    return load_edition(rules_root(), edition)


def draft(folder: Path, law: str) -> Path:
    """A folder with an amendment of 2017: ``law`` is what stands in its law file."""
    folder.mkdir()
    (folder / "edition.yaml").write_text(EDITION.format(name=folder.name), encoding="utf-8")
    (folder / "law.yaml").write_text(law, encoding="utf-8")
    return folder


def rules_with_interview(folder: Path, interview: str) -> Path:
    """A copy of the shipped rules, without their cases, with another interview."""
    root = Path(shutil.copytree(rules_root(), folder, ignore=shutil.ignore_patterns("cases")))
    (root / "interview.yaml").write_text(interview, encoding="utf-8")
    return root
