"""A ruling as a director reads it out: the ruling, what is done now, the reasons, what is left to judgement."""

from __future__ import annotations

from collections.abc import Iterator

from facts.contract import Contract
from facts.fact import Fact
from kb.explain.headline import headline
from kb.explain.hinge import conditions, hinge, presumed
from kb.explain.offers import offer_lines, weighted_lines
from kb.explain.page import Line, Page, Part, as_text, part, with_law
from kb.explain.reasons import reasons
from kb.explain.say import Speaker
from kb.ruling.receipt import receipt
from kb.ruling.ruling import RevokeRuled, Ruling
from kb.ruling.sections import Item

LISTED = ("adjusted", "rectifications", "points", "options")
"""Parts of the ruling that say what is done now, in this order."""


def text(ruling: Ruling, speaker: Speaker) -> str:
    """The ruling in plain text; lines are not wrapped."""
    return as_text(page(ruling, speaker), speaker)


def page(ruling: Ruling, speaker: Speaker) -> Page:
    """The ruling: what it is, what is done now, the reasons, what is left to judgement, what is taken for granted."""
    speaker = speaker.of(ruling)
    remarks = ruling.revokes or ruling.items("remarks")
    return Page(
        title(ruling, speaker),
        (*_lead(ruling, speaker), *result_line(ruling, speaker)),
        (
            *part(speaker.phrase("hinges"), hinge(ruling, speaker)),
            *part(speaker.phrase("now"), now(ruling, speaker)),
            *part(speaker.phrase("reasons"), _reasons(ruling, speaker) if remarks else ()),
            *judgement(ruling, speaker),
        ),
        foot(ruling, speaker),
    )


def title(ruling: Ruling, speaker: Speaker) -> str:
    """«Board 12 — Laws of …»."""
    edition = ruling.edition.called(speaker.lang)
    board = ruling.incident.board
    return edition if board is None else f"{speaker.phrase('board', board=board)} — {edition}"


def foot(ruling: Ruling, speaker: Speaker) -> str:
    """The receipt."""
    return speaker.phrase("receipt", receipt=receipt(ruling.edition, ruling.rests_on))


def now(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """What is done now."""
    return (entry(ruling, speaker, item) for section in LISTED for item in ruling.items(section))


def judgement(ruling: Ruling, speaker: Speaker) -> tuple[Part, ...]:
    """What is left to the director, what is not known, what is taken for granted, what is odd in the record."""
    left = (line for item in ruling.items("director") for line in entries(ruling, speaker, item))
    return (
        *part(speaker.phrase("director"), left),
        *_evidence(ruling, speaker),
        *part(speaker.phrase("open"), conditions(ruling, speaker)),
        *part(speaker.phrase("presumed"), presumed(ruling, speaker)),
        *part(speaker.phrase("irregular"), (Line(speaker.oddity(odd)) for odd in ruling.irregular)),
    )


def _evidence(ruling: Ruling, speaker: Speaker) -> tuple[Part, ...]:
    if not ruling.evidence:
        return ()
    from kb.explain.evidence import evidence_part  # noqa: PLC0415 - it loads what most rulings do not need

    return evidence_part(ruling, speaker)


def _lead(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    yield Line(headline(ruling, speaker))


def said(ruling: Ruling, speaker: Speaker, item: Item) -> str:
    """An entry of the ruling in the words of the rule that concluded it, with its law."""
    return " ".join(with_law(speaker, line) for line in entries(ruling, speaker, item))


def entries(ruling: Ruling, speaker: Speaker, item: Item) -> Iterator[Line]:
    """An entry of the ruling; one line for each clause that concluded it in words of its own."""
    steps = {step.rule.clause: step for step in reversed(ruling.proof.steps_for(item.fact))}
    if len(steps) < 2 or not all(ruling.citations.is_law(clause) for clause in steps):
        yield entry(ruling, speaker, item)
        return
    for clause in ruling.citations.sort(steps):
        yield Line(speaker.because(ruling.proof, steps[clause]), (clause,))


def entry(ruling: Ruling, speaker: Speaker, item: Item) -> Line:
    """An entry of the ruling in the words of the rule that concluded it."""
    step = ruling.proof.first_step(item.fact)
    said = speaker.fact(item.fact) if step is None else speaker.because(ruling.proof, step)
    return Line(said, item.law, offer_lines(ruling, speaker, item))


def contract_text(speaker: Speaker, contract: Contract) -> str:
    """«4♠», «3NTX»."""
    return speaker.contract(contract)


def result_line(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """The contract's result and score, where they are known, and the weighted score, if the director gives one."""
    yield from _result(ruling, speaker)
    yield from weighted_lines(ruling, speaker)


def _result(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    result, contract = ruling.result, ruling.incident.contract
    if result is None or result.tricks_ruled is None or contract is None:
        return
    table = result.tricks_at_table
    changed = table is not None and table != result.tricks_ruled
    line = speaker.phrase(
        "result" if changed else "result-unchanged",
        contract=speaker.contract(contract),
        declarer=speaker.value(result.declarer, "seat"),
        table=speaker.tricks(table or 0),
        ruled=speaker.tricks(result.tricks_ruled),
    )
    unknown = speaker.phrase("score-unknown") if ruling.edition.scored == "duplicate" else ""
    score = unknown if result.score_ns is None else speaker.phrase("score", score=f"{result.score_ns:+d}")
    yield Line(f"{line}{score}")


def _reasons(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    for revoke in ruling.revokes:
        steps = reasons(ruling.proof, ruling.citations, settling(ruling, revoke))
        own = (step for step in steps if _about(ruling, step.fact, revoke))
        under = dict.fromkeys(Line(speaker.because(ruling.proof, step), (step.rule.clause,)) for step in own)
        yield Line(revoke_line(speaker, revoke), (), (*under, *_either(ruling, revoke, speaker)))
    yield from (entry(ruling, speaker, item) for item in ruling.items("remarks"))
    due = sum(revoke.automatic_tricks for revoke in ruling.revokes)
    moved = sum(ruling.transfer.values())
    if moved < due:
        yield Line(speaker.phrase("capped", tricks=speaker.tricks(moved)))


def _either(ruling: Ruling, revoke: RevokeRuled, speaker: Speaker) -> Iterator[Line]:
    """The ways to a conclusion that is certain though it is not known in which of them it came about."""
    told = set[Line]()
    for fact in settling(ruling, revoke):
        ways = ruling.citations.either.get(fact, ())
        lines = [
            Line(" ".join(speaker.reason(s.rule, s.bindings) for s in way), tuple(s.rule.clause for s in way))
            for way in ways
        ]
        if len(lines) > 1:
            lines = [Line(speaker.phrase("either-way"), (), tuple(lines))]
        yield from (line for line in lines if line not in told)
        told.update(lines)


def _about(ruling: Ruling, fact: Fact, revoke: RevokeRuled) -> bool:
    """Whether a fact is not one of another revoke, under which it is told."""
    at = ruling.edition.vocabulary.kinds[str(fact[0])].index.get("play")
    return at is None or fact[at] == revoke.play or fact[at] not in {one.play for one in ruling.revokes}


def revoke_line(speaker: Speaker, revoke: RevokeRuled) -> str:
    """«West, trick 5: established, 2 tricks automatic [Law 7A1]»."""
    line = speaker.phrase(
        "revoke-line",
        hand=speaker.value(revoke.hand, "seat"),
        trick=revoke.trick,
        status=speaker.value(revoke.status, "status-word"),
    )
    if revoke.automatic_tricks:
        line += speaker.phrase("automatic", tricks=speaker.tricks(revoke.automatic_tricks))
    return speaker.smooth(line)


def settling(ruling: Ruling, revoke: RevokeRuled) -> Iterator[Fact]:
    """The conclusions about one revoke."""
    for section in ("revokes", "status", "exempt", "automatic"):
        for fact in ruling.sections.facts(section):
            kind = ruling.edition.vocabulary.kinds[str(fact[0])]
            if fact[kind.index["play"]] == revoke.play:
                yield fact
