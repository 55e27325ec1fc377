"""Exercises: random boards with one wrong card, what a story tells of each, the ruling on it, and a choice of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice, product
from random import Random
from typing import Any, Final, Literal, TypeAlias, get_args

from facts.cards import CLOCKWISE, DECK, NEXT, PARTNER, SEATS, SIDE, SUITS, Card, Denomination, Seat, Suit, part_of
from facts.contract import Contract
from facts.deal import Deal
from facts.errors import InputError, Place, did_you_mean
from facts.history import STAGES
from facts.incident import Finding, Incident
from facts.play import Trick, beats
from facts.table import FindingKind, Table, spelled
from kb.language.folders import law_name
from kb.language.relied_on import DIRECTOR
from kb.ruling.laws import Law
from kb.ruling.make_ruling import rule, ruled_once
from kb.ruling.ruling import Ruling
from kb.space.choices import meant
from kb.why_not.what_if import Rival, rivals

EARLIEST: Final = 2
LATEST: Final = 12
"""The first trick on which anybody revokes here, and the last on which anybody can."""
TO_PLAY: Final = "partner-to-play"
FIT: Final = 8
"""Trumps with which a suit is chosen; with fewer it is notrump."""


@dataclass(frozen=True)
class Board:
    """A whole board, and the one card in it that should not have been played."""

    deal: Deal
    contract: Contract
    declarer: Seat
    tricks: tuple[Trick, ...]
    number: int
    """The trick with the revoke."""
    hand: Seat
    card: Card
    due: Card
    """A card that should have been played instead."""

    @property
    def trick(self) -> Trick:
        return self.tricks[self.number - 1]

    @property
    def part(self) -> str:
        """declarer, dummy or defender."""
        return str(part_of(self.hand, self.declarer))

    @property
    def winner(self) -> Seat:
        return self.trick.winner(self.contract.trump) or self.trick.leader

    @property
    def later(self) -> int:
        """The tricks that the side of the hand won after it."""
        winners = (trick.winner(self.contract.trump) for trick in self.tricks[self.number :])
        return sum(winner is not None and SIDE[winner] == SIDE[self.hand] for winner in winners)

    def to_play(self, table: Table) -> Mapping[str, str]:
        """Whether the partner had still to play to the trick, as it shows, where that matters."""
        if self.number != LATEST or TO_PLAY not in table.findings:
            return {}
        later_seats = CLOCKWISE[self.trick.leader][self.trick.nth_of(self.hand) :]
        return {TO_PLAY: "yes" if PARTNER[self.hand] in later_seats else "no"}


def board(rng: Random, part: str, number: int, follows: bool = False) -> Board:
    """One on which a hand of that part plays the wrong card to that trick: of the suit led, or not of it."""
    while True:
        cards = rng.sample(DECK, len(DECK))
        hands = {seat: sorted(cards[13 * n : 13 * n + 13]) for n, seat in enumerate(SEATS)}
        deal = Deal(tuple(tuple(hands[seat]) for seat in SEATS))
        declarer: Seat = rng.choice(SEATS)
        both = [card.suit for seat in (declarer, PARTNER[declarer]) for card in hands[seat]]
        longest: Suit = max(SUITS, key=both.count)
        strain: Denomination = longest if both.count(longest) >= FIT else "NT"
        contract = Contract(rng.randint(2, 4) if strain != "NT" else rng.randint(1, 3), strain)
        leader, tricks, wrong = NEXT[declarer], list[Trick](), None
        for nth in range(1, len(DECK) // len(SEATS) + 1):
            trick = Trick(leader, ())
            for seat in CLOCKWISE[leader]:
                wrong_pair, hand = None, hands[seat]
                if nth == number and wrong is None and part_of(seat, declarer) == part:
                    wrong_pair = _wrong(rng, hand, trick, contract, follows)
                    wrong = wrong_pair and (seat, *wrong_pair)
                card = wrong_pair[0] if wrong_pair else _usual(rng, hand, trick, contract)
                hand.remove(card)
                trick = Trick(leader, (*trick.cards, card))
            tricks.append(trick)
            leader = trick.winner(contract.trump) or leader
        if wrong is not None:
            return Board(deal, contract, declarer, tuple(tricks), number, *wrong)


def _wrong(rng: Random, hand: list[Card], trick: Trick, contract: Contract, follows: bool) -> tuple[Card, Card] | None:
    """A card that must not be played, and one that should be; None where there is none."""
    following = [card for card in hand if card.suit == trick.led]
    others = following[:-1] if follows else [card for card in hand if card.suit != trick.led]
    if not following or not others:
        return None
    ruffs = [card for card in others if card.suit == contract.trump]
    return ruffs[-1] if ruffs and rng.random() < 2 / 3 else others[-1], following[-1]


def _usual(rng: Random, hand: list[Card], trick: Trick, contract: Contract) -> Card:
    """A lead as it comes; else the lowest card that wins, unless the partner's does already; else the lowest."""
    cards, trump = [card for card in hand if card.suit == trick.led] or hand, contract.trump
    if not trick.cards:
        return rng.choice(cards)
    best = trick.best(trump)
    so_far = None if best is None else trick.card_of(best)
    winning = [] if so_far is None else [card for card in cards if beats(card, so_far, trump)]
    if not winning or (best is not None and SIDE[best] == SIDE[CLOCKWISE[trick.leader][len(trick.cards)]]):
        return min(cards, key=lambda card: (card.suit == trump, card.rank))
    return min(winning, key=lambda card: card.rank)


UNKNOWN: Final = "unknown"
Level: TypeAlias = Literal["easy", "middle", "hard"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)


@dataclass(frozen=True, eq=False)
class Exercise:
    board: Board
    answers: Mapping[str, str]
    """Finding -> the answer that is told, as the finding names it; UNKNOWN where nobody can say."""
    ruling: Ruling
    level: Level
    """Nothing unusual in it, one unusual thing, or two or something unknown."""

    @property
    def hinges(self) -> bool:
        """Whether something is told to be unknown on which the ruling depends."""
        return UNKNOWN in self.answers.values()

    @cached_property
    def tempting(self) -> tuple[Rival, ...]:
        """The rulings that one mistake would lead to."""
        return tuple(rivals(self.ruling))

    @property
    def shown(self) -> Iterator[tuple[Seat, Card]]:
        """The cards of the revoke trick that have been played and tell nothing that nobody can say."""
        trick, findings = self.board.trick, self.ruling.incident.revokes[0].said
        last = len(SEATS)
        if "played-after" in findings or "won-by" not in findings:
            last = trick.nth_of(self.board.hand) + len(findings.get("played-after", ()))
        return ((seat, card) for seat, card in islice(trick.items(), last) if card is not None)

    @property
    def outcome(self) -> object:
        """What it comes to; exercises that come to the same do not follow on each other."""
        return [revoke.status for revoke in self.ruling.revokes], sorted(self.ruling.transfer.values()), self.hinges

    @property
    def usual(self) -> Iterator[Ruling]:
        """The rulings on the same card with nothing unusual: whoever won the trick and however many later ones."""
        revoke, law, hand = self.ruling.incident.revokes[0], self.ruling.certainty.law, self.board.hand
        card = {name: revoke.said[name] for name in ("card", "suit") if name in revoke.said}
        courses: list[dict[str, Any]] = [
            {**PLAYED_ON, "won-by": winner, "later-tricks": later}
            for winner, later in product((hand, NEXT[hand]), (2, 0))
        ]
        courses.append({"next-trick": "no", **BEFORE_NEXT, "played-after": (), **self.board.to_play(law.edition.table)})
        for course in courses:
            with suppress(InputError):
                ruling = rule(law, replace(self.ruling.incident, revokes=(replace(revoke, said={**card, **course}),)))
                if not ruling.is_open:
                    yield ruling

    def ruled_by(self, law: Law) -> Ruling:
        return ruled_once(law, replace(self.ruling.incident, edition=law.edition.id))

    def differs(self, law: Law) -> bool:
        ruling = self.ruled_by(law)  # which must not want to know what no story tells
        return ruling.is_open == self.ruling.is_open and replace(self, ruling=ruling).outcome != self.outcome

    @property
    def judged(self) -> tuple[str, ...]:
        """The laws of what is left to the director's judgement, as far as the ruling does not rest on them."""
        facts = self.ruling.facts(DIRECTOR)
        laws = {law for fact in facts for law in self.ruling.citations.laws(fact)}
        return self.ruling.citations.sort(laws - set(self.ruling.cited))

    @property
    def laws(self) -> frozenset[str]:
        return frozenset((*self.ruling.cited, *self.judged))


REVOKER_PARTS: Final = ("defender", "defender", "declarer", "dummy")
"""The parts of those who revoke, as often as they do."""
FAILED: Final = "failed-to"
CLAIM: Final = "claim"
FEWEST_CLAIMED: Final = 2
"""Tricks that are claimed, or left to the side that revoked."""
PLAYED_ON: Final = {"next-trick": "played"}
BEFORE_NEXT: Final = {"noticed": "before-next-trick"}
AFTERWARDS: Final = (*STAGES[STAGES.index("trick-over") : STAGES.index("noticed")], "finished")
"""When the play has gone on."""
THEN: Final = ("next-trick", "noticed")
"""What says when it came to light, unless the play just went on."""


def exercises(law: Law, rng: Random, level: Level) -> Iterator[Exercise]:
    """One after the other without end, each on a deal of its own; the same generator gives the same."""
    while True:
        if (made := _Making(law, rng, level).made()) is not None:
            yield made


class _Making:
    def __init__(self, law: Law, rng: Random, level: Level) -> None:
        self.law, self.rng, self.level = law, rng, level
        self.table: Table = law.edition.table
        unusual = LEVELS.index(level)
        self.hinges = level == "hard" and rng.random() < 1 / 2
        if self.hinges:
            unusual -= rng.randint(1, unusual)
        late = unusual > 0 and rng.random() < 1 / 8
        self.failed: str | None = None  # now and then something else than not following suit
        if unusual > late:
            kind = self.table.findings[FAILED]
            others = [name for name in kind.tells if name != kind.presumed]
            self.failed = rng.choice(others) if others and rng.random() < 1 / 16 else None
        part: str = rng.choice([part for part in REVOKER_PARTS if part in self.table.parts])
        if self.failed is not None:
            part = rng.choice(self.table.findings[FAILED].tells[self.failed].of or (part,))
        number = LATEST if late else rng.randint(EARLIEST, LATEST - 1)
        self.board = board(rng, part, number, follows=self.failed is not None)
        while self.board.contract.trump is None and len(self.table.parts) == 1:  # a game without declarer has trumps
            self.board = board(rng, part, number, follows=self.failed is not None)
        trick, nth = self.board.trick, self.board.trick.nth_of(self.board.hand)
        later_seats = CLOCKWISE[trick.leader][nth : nth + rng.randint(0, len(SEATS) - nth)]
        self.observed = {"won-by": self.board.winner, "later-tricks": self.board.later, "played-after": later_seats}
        """What the cards of the board tell."""
        self.left = unusual - late - (self.failed is not None)

    def made(self) -> Exercise | None:
        """The exercise; None where it cannot be, is not certain, or nothing more makes a difference."""
        answers = {FAILED: self.failed or str(self.table.findings[FAILED].presumed), **self._course()}
        ruling, added = self._ruling(answers), set[str]()
        for _ in range(self.left):
            options = [option for option in self._options(answers) if option[0] not in added]
            self.rng.shuffle(options)
            for name, answer in options:
                further = self._with(name, answer, answers)
                new_ruling = self._ruling(further) if ruling and self._is_told({*added, name}, further) else None
                if new_ruling is not None and ruling is not None and new_ruling.cited != ruling.cited:
                    break
            else:
                return None
            added, answers, ruling = {*added, name}, further, new_ruling
        return self._hinging(answers) if self.hinges else self._exercise(answers, ruling)

    def _with(self, name: str, answer: str, answers: Mapping[str, str]) -> dict[str, str]:
        also = self.table.findings[name].tells[answer].also  # it takes the place of what is told besides
        return {**{key: value for key, value in answers.items() if key not in also}, name: answer}

    def _is_told(self, added: Set[str], answers: Mapping[str, str]) -> bool:
        """Whether everything added is still told, and nothing of the play that did not go on."""
        went_on, findings = PLAYED_ON.keys() <= answers.keys(), self.table.findings
        return all(name in answers and (went_on or findings[name].known != STAGES[-1]) for name in added)

    def _course(self) -> dict[str, str]:
        """What happened after the card, as it usually does: it came to light in time, or the play went on."""
        last = self.board.trick.nth_of(self.board.hand) == len(SEATS)
        if not last and not self.hinges and self.rng.random() < 1 / 3:
            return {**self._seen("played-after"), **BEFORE_NEXT}
        return {**self._seen("won-by"), **PLAYED_ON, **self._seen("later-tricks")}

    def _seen(self, name: str) -> dict[str, str]:
        kind, value = self.table.findings[name], self.observed[name]
        view = {"hand": self.board.hand, "trick": self.board.number, "declarer": self.board.declarer}
        answers = (answer for answer in kind.answers if value in meant(kind, answer, view, self.table))
        answer = next(answers, None)  # none in a draft that has none for it
        return {} if answer is None else {name: answer}

    def _options(self, answers: Mapping[str, str]) -> Iterator[tuple[str, str]]:
        """What unusual can be told beside or instead of what is told: nothing of the play that did not go on."""
        for kind in self.table.findings.values():
            elsewhere = any(answers.get(name, "played") != "played" for name in THEN if name != kind.id)
            tricks_left = len(self.board.tricks) - self.board.number
            if (
                (PLAYED_ON.keys() - answers.keys() and (kind.id in answers or kind.known in AFTERWARDS))
                or kind.id in (FAILED, *self.observed)
                or (kind.id in THEN and elsewhere)  # told already when it came to light
                or (kind.id == CLAIM and not FEWEST_CLAIMED <= self.board.later < tricks_left)
            ):
                continue
            for name, telling in kind.tells.items():
                told_already = name in (UNKNOWN, answers.get(kind.id), spelled(kind.presumed))
                if (
                    not told_already
                    and {kind.id: name} != BEFORE_NEXT
                    and (not telling.of or self.board.part in telling.of)
                ):
                    yield kind.id, name

    def _hinging(self, answers: Mapping[str, str]) -> Exercise | None:
        """The exercise with something in it on which the ruling hinges, and nobody can say."""
        hinges = [name for name in answers if UNKNOWN in self.table.findings[name].tells]
        if not hinges or not PLAYED_ON.keys() <= answers.keys():
            return None
        name = self.rng.choice(hinges)
        if name == "won-by" and self.board.trick.nth_of(self.board.hand) == len(SEATS):
            return None  # all four cards are shown
        answers = {**answers, name: UNKNOWN}
        ruling = self._ruling(answers)
        asking = None if ruling is None else ruling.certainty.asking
        return None if asking is None or asking.key[1] != name else self._exercise(answers, ruling)

    def _exercise(self, answers: Mapping[str, str], ruling: Ruling | None) -> Exercise | None:
        if ruling is None or not ruling.cited or not ruling.revokes or ruling.is_open != self.hinges:
            return None
        return Exercise(self.board, answers, ruling, self.level)

    def _ruling(self, answers: Mapping[str, str]) -> Ruling | None:
        try:
            return rule(self.law, self.incident(answers))
        except InputError:
            return None

    def incident(self, answers: Mapping[str, str]) -> Incident:
        """What the story states, and no more: of an answer its one value, or its name where that leaves several."""

        def plain(kind: FindingKind, answer: str) -> Any:
            if answer.isdecimal():
                return int(answer)
            values = kind.answers[answer].values if answer in kind.answers else ()
            return values[0] if len(values) == 1 and isinstance(values[0], str | int) else answer

        stated: dict[str, Any] = {"card": self.board.card}
        if self.failed is None:
            stated["suit"] = self.board.trick.led
        for name, answer in answers.items():
            if answer != UNKNOWN:
                tells = self.table.findings[name].tells
                also = tells[answer].also if answer in tells else {}
                for key, value in {**also, name: answer}.items():
                    stated[key] = self.observed[key] if key in self.observed else plain(self.table.findings[key], value)
        board = self.board
        if "played-after" in stated:
            stated |= board.to_play(self.table)
        edition = self.law.edition
        return Incident(
            place=Place("quiz", 1),
            edition=edition.id,
            elections=edition.elections,
            contract=self.board.contract,
            declarer=self.board.declarer,
            revokes=(Finding(hand=self.board.hand, trick=self.board.number, said=stated),),
        )


POOL: Final = 60
"""Exercises of a level that are looked at where as many are wanted as bring up every clause."""
FOR_EACH: Final = 2
"""So many are looked at for each one wanted, where a number is."""
SEARCHED: Final = 150
"""So many are looked at in search of one that rests on a clause."""
TEMPTING: Final = 10
"""So many are looked at in search of one in which it tempts, which takes longer."""


def session(
    law: Law,
    rng: Random,
    size: int | None = None,
    level: Level | None = None,
    about: str | None = None,
    since: Law | None = None,
) -> tuple[Exercise, ...]:
    """So many exercises, or as many as bring up every clause that any of them can; only what another law, ``since``
    which this one is in force, rules otherwise.

    Fewer where there are not so many. InputError when there is no law ``about`` which they are to be, or none is.
    """
    clauses = law.edition.clauses
    if about is not None and not any(ref.startswith(about) for ref in clauses):
        laws = ", ".join(dict.fromkeys(clause.law for clause in clauses.values()))
        mend = f"{did_you_mean(about, clauses)}; there are clauses of {laws}"
        raise InputError.of(Place("quiz", 1), f"{law.edition.id} has no law {about}", mend)
    chosen: list[Exercise] = []
    levels = LEVELS if level is None else (level,)
    for nth, chosen_level in enumerate(levels):
        share = None if size is None else (size + len(levels) - 1 - nth) // len(levels)
        if share != 0:
            queue = exercises(law, rng, chosen_level)
            if since is not None:
                queue = (made for made in islice(queue, SEARCHED) if made.differs(since))
            chosen += _chosen(_pool(queue, about, share), share, chosen)
    if about is not None and not chosen:
        queue = (exercise for level in levels for exercise in islice(exercises(law, rng, level), POOL))
        met = frozenset[str]().union(*(exercise.laws for exercise in queue if since is None or exercise.differs(since)))
        mend = f"ask about one of {', '.join(ref for ref in clauses if ref in met and not ref.startswith(about))}"
        raise InputError.of(Place("quiz", 1), f"no exercise here is about {about}", mend)
    if since is not None and not chosen:
        problem = f"no exercise here comes to something else under {since.edition.id}"
        raise InputError.of(Place("quiz", 1), problem, "try another --seed, or leave --since out")
    return tuple(chosen)


def rerun(law: Law, size: int | None, seed: int, level: str | None, about: str | None, since: str | None = None) -> str:
    """The command that makes the same exercises again."""
    chosen = {"questions": size, "seed": seed, "level": level, "about": about, "since": since}
    options = [f"--{key} {value}" for key, value in chosen.items() if value not in {None, ""}]
    edition = law.edition.folders[-1] if law.edition.folders[-1].parent != law.edition.folders[0] else law.edition.id
    return " ".join(["revoke quiz", law_name(edition, law.edition.elections), *options])


def _pool(stream: Iterator[Exercise], about: str | None, share: int | None) -> list[Exercise]:
    most = POOL if share is None else (share + 3) * FOR_EACH
    if about is None:
        return list(islice(stream, most))
    looked_at = list(islice(stream, TEMPTING))
    tempting = [task for task in looked_at if any(law.startswith(about) for way in task.tempting for law in way.laws)]
    further = chain(looked_at, islice(stream, SEARCHED))
    resting = (exercise for exercise in further if any(law.startswith(about) for law in exercise.ruling.cited))
    return [*dict.fromkeys([*tempting, *islice(resting, most)])]


def _chosen(pool: list[Exercise], share: int | None, earlier: list[Exercise]) -> list[Exercise]:
    chosen: list[Exercise] = []
    met = frozenset[str]()
    while pool and (len(chosen) < share if share is not None else any(exercise.laws - met for exercise in pool)):
        last = (earlier + chosen)[-1].outcome if earlier or chosen else None
        best = max(pool, key=lambda exercise: (exercise.outcome != last, len(exercise.laws - met)))
        pool.remove(best)
        chosen.append(best)
        met |= best.laws
    return chosen
