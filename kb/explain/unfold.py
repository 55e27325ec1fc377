"""A ruling as it unfolds, in words: what changed at which moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kb.explain.happenings import moment_words
from kb.explain.headline import headline
from kb.explain.page import Line, Page, part
from kb.explain.say import Voice
from kb.explain.text import foot, revoke_line, title
from kb.ruling.ruling import RevokeRuled, Ruling
from kb.ruling.unfold import Turn, Unfolding


def page(unfolding: Unfolding, voice: Voice) -> Page:
    """The moments at which the ruling changed, how long each revoke could be corrected, since when each law applies."""
    turns, last = unfolding.turns, unfolding.last
    voice = voice.of(last)
    laws = (
        Line(f"{voice.laws([law])}: {moment_words(turns[at].moment, last, voice)}")
        for law, at in unfolding.began.items()
    )
    told = [turns[number] for number in unfolding.changes() if number or turns[number].came]
    return Page(
        title(last, voice),
        (Line(headline(last, voice)),),
        (
            *part(voice.phrase("unfold-title"), (_turn(turn, last, voice) for turn in told), numbered=True),
            *part(voice.phrase("unfold-correction"), (_corrected(unfolding, one, voice) for one in last.revokes)),
            *part(voice.phrase("unfold-laws"), laws),
        ),
        foot(last, voice),
    )


def turn_lines(turn: Turn, voice: Voice) -> Iterator[Line]:
    """What is so from a moment on."""
    voice = voice.of(turn.ruling)
    if turn.came:
        yield Line(voice.phrase("unfold-came", laws=voice.laws(turn.came)))
    if turn.went:
        yield Line(voice.phrase("unfold-went", laws=voice.laws(turn.went)))
    yield from (Line(revoke_line(voice, revoke)) for revoke in turn.ruling.revokes)
    for side, tricks in turn.ruling.transfer.items():
        if tricks:
            to = voice.value(side, "side")
            yield Line(voice.phrase("unfold-stake", tricks=voice.tricks(tricks), to=to))


def _turn(turn: Turn, last: Ruling, voice: Voice) -> Line:
    return Line(moment_words(turn.moment, last, voice), (), tuple(turn_lines(turn, voice)))


def _corrected(unfolding: Unfolding, revoke: RevokeRuled, voice: Voice) -> Line:
    name = voice.smooth(voice.phrase("unfold-revoke", hand=voice.value(revoke.hand, "seat"), trick=revoke.trick))
    play = unfolding.last.unsaid.moment(revoke.play)
    last = unfolding.correctable[play]
    if last is None:
        return Line(voice.phrase("unfold-still", revoke=name))
    until, settled = (moment_words(turn.moment, unfolding.last, voice) for turn in unfolding.turns[last : last + 2])
    first = next(number for number, turn in enumerate(unfolding.turns) if play in turn.statuses)
    said = voice.phrase("unfold-never" if last < first else "unfold-until", revoke=name, moment=until)
    return Line(said, (), (Line(voice.phrase("unfold-settled", moment=settled)),))


def as_json(unfolding: Unfolding, voice: Voice) -> dict[str, Any]:
    """Every turn as an object, the moments in words."""
    voice = voice.of(unfolding.last)
    moments = [moment_words(turn.moment, unfolding.last, voice) for turn in unfolding.turns]
    return {
        "turns": [_turn_json(*one, voice) for one in zip(unfolding.turns, moments, strict=True)],
        "began": {law: moments[at] for law, at in unfolding.began.items()},
    }


def _turn_json(turn: Turn, moment: str, voice: Voice) -> dict[str, Any]:
    ruling = turn.ruling
    revokes = [
        {"hand": one.hand, "trick": one.trick, "status": one.status, "automatic-tricks": one.automatic_tricks}
        for one in ruling.revokes
    ]
    return {
        "moment": moment,
        "trick": turn.moment.trick,
        "came": list(turn.came),
        "went": list(turn.went),
        "revokes": ruling.unsaid.told(revokes),
        "transfer": ruling.unsaid.told(dict(ruling.transfer)),
        "text": headline(ruling, voice.of(ruling)),
    }
