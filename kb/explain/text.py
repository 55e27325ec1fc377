"""A ruling as a director reads it out: the ruling, what is done now, the reasons, what is left to judgement."""

from __future__ import annotations

from collections.abc import Iterator

from facts.contract import Contract
from facts.ground import Fact
from kb.explain.page import Line, Page, Part, as_text, part, with_law
from kb.explain.reasons import reasons
from kb.explain.say import Voice
from kb.ruling.receipt import receipt
from kb.ruling.ruling import RevokeRuled, Ruling
from kb.ruling.sections import Item

LISTED = ("rectifications", "points", "options")
"""Parts of the ruling that say what is done now, in this order."""


def text(ruling: Ruling, voice: Voice) -> str:
    """The ruling in plain text; lines are not wrapped."""
    return as_text(page(ruling, voice), voice)


def page(ruling: Ruling, voice: Voice) -> Page:
    """The ruling: what it is, what is done now, the reasons, what is left to judgement, what is taken for granted."""
    remarks = ruling.revokes or ruling.items("remarks")
    return Page(
        title(ruling, voice),
        (Line(headline(ruling, voice)), *result_line(ruling, voice)),
        (
            *part(voice.phrase("now"), now(ruling, voice)),
            *part(voice.phrase("reasons"), _reasons(ruling, voice) if remarks else ()),
            *judgement(ruling, voice),
        ),
        foot(ruling, voice),
    )


def title(ruling: Ruling, voice: Voice) -> str:
    """«Board 12 — Laws of …»."""
    edition = ruling.edition.title[voice.lang]
    board = ruling.incident.board
    return edition if board is None else f"{voice.phrase('board', board=board)} — {edition}"


def foot(ruling: Ruling, voice: Voice) -> str:
    """The receipt."""
    return voice.phrase("receipt", receipt=receipt(ruling.edition, ruling.proof.ground))


def now(ruling: Ruling, voice: Voice) -> Iterator[Line]:
    """What is done now."""
    return (entry(ruling, voice, item) for section in LISTED for item in ruling.items(section))


def judgement(ruling: Ruling, voice: Voice) -> tuple[Part, ...]:
    """What is left to the director, what is not known, what is taken for granted, what is odd in the record."""
    left = (*ruling.items("adjusted"), *ruling.items("director"))
    presumed = (Line(voice.presumed(one.kind), one.laws) for one in ruling.presumed)
    return (
        *part(voice.phrase("director"), (entry(ruling, voice, item) for item in left)),
        *part(voice.phrase("open"), (entry(ruling, voice, item) for item in ruling.items("open"))),
        *part(voice.phrase("presumed"), presumed),
        *part(voice.phrase("irregular"), (Line(voice.oddity(odd)) for odd in ruling.irregular)),
    )


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


def said(ruling: Ruling, voice: Voice, item: Item) -> str:
    """An entry of the ruling in the words of the rule that concluded it, with its law."""
    return with_law(voice, entry(ruling, voice, item))


def entry(ruling: Ruling, voice: Voice, item: Item) -> Line:
    """An entry of the ruling in the words of the rule that concluded it."""
    step = ruling.proof.first_step(item.fact)
    return Line(voice.fact(item.fact) if step is None else voice.because(ruling.proof, step), item.law)


def contract_text(voice: Voice, contract: Contract) -> str:
    """«4♠», «3NTX»."""
    return f"{contract.level}{voice.words.name('symbol', contract.denomination, voice.lang)}{contract.doubled}"


def result_line(ruling: Ruling, voice: Voice) -> Iterator[Line]:
    """The contract's result and score, where they are known."""
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
    yield Line(f"{line}{score}")


def _reasons(ruling: Ruling, voice: Voice) -> Iterator[Line]:
    for revoke in ruling.revokes:
        steps = reasons(ruling.proof, ruling.citations, settling(ruling, revoke))
        under = dict.fromkeys(Line(voice.because(ruling.proof, step), (step.rule.clause,)) for step in steps)
        yield Line(revoke_line(voice, revoke), (), tuple(under))
    yield from (entry(ruling, voice, item) for item in ruling.items("remarks"))
    due = sum(revoke.automatic_tricks for revoke in ruling.revokes)
    moved = sum(ruling.transfer.values())
    if moved < due:
        yield Line(voice.phrase("capped", tricks=voice.tricks(moved)))


def revoke_line(voice: Voice, revoke: RevokeRuled) -> str:
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


def settling(ruling: Ruling, revoke: RevokeRuled) -> Iterator[Fact]:
    """The conclusions about one revoke."""
    for section in ("revokes", "status", "exempt", "automatic"):
        for fact in ruling.sections.facts(section):
            kind = ruling.edition.vocabulary.kinds[str(fact[0])]
            if fact[kind.index["play"]] == revoke.play:
                yield fact

