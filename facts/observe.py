"""From an incident to ground facts, in the words of the vocabulary and without any law: the table, the record, the
events, the result, and what of the findings the cards show; what was found out is laid out elsewhere.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from itertools import chain
from typing import Any, Final

from facts.auction import facts_of_calls
from facts.cards import CLOCKWISE, NEXT, OTHER_SIDE, PARTNER, SEATS, SIDE, SUITS, Card, Seat, Side, part_of
from facts.contract import NO_LEVEL, Contract, score, vulnerable_on
from facts.fact import Fact
from facts.incident import MOMENTS, NEVER, NOT_YET, Change, Event, Finding, Incident, RevokeNamed, moment_of_play
from facts.play import (
    Irregularity,
    Oddity,
    Trick,
    cannot_be,
    denies_revoke,
    doubtful,
    failures_to_follow,
    held_until,
    slips,
)
from facts.table import BY_PLACE, REVOKE, Table
from facts.templates import facts_of

ALL: Final = 13
"""Tricks of a board."""
TOLD: Final = "told"
"""The value of a finding of which the record or an event tells by itself: it states nothing more."""
OBSERVED: Final[Mapping[str, str]] = {
    "hand": "hand: seat, side: side, other: side, partner: seat, next: seat",
    "role": "hand: seat, is: role",
    "side-role": "side: side, is: side-role",
    "plain-suit": "suit: suit",
    "table": "side: side, tricks: integer",
    "equity": "side: side, tricks: integer",
    "weights": "outcomes: integer",
    "mean": "side: side, points: integer",
    "worth": "side: side, tricks: integer, points: integer",
    "evidence": "play: play, side: side, measure: measure, tricks: integer",
    "failed": "play: play, trick: trick, hand: seat, to: duty, at: moment",
    "played": "play: play, trick: trick, hand: seat, side: side, card: card?, at: moment",
    "card-played": "play: play, trick: trick, hand: seat, card: card, suit: suit, rank: integer, at: moment",
    "place": "trick: trick, hand: seat, nth: integer",
    "took-part": "trick: trick, side: side, how: part, at: moment",
    "led": "trick: trick, suit: suit, at: moment, until: moment",
    "held": "hand: seat, card: card, suit: suit, rank: integer, until: trick",
    "held-some": "hand: seat, suit: suit, until: trick",
    "void": "hand: seat, suit: suit, from: trick",
    "won": "trick: trick, hand: seat, side: side",
    "won-from": "trick: trick, side: side, tricks: integer",
    "replaced": "trick: trick, hand: seat, how: taking-back, at: moment",
    "card-withdrawn": "trick: trick, hand: seat, how: taking-back, card: card, suit: suit, at: moment",
    "change-refused": "trick: trick, hand: seat, how: taking-back, at: moment",
    "call-made": "call: integer, nth: integer, hand: seat, is: call-kind, cancelled: yes-no",
    "turn": "call: integer, due: seat",
    "standing": "call: integer, rank: integer, by: seat, is: call-kind",
    "bid": "call: integer, hand: seat, rank: integer, strain: denomination",
    "auction-ended": "calls: integer",
}
"""The kinds of fact that are observed, or computed, whatever is declared, each with its fields in order."""


def observe(incident: Incident, table: Table, wanted: Container[str] | None = None) -> tuple[Fact, ...]:
    """Every ground fact of an incident but for its findings, each once; of ``wanted`` kinds only, if given."""
    told = _record, _table, _result, partial(_happenings, table=table), _beyond_record, _calls
    facts = dict.fromkeys(chain.from_iterable(tell(incident) for tell in told))
    return tuple(fact for fact in facts if wanted is None or fact[0] in wanted)


def _calls(incident: Incident) -> Iterator[Fact]:
    """The auction."""
    return iter(()) if incident.auction is None else facts_of_calls(incident.auction)


def _record(incident: Incident) -> Iterator[Fact]:
    """The play as recorded and changed: each card with its moment, what each hand held, who won each trick."""
    timeline = incident.timeline
    tricks = () if incident.play is None else incident.play.tricks
    for number, trick in enumerate(tricks, 1):
        for (seat, card), moment in zip(trick.items(), MOMENTS[number], strict=False):
            yield from _play(number, seat, card, moment)
            yield "took-part", number, SIDE[seat], "led" if seat == trick.leader else "played", moment
        for nth, seat in enumerate(CLOCKWISE[trick.leader] if trick.cards else (), 1):
            yield "place", number, seat, nth
        yield from _led(number, trick, timeline.changes)
    if incident.play is not None:
        yield from _holdings(incident)
        for number, seat in timeline.won.items():
            yield "won", number, seat, SIDE[seat]
    for change in timeline.changes:
        card = change.withdrawn
        yield "replaced", change.trick, change.hand, change.how, change.at
        yield "card-withdrawn", change.trick, change.hand, change.how, card.text, card.suit, change.at
        yield from _play(change.trick, change.hand, change.played, change.at)


def _led(number: int, trick: Trick, changes: Iterable[Change]) -> Iterator[Fact]:
    """The suit led to a trick, and from when until when, as the card led may be replaced."""
    suit, since = trick.led, MOMENTS[number][0]
    for change in changes:
        if change.trick == number and change.hand == trick.leader:
            if suit is not None:
                yield "led", number, suit, since, change.at
            suit, since = change.played.suit, change.at
    if suit is not None:
        yield "led", number, suit, since, NEVER


def _play(trick: int, hand: Seat, card: Card | None, moment: int) -> Iterator[Fact]:
    """A card played, by its moment."""
    yield "played", moment, trick, hand, SIDE[hand], None if card is None else card.text, moment
    if card is not None:
        yield "card-played", moment, trick, hand, card.text, card.suit, card.rank, moment


def _whereabouts(incident: Incident) -> tuple[dict[Seat, dict[Card, int]], dict[Seat, list[int]]]:
    """To which trick each card of a hand went, and to which tricks a hand may have played any card.

    Where a card is recorded that the hand cannot have played, it played one that is not recorded.
    """
    timeline, play = incident.timeline, incident.timeline.at_hand
    went: dict[Seat, dict[Card, int]] = {seat: {} for seat in SEATS}
    hidden: dict[Seat, list[int]] = {seat: [] for seat in SEATS}
    changed = {(change.trick, change.hand) for change in (*timeline.changes, *timeline.refused)}
    doubted = cannot_be(play, incident.deal) - changed if play else ()
    for number, _, seat, card in play.plays() if play else ():
        if card is None or (number, seat) in doubted:
            hidden[seat].append(number)
        else:
            went[seat][card] = number
    for change in timeline.refused if play else ():
        _until_changed(change, went[change.hand], play.tricks, timeline.moments)  # type: ignore[union-attr]
    return went, hidden


def _until_changed(
    change: Change, went: dict[Card, int], tricks: tuple[Trick, ...], moments: Mapping[tuple[int, Seat], int]
) -> None:
    """Of a change that does not stand, and came later than its trick: the new card was in the hand until then. The old
    one was not: where the hand could not follow in that time, it proves nothing afterwards either.
    """
    later = range(change.trick + 1, len(tricks) + 1)
    since = [number for number in later if moments.get((number, change.hand), change.at) < change.at]
    if since and went.get(change.played) == change.trick:
        went[change.played] = since[-1]
    plays = [(tricks[number - 1].led, tricks[number - 1].card_of(change.hand)) for number in since]
    if any(led == change.withdrawn.suit and card is not None and card.suit != led for led, card in plays):
        went[change.withdrawn] = change.trick


def _holdings(incident: Incident) -> Iterator[Fact]:
    """Until which trick each hand held each card known to have been in it, and from when on it was out of a suit."""
    timeline = incident.timeline
    went, hidden = _whereabouts(incident)
    # A card called that dummy did not put out may since have gone where the wrong one lay.
    misplaced = [(placed.event.misplaced, placed.trick) for placed in timeline.events if placed.event.misplaced]
    last = len(incident.play.tricks) if incident.play else 0
    may_be_gone = {pair[1]: trick for pair, trick in misplaced if trick < last}
    for seat in SEATS:
        dealt = None if incident.deal is None else incident.deal[seat]
        seen = [change.withdrawn for change in (*timeline.changes, *timeline.refused) if change.hand == seat]
        gone, still = went[seat], held_until(1, hidden[seat])
        for card in dict.fromkeys([*(dealt or ()), *gone, *seen]):
            yield "held", seat, card.text, card.suit, card.rank, gone.get(card, may_be_gone.get(card, still))
        for suit in SUITS if dealt is not None else ():
            of_suit = [card for card in dealt or () if card.suit == suit]
            unplayed = sum(card not in gone for card in of_suit)
            if unplayed > 1 and (until := held_until(unplayed, hidden[seat])) > still:
                yield "held-some", seat, suit, until
            if not unplayed and (since := max((gone[card] for card in of_suit), default=0) + 1) < 14:
                yield "void", seat, suit, since


def _last_held(hand: Seat | None, card: Card | None, incident: Incident) -> int | None:
    """The last trick to which a hand may have held a card that somebody saw in it."""
    if hand is None or card is None:
        return None
    went, hidden = _whereabouts(incident)
    return went[hand].get(card, held_until(1, hidden[hand]))


def _table(incident: Incident) -> Iterator[Fact]:
    """Who sits where, and who plays which part; which suits are not trumps."""
    for seat in SEATS:
        yield "hand", seat, SIDE[seat], OTHER_SIDE[SIDE[seat]], PARTNER[seat], NEXT[seat]
    for seat in SEATS if incident.declarer is not None else ():
        yield "role", seat, part_of(seat, incident.declarer)
    if incident.declarer is not None:
        yield "side-role", SIDE[incident.declarer], "declaring"
        yield "side-role", OTHER_SIDE[SIDE[incident.declarer]], "defending"
    for suit in SUITS if incident.contract is not None and not incident.contract.passed_out else ():
        if suit != incident.trump:
            yield "plain-suit", suit


def _result(incident: Incident) -> Iterator[Fact]:
    """Tricks won at the table, tricks from each trick on, and the equity the director has judged."""
    at_table = replace(incident, unsettled=0, rest=None) if incident.unsettled else incident
    totals = _agreed(incident) if _before(incident) else _totals(at_table, at_table.rest)
    # What is only supposed is no result at the table: it is but held against what the director has judged.
    certain = at_table.rest is None or incident.equity_tricks is not None or _before(incident)
    if totals is not None and certain and sum(totals.values()) == ALL:
        for side, tricks in totals.items():
            yield "table", side, tricks
    for (trick, side), tricks in _won_from(incident, incident.rest).items():
        yield "won-from", trick, side, tricks
    if incident.weights:
        yield "weights", len(incident.weights)
        yield from _worth(incident)
    if incident.declarer is not None and incident.equity_tricks is not None:
        declaring = SIDE[incident.declarer]
        yield "equity", declaring, incident.equity_tricks
        yield "equity", OTHER_SIDE[declaring], ALL - incident.equity_tricks


def _worth(incident: Incident) -> Iterator[Fact]:
    """What the outcomes that the director has weighted come to, and each number of tricks; in hundredths of a point,
    and nothing where a score is not known.
    """
    contract, declarer = incident.contract, incident.declarer
    outcomes = [
        (outcome.weight, score_ns(incident, outcome.contract or contract, outcome.declarer or declarer, outcome.tricks))
        for outcome in incident.weights
    ]
    if any(points is None for _, points in outcomes) or declarer is None:
        return
    mean = sum(weight * (points or 0) for weight, points in outcomes)
    yield from (("mean", "NS", mean), ("mean", "EW", -mean))
    for tricks in range(ALL + 1):
        if (points := score_ns(incident, contract, declarer, tricks)) is not None:
            for side, sign in ("NS", 100), ("EW", -100):
                yield "worth", side, tricks if SIDE[declarer] == side else ALL - tricks, sign * points


def score_ns(incident: Incident, contract: Contract | None, declarer: Seat | None, tricks: int | None) -> int | None:
    """The score for North-South of so many tricks; None where contract, declarer or vulnerability is not known and
    matters."""
    if contract is None or contract.level == NO_LEVEL or tricks is None:
        return None
    if contract.passed_out:
        return 0
    if declarer is None:
        return None
    side, who = SIDE[declarer], incident.vulnerable or vulnerable_on(incident.board)
    may_be = {score(contract, vul, tricks) for vul in ((False, True) if who is None else (who in (side, "both"),))}
    points = may_be.pop()
    return None if may_be else points if side == "NS" else -points


def _totals(incident: Incident, rest: int | None) -> dict[Side, int] | None:
    """Tricks each side won in all, or so far: by the cards when every one is known, else as agreed or supposed; of an
    ending, from its first trick on.

    ``rest``: tricks of North-South after the last one recorded, where they are supposed.
    """
    won, tricks = incident.timeline.won, ALL - _before(incident)
    ns = sum(SIDE[seat] == "NS" for seat in won.values())
    if len(won) == tricks:
        return {"NS": ns, "EW": tricks - ns}
    if tricks == ALL and not incident.unsettled and (agreed := _agreed(incident)) is not None:
        return agreed
    if rest is None:
        return None
    return {"NS": ns, "EW": len(won) - ns} if rest == NOT_YET else {"NS": ns + rest, "EW": tricks - ns - rest}


def _agreed(incident: Incident) -> dict[Side, int] | None:
    """The tricks of the whole board that the sides agreed on."""
    if incident.tricks is None or incident.declarer is None:
        return None
    ns = incident.tricks if SIDE[incident.declarer] == "NS" else ALL - incident.tricks
    return {"NS": ns, "EW": ALL - ns}


def _before(incident: Incident) -> int:
    """Tricks before the first of the record, in an ending."""
    return 0 if incident.play is None else incident.play.before


def _won_from(incident: Incident, rest: int | None) -> dict[tuple[int, Side], int]:
    """Tricks that each side won from each trick on: the total less what was won before.

    Known while every earlier winner is known and the numbers agree.
    """
    won_from: dict[tuple[int, Side], int] = {}
    remaining = _totals(incident, rest)
    for trick in range(_before(incident) + 1, 14):
        if remaining is None or remaining["NS"] < 0 or remaining["EW"] < 0:
            break
        won_from[trick, "NS"], won_from[trick, "EW"] = remaining["NS"], remaining["EW"]
        if trick not in incident.timeline.won:
            break
        remaining[SIDE[incident.timeline.won[trick]]] -= 1
    return won_from


def denied(incident: Incident) -> bool:
    """Whether a record of others states a result that its own cards deny; one that somebody wrote by hand has a
    place, and he can mend it.
    """
    if incident.tricks is None or incident.declarer is None or "tricks" in incident.places:
        return False
    won = incident.timeline.won
    own_tricks = sum(SIDE[seat] == SIDE[incident.declarer] for seat in won.values())
    return not own_tricks <= incident.tricks <= ALL - len(won) + own_tricks


def doubts(incident: Incident) -> tuple[Irregularity, ...]:
    """The slips of whoever wrote the record down that may be the reason why a card of it seems not to follow suit; of
    what somebody states by hand, or after changes of cards, there are none."""
    if incident.play is None or incident.events or "play" in incident.places:
        return ()
    failures = failures_to_follow(incident.play, incident.deal)
    irregular = slips(incident.play, incident.deal, failures) if failures else ()
    return irregular if doubtful(failures, irregular) else ()


def denied_marks(incident: Incident) -> Iterator[Irregularity]:
    """The cards that the record marks as revokes, though they follow suit, or had to be of another."""
    play = incident.play
    for trick, hand in incident.marked:
        if play is not None and denies_revoke(play, incident.deal, trick, hand):
            yield Irregularity(Oddity.MARK_DENIED, trick, (hand,), play.tricks[trick - 1].card_of(hand))


def _happenings(incident: Incident, table: Table) -> Iterator[Fact]:
    """The facts that events are declared to state; cards replaced are facts of the record."""
    for change in incident.timeline.refused:
        yield "change-refused", change.trick, change.hand, change.how, change.at
    answered: dict[str, int] = {}
    for placed in incident.timeline.events:
        kind = table.events[placed.event.name]
        going_on = placed.trick if placed.nth < 4 else placed.trick + 1
        played = incident.timeline.moments.get((going_on, placed.event.said.get("by", "")), NEVER) < placed.at
        values: dict[str, Any] = {
            "at": placed.at,
            "last-trick": placed.trick,
            "going-on": going_on,
            "next-of-player": going_on + played,
            "tricks-left": 14 - going_on,
            "until": _last_held(placed.event.said.get("by"), placed.event.said.get("card"), incident),
            "declarer": incident.declarer,
        }
        for name, value in placed.event.said.items():
            if isinstance(value, RevokeNamed):
                values |= {f"{name}-hand": value.hand, f"{name}-trick": value.trick}
            values[name] = value
        values["answered"] = max((answered.get(name, 0) for name in kind.answers), default=0) or None
        yield from facts_of(kind.states, values, table)
        answered[kind.id] = placed.at


def _beyond_record(incident: Incident) -> Iterator[Fact]:
    """Who must have played to the trick after the last one recorded, as something was found out about a later trick.

    Nothing for a side whose own finding says whether it has gone on.
    """
    if incident.play is None or not incident.play.tricks:
        return
    tricks = incident.play.tricks
    stated = [one for one in incident.revokes if not one.shown and one.trick is not None]
    past = [(one.trick or 0, side) for one in stated if one.of == REVOKE and (side := _side_of(one, incident))]
    answered = {(trick + 1, side) for trick, side in past}
    for following in range(len(tricks) + (len(tricks[-1].cards) == 4), len(tricks) + 2):
        later = any((one.trick or 0) + one.trick_was_over > following for one in stated)
        for side in dict.fromkeys(SIDE.values() if later else [side for trick, side in past if trick == following]):
            if (following, side) not in answered:
                yield "took-part", following, side, "played", 1000 * following + 450


def _side_of(entry: Finding, incident: Incident) -> Side | None:
    """The side whose card it was, if that is known."""
    if entry.hand is not None or incident.declarer is None:
        return None if entry.hand is None else SIDE[entry.hand]
    own = SIDE[incident.declarer]
    return {"declarer": own, "dummy": own, "defender": OTHER_SIDE[own]}.get(entry.player or "")


def played(number: int, trick: int, hand: Seat, card: Card | None, incident: Incident) -> Iterator[Fact]:
    """That the card of a finding was played, if the record does not have it."""
    if (trick, hand) not in incident.timeline.moments:
        yield from _play(trick, hand, card, moment_of_play(number, trick, hand, incident))


def shown_by_record(trick: int, hand: Seat, incident: Incident) -> dict[str, Any]:
    """Findings that the record shows, and their values; TOLD where nothing more is to be stated."""
    findings: dict[str, Any] = {}
    play, moments, won = incident.play, incident.timeline.moments, incident.timeline.won
    if trick in won:
        findings["won-by"] = won[trick]
    if play is not None and trick <= len(play.tricks) and play.tricks[trick - 1].led is not None:
        findings["suit"] = play.tricks[trick - 1].led
    if any(later == trick + 1 for later, _ in moments):
        findings["next-trick"] = TOLD
    own_moment = moments.get((trick, hand), NEVER)
    if "next-trick" in findings or any(own_moment < moments.get((trick, seat), 0) for seat in SEATS):
        findings["played-after"] = TOLD
    if play is not None and not _may_still_win(trick, hand, incident):
        findings["later-win-playable"] = TOLD
    rest = incident.rest
    if rest is None and play is not None and any(revoke.shown for revoke in incident.revokes):
        rest = 0  # it is laid out; how many there are makes no difference here
    if (trick, SIDE[hand]) in _won_from(incident, rest):
        findings["later-tricks"] = TOLD
    return findings


def went_on(trick: int, hand: Seat, incident: Incident) -> bool:
    """Whether the record has a card of the hand's side in a later trick."""
    return any(later > trick and SIDE[seat] == SIDE[hand] for later, seat in incident.timeline.moments)


def _may_still_win(trick: int, hand: Seat, incident: Incident) -> bool:
    """Whether he may have won a trick of which the record does not tell, with a card of the suit led to this one."""
    won, play = incident.timeline.won, incident.timeline.at_hand
    recorded = _before(incident) + len(won)
    won_later = _won_from(incident, incident.rest).get((recorded + 1, SIDE[hand]), ALL)
    if play is None or recorded == ALL or won_later == 0:
        return False
    dealt = None if incident.deal is None else incident.deal[hand]
    gone = {card for number, _, seat, card in play.plays() if seat == hand and number in won}
    led = play.tricks[trick - 1].led if trick <= len(play.tricks) else None
    return dealt is None or led is None or any(card.suit == led for card in dealt if card not in gone)


def of_a_record(incident: Incident, shown: Iterable[Finding], names: Iterable[str] = BY_PLACE) -> Incident:
    """An incident with what its record shows as findings, of which the record tells all it can.

    One that is stated too keeps what is stated of it, and the calls tell the rest of it, if they show it. ``names``:
    what tells one from another.
    """
    findings = {one.named(names): one for one in shown}
    joined = [(one, findings.pop(one.named(names), one)) for one in incident.revokes]
    stated = (
        replace(
            one,
            hand=one.hand or seen.hand or _caller(one.said.get("call"), incident),
            said={**seen.said, **one.said},
            shown=seen.by_calls or one.shown,
        )
        for one, seen in joined
    )
    return replace(incident, revokes=(*stated, *findings.values()))


def _caller(number: object, incident: Incident) -> Seat | None:
    """Who made the call of that number, counted from the dealer's first, where the auction is known."""
    calls = () if incident.auction is None else incident.auction.calls
    return calls[number - 1].hand if isinstance(number, int) and 0 < number <= len(calls) else None


def with_agreement(incident: Incident, table: Table) -> Incident:
    """An incident with the agreement to a claim that must have followed where the play is over and nobody objected."""
    if not incident.over:
        return incident
    events: list[Event] = []
    for number, event in enumerate(incident.events):
        events.append(event)
        follows = table.events[event.name].settled_by
        answered = any(event.name in table.events[later.name].answers for later in incident.events[number + 1 :])
        if follows is not None and not answered:
            events.append(Event(follows, {"by": NEXT[event.said["by"]]}))
    return replace(incident, events=tuple(events))
