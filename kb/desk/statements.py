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
from facts.table import NOTHING, REVOKE, FindingKind, numbers, spelled
from facts.to_yaml import numbered, plain
from kb.desk.desk import WORD, Desk, chips_of, query_in, restate
from kb.explain.announcement import Announcement
from kb.explain.as_text import entered, over, page_of
from kb.explain.hinge import asks_which, question_words
from kb.explain.page import Line
from kb.explain.unfold import event_words, hand_and_trick
from kb.explain.words import Speaker
from kb.interview.address import UNKNOWN_MARK, address
from kb.ruling.ruling import Ruling
from kb.space.choices import domain, values_of
from kb.space.completions import Completions, without_one
from kb.space.layout import BOARD, FindingKey

TRICK_NUMBERS: Final = tuple(map(str, range(14)))
VULNERABLE: Final = get_args(Vulnerable)
BOARD_KEYS: Final[Mapping[str, tuple[str, tuple[str, ...]]]] = {
    "declarer": ("seat", SEATS),
    "vulnerable": ("vulnerable", VULNERABLE),
    "tricks": ("number", TRICK_NUMBERS),
    "equity-tricks": ("number", TRICK_NUMBERS),
}
"""What may be supposed of the whole board: keys, types and values."""
ENTERED: Final = ("contract", "tricks", "vulnerable", "board")
CARDS: Final = "revoke-1.cards"
ROLES: Final = get_args(Player)[:3]
Alternative: TypeAlias = tuple[str, tuple[str, ...]]
"""What something might be, and the changes that make it so."""


@dataclass(frozen=True, slots=True)
class Statement:
    label: str
    now: str
    """What it is, in words."""
    stated: bool
    ways: tuple[Alternative, ...]
    """What else it might be."""


@dataclass(frozen=True, slots=True)
class Saying:
    words: str
    written: str
    """As a change of the incident states it."""
    values: frozenset[Any]
    """What it leaves possible."""


# --- what can be said of one finding


def every_value(ways: Completions, key: FindingKey) -> list[Any]:
    """The values that a finding may have wherever the revoke may have been, in their order."""
    kind, places = ways.about(key[0]).findings[key[1]], (given for given, _ in ways.places(key[0]))
    return list(DECK) if kind.type.name == "card" else list(domain(kind, places, ways.about(key[0])))


def answers(
    ways: Completions, key: FindingKey, speaker: Speaker, wanted: Iterable[Any], possible: Iterable[Any]
) -> list[Saying]:
    """The answers that say some of the wanted values and, of those that are possible, no other; in their order."""
    kind, can_be, all_wanted = ways.about(key[0]).findings[key[1]], set(possible), set(wanted)
    sayings = []
    for answer in kind.answers.values():
        meant = {
            value for given, _ in ways.places(key[0]) for value in values_of(answer, given, ways.about(key[0]))
        } & can_be
        if meant and meant <= all_wanted:
            sayings.append(Saying(answer.says[speaker.lang], _written(answer.id, kind), frozenset(meant)))
    order = every_value(ways, key)
    return sorted(sayings, key=lambda saying: min(map(order.index, saying.values)))


def values(ways: Completions, key: FindingKey, speaker: Speaker, wanted: Iterable[Any]) -> list[Saying]:
    kind = ways.about(key[0]).findings[key[1]]
    return [Saying(value_words(value, kind, speaker), _written(value, kind), frozenset([value])) for value in wanted]


def value_words(value: Any, kind: FindingKind, speaker: Speaker) -> str:
    """A value by itself: a seat, a suit or a number as it is, a word by the answer that says it."""
    if isinstance(value, tuple):
        return ", ".join(speaker.value(seat, "seat") for seat in value) or speaker.phrase("nobody")
    text = spelled(value)
    if text in kind.answers:
        return kind.answers[text].says[speaker.lang]
    if len(several := numbers(value)) > 1:
        return speaker.phrase("from-to", least=several[0], most=several[-1])
    if kind.type.name != "words":
        return speaker.value(text, kind.type.name)
    says = next((answer.says for answer in kind.answers.values() if value in answer.values), None)
    return speaker.value(text, "seat") if says is None else says[speaker.lang]


def _written(value: Any, kind: FindingKind) -> str:
    text = ",".join(value) if isinstance(value, tuple) else spelled(value)
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
    for key, (type_, choices) in BOARD_KEYS.items():
        now = getattr(incident, key.replace("-", "_"))
        now_words = None if now is None else speaker.value(str(now), type_)
        label, ways = speaker.value(key, "board-key"), [(speaker.value(choice, type_), choice) for choice in choices]
        board.append(_statement(key, label, now_words, ways, now is not None, speaker))
    yield speaker.phrase("desk-if-board"), board


def _of_revoke(ruling: Ruling, number: int, speaker: Speaker) -> tuple[str, list[Statement]]:
    """Whose card it was, at which trick, and every finding that is stated or that it would matter to state."""
    ways, found = ruling.certainty.completions, ruling.incident.revokes[number]
    at = f"{numbered(ruling.incident, number)}."
    standing, (hand, trick) = speaker.of(ruling), hand_and_trick(number, ruling)
    who = standing.value(hand, "seat")
    drop = (f"{at}player=",) if found.player else ()
    hands: list[Alternative] = [(speaker.value(seat, "seat"), (*drop, f"{at}hand={seat}")) for seat in SEATS]
    if found.hand is None:
        roles = (role for role in ROLES if role != found.player)
        hands += [(speaker.value(role, "role"), (f"{at}player={role}",)) for role in roles]
    stated, unknown = bool(found.hand or found.player), speaker.phrase("desk-if-unknown")
    if stated:
        hands = [*(way for way in hands if way[0] != who), (unknown, drop or (f"{at}hand=",))]
    label = speaker.capital(asks_which(ways.about(number), "hand", speaker))
    listed = [Statement(label, who if stated else unknown, stated, tuple(hands))]
    if found.trick is not None or "trick" in ways.about(number).names:
        now = None if found.trick is None else str(found.trick)
        tricks = [(text, text) for text in TRICK_NUMBERS[1:]]
        listed.append(_statement(f"{at}trick", speaker.phrase("asks-trick"), now, tricks, bool(now), speaker))
    for kind in ways.about(number).findings.values():
        key, may_be = (number, kind.id), ways.values.get((number, kind.id), {})
        if kind.id not in found.said and kind.not_stated != NOTHING and may_be.keys() <= {None, TOLD}:
            continue
        every, able = every_value(ways, key), [value for value in may_be if value not in (None, TOLD)]
        stated = kind.id in found.said or len(able) == 1
        now = value_words(found.said.get(kind.id, able[0] if able else None), kind, speaker) if stated else None
        offered = answers(ways, key, speaker, every, every) or values(ways, key, speaker, every)
        others = [(offer.words, offer.written) for offer in offered if not (stated and offer.values.issuperset(able))]
        label = kind.means[speaker.lang].partition(";")[0]
        listed.append(_statement(f"{at}{kind.id}", label, now, others, kind.id in found.said, speaker))
    title = speaker.phrase("of-revoke", hand=who, trick=standing.value(trick, "trick"))
    return standing.capital(title), listed


def _statement(
    name: str, label: str, now: str | None, ways: Iterable[tuple[str, str]], stated: bool, speaker: Speaker
) -> Statement:
    """``ways``: values in words, and as they are written; last, where it is stated, that it is not known."""
    unknown = speaker.phrase("desk-if-unknown")
    others = [*(way for way in ways if way[0] != now), *([(unknown, "")] if stated else [])]
    changes = tuple((words, (f"{name}={value}",)) for words, value in others)
    return Statement(speaker.capital(label), now or unknown, stated, changes)


def changed(before: Ruling, after: Ruling, speaker: Speaker) -> list[str]:
    old, new = (
        {(title, row.label): row.now for title, rows in supposed(ruling, speaker) for row in rows}
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
    labels = {key: speaker.capital(speaker.value(key, "board-key")) for key in ENTERED}
    for number, revoke in enumerate(incident.revokes):
        if revoke.trick is None and "trick" in ruling.certainty.completions.about(number).names:
            labels[f"{numbered(ruling.incident, number)}.trick"] = question_words(
                ruling.certainty, (number, "trick"), speaker
            )
    if incident.revokes and incident.revokes[0].hand is not None and incident.revokes[0].of == REVOKE:
        labels[CARDS] = speaker.phrase("desk-seat-cards")
    return labels


def entry_changes(incident: Incident, names: Iterable[str], fields: Mapping[str, str]) -> list[str]:
    """What a form says of these, as changes; a contract by its level, its strain and whether it was doubled."""
    contract = "".join(fields.get(part, "") for part in ("level", "strain", "doubled"))
    stated = {"contract": contract, **fields} if fields.get("level") or fields.get("strain") else fields
    texts, was = {name: stated[name].strip()[:40] for name in names if name in stated}, plain(incident)
    by_earlier = [
        f"revoke-1.{key}=" for key in ("suit", "card") if texts.get(CARDS) and key in incident.revokes[0].said
    ]
    return [*by_earlier, *(f"{name}={text}" for name, text in texts.items() if text or name in was)]


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

    chips, stated, sentences = chips_of(query, desk, speaker), plain(incident), list[str]()
    of_first = {**stated, **next(iter(stated.get("revokes", [])), {})}
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
            sentences.insert(0, says)
    for revoke in incident.revokes[:1] if "cards" in of_first and CARDS in labels else ():
        rest = {key: value for key, value in revoke.said.items() if key not in ("suit", "card")}  # as cards say them
        if can_be(replace(incident, revokes=(replace(revoke, cards=None, said=rest), *incident.revokes[1:]))):
            sentences.append(f"{labels[CARDS]}: {of_first['cards']}")
    together = " · ".join(dict.fromkeys(sentences))
    return speaker.phrase("desk-result-clash", told=together) if sentences else speaker.phrase("desk-result-wrong")


def by_cards(incident: Incident, query: Mapping[str, str]) -> list[str]:
    """What the cards of the first revoke's trick say of it, as changes; who won it where nobody knew."""
    revoke = incident.revokes[0] if incident.revokes else None
    if revoke is None or revoke.cards is None or revoke.hand is None:
        return []
    trick, card = revoke.cards, revoke.cards.card_of(revoke.hand)
    findings: dict[str, object] = {"suit": trick.led, "card": card}
    if incident.contract is not None and query.get("won-by") == UNKNOWN_MARK:
        findings["won-by"] = trick.winner(incident.contract.trump)
    return [f"revoke-1.{key}={value}" for key, value in findings.items() if value is not None]


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
        "told": page_of(ruling, told_of),
        "say": (Line(announced.head), *announced.lines),
        "entries": entries(ruling, told_of),
        "incident": ruling.incident,
        "laid": next((raw["cards"] for raw in plain(ruling.incident).get("revokes", ())[:1] if "cards" in raw), ""),
        "strains": [*reversed(SUITS), "NT"],
        "vulnerabilities": [(choice, told_of.value(choice, "vulnerable")) for choice in VULNERABLE],
        "numbered": [("", ""), *((number, number) for number in TRICK_NUMBERS[1:-1])],
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
    first, play, revokes = ruling.revokes[0], ruling.incident.play, ruling.incident.revokes
    stated = revokes[0] if revokes else None
    trick = stated.cards if stated else None
    if play is not None and first.trick <= len(play.tricks):
        trick = play.tricks[first.trick - 1]
    if trick is not None:
        cards = {seat: card for seat, card in trick.items() if card is not None}
    elif stated and stated.hand and stated.card:  # of a revoke whose seat nobody named, none
        cards = {stated.hand: stated.card}
    else:
        cards = {}
    by_mark = {"led": trick and trick.leader, "won": first.won_by, "wrong": first.hand}
    return [
        {
            "seat": seat,
            "suit": cards[seat].suit if seat in cards else "",
            "card": speaker.value(cards[seat].text, "card") if seat in cards else "",
            "marks": [mark for mark, who in by_mark.items() if who == seat],
        }
        for seat in (SEATS if cards else ())
    ]


def hinge_question(ruling: Ruling, desk: Desk, speaker: Speaker, query: Mapping[str, str]) -> dict[str, Any] | None:
    """The question on which a ruling hinges, how it is found out, and its answers with their addresses: those together
    that come to the same, with what then follows. Nothing where it hinges on nothing, or on what is still to come, of
    which nobody can be asked.

    ``query``: what the address of the ruling states; where it states answers, so does every address that follows.
    """
    certainty = ruling.certainty
    if certainty.asking is None or certainty.ahead:
        return None
    ways, key = certainty.completions, certainty.asking.key
    asks, (number, name) = question_words(certainty, key, speaker), key
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
        return address("/ruling", **query_in(restate(query, [change], new, desk).word), entry=entry)

    by_seat = kind.type.name == "seat" and ruling.incident.revokes[0].hand is not None
    by_outcome: dict[tuple[str, str], list[tuple[str, str]]] = {}
    possible = [value for value, bits in ways.values[key].items() if value is not None and bits & certainty.among]
    for wanted, bits in certainty.asking.answers:
        ruled, sayings = ruling.after(bits), answers(ways, key, speaker, wanted, possible)
        then = Announcement(ruled, speaker).head, "" if ruled.is_open else speaker.laws(ruled.decisive)
        unsaid = [value for value in wanted if not any(value in saying.values for saying in sayings)]
        widest = [saying for saying in sayings if not any(saying.values < wider.values for wider in sayings)]
        for saying in (*widest, *values(ways, key, speaker, unsaid)):
            words = saying.words
            if by_seat and saying.values <= {*SEATS}:  # it is known who sits there
                seats = (speaker.value(seat, "seat") for seat in SEATS if seat in saying.values)
                words = speaker.phrase("book-or").join(seats)
            if url := leads_to(saying.written):
                by_outcome.setdefault(then, []).append((speaker.capital(words), url))
    way = kind.finds_out[speaker.lang] if kind.finds_out else ""
    finds_out = speaker.phrase("desk-hinge-find", way=way) if way else speaker.phrase("desk-hinge-decide")
    return {"asks": asks, "finds_out": finds_out, "answers": [(alike, *then) for then, alike in by_outcome.items()]}
