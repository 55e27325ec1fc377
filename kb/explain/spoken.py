"""What a director says to the players of a ruling, and the few words that name it: made from ``rules/spoken.yaml``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from facts.cards import OTHER_SIDE, SIDE
from facts.contract import Contract
from facts.fact import Fact
from kb.engine.plain import Way, ways
from kb.engine.proof import counted
from kb.explain.answers import asked
from kb.explain.headline import between, headline, in_words
from kb.explain.page import Line
from kb.explain.say import Speaker
from kb.language.known import REVOKES
from kb.language.model import SpokenRule
from kb.language.texts import StandsFor, fill
from kb.language.uses import uses
from kb.language.vocabulary import Texts
from kb.ruling.report import LISTED, Report

MOST_WORDS: Final = 60
"""That are said at the table; what does not fit stands in the written ruling."""
_NUMBERS: Final = ("least", "most", "down")


@dataclass(frozen=True, slots=True)
class _Said:
    """A saying that fits a ruling."""

    line: Line | None
    head: str


class Announcement:
    """What is said of one ruling; ``speaker`` has words for what nobody said of it."""

    def __init__(self, report: Report, speaker: Speaker) -> None:
        self.report = report
        self.speaker = speaker

    @cached_property
    def head(self) -> str:
        """The ruling in a few words, without a full stop."""
        if self.report.is_open and (between := next(self._ranges(), "")):
            return self._capitals(between)
        heads = (one.head for one in self._told if one.head)
        usual = (
            self.speaker.phrase("head-hinges") if self.report.is_open else headline(self.report.ruling, self.speaker)
        )
        return self._capitals(next(heads, usual.rstrip(".")))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """What is said, each sentence once and no more than there is time for."""
        told = [*(one.line for one in self._told if one.line), *self._further()]
        told = told or [Line(headline(self.report.ruling, self.speaker), self.report.decisive)]
        once = {line.text: line for line in reversed([*told, *self._asks(), *self._score()])}
        return tuple(self._in_time([*reversed(once.values())]))

    @cached_property
    def _told(self) -> tuple[_Said, ...]:
        """The sayings that fit, each with the facts that no other has told before it."""
        told, found = set[Fact](), list[_Said]()
        vocabulary = self.speaker.vocabulary
        for saying in self.report.ruling.edition.spoken.sayings:
            for way in self._ways(saying):
                parts = {fact for fact in _flat(way) if vocabulary.kind_of(fact).section}
                if told.isdisjoint(parts):
                    told |= parts
                    found.append(self._spoken(saying, way))
        return tuple(found)

    def _ways(self, saying: SpokenRule) -> Iterator[Way]:
        """The ways in which a saying fits; of what may be so, with something that is not certain."""
        vocabulary = self.speaker.vocabulary
        if not saying.perhaps:
            yield from ways(vocabulary, saying.rule, self.report.facts)
            return
        if perhaps := self.report.perhaps.keys():
            some = ways(vocabulary, saying.rule, self.report.possible)
            yield from (way for way in some if not perhaps.isdisjoint(_flat(way)))

    def _spoken(self, saying: SpokenRule, way: Way) -> _Said:
        told = (fact for fact in _flat(way) if self.speaker.vocabulary.kind_of(fact).section not in (None, REVOKES))
        behind = self.report.ruling.citations.sort(law for fact in told for law in self._laws(fact))
        line = Line(self._filled(saying, saying.says, way), behind) if saying.says else None
        return _Said(line, self._filled(saying, saying.head, way) if saying.head else "")

    def _laws(self, fact: Fact) -> tuple[str, ...]:
        """The laws behind a fact, whether it is certain or not."""
        return self.report.perhaps.get(fact) or self.report.ruling.citations.laws(fact)

    def _filled(self, saying: SpokenRule, texts: Texts, way: Way) -> str:
        types = {use.name: use.type for use in uses(saying.rule, self.speaker.vocabulary) if use.type}
        places = {name: self.speaker.value(value, types.get(name, "text")) for name, value in way.values.items()}
        said = {name: _unnamed(value) if isinstance(value, StandsFor) else value for name, value in places.items()}
        return self._capitals(fill(texts[self.speaker.lang], said, number=self._in_words))

    def _further(self) -> Iterator[Line]:
        """What is done of which no saying speaks, in the words of its rule; how many tricks may go over."""
        settled = self.report.ruling.edition.spoken.kinds
        for one in (one for section in LISTED for one in self.report.entries(section)):
            if one.fact[0] not in settled:
                said = self.speaker.fact(one.fact) if one.reason is None else self.speaker.reason(one.reason)
                yield Line(self.speaker.capital(said.rstrip(".")) + ".", one.law)
        opening = self.report.ruling.opening
        for side, (least, most) in opening.range.items() if opening is not None and opening.is_open else ():
            if least < most:
                yield Line(
                    self.phrase("spoken-at-least" if least else "spoken-at-most", least=least, most=most, to=side)
                )

    def _ranges(self) -> Iterator[str]:
        """How many tricks may go over, in the fewest words."""
        opening = self.report.ruling.opening
        for side, (least, most) in opening.range.items() if opening is not None else ():
            if least < most:
                yield between(least, most, self.speaker.value(side, "side"), self.speaker)

    def _asks(self) -> Iterator[Line]:
        """What the director must know before he can say more."""
        opening = self.report.ruling.opening
        if opening is not None and opening.asking is not None:
            yield Line(self.speaker.phrase("spoken-asks", asks=asked(opening, opening.asking.key, self.speaker)))

    def _score(self) -> Iterator[Line]:
        """«Four spades making eleven: 450.», once the board is played out."""
        ruling, result = self.report.ruling, self.report.scored
        contract = ruling.incident.contract
        if result is None or contract is None or result.score_ns is None or result.tricks_ruled is None:
            return
        over = result.tricks_ruled - contract.level - 6
        key = "spoken-down" if over < 0 else "spoken-over" if over else "spoken-made"
        side = SIDE[result.declarer] if over >= 0 else OTHER_SIDE[SIDE[result.declarer]]
        places = {"over": self._counted(over), "count": self._counted(result.tricks_ruled), "down": -over}
        yield Line(self.phrase(key, contract=self._contract(contract), score=abs(result.score_ns), side=side, **places))

    def _contract(self, contract: Contract) -> str:
        """«Four spades doubled»."""
        words, lang = self.speaker.words, self.speaker.lang
        one, denomination = contract.level == 1, contract.denomination
        strain = words.name("strain-of-one", denomination, lang) if one else words.name("strain", denomination, lang)
        doubled = f" {words.name('doubled', contract.doubled, lang)}" if contract.doubled else ""
        return f"{self._in_words(str(contract.level))} {strain}{doubled}"

    def phrase(self, key: str, **places: object) -> str:
        """A phrase of ``words.yaml`` with numbers in words and sides by their names."""
        said = {name: str(value) for name, value in places.items()}
        said |= {name: self.speaker.value(said[name], "side") for name in ("to", "side") if name in said}
        text = self.speaker.words.phrases[key][self.speaker.lang]
        said |= {name: self._in_words(said[name]) for name in _NUMBERS if f"{{{name}}}" in text}
        return self._capitals(fill(text, said, number=self._in_words))

    def _in_words(self, number: str) -> str:
        return in_words(number, self.speaker)

    def _counted(self, number: int) -> str:
        """A number by itself, not before a noun."""
        names, lang = self.speaker.words.names["counting"], self.speaker.lang
        return names[str(number)][lang] if str(number) in names else self._in_words(str(number))

    def _capitals(self, text: str) -> str:
        """Every sentence with a capital letter."""
        return re.sub(r"(^|[.?!] )(\w)", lambda found: found[1] + found[2].upper(), text)

    @staticmethod
    def _in_time(lines: list[Line]) -> Iterator[Line]:
        """The first, and after it as many as there is time for."""
        words = 0
        for number, line in enumerate(lines):
            words += len(line.text.split())
            if number and words > MOST_WORDS:
                return
            yield line


def _unnamed(value: StandsFor) -> StandsFor:
    """What stands for a name that nobody has given: nobody can be spoken to by it."""
    return StandsFor(value, value.after)


def _flat(way: Way) -> Iterator[Fact]:
    """The facts of a way, those of a tally one by one."""
    for premise in way.premises:
        yield from counted(premise) or (() if counted(premise) is not None else (premise,))
