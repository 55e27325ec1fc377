"""The statements of an incident: what is said, presumed or not known of it, and what else it might be, as changes.

What is supposed, entered, or asked because a ruling hinges on it, comes from here; and what a page shows of a ruling.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias, get_args

from facts.cards import DECK, SEATS, SUITS
from facts.contract import Vulnerable
from facts.errors import InputError
from facts.incident import Incident, Player
from facts.observe import TOLD
from facts.readers.changes import all_changed
from facts.table import NOTHING, REVOKE, FindingKind, numbers, written
from facts.to_yaml import numbered, plain
from kb.desk.desk import WORD, Desk, chips_of, query_in, restated
from kb.explain.hinge import asked
from kb.explain.page import Line
from kb.explain.say import Speaker
from kb.explain.spoken import Announcement
from kb.explain.text import entered, over, page
from kb.explain.unfold import event_words, named
from kb.interview.address import UNKNOWN, address
from kb.ruling.ruling import Ruling
from kb.space.choices import domain, values_of
from kb.space.completions import Completions, without_one
from kb.space.layout import BOARD, Key

NUMBERS: Final = tuple(map(str, range(14)))
VULNERABLE: Final = get_args(Vulnerable)
SUPPOSED: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "declarer": ("seat", SEATS),
    "vulnerable": ("vulnerable", VULNERABLE),
    "tricks": ("number", NUMBERS),
    "equity-tricks": ("number", NUMBERS),
}
"""What may be supposed of the whole board: keys, types and values."""
ENTERED: Final = ("contract", "tricks", "vulnerable", "board")
CARDS: Final = "revoke-1.cards"
ROLES: Final = get_args(Player)[:3]
Way: TypeAlias = tuple[str, tuple[str, ...]]
"""What something might be, and the changes that make it so."""


@dataclass(frozen=True, slots=True)
class Statement:
    label: str
    now: str
    """What it is, in words."""
    stated: bool
    ways: tuple[Way, ...]
    """What else it might be."""


@dataclass(frozen=True, slots=True)
class Saying:
    words: str
    written: str
    """As a change of the incident states it."""
    values: frozenset[Any]
    """What it leaves possible."""


# --- what can be said of one finding


def every_value(ways: Completions, key: Key) -> list[Any]:
    """The values that a finding may have wherever the revoke may have been, in their order."""
    kind, places = ways.about(key[0]).findings[key[1]], (given for given, _ in ways.places(key[0]))
    return list(DECK) if kind.type.name == "card" else list(domain(kind, places, ways.about(key[0])))


def answers(
    ways: Completions, key: Key, speaker: Speaker, wanted: Iterable[Any], possible: Iterable[Any]
) -> list[Saying]:
    """The answers that say some of the wanted values and, of those that are possible, no other; in their order."""
    kind, can_be, all_wanted = ways.about(key[0]).findings[key[1]], set(possible), set(wanted)
    found = []
    for answer in kind.answers.values():
        meant = {
            value for given, _ in ways.places(key[0]) for value in values_of(answer, given, ways.about(key[0]))
        } & can_be
        if meant and meant <= all_wanted:
            found.append(Saying(answer.says[speaker.lang], _written(answer.id, kind), frozenset(meant)))
    order = every_value(ways, key)
    return sorted(found, key=lambda one: min(map(order.index, one.values)))


def values(ways: Completions, key: Key, speaker: Speaker, wanted: Iterable[Any]) -> list[Saying]:
    kind = ways.about(key[0]).findings[key[1]]
    return [Saying(value_words(one, kind, speaker), _written(one, kind), frozenset([one])) for one in wanted]


def value_words(value: Any, kind: FindingKind, speaker: Speaker) -> str:
    """A value by itself: a seat, a suit or a number as it is, a word by the answer that says it."""
    if isinstance(value, tuple):
        return ", ".join(speaker.value(seat, "seat") for seat in value) or speaker.phrase("nobody")
    named = written(value)
    if named in kind.answers:
        return kind.answers[named].says[speaker.lang]
    if len(several := numbers(value)) > 1:
        return speaker.phrase("from-to", least=several[0], most=several[-1])
    if kind.type.name != "words":
        return speaker.value(named, kind.type.name)
    said = next((one.says for one in kind.answers.values() if value in one.values), None)
    return speaker.value(named, "seat") if said is None else said[speaker.lang]


def _written(value: Any, kind: FindingKind) -> str:
    text = ",".join(value) if isinstance(value, tuple) else written(value)
    return {"yes": "true", "no": "false"}[text] if kind.type.name == "yes-no" else text


# --- what may be supposed


def supposed(ruling: Ruling, speaker: Speaker) -> Iterator[tuple[str, list[Statement]]]:
    """Statements in groups, each under its title: every revoke, the events, the board.

    ``speaker``: one that says seats, even where the ruling has other words for them.
    """
    incident = ruling.incident
    for number in range(len(incident.revokes)):
        yield _of_revoke(ruling, number, speaker)
    if incident.events:
        drop, table = speaker.phrase("desk-if-drop"), ruling.edition.table
        listed = [
            Statement(f"{n}.", event_words(event, table, speaker), True, ((drop, (f"event-{n}=",)),))
            for n, event in enumerate(incident.events, 1)
        ]
        yield speaker.phrase("desk-if-events"), listed
    board = list[Statement]()
    for key, (type_, choices) in SUPPOSED.items():
        now = getattr(incident, key.replace("-", "_"))
        said = None if now is None else speaker.value(str(now), type_)
        label, ways = speaker.value(key, "board-key"), [(speaker.value(one, type_), one) for one in choices]
        board.append(_statement(key, label, said, ways, now is not None, speaker))
    yield speaker.phrase("desk-if-board"), board


def _of_revoke(ruling: Ruling, number: int, speaker: Speaker) -> tuple[str, list[Statement]]:
    """Whose card it was, at which trick, and every finding that is stated or that it would matter to state."""
    ways, found = ruling.opening.completions, ruling.incident.revokes[number]
    at = f"{numbered(ruling.incident, number)}."
    standing, (hand, trick) = speaker.of(ruling), named(number, ruling)
    who = standing.value(hand, "seat")
    drop = (f"{at}player=",) if found.player else ()
    hands: list[Way] = [(speaker.value(seat, "seat"), (*drop, f"{at}hand={seat}")) for seat in SEATS]
    if found.hand is None:
        roles = (role for role in ROLES if role != found.player)
        hands += [(speaker.value(role, "role"), (f"{at}player={role}",)) for role in roles]
    known, unknown = bool(found.hand or found.player), speaker.phrase("desk-if-unknown")
    if known:
        hands = [*(one for one in hands if one[0] != who), (unknown, drop or (f"{at}hand=",))]
    label = speaker.capital(speaker.phrase("asks-hand"))
    listed = [Statement(label, who if known else unknown, known, tuple(hands))]
    now = None if found.trick is None else str(found.trick)
    tricks = [(one, one) for one in NUMBERS[1:]]
    listed.append(_statement(f"{at}trick", speaker.phrase("asks-trick"), now, tricks, bool(now), speaker))
    for kind in ways.about(number).findings.values():
        key, may_be = (number, kind.id), ways.values.get((number, kind.id), {})
        if kind.id not in found.said and kind.not_stated != NOTHING and may_be.keys() <= {None, TOLD}:
            continue
        every, held = every_value(ways, key), [value for value in may_be if value not in (None, TOLD)]
        known = kind.id in found.said or len(held) == 1
        now = value_words(found.said.get(kind.id, held[0] if held else None), kind, speaker) if known else None
        offered = answers(ways, key, speaker, every, every) or values(ways, key, speaker, every)
        others = [(one.words, one.written) for one in offered if not (known and one.values.issuperset(held))]
        label = kind.means[speaker.lang].partition(";")[0]
        listed.append(_statement(f"{at}{kind.id}", label, now, others, kind.id in found.said, speaker))
    title = speaker.phrase("of-revoke", hand=who, trick=standing.value(trick, "trick"))
    return standing.capital(title), listed


def _statement(
    name: str, label: str, now: str | None, ways: Iterable[tuple[str, str]], stated: bool, speaker: Speaker
) -> Statement:
    """``ways``: values in words, and as they are written; last, where it is stated, that it is not known."""
    unknown = speaker.phrase("desk-if-unknown")
    others = [*(one for one in ways if one[0] != now), *([(unknown, "")] if stated else [])]
    changes = tuple((said, (f"{name}={value}",)) for said, value in others)
    return Statement(speaker.capital(label), now or unknown, stated, changes)


def changed(before: Ruling, after: Ruling, speaker: Speaker) -> list[str]:
    old, new = (
        {(title, one.label): one.now for title, some in supposed(ruling, speaker) for one in some}
        for ruling in (before, after)
    )
    return [f"{key[1]}: {now}" for key, now in new.items() if old.get(key) != now]


# --- what may be entered


def entries(ruling: Ruling, speaker: Speaker) -> dict[str, str]:
    """What may be entered beside what was found out, as a change names it, with its label; nothing of a record, which
    says it in its own way. ``speaker``: that of the ruling.
    """
    incident = ruling.incident
    if incident.play is not None or incident.deal is not None:
        return {}
    found = {key: speaker.capital(speaker.value(key, "board-key")) for key in ENTERED}
    for number, one in enumerate(incident.revokes):
        if one.trick is None:
            found[f"{numbered(ruling.incident, number)}.trick"] = asked(ruling.opening, (number, "trick"), speaker)
    if incident.revokes and incident.revokes[0].hand is not None and incident.revokes[0].of == REVOKE:
        found[CARDS] = speaker.phrase("desk-seat-cards")
    return found


def entry_changes(incident: Incident, names: Iterable[str], fields: Mapping[str, str]) -> list[str]:
    """What a form says of these, as changes; a contract by its level, its strain and whether it was doubled."""
    contract = "".join(fields.get(part, "") for part in ("level", "strain", "doubled"))
    said = {"contract": contract, **fields} if fields.get("level") or fields.get("strain") else fields
    given, was = {name: said[name].strip()[:40] for name in names if name in said}, plain(incident)
    by_earlier = [
        f"revoke-1.{key}=" for key in ("suit", "card") if given.get(CARDS) and key in incident.revokes[0].said
    ]
    return [*by_earlier, *(f"{name}={text}" for name, text in given.items() if text or name in was)]


def misread(error: InputError, labels: Mapping[str, str], fields: Mapping[str, str], speaker: Speaker) -> str:
    """The field that holds what it cannot, or what is missing of a contract."""
    name, _, value = error.faults[0].place.file.partition("=")
    if name == "contract" and not (fields.get("level") and fields.get("strain")):
        return speaker.phrase("desk-result-half")
    return speaker.phrase("desk-fault-value", what=labels.get(name, name), value=value)


def clash(incident: Incident, query: Mapping[str, str], labels: Mapping[str, str], desk: Desk, speaker: Speaker) -> str:
    """As few statements as cannot be so together, in one sentence, each by the words in which it was answered where it
    was; ``query``: the answers before them.
    """

    def can_be(fewer: Incident) -> bool:
        try:
            desk.rule(fewer)
        except InputError:
            return False
        return True

    chips, held, told = chips_of(query, desk, speaker), plain(incident), list[str]()
    of_first = {**held, **next(iter(held.get("revokes", [])), {})}
    questions = desk.asked_by(query).interview.questions.values() if chips else ()
    for name in reversed([*dict(without_one(incident))]):  # the last first, so that what is left keeps its number
        fewer, (where, _, key) = dict(without_one(incident))[name], name.rpartition(".")
        if not can_be(fewer):
            incident = fewer  # what is left cannot be so either
            continue
        asks = {
            one.id for one in questions if any((f"revokes.{of.revoke + 1}", of.key) == (where, key) for of in one.fills)
        }
        label = labels.get(name.replace("revokes.1", "revoke-1"))
        if says := next((one.says for one in chips if asks & one.tells), label and f"{label}: {of_first[key]}"):
            told.insert(0, says)
    for one in incident.revokes[:1] if "cards" in of_first and CARDS in labels else ():
        said = {key: value for key, value in one.said.items() if key not in ("suit", "card")}  # as the cards say them
        if can_be(replace(incident, revokes=(replace(one, cards=None, said=said), *incident.revokes[1:]))):
            told.append(f"{labels[CARDS]}: {of_first['cards']}")
    together = " · ".join(dict.fromkeys(told))
    return speaker.phrase("desk-result-clash", told=together) if told else speaker.phrase("desk-result-wrong")


def by_cards(incident: Incident, query: Mapping[str, str]) -> list[str]:
    """What the cards of the first revoke's trick say of it, as changes; who won it where nobody knew."""
    found = incident.revokes[0] if incident.revokes else None
    if found is None or found.cards is None or found.hand is None:
        return []
    trick, card = found.cards, found.cards.card_of(found.hand)
    said: dict[str, object] = {"suit": trick.led, "card": card}
    if incident.contract is not None and query.get("won-by") == UNKNOWN:
        said["won-by"] = trick.winner(incident.contract.trump)
    return [f"revoke-1.{key}={one}" for key, one in said.items() if one is not None]


# --- a ruling, and the question on which it hinges


def of_ruling(word: str, ruling: Ruling, speaker: Speaker) -> dict[str, Any]:
    """What a page needs to show a ruling; ``speaker``: one that says seats."""
    told_of = speaker.of(ruling)
    score, announced = entered(ruling, told_of), Announcement(ruling, told_of)
    missing = "desk-result-no-contract" if ruling.incident.contract is None else "desk-result-no-board"
    return {
        "word": word,
        "now": announced.left,
        "score": score,
        "lacking": "" if ruling.incident.tricks is None or (score and score.score) else speaker.phrase(missing),
        "acted": {told_of.phrase("now"), told_of.phrase("hinges")},
        "told": page(ruling, told_of),
        "say": (Line(announced.head), *announced.lines),
        "entries": entries(ruling, told_of),
        "incident": ruling.incident,
        "laid": next((one["cards"] for one in plain(ruling.incident).get("revokes", ())[:1] if "cards" in one), ""),
        "strains": [*reversed(SUITS), "NT"],
        "vulnerabilities": [(one, told_of.value(one, "vulnerable")) for one in VULNERABLE],
        "numbered": [("", ""), *((one, one) for one in NUMBERS[1:-1])],
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
    ways, key = opening.completions, opening.asking.key
    asks, (number, name) = asked(opening, key, speaker), key
    kind = ways.about(number).findings.get(name)
    if number == BOARD or kind is None:
        return {"asks": asks, "finds_out": speaker.phrase("desk-hinge-decide"), "answers": []}
    interview = None if WORD in query or number else desk.asked_by(query).interview
    question, entry = interview.questions.get(name) if interview else None, query.get("entry")

    def leads_to(value: str) -> str:
        """Where an answer leads to; empty where another answer rules it out."""
        if question is not None and value in question.answers:
            return address("/ask", **{**query, name: value})
        change = f"{numbered(ruling.incident, number)}.{name}={value}"
        try:
            new = all_changed(ruling.incident, [change], desk.table)
        except InputError:
            return ""
        return address("/ruling", **query_in(restated(query, [change], new, desk).word), entry=entry)

    by_seat = kind.type.name == "seat" and ruling.incident.revokes[0].hand is not None
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    possible = [value for value, bits in ways.values[key].items() if value is not None and bits & opening.among]
    for wanted, bits in opening.asking.answers:
        after, said = ruling.after(bits), answers(ways, key, speaker, wanted, possible)
        then = Announcement(after, speaker).head, "" if after.is_open else speaker.laws(after.decisive)
        left = [value for value in wanted if not any(value in one.values for one in said)]
        widest = [one for one in said if not any(one.values < other.values for other in said)]
        for one in (*widest, *values(ways, key, speaker, left)):
            words = one.words
            if by_seat and one.values <= {*SEATS}:  # it is known who sits there
                seats = (speaker.value(seat, "seat") for seat in SEATS if seat in one.values)
                words = speaker.phrase("book-or").join(seats)
            if at := leads_to(one.written):
                found.setdefault(then, []).append((speaker.capital(words), at))
    way = kind.finds_out[speaker.lang] if kind.finds_out else ""
    finds_out = speaker.phrase("desk-hinge-find", way=way) if way else speaker.phrase("desk-hinge-decide")
    return {"asks": asks, "finds_out": finds_out, "answers": [(some, *then) for then, some in found.items()]}
