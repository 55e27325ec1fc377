"""A ruling as it unfolds: after every card and every event, in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from facts.cards import Card
from facts.history import Moment, moments, until
from facts.incident import Event, Incident
from facts.table import EventKind, Formula, Table, spelled
from kb.explain.as_text import foot, revoke_line, title
from kb.explain.headline import headline
from kb.explain.page import Line, Page, part
from kb.explain.words import Speaker
from kb.language.relied_on import RECTIFICATIONS
from kb.language.texts import StandsFor, fill, holes
from kb.ruling.laws import Law
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling


@dataclass(frozen=True, slots=True)
class Turn:
    moment: Moment
    ruling: Ruling
    came: tuple[str, ...]
    """The clauses that began to apply, in the book's order."""
    went: tuple[str, ...]
    """The clauses that ceased to apply."""
    changed: bool
    """Whether anything of the ruling changed: clauses, revokes or tricks."""


def unfold(law: Law, incident: Incident) -> list[Turn]:
    """The ruling at each moment; the last one is the ruling on the whole incident."""
    happened, turns = moments(incident, law.edition.table), list[Turn]()
    cited_before: Sequence[str] = ()
    state: object = None
    for number, moment in enumerate(happened, 1):
        ruling = rule(law, until(incident, happened[:number], law.edition.table))
        came = tuple(ref for ref in ruling.cited if ref not in cited_before)
        went = tuple(ref for ref in cited_before if ref not in ruling.cited)
        # by its play, or by «revoke-1+110» where nobody named the trick
        stands = [(ruling.unsaid.moment(revoke.play), revoke.status) for revoke in ruling.revokes]
        done = [(entry.fact, entry.law) for entry in ruling.entries(RECTIFICATIONS)]
        last, state, cited_before = state, (stands, {**ruling.transfer}, done), ruling.cited
        turns.append(Turn(moment, ruling, came, went, bool(came or went or state != last)))
    return turns


def moment_words(moment: Moment, ruling: Ruling, speaker: Speaker) -> str:
    """«East plays ♠6 to trick 5», «South draws attention to a revoke».

    ``ruling``: the one on the whole incident; ``speaker``: one that has words for what nobody said of it.
    """
    if moment.event is not None:
        return event_words(moment.event, ruling.edition.table, speaker)
    if moment.stage is not None and moment.finding is not None:  # what is not stated has words of its own
        hand, trick = hand_and_trick(moment.finding, ruling)
        text = speaker.words.names["stage"][moment.stage][speaker.lang]
        places = {"hand": speaker.value(hand, "seat"), "trick": speaker.value(trick, "trick")}
        return speaker.capital(fill(text, places))
    if moment.trick is None:
        return speaker.phrase("unfold-end")
    card = speaker.value(None if moment.card is None else moment.card.text, "card")
    return speaker.phrase("unfold-card", hand=speaker.value(moment.hand, "seat"), card=card, trick=moment.trick)


def event_words(event: Event, table: Table, speaker: Speaker) -> str:
    """What an event is, as it is declared to be told, with its players and cards."""
    kind = table.events[event.name]
    sentence = (kind.says or kind.means)[speaker.lang]
    return fill(sentence, {name: _field(event.said.get(name), name, kind, speaker) for name in holes(sentence)})


def _field(value: Any, name: str, kind: EventKind, speaker: Speaker) -> str:
    if value is None:
        return StandsFor("…", {})
    declared = kind.fields[name][0].name
    if declared == "words":  # as it is said in the facts that the event states
        taken = Formula(((1, (f"${name}",)),))
        fields = ((form.kind, field) for form in kind.states for field, term in form.terms.items() if term == taken)
        declared = next((speaker.vocabulary.kinds[stated].field_named(field).type for stated, field in fields), "text")
    said_as = "reply" if declared == "yes-no" else declared
    return speaker.value(value.text if isinstance(value, Card) else spelled(value), said_as)


def hand_and_trick(number: int, ruling: Ruling) -> tuple[Any, Any]:
    """Hand and trick of a finding; what stands for them where they are not stated."""
    values = ruling.certainty.completions.values
    return [*values[number, "hand"]][0], [*values[number, "trick"]][0]


def unfold_page(turns: Sequence[Turn], speaker: Speaker) -> Page:
    """The moments at which the ruling changed, and since when each law applies."""
    last = turns[-1].ruling
    speaker = speaker.of(last)
    lines = list[Line]()
    for turn in (turn for number, turn in enumerate(turns) if turn.changed and (number or turn.came)):
        then, phrase = speaker.of(turn.ruling), speaker.phrase
        under = [phrase("unfold-came", laws=speaker.laws(turn.came))] if turn.came else []
        under += [phrase("unfold-went", laws=speaker.laws(turn.went))] if turn.went else []
        under += (revoke_line(then, revoke) for revoke in turn.ruling.revokes)
        for side, tricks in turn.ruling.transfer.items():
            if tricks:
                under.append(phrase("unfold-stake", tricks=speaker.tricks(tricks), to=then.value(side, "side")))
        lines.append(Line(moment_words(turn.moment, last, speaker), (), tuple(map(Line, under))))
    laws = list[Line]()
    for law in last.cited:  # since when it has applied without a break
        since = next((n for n in range(len(turns) - 1, 0, -1) if law not in turns[n - 1].ruling.cited), 0)
        laws.append(Line(f"{speaker.laws([law])}: {moment_words(turns[since].moment, last, speaker)}"))
    return Page(
        title(last, speaker),
        (Line(headline(last, speaker)),),
        (
            *part(speaker.phrase("unfold-title"), lines, numbered=True),
            *part(speaker.phrase("unfold-laws"), laws),
        ),
        foot(last, speaker),
    )
