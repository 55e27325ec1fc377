"""Why a clause does not apply, in words: the nearest ways in which it would, or else which conditions hold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Final

from kb.explain.answers import answered, asked, of_revoke
from kb.explain.page import Line, Page, Part
from kb.explain.say import Voice
from kb.language.model import Tally
from kb.ruling.conditions import Unmet
from kb.ruling.opening import Opening
from kb.ruling.ruling import Ruling
from kb.ruling.why_not import Answer
from kb.space.around import LATE, part_of
from kb.space.layout import BOARD, Key
from kb.space.nearest import Way
from kb.space.questions import Group

LISTENED: Final = 2
"""So many statements are told in one sentence."""


def page(ruling: Ruling, answer: Answer, voice: Voice) -> Page:
    """The whole answer."""
    clause, voice = answer.clause, voice.of(ruling)
    law = voice.laws([clause.ref]) if ruling.citations.is_law(clause.ref) else clause.ref
    says = Line(f"{law}: {clause.says[voice.lang]}")
    if not clause.rules:
        encoded = voice.words.name("encoding", clause.encoded_as, voice.lang)
        return Page("", (Line(voice.phrase("why-no-rule", law=law, encoding=encoded)), says))
    if answer.applies:
        because = dict.fromkeys(Line(voice.because(ruling.proof, step), (clause.ref,)) for step in answer.steps)
        return Page("", (Line(voice.phrase("why-applies", law=law)), says, *because))
    if not answer.ways:
        each = dict.fromkeys(tuple(_conditions(ruling, voice, one)) for one in answer.unmet)
        parts = (Part(voice.phrase("why-rule", n=nth), lines) for nth, lines in enumerate(each, 1))
        return Page("", (Line(voice.phrase("why-not", law=law)), says), tuple(parts))
    return Page("", (Line(_short(ruling, voice, answer, law)), says), (_nearest(ruling, voice, answer),))


def _short(ruling: Ruling, voice: Voice, answer: Answer, law: str) -> str:
    """The answer in a sentence, with the first way if that is no longer than one can listen to."""
    way = answer.ways[0]
    if len((*way.around.moved, *way.changes, *way.given)) > LISTENED:
        return voice.phrase("why-not" if answer.least else "why-open", law=law)
    key = "why-would" if answer.least else "why-if"
    return voice.smooth(voice.phrase(key, law=law, way=way_words(ruling, way, voice)))


def _nearest(ruling: Ruling, voice: Voice, answer: Answer) -> Part:
    """The ways, each with what is so instead, and how many more there are."""
    n = answer.least
    title = voice.phrase("why-several" if n > 1 else "why-one" if n else "why-unknown", n=n)
    lines = [_sentence(voice, way_words(ruling, way, voice), tuple(_now(ruling, way, voice))) for way in answer.ways]
    more = [Line(voice.phrase("why-more", n=answer.more))] if answer.more else []
    return Part(title, (*lines, *more))


def _sentence(voice: Voice, text: str, under: tuple[Line, ...] = ()) -> Line:
    return Line(voice.smooth(voice.capital(text)), (), under)


def _now(ruling: Ruling, way: Way, voice: Voice) -> Iterator[Line]:
    return (_sentence(voice, now) for now in now_words(ruling, way, voice))


def way_words(ruling: Ruling, way: Way, voice: Voice) -> str:
    """What would have to be otherwise, and what else must hold then."""
    assert ruling.opening is not None
    there = Opening(way.around, replace(ruling.opening.certain, among=way.around.possible))  # to be asked for its words
    told = [_moved(way, name, voice) for name in way.around.moved]
    told += [
        _statement(ruling, there, key, values, voice) for key, values in (*way.changes.items(), *way.given.items())
    ]
    return voice.phrase("why-and").join(told)


def now_words(ruling: Ruling, way: Way, voice: Voice) -> Iterator[str]:
    """What is so instead, as far as it is known."""
    assert ruling.opening is not None
    for key in way.changes:
        values = tuple(value for value in ruling.opening.completions.choices[key].values if value is not None)
        if values and not way.around.lacks(key[1]):
            yield voice.phrase("why-now", now=_statement(ruling, ruling.opening, key, values, voice))


def _moved(way: Way, name: str, voice: Voice) -> str:
    """What would be otherwise beside the findings."""
    found, declarer = way.around.incident.revokes[way.around.number], way.around.incident.declarer
    if name == "player":
        part = found.player if found.hand is None else part_of(found.hand, declarer)
        return voice.phrase("why-part", by=voice.value(part, "role"))
    if name == "trick":
        return voice.phrase("why-late" if found.trick == LATE else "why-before")
    return voice.phrase("why-tricks")


def _statement(ruling: Ruling, opening: Opening, key: Key, values: Group, voice: Voice) -> str:
    """«the trick was won by an opponent's card»; of several revokes it says which, as the ruling names it."""
    assert ruling.opening is not None
    number, name = key
    if number != BOARD and name == "hand":
        return voice.phrase("why-part", by=answered(opening, key, values, voice))
    kind = opening.completions.table.findings.get(name)
    answer = answered(opening, key, values, voice)
    if kind is None or not kind.about:
        return f"{asked(opening, key, voice)} {answer}"
    return of_revoke(ruling.opening, number, voice, f"{kind.about[voice.lang]} {answer}")


def _conditions(ruling: Ruling, voice: Voice, one: Unmet) -> Iterator[Line]:
    """How far a rule got."""
    yield from (Line(voice.phrase("why-holds", fact=words)) for words in _met(voice, one))
    if missing := _missing(ruling, voice, one):
        yield Line(voice.phrase("why-missing", fact=missing))
    for fact in one.blocking:
        yield Line(voice.phrase("why-blocked", fact=voice.fact(fact)), ruling.citations.laws(fact))


def _met(voice: Voice, one: Unmet) -> list[str]:
    return list(dict.fromkeys(voice.fact(fact) for fact in one.met if fact[0] in voice.vocabulary.kinds))


def _missing(ruling: Ruling, voice: Voice, one: Unmet) -> str | None:
    if one.missing is None:
        return None
    condition = one.missing.of if isinstance(one.missing, Tally) else one.missing
    return voice.pattern(condition, one.values, ruling.proof)


def as_json(ruling: Ruling, answer: Answer, voice: Voice) -> dict[str, Any]:
    """The answer as one object."""
    voice = voice.of(ruling)
    return {
        "law": answer.clause.ref,
        "applies": answer.applies,
        "encoded-as": answer.clause.encoded_as,
        "because": [voice.because(ruling.proof, step) for step in answer.steps],
        "changes": answer.least if answer.ways else None,
        "ways": [_way_json(ruling, way, voice) for way in answer.ways],
        "more": answer.more,
        "rules": [_rule_json(ruling, one, voice) for one in answer.unmet],
    }


def _way_json(ruling: Ruling, way: Way, voice: Voice) -> dict[str, Any]:
    def told(key: Key, values: Group) -> dict[str, Any]:
        number = {} if key[0] == BOARD else {"revoke": key[0] + 1}
        plain = [list(one) if isinstance(one, tuple) else one for one in values]
        return {**number, "what": key[1], "values": ruling.unsaid.told(plain, "hand")}

    return {
        "otherwise": [*way.around.moved, *(told(*one) for one in way.changes.items())],
        "given": [told(*one) for one in way.given.items()],
        "says": voice.smooth(way_words(ruling, way, voice)),
        "now": [voice.smooth(now) for now in now_words(ruling, way, voice)],
    }


def _rule_json(ruling: Ruling, one: Unmet, voice: Voice) -> dict[str, Any]:
    return {
        "rule": one.rule.id,
        "met": _met(voice, one),
        "missing": _missing(ruling, voice, one),
        "blocked-by": [voice.fact(fact) for fact in one.blocking],
    }
