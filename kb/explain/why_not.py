"""Why a clause does not apply, in words: the nearest miss first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from facts.ground import Fact
from kb.explain.page import Line, Page, Part
from kb.explain.say import Voice
from kb.language.model import Condition, Tally
from kb.ruling.change import Change
from kb.ruling.ruling import Ruling
from kb.ruling.why_not import Answer, Miss, Need


def page(ruling: Ruling, answer: Answer, voice: Voice) -> Page:
    """The whole answer."""
    clause = answer.clause
    law = voice.laws([clause.ref]) if ruling.citations.is_law(clause.ref) else clause.ref
    says = Line(f"{law}: {clause.says[voice.lang]}")
    if not clause.rules:
        encoded = voice.words.name("encoding", clause.encoded_as, voice.lang)
        return Page("", (Line(voice.phrase("why-no-rule", law=law, encoding=encoded)), says))
    key = "why-applies" if answer.steps else "why-not"
    applied = tuple(dict.fromkeys(Line(voice.because(ruling.proof, step), (clause.ref,)) for step in answer.steps))
    lead = (Line(voice.phrase(key, law=law)), says, *applied)
    if not answer.steps and answer.misses:
        lead = (Line(f"{lead[0].text} {_in_short(voice, answer.misses[0])}"), says)
    return Page("", lead, tuple(_part(ruling, voice, miss, nth) for nth, miss in enumerate(answer.misses, 1)))


def _in_short(voice: Voice, miss: Miss) -> str:
    if miss.alone and miss.step is not None:
        then = voice.reason(miss.step.rule, miss.then)
        return f"{change_line(voice, miss.plan[0])} {voice.phrase('why-then', because=then)}"
    return voice.phrase("why-together", n=len(miss.plan)) if miss.plan else voice.phrase("why-several")


def change_line(voice: Voice, change: Change) -> str:
    """What is so, and what would have to be so instead."""
    was, new = [voice.fact(fact) for fact in change.take[:1]], [voice.fact(fact) for fact in change.put[:1]]
    if was and new:
        return voice.phrase("why-instead", was=was[0], new=_told_apart(voice, was[0], new[0], change))
    return voice.phrase("why-without", was=was[0]) if was else voice.phrase("why-with", new=new[0])


def _told_apart(voice: Voice, was: str, new: str, change: Change) -> str:
    """The new fact; if only its moment differs, with «earlier» or «later»."""
    if was != new:
        return new
    before, after = max(map(_moment, change.take)), max(map(_moment, change.put[:1]))
    return f"{new} ({voice.phrase('earlier' if after < before else 'later')})"


def _moment(fact: Fact) -> int:
    return max((value for value in fact if isinstance(value, int)), default=0)


def _part(ruling: Ruling, voice: Voice, miss: Miss, nth: int) -> Part:
    return Part(voice.phrase("why-rule", n=nth), tuple(_lines(ruling, voice, miss)))


def _lines(ruling: Ruling, voice: Voice, miss: Miss) -> Iterator[Line]:
    met = dict.fromkeys(Line(voice.fact(fact)) for _, fact in miss.way.met)
    total = len(miss.rule.when) + len(miss.rule.unless)
    yield Line(voice.phrase("why-met", met=total - miss.way.lacks, of=total), (), tuple(met))
    for item in miss.way.missing:
        near = (
            tuple(Line(voice.phrase("why-near", fact=words)) for words in _near(voice, miss))
            if item is _first(miss)
            else ()
        )
        yield Line(voice.phrase("why-missing", fact=item_words(ruling, voice, item, miss.way.bindings)), (), near)
    for _, fact in miss.way.blocked:
        yield Line(voice.phrase("why-blocked", fact=voice.fact(fact)), ruling.citations.laws(fact))
    yield from _mending(ruling, voice, miss)


def _first(miss: Miss) -> object:
    return next((item for item in miss.way.missing if isinstance(item, Condition)), None)


def _near(voice: Voice, miss: Miss) -> list[str]:
    return list(dict.fromkeys(voice.fact(fact) for fact in miss.near))


def _mending(ruling: Ruling, voice: Voice, miss: Miss) -> Iterator[Line]:
    if miss.plan and miss.step is not None:
        key = "why-alone" if miss.alone else "why-together"
        changes = tuple(Line(change_line(voice, change)) for change in miss.plan)
        yield Line(voice.phrase(key, n=len(miss.plan)), (), changes)
        yield Line(voice.phrase("why-then", because=voice.reason(miss.rule, miss.then)))
    else:
        needs = dict.fromkeys(Line(need_words(ruling, voice, need)) for need in miss.needs)
        yield Line(voice.phrase("why-several"), (), tuple(needs))


def need_words(ruling: Ruling, voice: Voice, need: Need) -> str:
    """Something that would have to be otherwise."""
    if need.fact is not None:
        return voice.phrase("why-without", was=voice.fact(need.fact))
    return voice.phrase("why-with", new=item_words(ruling, voice, need.condition, need.bindings))


def item_words(ruling: Ruling, voice: Voice, item: Condition | Tally, bindings: Any) -> str:
    """A condition with what is known of it."""
    of = item.of if isinstance(item, Tally) else item
    return voice.pattern(of, bindings, ruling.proof)


def as_json(ruling: Ruling, answer: Answer, voice: Voice) -> dict[str, Any]:
    """The answer as one object."""
    return {
        "law": answer.clause.ref,
        "applies": bool(answer.steps),
        "encoded-as": answer.clause.encoded_as,
        "because": [voice.because(ruling.proof, step) for step in answer.steps],
        "misses": [_miss_json(ruling, voice, miss) for miss in answer.misses],
    }


def _miss_json(ruling: Ruling, voice: Voice, miss: Miss) -> dict[str, Any]:
    missing = [item_words(ruling, voice, item, miss.way.bindings) for item in miss.way.missing]
    return {
        "rule": miss.rule.id,
        "met": [voice.fact(fact) for _, fact in miss.way.met],
        "missing": missing,
        "blocked-by": [voice.fact(fact) for _, fact in miss.way.blocked],
        "nearest": _near(voice, miss),
        "alone": miss.alone,
        "changes": [
            {"take": [list(fact) for fact in change.take], "put": [list(fact) for fact in change.put]}
            for change in miss.plan
        ],
        "says": [change_line(voice, change) for change in miss.plan],
        "then": voice.reason(miss.rule, miss.then) if miss.step is not None else None,
        "needs": [need_words(ruling, voice, need) for need in miss.needs],
    }
