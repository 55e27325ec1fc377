"""From an incident to its ruling."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from facts.cards import BY_TEXT, DECK, SIDE, Seat
from facts.errors import BoundsError, Fault, InputError
from facts.fact import Fact, order_key
from facts.incident import SAME_TRICK, Finding, Incident, moment_of_play
from facts.observe import ALL, denied, observe, of_a_record, with_agreement
from facts.play import Trick, beats
from facts.table import UNKNOWN, Table
from kb.engine.proof import Proof, clashes
from kb.engine.sets import Facts, Run
from kb.language.edition import load_edition
from kb.language.folders import edition_ids
from kb.language.relied_on import AT, HAND, MUST_CORRECT, REFUSED, REVOKE, TRICK, UNDECIDED
from kb.language.texts import fill
from kb.language.vocabulary import Vocabulary
from kb.ruling.laws import Law
from kb.ruling.ruling import RevokeRuled, Ruling, opened
from kb.space.seating import LATER, WON_BY


def rule(law: Law, incident: Incident) -> Ruling:
    """The ruling, without a result that a record's own cards deny; InputError when the incident contradicts itself or
    comes to more than any board does, EngineError when the engine fails."""
    *_, ruling = rounds(law, incident)
    return ruling


def rounds(law: Law, incident: Incident) -> Iterator[Ruling]:
    """The ruling comes last: where the law refuses changes of cards, it is asked again about the cards without them.

    Errors as of ``rule``.
    """
    while True:
        try:
            ruling = ruled_once(law, incident)
            yield ruling
            stands = _without_refused(incident, ruling.proof)
        except BoundsError as error:
            raise InputError.of(incident.place, *error.args) from None
        except InputError:
            # the result may be that of the cards without a change that is refused whatever was found out and agreed
            alone = replace(incident, revokes=(), tricks=None)
            stands = _without_refused(incident, law.engine.run(observe(alone, law.edition.table, law.shown)))
            if stands == incident and denied(incident):
                stands = replace(incident, tricks=None)
            if stands == incident:
                raise
        else:
            if stands == incident:
                refuse_contradictions(ruling)
                return
        incident = stands


def ruled_once(law: Law, incident: Incident) -> Ruling:
    """The ruling as long as every change of cards stands, even of a draft whose rules contradict each other."""
    for number, found in enumerate(incident.revokes, 1):
        if found.of not in law.edition.matters:
            place = incident.places.get(f"revokes.{number}", incident.place)
            others = [name for name in edition_ids(law.root) if found.of in load_edition(law.root, name).matters]
            raise InputError.of(place, f"{law.edition.id} has no rules on {found.of}", f"rule by {' or '.join(others)}")
        if incident.auction and "call" in law.edition.table.about(found.of).names and found.known.get("call") is None:
            mend = "add call: its number, from the dealer's first on, or leave out what the auction shows"
            raise InputError.of(incident.places.get(f"revokes.{number}", incident.place), "which call was it?", mend)
    stated, incident = incident, with_agreement(incident, law.edition.table)
    ruling = _opened(law, stated, incident)
    fewer = _in_place(ruling, incident)
    return ruling if fewer is incident else _opened(law, stated, fewer)


def _opened(law: Law, stated: Incident, incident: Incident) -> Ruling:
    """The ruling with all that its record shows, also what it shows only beside other findings, which tell what was
    demanded or which card had to be played.
    """
    whole, seen = _shown(law, incident)
    ruling, found = opened(law, stated, whole, seen), incident.revokes
    unnamed = {one.trick for one in found if one.of == REVOKE and one.hand is None}  # in the record under no hand
    if incident.play is None or None in unnamed or all(one.of == REVOKE for one in found):
        return ruling
    perhaps: Facts = ruling.certainty.run.run.facts.get(REVOKE, Facts())
    revokes = sorted((one for one, bits in perhaps.items() if bits & ruling.certainty.among), key=order_key)
    shown = _findings_of(law.edition.table, revokes, law.edition.vocabulary)
    more = of_a_record(whole, (one for one in shown if one.trick not in unnamed))
    return ruling if more == whole else opened(law, stated, more, seen)


def _in_place(ruling: Ruling, incident: Incident) -> Incident:
    """The incident without who won a trick with a card that may yet be changed.

    Where later tricks are stated, and were not played with it, the card is in its place.
    """
    perhaps: Facts = ruling.certainty.run.run.facts.get(UNDECIDED, Facts())
    changing = _undecided(ruling.certainty.law, (one for one, bits in perhaps.items() if bits & ruling.certainty.among))
    for back in ruling.revokes if changing else ():
        own = [found for n, found in enumerate(incident.revokes) if not found.shown and _names(incident, n, back)]
        later, played_on = own[0].known.get(LATER) if own else None, ruling.was_established(back)
        goes = back.status == MUST_CORRECT and back.won_by in (None, *changing.get(back.trick, ()))
        if own and goes and (later is None or played_on):
            revokes = tuple(_anew(found, found in own, back, later, played_on) for found in incident.revokes)
            incident = replace(incident, revokes=revokes)
    return incident


def _names(incident: Incident, number: int, revoke: RevokeRuled) -> bool:
    """Whether a finding is of that revoke."""
    return moment_of_play(number, revoke.trick, revoke.hand, incident) == revoke.play


def _anew(finding: Finding, is_own: bool, back: RevokeRuled, won_after: object, played_on: bool) -> Finding:
    """A finding without what it says of a trick whose card goes ``back``, and of those that have been played since: of
    these its side won ``won_after`` many, where that is said.
    """
    stated, later = dict(finding.said), finding.said.get(LATER)
    if is_own or finding.trick == back.trick:
        names = {WON_BY, LATER} if played_on else {WON_BY}
        stated |= dict.fromkeys(names & (stated.keys() | ({WON_BY} if finding.cards else set())), UNKNOWN)
    elif played_on and finding.hand and (finding.trick or ALL) < back.trick and isinstance(later, int):
        anew, won = 1 + ALL - back.trick, int(back.won_by is not None and SIDE[back.won_by] == back.side)
        theirs = range(won + won_after, won + won_after + 1) if isinstance(won_after, int) else range(won, won + anew)
        gone = [tricks if SIDE[finding.hand] == back.side else anew - tricks for tricks in theirs]
        stated[LATER] = f"{max(0, later - max(gone))}..{min(later - min(gone) + anew, ALL - int(finding.trick or 0))}"
    return replace(finding, said=stated)


def _undecided(law: Law, facts: Iterable[Fact]) -> dict[int, set[Seat]]:
    """Trick that nobody has won yet -> the hands whose card of it may still be another."""
    of, hands = law.edition.vocabulary.field, dict[Any, set[Any]]()
    for fact in facts:
        hands.setdefault(of(fact, TRICK), set()).add(of(fact, HAND))
    return hands


def _shown(law: Law, incident: Incident) -> tuple[Incident, Run | None]:
    """The incident with the revokes that the cards show beside those found out, in the order of play; and that run.

    From a trick on that another hand may yet win nobody has won any, unless the sides have agreed who won how many.
    """
    vocabulary, matters = law.edition.vocabulary, law.edition.table.matters
    if incident.play is None and not (matters and (incident.events or incident.auction)):
        return incident, None
    seen = law.program.settled(observe(replace(incident, revokes=()), law.edition.table))
    for table in matters.values():
        found = sorted(seen.facts.get(table.found_by, {}), key=order_key)
        recorded = [*_findings_of(table, found, vocabulary)]
        _refuse_nameless(incident, table, recorded)
        incident = of_a_record(incident, recorded, table.names)
    if incident.play is None:
        return incident, seen
    tricks, changing = incident.play.tricks, _undecided(law, seen.facts.get(UNDECIDED, ()))
    first = min(changing, default=0) if len(tricks) == ALL or not incident.over else 0
    if first and not _may_win_anew(incident, tricks[:first], changing[first]):
        first = first + 1 if first < len(tricks) else 0
    shown = sorted(seen.facts.get(REVOKE, {}), key=order_key)
    incident = replace(incident, unsettled=first)
    recorded = [*_findings_of(law.edition.table, shown, vocabulary)]
    _refuse_nameless(incident, law.edition.table, recorded)
    return of_a_record(incident, recorded), seen


def _refuse_nameless(incident: Incident, table: Table, recorded: Sequence[Finding]) -> None:
    """InputError if a finding lacks the trick by which it is told from those of its matter in the record."""
    if not recorded or TRICK not in table.names:
        return
    for number, one in enumerate(incident.revokes, 1):
        if one.of == table.of and one.trick is None and one.player != SAME_TRICK:
            problem = f"the record shows the {table.of} of trick {recorded[0].trick}, and this one has no trick"
            place = incident.places.get(f"revokes.{number}", incident.place)
            raise InputError.of(place, problem, "say at which trick it was")


def _stating(ruling: Ruling, fact: Fact) -> str | None:
    """The place of the finding that states a fact, or of one from which such a finding follows."""
    kind = ruling.edition.vocabulary.kind_of(fact)
    for number, one in enumerate(ruling.incident.revokes, 1):
        table = ruling.edition.table.about(one.of)
        named = zip(table.names, one.named(table.names)[1:], strict=True)
        of_it = all(value in (None, fact[kind.index[name]]) for name, value in named if name in kind.index)
        able = {name for name, finding in table.findings.items() if kind.name in finding.kinds}
        if of_it and able and one.said and not one.shown:
            return f"revokes.{number}.{next((name for name in one.said if name in able), [*one.said][-1])}"
    return None


def _findings_of(table: Table, shown: Iterable[Fact], vocabulary: Vocabulary) -> Iterator[Finding]:
    """What a record or an event shows of a matter, as findings."""
    for fact in shown:
        fields = {name: fact[at] for name, at in vocabulary.kind_of(fact).index.items()}
        said = {
            name: BY_TEXT[str(value)] if table.findings[name].type.name == "card" else value
            for name, value in fields.items()
            if name in table.findings and value is not None and table.of != REVOKE
        }
        trick = fields.get(TRICK) if TRICK in table.names else None
        yield Finding(fields[HAND], trick, said=said, of=table.of, shown=True)  # type: ignore[arg-type]


def _may_win_anew(incident: Incident, tricks: Sequence[Trick], changing: Collection[Seat]) -> bool:
    """Whether another hand may win the last trick once these hands have changed their cards."""
    winner = incident.timeline.won.get(len(tricks))
    best = None if winner is None else tricks[-1].card_of(winner)
    if best is None or winner in changing:
        return True
    gone = {card for trick in tricks[:-1] for card in trick.cards}
    for hand in changing:
        cards_left = [card for card in (incident.deal[hand] if incident.deal else None) or DECK if card not in gone]
        may_play = [card for card in cards_left if card.suit == tricks[-1].led] or cards_left
        if any(beats(card, best, incident.trump) for card in may_play):
            return True
    return False


def _without_refused(incident: Incident, proof: Proof) -> Incident:
    """The incident in which the changes of cards that rules refuse are refused."""
    field = proof.program.vocabulary.field
    refused = {field(fact, AT) for fact, _, _ in proof.firings if fact[0] == REFUSED}
    if not refused:
        return incident
    placed = incident.timeline.events
    events = tuple(replace(event.event, refused=event.event.refused or event.at in refused) for event in placed)
    return replace(incident, events=events)


def refuse_contradictions(ruling: Ruling) -> None:
    """InputError if the incident says different things of what can be only one way, or the rules do.

    What is stated against what the rules conclude is told first, and alone: the rest may come of it.
    """
    vocabulary, faults, told = ruling.edition.vocabulary, list[Fault](), list[Fault]()
    for clash in clashes(ruling.proof):
        kind = vocabulary.kind_of(clash[0])
        things = " and ".join(", ".join(f"{name} {fact[slot]}" for name, slot in kind.index.items()) for fact in clash)
        firsts = [(fact, ruling.proof.first_step(fact)) for fact in clash]
        steps, stated = [step for _, step in firsts if step], [fact for fact, step in firsts if step is None]
        if steps and stated and (stating := _stating(ruling, stated[0])):
            values = {name: str(steps[0].fact[slot]) for name, slot in kind.index.items()}
            because = {lang: fill(text, values) for lang, text in kind.says.items()}
            problem = f"{stating.rpartition('.')[2]} cannot stand beside the rest: {because['en']}"
            place = ruling.incident.places.get(stating, ruling.incident.place)
            told.append(Fault(place, problem, "mend it, or what it contradicts", because=because))
        elif steps:
            problem = f"{' and '.join(step.rule.id for step in steps)} conclude two things of {kind.name}: {things}"
            faults.append(Fault(steps[0].rule.place, problem, "let one give way"))
        else:  # the incident states them
            problem = f"this says two things of {kind.name}: {things}"
            faults.append(Fault(ruling.incident.place, problem, "say only one of them"))
    if told or faults:
        raise InputError(told or faults)
