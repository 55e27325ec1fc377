"""A ruling as a director reads it out: the ruling, what is done now, the reasons, what is left to judgement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from facts import __version__
from facts.cards import SIDE
from facts.contract import NO_LEVEL
from facts.observe import doubts
from kb.engine.proof import Step
from kb.explain.evidence import evidence_part
from kb.explain.headline import headline
from kb.explain.hinge import conditions, hinge, presumed
from kb.explain.page import Line, Page, Part, part
from kb.explain.words import Speaker
from kb.ruling.result import Made
from kb.ruling.ruling import Entry, RevokeRuled, Ruling


def page_of(ruling: Ruling, speaker: Speaker) -> Page:
    """The ruling: what it is, what is done now, the reasons, what is left to judgement, what is taken for granted."""
    speaker = speaker.of(ruling)
    return Page(
        title(ruling, speaker),
        lead(ruling, speaker),
        (
            *part(speaker.phrase("hinges"), hinge(ruling, speaker)),
            *part(speaker.phrase("now"), now(ruling, speaker)),
            *own_parts(ruling, speaker),
            *part(speaker.phrase("reasons"), reasons(ruling, speaker)),
            *judgement(ruling, speaker),
        ),
        foot(ruling, speaker),
    )


def title(ruling: Ruling, speaker: Speaker) -> str:
    """«Board 12 — Laws of …»."""
    edition = ruling.law_called(speaker.lang)
    board = ruling.incident.board
    return edition if board is None else f"{speaker.phrase('board', board=board)} — {edition}"


def lead(ruling: Ruling, speaker: Speaker) -> tuple[Line, ...]:
    doubt = (Line(speaker.phrase("irregular-doubt")),) if doubts(ruling.incident) else ()
    return (Line(headline(ruling, speaker)), *result_line(ruling, speaker), *doubt)


def foot(ruling: Ruling, speaker: Speaker) -> str:
    return speaker.phrase("receipt", receipt=ruling.receipt, version=__version__)


def now(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """What is done now, but for what stands in parts of its own; no sentence twice."""
    apart = {item.fact for entries in ruling.own.values() for item in entries}
    yield from dict.fromkeys(entry_line(item, speaker) for item in ruling.now if item.fact not in apart)


def own_parts(ruling: Ruling, speaker: Speaker) -> Iterator[Part]:
    """The parts of a ruling that the vocabulary adds, each under its heading; what is done now has been told."""
    told = {line.text for line in now(ruling, speaker)}
    for section, entries in ruling.own.items():
        heading = ruling.edition.vocabulary.sections[section][speaker.lang]
        yield from part(
            heading, (line for one in entries for line in entry_lines(one, speaker) if line.text not in told)
        )


def judgement(ruling: Ruling, speaker: Speaker) -> tuple[Part, ...]:
    """What is left to the director, what is not known, what is taken for granted, what is odd in the record."""
    return (
        *part(speaker.phrase("law-of-the-day"), map(Line, law_of_day_lines(ruling, speaker))),
        *discretion(ruling, speaker),
        *evidence_part(ruling, speaker),
        *part(speaker.phrase("open"), conditions(ruling, speaker)),
        *part(speaker.phrase("presumed"), presumed(ruling, speaker)),
        *part(speaker.phrase("irregular"), (Line(speaker.oddity(odd)) for odd in ruling.irregular)),
    )


def discretion(ruling: Ruling, speaker: Speaker) -> tuple[Part, ...]:
    return part(speaker.phrase("director"), (line for item in ruling.director for line in entry_lines(item, speaker)))


def law_of_day_lines(ruling: Ruling, speaker: Speaker) -> Iterator[str]:
    """That another law was in force on the day, or that the jurisdiction had chosen otherwise."""
    stands, day = ruling.of_its_day, ruling.incident.date
    places = {"edition": ruling.edition.title[speaker.lang], "date": str(day)}
    if stands.instead is not None:
        yield speaker.phrase("law-of-the-day-instead", **places, other=stands.instead.title[speaker.lang])
    elif stands.in_force is False:
        yield speaker.phrase("law-of-the-day-none", **places)
    if stands.chosen:
        chosen = ", ".join(election.title[speaker.lang] for election in stands.chosen)
        yield speaker.phrase("law-of-the-day-chosen", jurisdiction=ruling.incident.jurisdiction, elections=chosen)


def entry_lines(item: Entry, speaker: Speaker) -> Iterator[Line]:
    """An entry of the ruling; one line for each clause that concluded it in words of its own."""
    if not item.ways:
        yield entry_line(item, speaker)
    yield from (reason_line(way, speaker) for way in item.ways)


def entry_line(item: Entry, speaker: Speaker) -> Line:
    """An entry of the ruling in the words of the rule that concluded it, with the results it lets be considered."""
    text = speaker.capital(speaker.fact(item.fact)) if item.reason is None else speaker.reason(item.reason)
    offers = (
        outcome_words(offer, speaker)
        + ("" if offer.score_ns is None else speaker.phrase("score", score=f"{offer.score_ns:+d}"))
        for offer in item.offers
    )
    return Line(text, item.law, tuple(dict.fromkeys(map(Line, offers))))


def outcome_words(outcome: Made, speaker: Speaker) -> str:
    """«4♠ by South: 9 tricks»."""
    contract = speaker.contract(outcome.contract)
    if outcome.contract.passed_out:
        return contract
    declarer, tricks = speaker.value(outcome.declarer, "seat"), speaker.tricks(outcome.tricks)
    return speaker.phrase("result-unchanged", contract=contract, declarer=declarer, ruled=tricks)


def reason_line(reason: Step, speaker: Speaker) -> Line:
    return Line(speaker.reason(reason), (reason.rule.clause,))


def result_line(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """The contract's result and score, where they are known, and the weighted score, if the director gives one."""
    result, contract = ruling.result, ruling.incident.contract
    if result is not None and result.tricks_ruled is not None and contract is not None:
        table = result.tricks_at_table
        changed = table is not None and table != result.tricks_ruled
        line = speaker.phrase(
            "result" if changed else "result-unchanged",
            contract=speaker.contract(contract),
            declarer=speaker.value(result.declarer, "seat"),
            table=speaker.tricks(table or 0),
            ruled=speaker.tricks(result.tricks_ruled),
        )
        scored = ruling.edition.scored == "duplicate" and contract.level != NO_LEVEL
        unknown = speaker.phrase("score-unknown") if scored else ""
        score = unknown if result.score_ns is None else speaker.phrase("score", score=f"{result.score_ns:+d}")
        yield Line(f"{line}{score}")
    if result is not None and result.weighted_score_ns is not None:
        outcomes = ", ".join(
            f"{outcome.weight} %: {outcome_words(outcome, speaker)}, {outcome.score_ns:+d}"
            for outcome in result.weighted
        )
        alone = result.weighted_for
        score = f"{-result.weighted_score_ns if alone == 'EW' else result.weighted_score_ns:+}"
        weighted = speaker.phrase("weighted-for", side=speaker.value(alone, "side"), score=score) if alone else None
        yield Line(f"{weighted or speaker.phrase('weighted', score=score)} ({outcomes})")


def reasons(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    for revoke in ruling.revokes:
        lines = dict.fromkeys(reason_line(reason, speaker) for reason in ruling.reasons_for(revoke))
        yield Line(revoke_line(speaker, revoke), (), (*lines, *_either(ruling, revoke, speaker)))
    yield from remarks(ruling, speaker)
    moved = sum(ruling.transfer.values())
    if moved < sum(revoke.automatic_tricks for revoke in ruling.revokes):  # than they cost one by one
        yield Line(speaker.phrase("capped", tricks=speaker.tricks(moved)))


def remarks(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """What is remarked of no revoke by itself."""
    by_text: dict[str, Line] = {}  # what several conclusions tell in the same words is told once, with all its laws
    for line in (entry_line(item, speaker) for item in ruling.entries("remarks")):
        laws = {*line.laws, *by_text.get(line.text, line).laws}
        by_text[line.text] = replace(line, laws=ruling.citations.sort(laws))
    yield from by_text.values()


def why(ruling: Ruling, speaker: Speaker) -> Iterator[Line]:
    """The law's steps behind the ruling, then the ways to what is certain though no step to it is."""
    yield from (reason_line(reason, speaker) for reason in ruling.reasons)
    for revoke in ruling.revokes:
        yield from _either(ruling, revoke, speaker)


def _either(ruling: Ruling, revoke: RevokeRuled, speaker: Speaker) -> Iterator[Line]:
    """The ways to a conclusion that is certain though it is not known in which of them it came about, each once."""
    once: dict[Line, None] = {}
    for ways in ruling.either(revoke):
        lines = [Line(" ".join(map(speaker.reason, way)), tuple(step.rule.clause for step in way)) for way in ways]
        once |= dict.fromkeys([Line(speaker.phrase("either-way"), (), tuple(lines))] if len(lines) > 1 else lines)
    return iter(once)


def revoke_line(speaker: Speaker, revoke: RevokeRuled) -> str:
    """«West, trick 5: established, 2 tricks automatic [Law 7A1]»."""
    line = speaker.phrase(
        "revoke-line",
        hand=speaker.value(revoke.hand, "seat"),
        trick=speaker.value(revoke.trick, "trick"),
        status=speaker.value(revoke.status, "status-word"),
    )
    if revoke.automatic_tricks:
        line += speaker.phrase("automatic", tricks=speaker.tricks(revoke.automatic_tricks))
    return speaker.capital(line)


@dataclass(frozen=True, slots=True)
class Entered:
    """What is entered; a text is empty where it is not known."""

    board: str
    result: str
    """«4♠ South +1»."""
    score: str
    """«450»."""
    side: str
    """Whose score it is."""
    tricks: str
    """How many at the table, how many after the ruling; empty where none went over."""


def entered(ruling: Ruling, speaker: Speaker, short: bool = False) -> Entered | None:
    """None until the board is played out and the ruling certain; ``short`` names seats by their initials."""
    result = ruling.scored
    contract = ruling.incident.contract
    if result is None or contract is None or contract.level == NO_LEVEL or result.tricks_ruled is None:
        return None
    made = over(0 if contract.passed_out else result.tricks_ruled - contract.level - 6)
    declarer = speaker.value(result.declarer, "seat")
    table, board, score = result.tricks_at_table, ruling.incident.board, result.score_ns
    moved = table is not None and table != result.tricks_ruled
    whose = ""
    if score:
        side = "NS" if score > 0 else "EW"
        seats = (speaker.value(seat, "seat")[:1] for seat in SIDE if SIDE[seat] == side)
        whose = "–".join(seats) if short else speaker.value(side, "side")
    return Entered(
        "" if board is None else speaker.phrase("board", board=board),
        f"{speaker.contract(contract)} {declarer[:1] if short else declarer} {made}",
        "" if score is None else str(abs(score)),
        whose,
        speaker.phrase("tricks-entered", table=table, ruled=result.tricks_ruled) if moved else "",
    )


def over(tricks: int) -> str:
    """«+1», «=» or «−2», by the tricks above the contract."""
    return f"{tricks:+d}".replace("-", "−") if tricks else "="
