"""A ruling as it unfolds, in words: what changed at which moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kb.explain.happenings import moment_words
from kb.explain.page import Line, Page, part
from kb.explain.say import Voice
from kb.explain.text import foot, headline, revoke_line, title
from kb.ruling.ruling import RevokeRuled
from kb.ruling.unfold import Turn, Unfolding


def page(unfolding: Unfolding, voice: Voice) -> Page:
    """The moments at which the ruling changed, how long each revoke could be corrected, since when each law applies."""
    last = unfolding.turns[-1].ruling
    turns = unfolding.turns
    laws = (
        Line(f"{voice.laws([law])}: {moment_words(voice, turns[at].moment)}") for law, at in unfolding.began.items()
    )
    told = [turns[number] for number in unfolding.changes() if number or turns[number].came]
    return Page(
        title(last, voice),
        (Line(headline(last, voice)),),
        (
            *part(voice.phrase("unfold-title"), (_turn(turn, voice) for turn in told), numbered=True),
            *part(voice.phrase("unfold-correction"), (_corrected(unfolding, one, voice) for one in last.revokes)),
            *part(voice.phrase("unfold-laws"), laws),
        ),
        foot(last, voice),
    )


def turn_lines(turn: Turn, voice: Voice) -> Iterator[Line]:
    """What is so from a moment on."""
    if turn.came:
        yield Line(voice.phrase("unfold-came", laws=voice.laws(turn.came)))
    if turn.went:
        yield Line(voice.phrase("unfold-went", laws=voice.laws(turn.went)))
    yield from (Line(revoke_line(voice, revoke)) for revoke in turn.ruling.revokes)
    for side, tricks in turn.ruling.transfer.items():
        if tricks:
            to = voice.value(side, "side")
            yield Line(voice.phrase("unfold-stake", tricks=voice.tricks(tricks), to=to))


def _turn(turn: Turn, voice: Voice) -> Line:
    return Line(moment_words(voice, turn.moment), (), tuple(turn_lines(turn, voice)))


def _corrected(unfolding: Unfolding, revoke: RevokeRuled, voice: Voice) -> Line:
    name = voice.phrase("unfold-revoke", hand=voice.value(revoke.hand, "seat"), trick=revoke.trick)
    last = unfolding.correctable[revoke.play]
    if last is None:
        return Line(voice.phrase("unfold-still", revoke=name))
    settled = moment_words(voice, unfolding.turns[last + 1].moment)
    first = next(number for number, turn in enumerate(unfolding.turns) if revoke.play in turn.statuses)
    if last < first:
        return Line(
            voice.phrase("unfold-never", revoke=name), (), (Line(voice.phrase("unfold-settled", moment=settled)),)
        )
    until = moment_words(voice, unfolding.turns[last].moment)
    said = voice.phrase("unfold-until", revoke=name, moment=until)
    return Line(said, (), (Line(voice.phrase("unfold-settled", moment=settled)),))


def as_json(unfolding: Unfolding, voice: Voice) -> dict[str, Any]:
    """Every turn as an object, the moments in words."""
    return {
        "turns": [
            {
                "moment": moment_words(voice, turn.moment),
                "trick": turn.moment.trick,
                "came": list(turn.came),
                "went": list(turn.went),
                "revokes": [
                    {
                        "hand": one.hand,
                        "trick": one.trick,
                        "status": one.status,
                        "automatic-tricks": one.automatic_tricks,
                    }
                    for one in turn.ruling.revokes
                ],
                "transfer": dict(turn.ruling.transfer),
                "text": headline(turn.ruling, voice),
            }
            for turn in unfolding.turns
        ],
        "began": {law: moment_words(voice, unfolding.turns[at].moment) for law, at in unfolding.began.items()},
    }
