"""A ruling as a director reads it out: the ruling, what is done now, the reasons, what is left to judgement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from facts.contract import Contract
from facts.ground import Fact
from kb.explain.reasons import reasons
from kb.explain.say import Voice
from kb.ruling.ruling import RevokeRuled, Ruling
from kb.ruling.sections import Item

LISTED = ("rectifications", "points", "options")
"""Parts of the ruling that say what is done now, in this order."""


def text(ruling: Ruling, voice: Voice) -> str:
    """The ruling in plain text; lines are not wrapped."""
    return "\n".join(_lines(ruling, voice)) + "\n"


def _lines(ruling: Ruling, voice: Voice) -> Iterator[str]:
    if ruling.incident.board is not None:
        yield f"{voice.phrase('board', board=ruling.incident.board)} — {ruling.edition.title[voice.lang]}"
    else:
        yield ruling.edition.title[voice.lang]
    yield headline(ruling, voice)
    yield from _result(ruling, voice)
    now = [item for section in LISTED for item in ruling.items(section)]
    yield from _part(voice.phrase("now"), (said(ruling, voice, item) for item in now))
    if ruling.revokes or ruling.items("remarks"):
        yield from _part(voice.phrase("reasons"), _reasons(ruling, voice))
    yield from _part(voice.phrase("director"), _judgement(ruling, voice))
    yield from _part(voice.phrase("open"), (said(ruling, voice, item) for item in ruling.items("open")))
    presumed = (with_law(voice, voice.presumed(one.kind), one.laws) for one in ruling.presumed)
    yield from _part(voice.phrase("presumed"), presumed)
    yield from _part(voice.phrase("irregular"), map(voice.oddity, ruling.irregular))


def headline(ruling: Ruling, voice: Voice) -> str:
    """The ruling in one line."""
    if not ruling.revokes:
        return voice.phrase("no-revoke")
    adjusted = ruling.sections.facts("adjusted")
    if adjusted:
        index = ruling.edition.vocabulary.kinds[str(adjusted[0][0])].index
        side, tricks = adjusted[0][index["side"]], adjusted[0][index["tricks"]]
        return voice.phrase("adjusted", tricks=voice.tricks(int(tricks or 0)), side=voice.value(side, "side"))
    moves = [(side, tricks) for side, tricks in ruling.transfer.items() if tricks]
    if moves:
        return " ".join(
            voice.phrase("moves", tricks=voice.tricks(tricks), to=voice.value(side, "side")) for side, tricks in moves
        )
    states = {revoke.status for revoke in ruling.revokes}
    if ruling.items("open"):
        return voice.phrase("undecided")
    for state, key in (("must-correct", "correct"), ("established", "exempt"), ("corrected", "corrected")):
        if state in states:
            return voice.phrase(key)
    return voice.phrase("none-yet")


def with_law(voice: Voice, sentence: str, laws: Iterable[str]) -> str:
    """A sentence and the law behind it."""
    law = voice.laws(laws)
    return f"{sentence} [{law}]" if law else sentence


def said(ruling: Ruling, voice: Voice, item: Item) -> str:
    """An entry of the ruling in the words of the rule that concluded it."""
    step = ruling.proof.first_step(item.fact)
    sentence = voice.fact(item.fact) if step is None else voice.because(ruling.proof, step)
    return with_law(voice, sentence, item.law)


def contract_text(voice: Voice, contract: Contract) -> str:
    """«4♠», «3NTX»."""
    return f"{contract.level}{voice.words.name('symbol', contract.denomination, voice.lang)}{contract.doubled}"


def _part(title: str, sentences: Iterable[str]) -> Iterator[str]:
    listed = list(dict.fromkeys(sentences))
    if listed:
        yield ""
        yield f"{title}:"
        yield from (sentence if sentence.startswith(" ") else f"  - {sentence}" for sentence in listed)


def _result(ruling: Ruling, voice: Voice) -> Iterator[str]:
    result, contract = ruling.result, ruling.incident.contract
    if result is None or result.tricks_ruled is None or contract is None:
        return
    table = result.tricks_at_table
    changed = table is not None and table != result.tricks_ruled
    line = voice.phrase(
        "result" if changed else "result-unchanged",
        contract=contract_text(voice, contract),
        declarer=voice.value(result.declarer, "seat"),
        table=voice.tricks(table or 0),
        ruled=voice.tricks(result.tricks_ruled),
    )
    score = "" if result.score_ns is None else voice.phrase("score", score=f"{result.score_ns:+d}")
    yield f"{line}{score}"


def _reasons(ruling: Ruling, voice: Voice) -> Iterator[str]:
    for revoke in ruling.revokes:
        yield revoke_line(ruling, voice, revoke)
        for step in reasons(ruling.proof, ruling.citations, _settling(ruling, revoke)):
            yield "      " + with_law(voice, voice.because(ruling.proof, step), [step.rule.clause])
    yield from (said(ruling, voice, item) for item in ruling.items("remarks"))
    due = sum(revoke.automatic_tricks for revoke in ruling.revokes)
    moved = sum(ruling.transfer.values())
    if moved < due:
        yield voice.phrase("capped", tricks=voice.tricks(moved))


def revoke_line(ruling: Ruling, voice: Voice, revoke: RevokeRuled) -> str:
    """«West, trick 5: established, 2 tricks automatic [Law 7A1]»."""
    line = voice.phrase(
        "revoke-line",
        hand=voice.value(revoke.hand, "seat"),
        trick=revoke.trick,
        status=voice.value(revoke.status, "status-word"),
    )
    if revoke.automatic_tricks:
        line += voice.phrase("automatic", tricks=voice.tricks(revoke.automatic_tricks))
    return line


def _settling(ruling: Ruling, revoke: RevokeRuled) -> Iterator[Fact]:
    """The conclusions about one revoke."""
    for section in ("revokes", "status", "exempt", "automatic"):
        for fact in ruling.sections.facts(section):
            kind = ruling.edition.vocabulary.kinds[str(fact[0])]
            if fact[kind.index["play"]] == revoke.play:
                yield fact


def _judgement(ruling: Ruling, voice: Voice) -> Iterator[str]:
    yield from (said(ruling, voice, item) for item in (*ruling.items("adjusted"), *ruling.items("director")))
