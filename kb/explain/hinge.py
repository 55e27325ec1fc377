"""What a ruling hinges on: questions about what is not known, their answers, and what follows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from facts.cards import Seat
from facts.table import REVOKE, Table, numbers
from kb.explain.headline import headline
from kb.explain.page import Line
from kb.explain.words import Speaker, seen_from
from kb.language.texts import StandsFor, fill
from kb.ruling.certainty import Certainty, Presumed
from kb.ruling.ruling import Ruling
from kb.space.choices import domain, values_of
from kb.space.layout import BOARD, FindingKey, ValueGroup


def question_words(certainty: Certainty, key: FindingKey, speaker: Speaker) -> str:
    """The question about one thing, by the name of the hand if that is known; of several revokes it says which."""
    number, name = key
    about = certainty.completions.about(number)
    kind = about.findings.get(name)
    if kind is None:
        return of_revoke(certainty, number, speaker, asks_which(about, name, speaker))
    if not kind.asks:  # nobody is asked, but it may be stated as one of several
        return of_revoke(certainty, number, speaker, f"{speaker.capital(kind.means[speaker.lang].partition(';')[0])}:")
    hand = _hand(certainty, number) if len(certainty.completions.incident.revokes) == 1 else None
    if hand is None or not kind.asks_of:
        return of_revoke(certainty, BOARD if kind.once else number, speaker, kind.asks[speaker.lang])
    return fill(kind.asks_of[speaker.lang], seen_from(hand, certainty.completions.incident.declarer, speaker))


def asks_which(about: Table, name: str, speaker: Speaker) -> str:
    """The question about the hand or the trick of a matter, or what is found out of the whole board."""
    return speaker.phrase("asks-caller" if name == "hand" and "call" in about.names else f"asks-{name}")


def of_revoke(certainty: Certainty, number: int, speaker: Speaker, text: str) -> str:
    """What is said of one revoke; of several, which it is: by hand and trick, or by its number if the hand is open."""
    if number == BOARD or len(certainty.completions.incident.revokes) == 1:
        return text
    hand, found = _hand(certainty, number), certainty.completions.incident.revokes[number]
    about = certainty.completions.about(number)
    if "card" in about.names and hand and found.card:
        return f"{speaker.value(hand, 'seat')}, {speaker.value(found.card.text, 'card')}: {text}"
    nobodys = speaker.phrase("revoke-number", number=number + 1) if about.of == REVOKE else about.called[speaker.lang]
    whose = nobodys if hand is None else speaker.value(hand, "seat")
    told = "trick" in about.names and (hand is not None or found.trick is not None)
    trick = speaker.value([*certainty.completions.values[number, "trick"]][0], "trick")
    which = speaker.phrase("of-revoke", hand=whose, trick=trick) if told else whose
    return f"{which}: {text}"


def _hand(certainty: Certainty, number: int) -> Seat | None:
    hands = certainty.completions.values.get((number, "hand"), {})
    may_be = [hand for hand, bits in hands.items() if bits & certainty.among]
    return may_be[0] if len(may_be) == 1 else None


def answer_words(certainty: Certainty, key: FindingKey, values: ValueGroup, speaker: Speaker) -> str:
    """Some values of one thing, as people say them: by the answers that they make up, or else one by one."""
    (number, name), ways, remaining = key, certainty.completions, set(values)
    kind = ways.about(number).findings.get(name)
    possible = {value for value, bits in ways.values[key].items() if value is not None and bits & certainty.among}
    stated = None if kind is None or number == BOARD else ways.incident.revokes[number].said.get(name)
    if kind is not None and len(numbers(stated)) > 1:  # a range, of all the numbers that may be stated
        possible |= {*domain(kind, [given for given, _ in ways.places(number)], ways.about(number))}
    means = []  # each answer with its values, wherever the revoke may have been
    for answer in () if kind is None or number == BOARD else kind.answers.values():
        its = {value for given, _ in ways.places(number) for value in values_of(answer, given, ways.about(number))}
        means.append((answer, its & possible))
    if kind is not None and kind.type.name == "number" and all(remaining != its for _, its in means):
        return _numbers(remaining, possible, speaker)
    phrases = []
    for answer, its in means:
        if its and its <= remaining:
            phrases.append(answer.says[speaker.lang])
            remaining -= its
    if counts := {value for value in remaining if isinstance(value, int)}:
        phrases.append(_numbers(counts, {value for value in possible if isinstance(value, int)}, speaker))
    type_ = "seat" if kind is None else kind.type.name
    words = (value for value in remaining if isinstance(value, str))
    phrases += (speaker.value(word, type_) if type_ in ("seat", "suit", "side") else word for word in sorted(words))
    lists = (
        [speaker.value(seat, "seat") for seat in seats]
        for seats in sorted(seats for seats in remaining if isinstance(seats, tuple))
    )
    phrases += (", ".join(seats) or speaker.phrase("nobody") for seats in lists)
    return speaker.phrase("book-or").join(phrases)


def _numbers(remaining: set[Any], possible: set[Any], speaker: Speaker) -> str:
    """«0 or 2», «1 to 3», «1 or more»."""
    phrases, rest = list[str](), sorted(remaining)
    while rest:
        run = [rest.pop(0)]
        while rest and rest[0] == run[-1] + 1:
            run.append(rest.pop(0))
        if len(run) > 1 and run[-1] == max(possible):
            phrases.append(speaker.phrase("or-more", least=run[0]))
        else:
            far = len(run) > 2
            phrases += [speaker.phrase("from-to", least=run[0], most=run[-1])] if far else map(str, run)
    return speaker.phrase("book-or").join(phrases)


DEEPEST: Final = 2
"""Questions after one another that are told; all of them are in the JSON form."""
SECTIONS: Final = ("rectifications", "points", "options")


def hinge(ruling: Ruling, speaker: Speaker, deep: int = DEEPEST) -> Iterator[Line]:
    """The question on which the ruling hinges, with a line for each answer and what follows from it."""
    if may_come := ruling.supposed:
        under = [
            _follows(speaker.phrase(f"noticed-{how}"), branch, speaker, DEEPEST - 1) for how, branch in may_come.items()
        ]
        yield Line(speaker.phrase("asks-noticed-yet"), (), tuple(under))
    certainty = ruling.certainty
    if certainty.asking is not None:
        key, headline_before = certainty.asking.key, headline(ruling, speaker)
        under = [
            _follows(answer_words(certainty, key, values, speaker), branch, speaker, deep, headline_before)
            for values, branch in ruling.answers
        ]
        yield Line(question_words(certainty, key, speaker), (), tuple(under))


def _follows(answer: str, branch: Ruling, speaker: Speaker, deep: int, headline_before: str = "") -> Line:
    """An answer, what is then certain, and what is done, or the next question; ``headline_before``: what was said."""
    under = list[Line]()
    if not branch.is_open:
        items = (item for section in (*SECTIONS, *branch.own) for item in branch.entries(section))
        under = [Line(speaker.capital(speaker.fact(item.fact)), item.law) for item in items]
        judgement = () if branch.revokes else branch.director  # of no revoke, what is left to the director as well
        under += (Line(speaker.reason(entry.reason), entry.law) for entry in judgement if entry.reason is not None)
    elif deep > 1:
        under = [*hinge(branch, speaker, deep - 1)]
    now, said_already = headline(branch, speaker), [sentence.rstrip(".") for sentence in headline_before.split(". ")]
    text = speaker.capital(answer)
    if new := [sentence for sentence in now.split(". ") if sentence.rstrip(".") not in said_already]:
        text += f" – {'. '.join(new).rstrip('.')}."
    elif not under:  # what it leaves open, or that it changes nothing
        asking = branch.certainty.asking
        asks = None if asking is None else question_words(branch.certainty, asking.key, speaker)
        text += f" – {now if asks is None else speaker.phrase('still-open', asks=asks)}"
    return Line(text, (), tuple(dict.fromkeys(under)))


def conditions(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """What follows only on a condition, though the rest is certain."""
    certainty = ruling.certainty
    for perhaps in certainty.perhaps:
        fact = speaker.capital(speaker.fact(perhaps.fact))
        if perhaps.key is None:
            yield Line(speaker.phrase("perhaps", fact=fact), perhaps.laws)
            continue
        kind = certainty.completions.about(perhaps.key[0]).findings.get(perhaps.key[1])
        if kind is not None and kind.each:  # a seat that is in each of the lists, and in no other possible one
            by_value = certainty.completions.values[perhaps.key]
            lists = {value for value, bits in by_value.items() if isinstance(value, tuple) and bits & certainty.among}
            seats = sorted({seat for each in lists for seat in each})
            in_all = (seat for seat in seats if {each for each in lists if seat in each} == set(perhaps.values))
            seat = speaker.value(next(in_all, None), "seat")
            if seat and not isinstance(seat, StandsFor):
                so = fill(kind.each[speaker.lang], {"hand": seat})
                yield Line(speaker.phrase("if-it", fact=fact, so=so), perhaps.laws)
                continue
        about = kind.about[speaker.lang] if kind and kind.about else question_words(certainty, perhaps.key, speaker)
        answer = answer_words(certainty, perhaps.key, perhaps.values, speaker)
        yield Line(speaker.phrase("if-so", fact=fact, about=about, answer=answer), perhaps.laws)


def presumed(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    return (Line(speaker.capital(f"{taken(ruling, granted, speaker)}."), granted.laws) for granted in ruling.presumed)


def taken(ruling: Ruling, granted: Presumed, speaker: Speaker) -> str:
    """One thing that is taken for granted: in the words that its declaration has for it, or as an answer."""
    if granted.kind is None:
        return speaker.phrase("presumed-trick")
    if granted.value == granted.kind.presumed:
        return granted.kind.presumption.says[speaker.lang]
    return (
        f"{granted.kind.about[speaker.lang]} {answer_words(ruling.certainty, granted.key, (granted.value,), speaker)}"
    )
