"""What a draft claims of itself, on a short interview; and what its verdicts must be, worked out situation by situation."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import mkdtemp
from typing import TypeAlias

from kb.language.edition import load_edition
from kb.prove.prove import Proving, Verdict, Witness
from kb.space.read_interview import load_interview
from kb.space.universe import Universe
from support.drafts import draft, rules_with_interview
from support.one_by_one import Situation, one_by_one

INTERVIEW = """\
unknown: {en: "?", de: "?"}
questions:
  hand:
    asks:  {en: "Whose card?", de: "Wessen Karte?"}
    about: {en: the card was, de: die Karte war}
    answers:
      defender: {says: {en: "a defender's", de: "eines Gegenspielers"}, first: {player: defender}, stands: {first: {trick: 5}}}
      declarer: {says: {en: "declarer's", de: "des Alleinspielers"}, first: {player: declarer}, stands: {first: {trick: 5}}}
      dummy:    {says: {en: "dummy's", de: "des Dummys"}, first: {player: dummy}, stands: {first: {trick: 5}}}
  another:
    asks:  {en: "Another?", de: "Noch eines?"}
    about: {en: "another:", de: "noch eines:"}
    answers:
      none:       {says: {en: "no", de: "nein"}}
      other-side: {says: {en: "by the other side", de: "von der anderen Seite"}, second: {player: opponent}, stands: {second: {trick: 8}}}
  required-faced:
    when: {hand: defender, another: none}
  next-trick:
    when: {another: none}
    answers: [played, "no"]
  claim:
    when: {another: none}
    answers: [none, by-revokers]
  noticed:
    when: {another: none}
    answers:
      during-play:       {when: [{next-trick: played}, {claim: by-revokers}]}
      before-next-trick: {when: {next-trick: "no", claim: none}}
      after-round:       {when: [{next-trick: played}, {claim: by-revokers}]}
  won-by:
    when: {noticed: "not before-next-trick"}
  later-tricks:
    when: {noticed: "not before-next-trick"}
    answers:
      one:  {}
      none: {}
      more: {stands: {first: {later-tricks: 3}}}
  second-noticed:
    asks:  {en: "When the second?", de: "Wann das zweite?"}
    about: {en: "the second was noticed", de: "das zweite wurde bemerkt"}
    when:  {another: other-side}
    answers:
      during-play:       {says: {en: "later", de: "später"}, first: {next-trick: played, noticed: during-play}, second: {next-trick: played, noticed: during-play}}
      before-next-trick: {says: {en: "at once", de: "gleich"}, first: {next-trick: played, noticed: during-play}, second: {next-trick: "no", noticed: before-next-trick}}
"""
SAYS = "says: {en: A claim., de: Eine Behauptung.}, because: {en: It is meant so., de: Es ist so gemeint.}"
MEANT = "because: {en: Meant so., de: So gemeint.}"
Two: TypeAlias = tuple[Situation, Situation]
_folders = count()


@cache
def root() -> Path:
    """The shipped rules with the short interview, and nothing claimed of them."""
    return rules_with_interview(Path(mkdtemp()) / "rules", INTERVIEW)


@cache
def situations(edition: str = "duplicate-2017") -> tuple[Situation, ...]:
    """Every situation of the short interview, each by itself."""
    code = load_edition(root(), edition)
    return tuple(one_by_one(code, Universe(load_interview(root(), code))))


def claimed(claim: str, *exceptions: str, name: str = "mine") -> str:
    """A file with one property, and where it is not expected to hold."""
    return f"properties:\n{_property(name, claim, exceptions)}"


def all_claimed(claims: Mapping[str, str]) -> str:
    """A file with several, by their names."""
    return "properties:\n" + "".join(_property(name, claim, ()) for name, claim in claims.items())


def _property(name: str, claim: str, exceptions: Collection[str]) -> str:
    expected = "".join(f"      - {{{one}, {MEANT}}}\n" for one in exceptions)
    held = f"    expected:\n{expected}" if expected else ""
    lines = "".join(f"    {line}\n" for line in (*SAYS.replace("}, ", "}\n").splitlines(), *claim.splitlines()))
    return f"  {name}:\n{lines}{held}"


def proving(folder: Path, properties: str, law: str = "laws: {}\n") -> Proving:
    """A draft that amends 2017, ready to be asked."""
    mine = draft(folder / f"draft-{next(_folders)}", law, properties)
    return Proving(root(), load_edition(root(), str(mine)))


def verdict(folder: Path, properties: str, law: str = "laws: {}\n") -> Verdict:
    """The verdict on the one property of such a draft."""
    (found,) = proving(folder, properties, law).verdicts()
    return found


def plainest(among: Iterable[Situation]) -> Situation:
    """The least unusual: with the fewest answers that are not the first of their question."""
    questions = Universe(load_interview(root(), load_edition(root(), "duplicate-2017"))).interview.questions

    def unusual(one: Situation) -> tuple[int, int]:
        return sum(said != next(iter(questions[name].answers)) for name, said in one.answers.items()), one.number

    return min(among, key=unusual)


def numbers(witness: Witness | None) -> tuple[int, ...]:
    """The situations of an example."""
    return () if witness is None else witness.situations


def differing(question: str, steps: Collection[tuple[str, str]]) -> list[Two]:
    """Every two situations that answer one question so, and no other otherwise."""
    return [
        (a, b)
        for a in situations()
        for b in situations()
        if (a.answers.get(question), b.answers.get(question)) in steps
        if all(a.answers[one] == b.answers[one] for one in a.answers.keys() & b.answers.keys() if one != question)
    ]


def plainest_two(among: Sequence[Two]) -> tuple[int, ...]:
    """Of the pairs the one with the least unusual first, and then second."""
    if not among:
        return ()
    first = plainest(a for a, _ in among)
    return first.number, plainest(b for a, b in among if a is first).number


Test: TypeAlias = Callable[[Situation], bool]
