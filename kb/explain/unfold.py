"""A ruling as it unfolds, in words: what changed at which moment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from kb.explain.happenings import moment_words
from kb.explain.headline import headline
from kb.explain.page import Line, Page, part
from kb.explain.say import Speaker
from kb.explain.text import foot, revoke_line, title
from kb.ruling.report import Report
from kb.ruling.ruling import RevokeRuled, Ruling
from kb.ruling.unfold import Turn, Unfolding


def page(unfolding: Unfolding, speaker: Speaker) -> Page:
    """The moments at which the ruling changed, how long each revoke could be corrected, since when each law applies."""
    turns, last = unfolding.turns, unfolding.last
    speaker = speaker.of(last)
    laws = (
        Line(f"{speaker.laws([law])}: {moment_words(turns[at].moment, last, speaker)}")
        for law, at in unfolding.began.items()
    )
    told = [turns[number] for number in unfolding.changes() if number or turns[number].came]
    return Page(
        title(last, speaker),
        (Line(headline(last, speaker)),),
        (
            *part(speaker.phrase("unfold-title"), (_turn(turn, last, speaker) for turn in told), numbered=True),
            *part(speaker.phrase("unfold-correction"), (_corrected(unfolding, one, speaker) for one in last.revokes)),
            *part(speaker.phrase("unfold-laws"), laws),
        ),
        foot(Report(last), speaker),
    )


def turn_lines(turn: Turn, speaker: Speaker) -> Iterator[Line]:
    """What is so from a moment on."""
    speaker = speaker.of(turn.ruling)
    if turn.came:
        yield Line(speaker.phrase("unfold-came", laws=speaker.laws(turn.came)))
    if turn.went:
        yield Line(speaker.phrase("unfold-went", laws=speaker.laws(turn.went)))
    yield from (Line(revoke_line(speaker, revoke)) for revoke in turn.ruling.revokes)
    for side, tricks in turn.ruling.transfer.items():
        if tricks:
            to = speaker.value(side, "side")
            yield Line(speaker.phrase("unfold-stake", tricks=speaker.tricks(tricks), to=to))


def _turn(turn: Turn, last: Ruling, speaker: Speaker) -> Line:
    return Line(moment_words(turn.moment, last, speaker), (), tuple(turn_lines(turn, speaker)))


def _corrected(unfolding: Unfolding, revoke: RevokeRuled, speaker: Speaker) -> Line:
    hand, trick = speaker.value(revoke.hand, "seat"), speaker.value(revoke.trick, "trick")
    name = speaker.capital(speaker.phrase("of-revoke", hand=hand, trick=trick))
    play = unfolding.last.unsaid.moment(revoke.play)
    last = unfolding.correctable[play]
    if last is None:
        return Line(speaker.phrase("unfold-still", revoke=name))
    until, settled = (moment_words(turn.moment, unfolding.last, speaker) for turn in unfolding.turns[last : last + 2])
    first = next(number for number, turn in enumerate(unfolding.turns) if play in turn.statuses)
    said = speaker.phrase("unfold-never" if last < first else "unfold-until", revoke=name, moment=until)
    return Line(said, (), (Line(speaker.phrase("unfold-settled", moment=settled)),))


def as_json(unfolding: Unfolding, speaker: Speaker) -> dict[str, Any]:
    """Every turn as an object, the moments in words."""
    speaker = speaker.of(unfolding.last)
    moments = [moment_words(turn.moment, unfolding.last, speaker) for turn in unfolding.turns]
    return {
        "turns": [_turn_json(*one, speaker) for one in zip(unfolding.turns, moments, strict=True)],
        "began": {law: moments[at] for law, at in unfolding.began.items()},
    }


def _turn_json(turn: Turn, moment: str, speaker: Speaker) -> dict[str, Any]:
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
        "text": headline(ruling, speaker.of(ruling)),
    }
