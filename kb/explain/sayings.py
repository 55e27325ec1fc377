"""The sayings of ``rules/spoken.yaml`` that fit a ruling, each with what of the ruling it tells."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from facts.fact import Fact
from facts.form import Texts
from kb.engine.plain import Way, ways
from kb.engine.proof import counted
from kb.explain.page import Line
from kb.explain.say import Speaker
from kb.language.known import REVOKES
from kb.language.model import SpokenRule
from kb.language.texts import StandsFor, fill
from kb.ruling.report import Report


@dataclass(frozen=True, slots=True)
class ToldSaying:
    """A saying that fits a ruling."""

    line: Line | None
    head: str
    facts: frozenset[Fact] = frozenset()
    """What of the ruling it tells."""


def told(report: Report, speaker: Speaker) -> Iterator[ToldSaying]:
    """The sayings that fit, each with the facts that no other has told before it."""
    before = set[Fact]()
    for saying in report.ruling.edition.spoken.sayings:
        for way in _ways(report, speaker, saying):
            parts = {fact for fact in _flat(way) if speaker.vocabulary.kind_of(fact).section}
            if before.isdisjoint(parts):
                before |= parts
                yield _spoken(report, speaker, saying, way, frozenset(parts))


def in_words(number: object, speaker: Speaker) -> str:
    """A number in words, as far as there are any."""
    return speaker.words.name("in-words", str(number), speaker.lang)


def capitals(text: str) -> str:
    """Every sentence with a capital letter."""
    return re.sub(r"(^|[.?!] )(\w)", lambda found: found[1] + found[2].upper(), text)


def _ways(report: Report, speaker: Speaker, saying: SpokenRule) -> Iterator[Way]:
    """The ways in which a saying fits; of what may be so, with something that is not certain."""
    if not saying.perhaps:
        yield from ways(speaker.vocabulary, saying.rule, report.facts)
    elif perhaps := report.perhaps.keys():
        some = ways(speaker.vocabulary, saying.rule, report.possible)
        yield from (way for way in some if not perhaps.isdisjoint(_flat(way)))


def _spoken(report: Report, speaker: Speaker, saying: SpokenRule, way: Way, parts: frozenset[Fact]) -> ToldSaying:
    of_ruling = (fact for fact in _flat(way) if speaker.vocabulary.kind_of(fact).section not in (None, REVOKES))
    behind = report.ruling.citations.sort(law for fact in of_ruling for law in _laws(report, fact))
    line = Line(_filled(speaker, saying, saying.says, way), behind) if saying.says else None
    return ToldSaying(line, _filled(speaker, saying, saying.head, way) if saying.head else "", parts)


def _laws(report: Report, fact: Fact) -> tuple[str, ...]:
    """The laws behind a fact, whether it is certain or not."""
    return report.perhaps.get(fact) or report.ruling.citations.laws(fact)


def _filled(speaker: Speaker, saying: SpokenRule, texts: Texts, way: Way) -> str:
    places = speaker.places(saying.rule, way.values).items()
    said = {name: _unnamed(value) if isinstance(value, StandsFor) else value for name, value in places}
    return capitals(fill(texts[speaker.lang], said, number=lambda number: in_words(number, speaker)))


def _unnamed(value: StandsFor) -> StandsFor:
    """What stands for a name that nobody has given: nobody can be spoken to by it."""
    return StandsFor(value, value.after)


def _flat(way: Way) -> Iterator[Fact]:
    """The facts of a way, those of a tally one by one."""
    for premise in way.premises:
        yield from counted(premise) or (() if counted(premise) is not None else (premise,))
