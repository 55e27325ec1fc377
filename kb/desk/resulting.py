"""What a page that shows a ruling needs of it; and what follows from a statement: each answer to the question on which
it hinges leads on, what is entered and does not go with what was said is told, and what holds is chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from facts.cards import SEATS, SUITS
from facts.errors import InputError
from facts.incident import Incident
from facts.readers.changes import all_changed
from kb.desk.addressed import WORD, chips_of, query_in, restated
from kb.desk.desk import Desk
from kb.desk.statements import ADDED, CONTRACT, Saying, Statement, additions, answers, of_board, value_words, values
from kb.explain.hinge import asked
from kb.explain.page import Line
from kb.explain.say import Speaker
from kb.explain.spoken import Announcement
from kb.explain.text import entered, over, page
from kb.interview.address import address, law_of, said_of
from kb.interview.chips import Telling
from kb.ruling.opening import Opening
from kb.ruling.ruling import Ruling
from kb.space.completions import without_one
from kb.space.layout import BOARD


@dataclass(frozen=True, slots=True)
class Contested:
    """What was said before and what is said now cannot both be so: one of two is tapped."""

    says: str
    ways: tuple[tuple[str, str], ...]
    """Each in words, with its address."""


def of_ruling(word: str, ruling: Ruling, speaker: Speaker) -> dict[str, Any]:
    """What a page needs to show a ruling; ``speaker``: one that says seats."""
    told_of = speaker.of(ruling)
    score, announced = entered(ruling, told_of), Announcement(ruling, told_of)
    return {
        "word": word,
        "now": announced.left,
        "score": score,
        "lacking": lacking(ruling.incident, score is not None and bool(score.score), speaker),
        "acted": {told_of.phrase("now"), told_of.phrase("hinges")},
        "told": page(ruling, told_of),
        "say": (Line(announced.head), *announced.lines),
        "additions": additions(ruling, speaker),
        "of_board": of_board,
        "strains": [*reversed(SUITS), "NT"],
        "contract": ruling.incident.contract,
        "over": over,
        "speaker": told_of,
        "edition": ruling.edition,
    }


def drawn(ruling: Ruling, speaker: Speaker) -> list[dict[str, Any]]:
    """The trick of the first revoke as it lay on the table, a seat each, as far as the cards are known; ``marks`` are
    those of «led», «won» and «wrong» that fit. Nothing where no card of it is known.
    """
    if not ruling.revokes:
        return []
    first, play, found = ruling.revokes[0], ruling.incident.play, ruling.incident.revokes
    stated = found[0] if found else None
    trick = stated.cards if stated else None
    if play is not None and first.trick <= len(play.tricks):
        trick = play.tricks[first.trick - 1]
    if trick is not None:
        cards = {seat: card for seat, card in trick.items() if card is not None}
    elif stated and stated.hand and stated.card:  # of a revoke whose seat nobody named, none
        cards = {stated.hand: stated.card}
    else:
        cards = {}
    at = {"led": trick and trick.leader, "won": first.won_by, "wrong": first.hand}
    return [
        {
            "seat": seat,
            "suit": cards[seat].suit if seat in cards else "",
            "card": speaker.value(cards[seat].text, "card") if seat in cards else "",
            "marks": [mark for mark, who in at.items() if who == seat],
        }
        for seat in (SEATS if cards else ())
    ]


def hinge(ruling: Ruling, desk: Desk, speaker: Speaker, query: Mapping[str, str]) -> dict[str, Any] | None:
    """The question on which a ruling hinges, how it is found out, and its answers with their addresses: those together
    that come to the same, with what then follows. Nothing where it hinges on nothing, or on what is still to come, of
    which nobody can be asked.

    ``query``: what the address of the ruling states; where it states answers, so does every address that follows.
    """
    opening = ruling.opening
    if opening.asking is None or opening.ahead:
        return None
    asks, (number, name) = asked(opening, opening.asking.key, speaker), opening.asking.key
    kind = opening.completions.table.findings.get(name)
    if number == BOARD or kind is None:
        return {"asks": asks, "finds_out": speaker.phrase("desk-hinge-decide"), "answers": []}
    interview = None if WORD in query or number else desk.counsel(law_of(query)).interview
    question, entry = interview.questions.get(name) if interview else None, query.get("entry")

    def leads_to(value: str) -> str:
        """Where an answer leads to; empty where another answer rules it out."""
        if question is not None and value in question.answers:
            return address("/ask", **{**query, name: value})
        change = f"revoke-{number + 1}.{name}={value}"
        try:
            new = all_changed(ruling.incident, [change], desk.table)
        except InputError:
            return ""
        return address("/ruling", **query_in(restated(query, [change], new, desk).word), entry=entry)

    by_seat = kind.type.name == "seat" and ruling.incident.revokes[0].hand is not None
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for said, (_, bits) in zip(groups(opening, speaker), opening.asking.answers, strict=True):
        after = ruling.after(bits)
        then = Announcement(after, speaker).head, "" if after.is_open else speaker.laws(after.decisive)
        for one in said:
            words = one.words
            if by_seat and one.values <= {*SEATS}:  # it is known who sits there
                seats = (speaker.value(seat, "seat") for seat in SEATS if seat in one.values)
                words = speaker.phrase("book-or").join(seats)
            if at := leads_to(one.written):
                found.setdefault(then, []).append((speaker.capital(words), at))
    way = kind.finds_out[speaker.lang] if kind.finds_out else ""
    finds_out = speaker.phrase("desk-hinge-find", way=way) if way else speaker.phrase("desk-hinge-decide")
    return {"asks": asks, "finds_out": finds_out, "answers": [(ways, *then) for then, ways in found.items()]}


def groups(opening: Opening, speaker: Speaker) -> list[list[Saying]]:
    """The answers to the question on which the ruling hinges, those that come to the same beside each other."""
    asking = opening.asking
    assert asking is not None
    held = opening.completions.values[asking.key]
    possible = [value for value, bits in held.items() if value is not None and bits & opening.among]
    found = []
    for wanted, _ in asking.answers:
        said = answers(opening.completions, asking.key, speaker, wanted, possible)
        left = [value for value in wanted if not any(value in one.values for one in said)]
        found.append([*said, *values(opening.completions, asking.key, speaker, left)])
    return found


def half(fields: Mapping[str, str], speaker: Speaker) -> str:
    """What is missing of a contract; empty where nothing is."""
    return speaker.phrase("desk-result-half") if bool(fields.get("level")) != bool(fields.get("strain")) else ""


def misread(error: InputError, listed: Iterable[Statement], speaker: Speaker) -> str:
    """The field that holds what it cannot; empty where it is none that is written or tapped there."""
    key, _, value = error.faults[0].place.file.partition("=")
    one = next((one for one in listed if one.name == key and (of_board(one) or key.endswith(".trick"))), None)
    return "" if one is None else speaker.phrase("desk-fault-value", what=one.label, value=value[:40])


def lacking(incident: Incident, scored: bool, speaker: Speaker) -> str:
    """What has still to be known for a score, once some of it is; ``scored``: whether there is one."""
    if incident.tricks is None or scored:
        return ""
    return speaker.phrase("desk-result-no-contract" if incident.contract is None else "desk-result-no-board")


def clash(incident: Incident, desk: Desk, query: Mapping[str, str], speaker: Speaker) -> str:
    """The statements of which one must be otherwise, in one sentence, each by the words in which it was answered where
    it was; ``query``: the answers before them.
    """

    def can_be(fewer: Incident) -> bool:
        try:
            desk.rule(fewer)
        except InputError:
            return False
        return True

    findings, chips, told = desk.table(law_of(query)).findings, chips_of(query, desk, speaker), list[str]()
    for name in [name for name, fewer in without_one(incident) if can_be(fewer)]:
        _, number, key = ("", "", name) if "." not in name else name.split(".", 2)
        chip = next((one.says for one in chips if number == "1" and key in one.tells), "")
        if chip or not number:
            told.append(chip or _of_board(key, incident, speaker))
        elif key in findings:
            kind, said = findings[key], incident.revokes[int(number) - 1].said[key]
            about = kind.about[speaker.lang] if kind.about else ""
            told.append(f"{about} {value_words(said, kind, speaker)}".strip())
    together = " · ".join(dict.fromkeys(told))
    return speaker.phrase("desk-result-clash", told=together) if told else speaker.phrase("desk-result-wrong")


def _of_board(key: str, incident: Incident, speaker: Speaker) -> str:
    """«Tricks: 12», «Contract: 4♠»."""
    contract = incident.contract if key == CONTRACT else None
    said = str(getattr(incident, key, "")) if contract is None else speaker.contract(contract)
    return f"{speaker.capital(speaker.value(key, 'board-key'))}: {said}" if key in ADDED else said


def choice(old: Mapping[str, str], new: Mapping[str, str], desk: Desk, speaker: Speaker) -> Contested | None:
    """Where it was said that nothing was unusual, and what is entered now is; None where it is not.

    ``old``, ``new``: what addresses state."""
    if WORD in old:
        return None
    counsel = desk.counsel(law_of(old))
    with counsel.lock:
        said, now = said_of(counsel, old), said_of(counsel, new)
        telling = Telling(now, speaker, new)
        for screen in (one for one in said.screens if one.id in said.closed):
            odd = [one for one in screen.unusual if now.ticked(one) and not said.ticked(one)]
            if odd:
                rows = ", ".join(telling.text(screen.unusual[one]) for one in odd)
                says = speaker.phrase("desk-result-odd", said=telling.text(screen.chip), odd=rows)
                stay = speaker.phrase("desk-result-stay", said=telling.text(screen.chip))
                return Contested(says, ((rows, address("/ruling", **new)), (stay, address("/ruling", **old))))
    return None
