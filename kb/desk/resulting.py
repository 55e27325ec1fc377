"""The result that is entered on a ruling, where it does not go with what was said: what contradicts, and what holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from facts.errors import InputError
from facts.incident import Incident
from kb.desk.additions import BOARD, CONTRACT, Addition
from kb.desk.addressed import address, answers_of, law_of, said_of
from kb.desk.chips import Telling
from kb.desk.laws import DeskLaws
from kb.desk.sayings import value_words
from kb.explain.say import Speaker
from kb.space.completions import without_one


@dataclass(frozen=True, slots=True)
class Contested:
    """What was said before and what is said now cannot both be so: one of two is tapped."""

    says: str
    ways: tuple[tuple[str, str], ...]
    """Each in words, with its address."""


def half(fields: Mapping[str, str], speaker: Speaker) -> str:
    """What is missing of a contract; empty where nothing is."""
    return speaker.phrase("desk-result-half") if bool(fields.get("level")) != bool(fields.get("strain")) else ""


def misread(error: InputError, additions: Iterable[Addition], speaker: Speaker) -> str:
    """The field that holds what it cannot; empty where it is none that is written or tapped there."""
    key, _, value = error.faults[0].place.file.partition("=")
    one = next((one for one in additions if one.name == key and (one.of_board or key.endswith(".trick"))), None)
    return "" if one is None else speaker.phrase("desk-fault-value", what=one.label, value=value[:40])


def lacking(incident: Incident, scored: bool, speaker: Speaker) -> str:
    """What has still to be known for a score, once some of it is; ``scored``: whether there is one."""
    if incident.tricks is None or scored:
        return ""
    return speaker.phrase("desk-result-no-contract" if incident.contract is None else "desk-result-no-board")


def clash(incident: Incident, laws: DeskLaws, query: Mapping[str, str], speaker: Speaker) -> str:
    """The statements of which one must be otherwise, in one sentence; ``query``: the answers before them."""
    names = [name for name, fewer in without_one(incident) if _can_be(fewer, laws)]
    told = list(dict.fromkeys(_told(names, incident, laws, query, speaker)))
    return speaker.phrase("desk-result-clash", told=" · ".join(told)) if told else speaker.phrase("desk-result-wrong")


def _can_be(incident: Incident, laws: DeskLaws) -> bool:
    try:
        laws.rule(incident)
    except InputError:
        return False
    return True


def _told(
    names: list[str], incident: Incident, laws: DeskLaws, query: Mapping[str, str], speaker: Speaker
) -> Iterator[str]:
    """Each statement, by the words in which it was answered where it was."""
    counsel, table = laws.counsel(law_of(query)), laws.table(law_of(query))
    with counsel.lock:
        chips = list(Telling(said_of(counsel, query), speaker, query).chips()) if "f" not in query else []
    for name in names:
        _, number, key = ("", "", name) if "." not in name else name.split(".", 2)
        chip = next((one.says for one in chips if number == "1" and key in one.tells), "")
        if chip or not number:
            yield chip or _of_board(key, incident, speaker)
        elif number and key in table.findings:
            kind, said = table.findings[key], incident.revokes[int(number) - 1].said[key]
            yield f"{kind.about[speaker.lang] if kind.about else ''} {value_words(said, kind, speaker)}".strip()


def _of_board(key: str, incident: Incident, speaker: Speaker) -> str:
    """«Tricks: 12», «Contract: 4♠»."""
    if key == CONTRACT and incident.contract is not None:
        said = speaker.contract(incident.contract)
    else:
        said = str(getattr(incident, key, ""))
    known = any(key == name for name, _, _ in BOARD)
    return f"{speaker.capital(speaker.value(key, 'board-key'))}: {said}" if known else said


def choice(before: Incident, after: Incident, laws: DeskLaws, speaker: Speaker) -> Contested | None:
    """Where it was said that nothing was unusual, and what is entered now is; None where it is not."""
    old, new = answers_of(before, laws), answers_of(after, laws)
    if old is None or new is None:
        return None
    counsel = laws.counsel(law_of(old))
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
