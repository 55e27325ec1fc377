"""The voices in which one ruling can be told, wherever one is chosen, and the ruling as it is saved.

To an appeals committee: what happened in order of time, the ruling with its reasons, the law. In a class: three
questions, the answers folded where they can be, and the answer that tempts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from enum import StrEnum
from itertools import chain, groupby
from typing import Any, Final

from facts.auction import facts_of_calls
from facts.cards import SIDE
from facts.fact import Fact, Value
from facts.play import Trick
from facts.table import REVOKE, numbers
from kb.engine.proof import bindings, counted
from kb.explain.announcement import Announcement
from kb.explain.as_json import ruling_json
from kb.explain.as_text import (
    entry_lines,
    foot,
    judgement,
    law_of_day_lines,
    lead,
    now,
    own_parts,
    page_of,
    reason_line,
    remarks,
    result_line,
    title,
    why,
)
from kb.explain.headline import Sentence, headline, sentences
from kb.explain.hinge import hinge, question_words
from kb.explain.page import Line, Page, Part, as_text, part, sentence
from kb.explain.words import Speaker, names
from kb.language.relied_on import (
    AUTOMATIC,
    CARD,
    CORRECTED,
    ESTABLISHED,
    EXEMPT,
    HAND,
    MUST_CORRECT,
    PLAY,
    TABLE_TRICKS,
    TRICK,
)
from kb.language.texts import fill
from kb.ruling.ruling import RevokeRuled, Ruling
from kb.ruling.verdict import ruling_record
from kb.why_not.what_if import Rival, rivals
from kb.why_not.why_not import statement_words


def happened(ruling: Ruling, speaker: Speaker) -> Iterator[str]:
    """Each thing once: the cards of a trick together, and of what is said of both sides that of one, of declarer's."""
    declarer, once, kind_of = ruling.incident.declarer, dict[object, Fact](), speaker.vocabulary.kind_of
    auction = ruling.incident.auction
    calls = () if auction is None else frozenset(facts_of_calls(auction))  # which are told as written
    for fact in (fact for fact in ruling.happened if fact[0] != TABLE_TRICKS and fact not in calls):
        index, same = kind_of(fact).index, fact
        if index.keys() >= {"side", "tricks"}:
            same = (fact[0], *(fact[position] for name, position in index.items() if name not in ("side", "tricks")))
        if same not in once or (declarer is not None and TRICK not in index and SIDE[declarer] in fact):
            once[same] = fact

    def trick_of(fact: Fact) -> Value:
        """The trick that a card was played to; None for what is no card."""
        index = kind_of(fact).index
        return fact[index[TRICK]] if index.keys() >= {PLAY, TRICK, HAND, CARD} else None

    unique_lines = dict[str, None]()
    for trick, facts in groupby(once.values(), key=trick_of):
        of_one = [*facts]
        lines = map(speaker.happened, of_one) if trick is None else _cards(trick, of_one, ruling, speaker)
        unique_lines |= dict.fromkeys(sentence(line) for line in lines if line)
    yield from unique_lines


def _cards(trick: Value, facts: list[Fact], ruling: Ruling, speaker: Speaker) -> Iterator[str]:
    """The cards played to a trick: those that are known one after the other, then who else played to it."""
    wrong = {revoke.play for revoke in ruling.revokes}
    cards: list[tuple[Value, Value]] = []
    for fact in facts:
        index = speaker.vocabulary.kind_of(fact).index
        of_play, hand, card = (fact[index[name]] for name in (PLAY, HAND, CARD))
        if (hand, card) not in cards and (card is not None or of_play not in wrong):
            cards.append((hand, card))
    play, number = ruling.incident.play, int(trick or 0)
    if play is not None and 0 < number <= len(play.tricks):
        record: Trick | None = play.tricks[number - 1]
    else:  # as it was stated with a revoke
        record = next((entry.cards for entry in ruling.incident.revokes if entry.trick == number and entry.cards), None)
    whole = [] if record is None else [(hand, None if card is None else card.text) for hand, card in record.items()]
    if whole and {*cards} <= {*whole}:
        cards = [*whole]
    if known_cards := [hand_card for hand_card in cards if hand_card[1] is not None]:
        leads = record is not None and known_cards[0][0] == record.leader
        first, then = ("appeal-led", "appeal-played") if leads else ("appeal-first", "appeal-then")
        keys = (first, then, *["appeal-then"] * len(known_cards))
        card_words = ", ".join(
            speaker.phrase(key, hand=speaker.value(hand, "seat"), card=speaker.value(card, "card"))
            for key, (hand, card) in zip(keys, known_cards, strict=False)
        )
        yield speaker.phrase("appeal-trick", trick=speaker.value(trick, "trick"), cards=card_words)
    if others := [speaker.value(hand, "seat") for hand, card in cards if card is None]:
        *earlier, last = others
        hands = speaker.phrase("compare-and").join(filter(None, [", ".join(earlier), last]))
        key = "appeal-some-more" if earlier else "appeal-one-more"
        yield speaker.phrase(key, hands=hands, trick=speaker.value(trick, "trick"))


def appeal(ruling: Ruling, speaker: Speaker) -> Page:
    """Numbered sentences of what happened, what was ruled and why, each law in the edition's words."""
    clauses = ruling.edition.clauses
    head, *result = lead(ruling, speaker)
    ruled = (Line(head.text, ruling.decisive), *result, *dict.fromkeys(why(ruling, speaker)))
    law = (Line(f"{speaker.laws([ref])}: {clauses[ref].says[speaker.lang]}") for ref in ruling.cited)
    return Page(
        title(ruling, speaker),
        (),
        (
            *part(speaker.phrase("appeal-facts"), map(Line, case_told(ruling, speaker)), numbered=True),
            *part(speaker.phrase("appeal-ruling"), (*ruled, *now(ruling, speaker))),
            *part(speaker.phrase("hinges"), hinge(ruling, speaker)),
            *part(speaker.phrase("appeal-law"), law),
            *judgement(ruling, speaker),
        ),
        foot(ruling, speaker),
    )


def case_told(ruling: Ruling, speaker: Speaker) -> Iterator[str]:
    """The calls, the contract, what was found in order of time, the result as played, and what is not known."""
    incident = ruling.incident
    contract, declarer, auction = incident.contract, incident.declarer, incident.auction
    if auction is not None:
        yield speaker.phrase(
            "appeal-calls", dealer=speaker.value(auction.dealer, "seat"), calls=speaker.auction(auction)
        )
    if contract is not None and declarer is not None:
        places = {"contract": speaker.contract(contract), "declarer": speaker.value(declarer, "seat")}
        yield speaker.phrase("appeal-contract", **places)
    if incident.vulnerable is not None:
        yield sentence(speaker.phrase("html-vulnerable", who=speaker.value(incident.vulnerable, "vulnerable")))
    yield from happened(ruling, speaker)
    certainty = ruling.certainty
    for number, revoke in enumerate(incident.revokes):  # what was not said as one number
        for key in ((number, name) for name, value in revoke.said.items() if len(numbers(value)) > 1):
            may_be = certainty.completions.values[key].items()
            values = tuple(value for value, bits in may_be if value is not None and bits & certainty.among)
            yield f"{speaker.capital(statement_words(ruling, certainty, key, values, speaker))}."
    if incident.tricks is not None:
        yield speaker.phrase("appeal-result", tricks=speaker.tricks(incident.tricks))
    hinges = () if certainty.asking is None else (certainty.asking.key,)
    for key in dict.fromkeys((*hinges, *(perhaps.key for perhaps in certainty.perhaps if perhaps.key is not None))):
        yield speaker.phrase("appeal-unknown", asks=question_words(certainty, key, speaker))


STANDS: Final = {ESTABLISHED: "class-yes", MUST_CORRECT: "class-in-time", CORRECTED: "class-corrected"}
WAS_ESTABLISHED: Final = {MUST_CORRECT: "class-yes-but", CORRECTED: "class-yes-put-right"}


def questions(speaker: Speaker) -> tuple[str, str, str]:
    """The same of every ruling."""
    return speaker.phrase("class-established"), speaker.phrase("class-tricks"), speaker.phrase("class-law")


def lesson(ruling: Ruling, speaker: Speaker) -> tuple[Line, Line, Line]:
    """The answers: why each revoke stands as it does; why tricks go or do not go, and what is remarked; each law in its
    own words. The speaker is one that says the ruling's seats."""
    words, why_so = list[str](), list[Line]()
    for revoke in ruling.revokes:
        key = STANDS.get(revoke.status, "class-open")
        words.append(speaker.phrase(WAS_ESTABLISHED.get(revoke.status, key) if ruling.was_established(revoke) else key))
        settled = [[*ruling.reasons_for(revoke)], *([*chain(*ways)] for ways in ruling.either(revoke))]
        for nth, steps in enumerate(settled):  # of what is so either way only what is one sentence
            lines = dict.fromkeys(reason_line(step, speaker) for step in steps if step.rule.clause in revoke.status_by)
            why_so += lines if nth == 0 or len(lines) == 1 else ()
    established = "".join(words) or speaker.phrase("class-none")
    if len(words) > 1:  # which it is that is, and which is not
        placed = ((speaker.value(ruled.hand, "seat"), speaker.value(ruled.trick, "trick")) for ruled in ruling.revokes)
        which = (speaker.phrase("of-revoke", hand=hand, trick=trick) for hand, trick in placed)
        established = " ".join(f"{speaker.capital(label)}: {word}" for label, word in zip(which, words, strict=True))
    # that a revoke is put right has been said, and of tricks there are none
    only_corrected = sentences(ruling) == (Sentence("correct"),)
    tricks = speaker.phrase("class-no-tricks") if only_corrected else headline(ruling, speaker)
    if ruling.is_open:
        grounds = [*hinge(ruling, speaker, 1)]
    elif any(ruling.facts(part) for part in (AUTOMATIC, EXEMPT)):
        grounds = [Line(speaker.reason(reason), laws) for reason, laws in ruling.grounds]
    else:  # else why it stands so, in two sentences
        grounds = why_so[:2]
    says = (Line(ruling.edition.clauses[ref].says[speaker.lang], (ref,)) for ref in ruling.cited)
    return (
        Line(established, (), tuple(dict.fromkeys(why_so))),
        Line(tricks, ruling.decisive, tuple(dict.fromkeys([*grounds, *remarks(ruling, speaker)]))),
        Line(", ".join(ruling.cited), (), tuple(says)),
    )


def temptation(rival: Rival, revoke: RevokeRuled, ruling: Ruling, speaker: Speaker) -> Line:
    """«Tempting: one trick to North–South. That would be right if East had won that trick.»"""
    places = {"ruling": tempts_to(rival, speaker), "right-if": right_if(rival, revoke, ruling, speaker).text}
    return Line(speaker.phrase("class-tempting", **places), rival.laws)


def right_if(rival: Rival, revoke: RevokeRuled, ruling: Ruling, speaker: Speaker) -> Line:
    """«That would be right if East had won that trick.»"""
    condition = fill(rival.if_[speaker.lang], names(revoke, ruling, speaker))
    return Line(speaker.phrase("class-right-if", so=condition), rival.laws)


def tempts_to(rival: Rival, speaker: Speaker) -> str:
    """What somebody would rule: in a line, without numbers where the trick is not at an end."""
    ruling = rival.ruling
    established = any(revoke.status == ESTABLISHED for revoke in ruling.revokes)
    return speaker.phrase("class-perhaps") if ruling.is_open and established else headline(ruling, speaker)


def teaching(ruling: Ruling, speaker: Speaker) -> Page:
    """What happened; then it asks before it answers, and of what tempts tells one thing for each mistake."""
    established, tricks, laws = lesson(ruling, speaker)
    answers = ((established,), (tricks, *result_line(ruling, speaker)), (laws,))
    asked = [*zip(questions(speaker), answers, strict=True)]
    if not ruling.revokes and any(finding.of != REVOKE for finding in ruling.incident.revokes):
        asked[:2] = [(speaker.phrase("class-ruling"), answers[1])]  # of another matter nobody asks what a revoke is
    parts = [Part(f"{n}. {question}", answer, folded=True) for n, (question, answer) in enumerate(asked, 1)]
    parts += (replace(own, folded=True) for own in own_parts(ruling, speaker))
    tempting: dict[object, Line] = {}
    for rival in rivals(ruling):
        for revoke in (*ruling.revokes, *rival.ruling.revokes)[:1] if rival.key not in tempting else ():
            tempting[rival.key] = temptation(rival, revoke, ruling, speaker)
    if tempting:
        parts.append(Part(speaker.phrase("class-tempts"), tuple(tempting.values()), folded=True))
    if done := tuple(dict.fromkeys(now(ruling, speaker))):
        parts.append(Part(speaker.phrase("now"), done, folded=True))
    judged = (replace(part, folded=True) for part in judgement(ruling, speaker))
    story = part(speaker.phrase("appeal-facts"), map(Line, case_told(ruling, speaker)))
    return Page(title(ruling, speaker), (), (*story, *parts, *judged), foot(ruling, speaker))


def table(ruling: Ruling, speaker: Speaker) -> Page:
    """What is said, sentence by sentence; before it the law, if an authority has chosen in it, or the day is known."""
    heading = title(ruling, speaker) if ruling.edition.elections or ruling.incident.date else ""
    return Page(heading, Announcement(ruling, speaker).lines)


def slip(ruling: Ruling, speaker: Speaker) -> Page:
    """The headline; why; what is done now, and what is left to the director, or the question on which it hinges."""
    decisive = {*ruling.decisive, *(law for revoke in ruling.revokes for law in revoke.status_by)}
    because = (line for line in why(ruling, speaker) if any(decisive & {*below.laws} for below in (line, *line.under)))
    actions = (line for entry in (*ruling.now, *ruling.director) for line in entry_lines(entry, speaker))
    to_do = tuple(dict.fromkeys((*hinge(ruling, speaker, 1), *actions)))
    parts = (Part("why", tuple(dict.fromkeys(because))), Part("to do", to_do))
    return Page("", (Line(Announcement(ruling, speaker).head),), parts)


def editor(ruling: Ruling, speaker: Speaker) -> Page:
    """Every step behind the ruling, in the order of the proof; where the text of each clause was found."""
    steps: list[Line] = []
    for step in ruling.citations.support():
        rule, plain = step.rule, ruling.without_unsaid(step)
        values = ", ".join(f"${name} = {value}" for name, value in bindings(speaker.vocabulary, plain).items())
        facts = (fact for premise in plain.premises for fact in counted(premise) or (premise,))  # or none were counted
        under = (
            Line(speaker.reason(step)),
            *((Line(values),) if values else ()),
            *(Line(f"← {raw(fact)}") for fact in facts),
            *(Line(f"← {speaker.lacking(lacking)}") for lacking in ruling.lacking(step)),
            Line(f"→ {raw(plain.fact)}"),
        )
        law = (rule.clause,) if ruling.citations.is_law(rule.clause) else ()
        steps.append(Line(f"{rule.id}  {rule.place}", law, under))
    provenance: list[Line] = []  # which of the clauses are known from memory only, and what was decided about each
    for ref in ruling.cited:
        clause = ruling.edition.clauses[ref]
        provenance += [Line(speaker.phrase("book-recalled"), (ref,))] if clause.recalled else []
        minute = speaker.phrase("book-minute")
        provenance += (Line(f"{minute} ({note.signed}): {note.says[speaker.lang]}", (ref,)) for note in clause.minutes)
    parts = (
        *part(speaker.phrase("editor-steps"), steps),
        *part(speaker.phrase("law-of-the-day"), map(Line, law_of_day_lines(ruling, speaker))),
        *part(speaker.phrase("editor-provenance"), provenance),
    )
    return Page(title(ruling, speaker), (Line(headline(ruling, speaker)),), parts, foot(ruling, speaker))


def raw(fact: Fact) -> str:
    """A fact as it is: «won: 5, W, EW»."""
    return f"{fact[0]}: {', '.join('–' if value is None else str(value) for value in fact[1:])}"


def saved(ruling: Ruling, speaker: Speaker, voice: Voice | None = None) -> dict[str, Any]:
    """The object that ``revoke rule --format json`` prints and ``revoke verify`` checks."""
    text = as_text(told(ruling, speaker, voice), speaker)
    return {**ruling_json(ruling, speaker, text), "voice": voice, "record": ruling_record(ruling)}


class Voice(StrEnum):
    """Whom the ruling is told to; what each is called stands in ``words.yaml`` among the names of ``voice``."""

    TABLE = "table"
    APPEAL = "appeal"
    TEACHING = "teaching"
    EDITOR = "editor"


PAGES: Final = {Voice.TABLE: table, Voice.APPEAL: appeal, Voice.TEACHING: teaching, Voice.EDITOR: editor, None: page_of}


def told(ruling: Ruling, speaker: Speaker, voice: Voice | None = None) -> Page:
    """The ruling in a voice; in full, for anyone, when none is named."""
    return PAGES[voice](ruling, speaker.of(ruling))
