"""Why a clause does not apply, in words: the nearest ways in which it would, or else which conditions hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from facts.cards import part_of
from kb.explain.hinge import answered, asked, of_revoke
from kb.explain.page import Line, Page, Part
from kb.explain.say import Speaker, names
from kb.explain.text import because
from kb.language.texts import fill
from kb.ruling.opening import Opening
from kb.ruling.reasons import known_of_play
from kb.ruling.ruling import Ruling
from kb.space.around import LATE, NearestWay
from kb.space.choices import meant
from kb.space.layout import BOARD, Group, Key
from kb.why_not.why_not import TOLD, Unmet, WhyNot

LISTENED: Final = 2
"""So many statements are told in one sentence."""


def page(ruling: Ruling, answer: WhyNot, speaker: Speaker) -> Page:
    clause, speaker = answer.clause, speaker.of(ruling)
    law = speaker.laws([clause.ref]) if ruling.citations.is_law(clause.ref) else clause.ref
    says = Line(f"{law}: {clause.says[speaker.lang]}")
    if not clause.rules:
        encoded = speaker.words.name("encoding", clause.encoded_as, speaker.lang)
        return Page("", (Line(speaker.phrase("why-no-rule", law=law, encoding=encoded)), says))
    if answer.applies:
        reasons = dict.fromkeys(because(step, speaker) for step in answer.steps)
        return Page("", (Line(speaker.phrase("why-applies", law=law)), says, *reasons))
    if not answer.ways:
        near = [one for one in answer.unmet if _met(speaker, one)] or answer.unmet  # others only keep the books
        each = tuple(dict.fromkeys(tuple(_conditions(ruling, speaker, one)) for one in near))
        parts = [Part(speaker.phrase("why-rule", n=nth), lines) for nth, lines in enumerate(each[:TOLD], 1)]
        if further := len(each[TOLD:]):
            parts.append(Part(f"{speaker.phrase('why-further', n=further)}.", ()))
        return Page("", (Line(speaker.phrase("why-not", law=law)), says), tuple(parts))
    return Page("", (Line(_short(ruling, speaker, answer, law)), says), (_nearest(ruling, speaker, answer),))


def _short(ruling: Ruling, speaker: Speaker, answer: WhyNot, law: str) -> str:
    """The answer in a sentence, with the first way if that is no longer than one can listen to."""
    way = answer.ways[0]
    if len((*way.around.moved, *way.changes, *way.given)) > LISTENED:
        return speaker.phrase("why-not" if answer.least else "why-open", law=law)
    if answer.least and (said := _condition(ruling, way, speaker)):
        return speaker.phrase("why-would-when", law=law, way=said)
    key = "why-would" if answer.least else "why-if"
    return speaker.phrase(key, law=law, way=way_words(ruling, way, speaker))


def _nearest(ruling: Ruling, speaker: Speaker, answer: WhyNot) -> Part:
    """The ways, each with what is so instead, and how many more there are."""
    n = answer.least
    title = speaker.phrase("why-several" if n > 1 else "why-one" if n else "why-unknown", n=n)
    lines = [
        Line(
            speaker.capital(way_words(ruling, way, speaker)),
            (),
            tuple(Line(speaker.capital(now)) for now in now_words(ruling, way, speaker)),
        )
        for way in answer.ways
    ]
    more = [Line(speaker.phrase("why-more", n=answer.more))] if answer.more else []
    return Part(title, (*lines, *more))


def _condition(ruling: Ruling, way: NearestWay, speaker: Speaker) -> str:
    """One thing that would be otherwise, with the names of the hands; empty where it is not told so."""
    if way.around.moved or way.given or len(way.changes) != 1:
        return ""
    (((number, name), values),) = way.changes.items()
    table = way.around.table
    kind = table.findings.get(name)
    if kind is None or len(ruling.revokes) != 1:
        return ""
    places, told, left = [given for given, _ in way.around.places(number)], list[str](), set(values)
    for answer, if_ in kind.if_.items():
        its = {value for given in places for value in meant(kind, answer, given, table)}
        if left & its and its & set(values) <= left:
            told.append(fill(if_[speaker.lang], names(ruling.revokes[0], ruling, speaker)))
            left -= its
    return "" if left else speaker.phrase("book-or").join(told)


def way_words(ruling: Ruling, way: NearestWay, speaker: Speaker) -> str:
    """What would have to be otherwise, and what else must hold then."""
    opening = ruling.opening
    there = Opening(opening.law, way.around, opening.run, way.around.possible)  # to be asked for its words
    told = [_moved(way, name, speaker) for name in way.around.moved]
    told += [
        _statement(ruling, there, key, values, speaker) for key, values in (*way.changes.items(), *way.given.items())
    ]
    return speaker.phrase("why-and").join(told)


def now_words(ruling: Ruling, way: NearestWay, speaker: Speaker) -> Iterator[str]:
    """What is so instead, as far as it is known."""
    for key in way.changes:
        values = tuple(value for value in ruling.opening.completions.choices[key].values if value is not None)
        if values and not way.around.lacks(key[1]):
            yield speaker.phrase("why-now", now=_statement(ruling, ruling.opening, key, values, speaker))


def _moved(way: NearestWay, name: str, speaker: Speaker) -> str:
    """What would be otherwise beside the findings."""
    found, declarer = way.around.incident.revokes[way.around.number], way.around.incident.declarer
    if name == "player":
        part = found.player if found.hand is None else part_of(found.hand, declarer)
        return speaker.phrase("why-part", by=speaker.value(part, "role"))
    if name == "trick":
        return speaker.phrase("why-late" if found.trick == LATE else "why-before")
    return speaker.phrase("why-tricks")


def _statement(ruling: Ruling, opening: Opening, key: Key, values: Group, speaker: Speaker) -> str:
    """«the trick was won by an opponent's card»; of several revokes it says which, as the ruling names it."""
    number, name = key
    if number != BOARD and name == "hand":
        return speaker.phrase("why-part", by=answered(opening, key, values, speaker))
    kind = opening.completions.table.findings.get(name)
    answer = answered(opening, key, values, speaker)
    if kind is None or not kind.about:
        return f"{asked(opening, key, speaker)} {answer}"
    return of_revoke(ruling.opening, number, speaker, f"{kind.about[speaker.lang]} {answer}")


def _conditions(ruling: Ruling, speaker: Speaker, one: Unmet) -> Iterator[Line]:
    """How far a rule got."""
    yield from (Line(speaker.phrase("why-holds", fact=words)) for words in _met(speaker, one))
    if missing := _missing(ruling, speaker, one):
        yield Line(speaker.phrase("why-missing", fact=missing))
    for fact in one.blocking:
        yield Line(speaker.phrase("why-blocked", fact=speaker.fact(fact)), ruling.citations.laws(fact))


def _met(speaker: Speaker, one: Unmet) -> list[str]:
    return list(dict.fromkeys(speaker.fact(fact) for fact in one.met if fact[0] in speaker.vocabulary.kinds))


def _missing(ruling: Ruling, speaker: Speaker, one: Unmet) -> str | None:
    if one.missing is None:
        return None
    play = known_of_play(ruling.proof, one.missing.condition, one.values)
    return speaker.pattern(one.missing.condition, one.values, play)


def as_json(ruling: Ruling, answer: WhyNot, speaker: Speaker) -> dict[str, Any]:
    speaker = speaker.of(ruling)

    def told(key: Key, values: Group) -> dict[str, Any]:
        number = {} if key[0] == BOARD else {"revoke": key[0] + 1}
        plain = [list(one) if isinstance(one, tuple) else one for one in values]
        return {**number, "what": key[1], "values": ruling.unsaid.told(plain, "hand")}

    return {
        "law": answer.clause.ref,
        "applies": answer.applies,
        "encoded-as": answer.clause.encoded_as,
        "because": [speaker.reason(step) for step in answer.steps],
        "changes": answer.least if answer.ways else None,
        "ways": [
            {
                "otherwise": [*way.around.moved, *(told(*one) for one in way.changes.items())],
                "given": [told(*one) for one in way.given.items()],
                "says": speaker.capital(way_words(ruling, way, speaker)),
                "now": [*now_words(ruling, way, speaker)],
            }
            for way in answer.ways
        ],
        "more": answer.more,
        "rules": [
            {
                "rule": one.rule.id,
                "met": _met(speaker, one),
                "missing": _missing(ruling, speaker, one),
                "blocked-by": [speaker.fact(fact) for fact in one.blocking],
            }
            for one in answer.unmet
        ],
    }
