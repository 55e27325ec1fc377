"""The interview of each shipped edition."""

from __future__ import annotations

import os
import re
from functools import cache

import pytest

from facts.table import REVOKE
from kb.explain.words import Speaker, load_words
from kb.interview.adviser import Counsel
from kb.language.folders import edition_ids, rules_root
from kb.ruling.laws import Law
from kb.ruling.ruling import Ruling
from kb.space.outcomes import Acts
from kb.space.universe import Universe

ROOT = rules_root()
LEAST_ALIKE = ("auction-1912", "duplicate-2017", "whist-1900")
ALIKE = () if os.environ.get("REVOKE_ALL") else ("auction-1908", "bridge-1904", "dummy-whist-1900")
"""Those that differ from another in little but the price of a revoke."""
EDITIONS = [
    one if one in LEAST_ALIKE else pytest.param(one, marks=pytest.mark.thorough)
    for one in edition_ids(ROOT)
    if one not in ALIKE
]
"""To be tried one by one; the least alike in the ordinary run."""


ELECTIONS = tuple(
    f"{file.parent.name}+{election}"
    for file in sorted(ROOT.glob("*/edition.yaml"))
    for offer in re.findall(r"^offers: .*\[(.*)\]", file.read_text("utf-8"), re.M)
    for election in offer.split(", ")
)
"""Every edition with each election that it offers."""


@cache
def counsel_of(code: str, of: str = REVOKE) -> Counsel:
    """Loaded once for all tests; «edition» or «edition+election»."""
    edition, *elections = code.split("+")
    return Counsel.of(Law(edition, elections, ROOT, "quick"), of)


@cache
def universe_of(code: str) -> Universe:
    """The situations that its interview asks about."""
    return Universe(counsel_of(code).interview)


def voice_of(counsel: Counsel, lang: str = "en") -> Speaker:
    """Says it."""
    vocabulary = counsel.law.edition.vocabulary
    return Speaker(load_words(ROOT, vocabulary), vocabulary, lang)


def acts_of(ruling: Ruling) -> Acts:
    """Everything a director acts on that is so in every way of filling in what is not said."""
    certainty = ruling.certainty
    return frozenset.intersection(*(acts for acts, bits in certainty.run.acts.items() if bits & certainty.among))
