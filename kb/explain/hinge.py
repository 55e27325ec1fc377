"""What a ruling hinges on: questions about what is not known, their answers, and what follows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from facts.cards import Seat
from facts.table import numbers
from kb.explain.headline import headline
from kb.explain.page import Line
from kb.explain.say import Speaker, seen_from
from kb.language.texts import StandsFor, fill
from kb.ruling.opening import Opening, Presumed
from kb.ruling.ruling import Ruling
from kb.space.choices import domain, values_of
from kb.space.layout import BOARD, Group, Key


def asked(opening: Opening, key: Key, speaker: Speaker) -> str:
    """The question about one thing, by the name of the hand if that is known; of several revokes it says which."""
    number, name = key
    kind = opening.completions.about(number).findings.get(name)
    if kind is None:
        return of_revoke(opening, number, speaker, speaker.phrase(f"asks-{name}"))
    if not kind.asks:  # nobody is asked, but it may be stated as one of several
        return of_revoke(opening, number, speaker, f"{speaker.capital(kind.means[speaker.lang].partition(';')[0])}:")
    hand = _hand(opening, number) if len(opening.completions.incident.revokes) == 1 else None
    if hand is None or not kind.asks_of:
        return of_revoke(opening, BOARD if kind.once else number, speaker, kind.asks[speaker.lang])
    return fill(kind.asks_of[speaker.lang], seen_from(hand, opening.completions.incident.declarer, speaker))


def of_revoke(opening: Opening, number: int, speaker: Speaker, said: str) -> str:
    """What is said of one revoke; of several, which it is: by hand and trick, or by its number if the hand is open."""
    if number == BOARD or len(opening.completions.incident.revokes) == 1:
        return said
    hand, found = _hand(opening, number), opening.completions.incident.revokes[number]
    names = opening.completions.about(number).names
    if "card" in names and hand and found.card:
        return f"{speaker.value(hand, 'seat')}, {speaker.value(found.card.text, 'card')}: {said}"
    named = speaker.phrase("revoke-number", number=number + 1) if hand is None else speaker.value(hand, "seat")
    told = "trick" in names and (hand is not None or found.trick is not None)
    trick = speaker.value([*opening.completions.values[number, "trick"]][0], "trick")
    which = speaker.phrase("of-revoke", hand=named, trick=trick) if told else named
    return f"{which}: {said}"


def _hand(opening: Opening, number: int) -> Seat | None:
    hands = opening.completions.values.get((number, "hand"), {})
    may_be = [hand for hand, bits in hands.items() if bits & opening.among]
    return may_be[0] if len(may_be) == 1 else None


def answered(opening: Opening, key: Key, values: Group, speaker: Speaker) -> str:
    """Some values of one thing, as people say them: by the answers that they make up, or else one by one."""
    (number, name), ways, left = key, opening.completions, set(values)
    kind = ways.about(number).findings.get(name)
    possible = {value for value, bits in ways.values[key].items() if value is not None and bits & opening.among}
    stated = None if kind is None or number == BOARD else ways.incident.revokes[number].said.get(name)
    if kind is not None and len(numbers(stated)) > 1:  # a range, of all the numbers that may be stated
        possible |= {*domain(kind, [given for given, _ in ways.places(number)], ways.about(number))}
    means = []  # each answer with its values, wherever the revoke may have been
    for answer in () if kind is None or number == BOARD else kind.answers.values():
        its = {value for given, _ in ways.places(number) for value in values_of(answer, given, ways.about(number))}
        means.append((answer, its & possible))
    if kind is not None and kind.type.name == "number" and all(left != its for _, its in means):
        return _numbers(left, possible, speaker)
    told = []
    for answer, its in means:
        if its and its <= left:
            told.append(answer.says[speaker.lang])
            left -= its
    if counts := {one for one in left if isinstance(one, int)}:
        told.append(_numbers(counts, {one for one in possible if isinstance(one, int)}, speaker))
    type_ = "seat" if kind is None else kind.type.name
    said = (one for one in left if isinstance(one, str))
    told += (speaker.value(one, type_) if type_ in ("seat", "suit", "side") else one for one in sorted(said))
    lists = (
        [speaker.value(seat, "seat") for seat in one] for one in sorted(one for one in left if isinstance(one, tuple))
    )
    told += (", ".join(seats) or speaker.phrase("nobody") for seats in lists)
    return speaker.phrase("book-or").join(told)


def _numbers(left: set[Any], possible: set[Any], speaker: Speaker) -> str:
    """«0 or 2», «1 to 3», «1 or more»."""
    told, rest = list[str](), sorted(left)
    while rest:
        run = [rest.pop(0)]
        while rest and rest[0] == run[-1] + 1:
            run.append(rest.pop(0))
        if len(run) > 1 and run[-1] == max(possible):
            told.append(speaker.phrase("or-more", least=run[0]))
        else:
            far = len(run) > 2
            told += [speaker.phrase("from-to", least=run[0], most=run[-1])] if far else map(str, run)
    return speaker.phrase("book-or").join(told)


DEEPEST: Final = 2
"""Questions after one another that are told; all of them are in the JSON form."""
SECTIONS: Final = ("rectifications", "points", "options")


def hinge(ruling: Ruling, speaker: Speaker, deep: int = DEEPEST) -> Iterator[Line]:
    """The question on which the ruling hinges, with a line for each answer and what follows from it."""
    if may_come := ruling.supposed:
        under = [
            _follows(speaker.phrase(f"noticed-{how}"), after, speaker, DEEPEST - 1) for how, after in may_come.items()
        ]
        yield Line(speaker.phrase("asks-noticed-yet"), (), tuple(under))
    opening = ruling.opening
    if opening.asking is not None:
        key, before = opening.asking.key, headline(ruling, speaker)
        under = [
            _follows(answered(opening, key, values, speaker), after, speaker, deep, before)
            for values, after in ruling.answers
        ]
        yield Line(asked(opening, key, speaker), (), tuple(under))


def _follows(answer: str, after: Ruling, speaker: Speaker, deep: int, before: str = "") -> Line:
    """An answer, what is then certain, and what is done, or the next question; ``before``: what was said before it."""
    under = list[Line]()
    if not after.is_open:
        items = (item for section in (*SECTIONS, *after.own) for item in after.entries(section))
        under = [Line(speaker.capital(speaker.fact(item.fact)), item.law) for item in items]
        left = () if after.revokes else after.director  # of no revoke, what is left to the director as well
        under += (Line(speaker.reason(one.reason), one.law) for one in left if one.reason is not None)
    elif deep > 1:
        under = [*hinge(after, speaker, deep - 1)]
    now, said = headline(after, speaker), [one.rstrip(".") for one in before.split(". ")]
    told = speaker.capital(answer)
    if new := [one for one in now.split(". ") if one.rstrip(".") not in said]:
        told += f" – {'. '.join(new).rstrip('.')}."
    elif not under:  # what it leaves open, or that it changes nothing
        asking = after.opening.asking
        asks = None if asking is None else asked(after.opening, asking.key, speaker)
        told += f" – {now if asks is None else speaker.phrase('still-open', asks=asks)}"
    return Line(told, (), tuple(dict.fromkeys(under)))


def conditions(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """What follows only on a condition, though the rest is certain."""
    opening = ruling.opening
    for one in opening.perhaps:
        fact = speaker.capital(speaker.fact(one.fact))
        if one.key is None:
            yield Line(speaker.phrase("perhaps", fact=fact), one.laws)
            continue
        kind = opening.completions.about(one.key[0]).findings.get(one.key[1])
        if kind is not None and kind.each:  # a seat that is in each of the lists, and in no other possible one
            held = opening.completions.values[one.key]
            lists = {value for value, bits in held.items() if isinstance(value, tuple) and bits & opening.among}
            seats = sorted({seat for each in lists for seat in each})
            in_all = (seat for seat in seats if {each for each in lists if seat in each} == set(one.values))
            seat = speaker.value(next(in_all, None), "seat")
            if seat and not isinstance(seat, StandsFor):
                so = fill(kind.each[speaker.lang], {"hand": seat})
                yield Line(speaker.phrase("if-it", fact=fact, so=so), one.laws)
                continue
        about = kind.about[speaker.lang] if kind is not None and kind.about else asked(opening, one.key, speaker)
        answer = answered(opening, one.key, one.values, speaker)
        yield Line(speaker.phrase("if-so", fact=fact, about=about, answer=answer), one.laws)


def presumed(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    return (Line(speaker.capital(f"{taken(ruling, one, speaker)}."), one.laws) for one in ruling.presumed)


def taken(ruling: Ruling, one: Presumed, speaker: Speaker) -> str:
    """One thing that is taken for granted: in the words that its declaration has for it, or as an answer."""
    if one.kind is None:
        return speaker.phrase("presumed-trick")
    if one.value == one.kind.presumed:
        return one.kind.presumption.says[speaker.lang]
    return f"{one.kind.about[speaker.lang]} {answered(ruling.opening, one.key, (one.value,), speaker)}"
