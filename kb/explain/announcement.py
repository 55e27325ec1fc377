"""What a director says to the players of a ruling, and the few words that name it: made from ``rules/spoken.yaml``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from facts.cards import OTHER_SIDE, SIDE
from facts.fact import Fact
from kb.explain.as_text import entry_line
from kb.explain.headline import MOVES, ToldSaying, going, headline, pressing, sayings_told, sentences
from kb.explain.hinge import question_words
from kb.explain.page import Line, sentence
from kb.explain.words import Speaker, capitals
from kb.language.relied_on import ESTABLISHED, MUST_CORRECT
from kb.language.texts import fill
from kb.ruling.ruling import Ruling


@dataclass(frozen=True)
class Outlook:
    """What may come of it in some situations."""

    statuses: frozenset[str]
    """Of the revoke, or revokes."""
    revokes: int
    """At most."""
    tricks: tuple[int, int]
    """Least and most that pass to the side that did not revoke first."""
    back: int
    """The most that pass to the other side."""

    @property
    def either(self) -> bool:
        """Whether the one revoke may have to be corrected, or may stand."""
        return self.revokes == 1 and not self.back and {ESTABLISHED, MUST_CORRECT} <= self.statuses


def goes(tricks: int, side: str, speaker: Speaker) -> str:
    """«one trick goes to North–South»."""
    text = speaker.words.phrases["flow-goes"][speaker.lang]
    return fill(text, {"n": str(tricks), "side": side}, number=speaker.in_words)


def may_come(usual: Outlook, names: Mapping[str, str], speaker: Speaker) -> str:
    """The outlook in words; ``names``: the ``hand`` that revoked, the ``side`` that did not and its ``own``."""
    least, most = usual.tricks
    if usual.back:
        both = [*([(most, names["side"])] if most else []), (usual.back, names["own"])]
        phrases = (speaker.phrase("flow-up-to", passing=goes(tricks, side, speaker)) for tricks, side in both)
        return speaker.capital(", ".join(phrases)) + "."
    if most == 0:
        passing = speaker.phrase("flow-none")
    elif MUST_CORRECT in usual.statuses or least == 0:
        passing = speaker.phrase("flow-up-to", passing=goes(most, names["side"], speaker))
    else:
        passing = goes(least, names["side"], speaker)
        passing = passing if least == most else speaker.phrase("flow-at-least", passing=passing)
    if usual.either:
        return speaker.phrase("flow-either", passing=passing, **names)
    if usual.revokes == 1 and usual.statuses == {MUST_CORRECT}:
        return speaker.phrase("flow-in-time", **names)
    if usual.revokes == 1 and usual.statuses == {ESTABLISHED} and least != most:
        return speaker.phrase("flow-established", passing=speaker.capital(passing))
    return speaker.capital(passing) + "."


MOST_WORDS: Final = 60
"""That are said at the table; what does not fit stands in the written ruling."""


class Announcement:
    """What is said of one ruling; ``speaker`` has words for what nobody said of it."""

    def __init__(self, ruling: Ruling, speaker: Speaker) -> None:
        self.ruling = ruling
        self.speaker = speaker

    @cached_property
    def head(self) -> str:
        """The ruling in a few words, without a full stop: what has to be dealt with before revokes, then the rest."""
        now = pressing(self.ruling, self.speaker)
        return "; ".join(dict.fromkeys(filter(None, (capitals(now), self._usual_head))))

    @cached_property
    def _usual_head(self) -> str:
        """The tricks that go over, if any do; else who must correct, or what a saying names first."""
        ruling, speaker = self.ruling, self.speaker
        sure = (one for one in sentences(ruling) if one.says == MOVES and one.side is not None)
        passing = (*self._may_go, *(going(one.tricks, one.tricks, one.side, speaker) for one in sure if one.side))
        correcting = [speaker.value(one.hand, "seat") for one in ruling.revokes if one.status == MUST_CORRECT]
        if passing:
            named = ", ".join(passing)
            return capitals(speaker.phrase("head-and-correction", passing=named) if correcting else named)
        if len({*correcting}) > 1:
            return capitals(speaker.phrase("head-several", hands=speaker.phrase("head-and").join(correcting)))
        usual = speaker.phrase("head-hinges") if ruling.is_open else headline(ruling, speaker)
        return capitals(next((one.head for one in self._told if one.head), usual.rstrip(".")))

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """What is said, each sentence once and no more than there is time for: the first, and what else fits."""
        lines, settled = [saying.line for saying in self._told if saying.line], self.ruling.edition.spoken.kinds
        further = (item for item in self.ruling.in_order if item.fact[0] not in settled)  # of which no saying speaks
        lines += (Line(sentence(entry_line(item, self.speaker).text), item.law) for item in further)
        lines += (Line(f"{may_go}.") for may_go in self._may_go)
        lines = lines or [Line(headline(self.ruling, self.speaker), self.ruling.decisive)]
        once = {line.text: line for line in reversed([*lines, *self._asks(), *self._score()])}
        first, *others = reversed(once.values())
        words, fitting = len(first.text.split()), [first]
        for line in others:
            words += len(line.text.split())
            if words > MOST_WORDS:
                break
            fitting.append(line)
        return tuple(fitting)

    @property
    def left(self) -> tuple[Line, ...]:
        """What is done now and is not told already by what is said, a choice first."""
        facts_told = frozenset[Fact]().union(*(saying.facts for saying in self._told if saying.line in self.lines))
        spoken = {line.text.rstrip(".") for line in self.lines}
        lines = (entry_line(item, self.speaker) for item in self.ruling.now if item.fact not in facts_told)
        return tuple(dict.fromkeys(line for line in lines if line.text.rstrip(".") not in spoken))

    @cached_property
    def _told(self) -> tuple[ToldSaying, ...]:
        return tuple(sayings_told(self.ruling, self.speaker))

    @cached_property
    def _may_go(self) -> tuple[str, ...]:
        """«Either West corrects it, or up to two tricks go to North–South», where either may be; or else how many
        tricks may go to each side. Nothing where that is certain."""
        certainty, revokes, speaker = self.ruling.certainty, self.ruling.revokes, self.speaker
        if certainty.is_open and len(revokes) == 1:
            own_side, side = revokes[0].side, OTHER_SIDE[revokes[0].side]
            outlook = Outlook(certainty.statuses, 1, certainty.range[side], certainty.range[own_side][1])
            names = {"hand": speaker.value(revokes[0].hand, "seat")}
            names |= {"side": speaker.value(side, "side"), "own": speaker.value(own_side, "side")}
            if outlook.either:
                return (may_come(outlook, names, speaker).rstrip("."),)
        phrases = list[str]()
        for side, (least, most) in certainty.range.items() if certainty.is_open else ():
            one_more = False  # whether one trick more, still to be won, makes the whole difference
            if certainty.asking is not None and certainty.ahead and (least or most == 1):
                answers = certainty.asking.answers
                spans = [
                    (most if any(group) else least, certainty.narrowed(bits).range[side]) for group, bits in answers
                ]
                one_more = len(spans) > 1 and all(range_ == (tricks, tricks) for tricks, range_ in spans)
            if least != most:
                phrases.append(going(least, most, side, speaker, one_more))
        return tuple(phrases)

    def _asks(self) -> Iterator[Line]:
        """What the director must know before he can say more; of what is still to come nobody is asked."""
        certainty = self.ruling.certainty
        if certainty.asking is None:
            return
        if certainty.ahead:
            yield Line(self.speaker.phrase("spoken-play-on"))
        else:
            about = certainty.completions.about(certainty.asking.key[0])
            kind, still = about.findings.get(certainty.asking.key[1]), "calls" if "call" in about.named_by else "cards"
            key = f"spoken-asks-{still}" if kind is None or kind.finds_out else "spoken-asks"
            yield Line(self.speaker.phrase(key, asks=question_words(certainty, certainty.asking.key, self.speaker)))

    def _score(self) -> Iterator[Line]:
        """«Four spades making eleven: 450.», once the board is played out."""
        result, contract, speaker = self.ruling.scored, self.ruling.incident.contract, self.speaker
        if result is None or contract is None or result.score_ns is None or result.tricks_ruled is None:
            return
        made, over = result.tricks_ruled, result.tricks_ruled - contract.level - 6
        contract_words = " ".join(speaker.bid(contract).values())
        if contract.doubled:
            contract_words += f" {speaker.words.name('doubled', contract.doubled, speaker.lang)}"
        alone = {int(n): texts[speaker.lang] for n, texts in speaker.words.names["counting"].items()}  # before no noun
        count, above = (alone.get(number, speaker.in_words(number)) for number in (made, over))
        yield Line(
            speaker.counting(
                "spoken-down" if over < 0 else "spoken-over" if over else "spoken-made",
                contract=contract_words,
                score=abs(result.score_ns),
                side=SIDE[result.declarer] if over >= 0 else OTHER_SIDE[SIDE[result.declarer]],
                over=above,
                count=count,
                down=-over,
            )
        )
