"""A compact notation for vocabularies and rules, so that tests of engines need no YAML.

play(hand: seat, trick: integer, card: card?)
later: play(hand=$h, trick=$t), play(hand=$h, trick>$t), not stop(trick<=$t) -> seen(hand=$h, n=$t+1)
many:  play(hand=$h), count(play(hand=$h)) = $n, total(play(hand=$h).trick) > 3 -> busy(hand=$h, n=$n)
some:  play(hand in N|S) -> ours()
"""

from __future__ import annotations

import re

from facts.errors import Place
from facts.fact import Value
from kb.engine.proof import Program
from kb.language.rule import Conclusion, Condition, Rule, Tally, Test
from kb.language.terms import NO_TERM, Constant, Sum, Term, Variable
from kb.language.vocabulary import Field, Kind, Vocabulary

_ITEM = re.compile(
    r"(?P<not>not )?(?:(?P<how>count|total)\((?P<of>[\w-]+)\((?P<of_tests>[^)]*)\)(?:\.(?P<field>[\w-]+))?\)"
    r" *(?P<operator>!=|<=|>=|=|<|>) *(?P<term>[^,]+)|(?P<kind>[\w-]+)\((?P<tests>[^)]*)\))"
)
_TEST = re.compile(r"(?P<field>[\w-]+) *(?:(?P<operator>!=|<=|>=|=|<|>)|in ) *(?P<term>[^,]+)")


def kind(text: str) -> Kind:
    """``play(hand: seat, card: card?)``"""
    match = re.fullmatch(r"([\w-]+)\((.*)\)", text.strip())
    assert match, text
    fields = [item.split(":") for item in match[2].split(",") if item.strip()]
    return Kind(
        match[1],
        tuple(Field(name.strip(), of.strip().rstrip("?"), of.strip().endswith("?")) for name, of in fields),
        {"en": match[1]},
        Place("vocabulary", 1),
    )


def vocabulary(*kinds: str) -> Vocabulary:
    """A vocabulary without lists of words."""
    return Vocabulary({}, {k.name: k for k in map(kind, kinds)})


def rule(text: str, line: int = 1) -> Rule:
    """One rule; items of ``when`` and ``unless`` (``not``) may be mixed. Columns of places count from the text."""
    name, body = text.split(":", 1)
    before, after = body.split("->")
    when: list[Condition | Tally] = []
    unless: list[Condition] = []
    for match in _ITEM.finditer(before):
        item = _item(match, Place("rules", line, text.index(before) + match.start() + 1))
        if match["not"]:
            assert isinstance(item, Condition)
            unless.append(item)
        else:
            when.append(item)
    then = [
        Conclusion(
            m["kind"],
            {test["field"]: _term(test["term"]) for test in _TEST.finditer(m["tests"])},
            Place("rules", line, text.index(after) + m.start() + 1),
        )
        for m in _ITEM.finditer(after)
    ]
    place = Place("rules", line)
    id, clause = name.strip(), name.split(".")[0].strip()
    return Rule(place, tuple(when), tuple(then), {"en": name}, tuple(unless), id=id, clause=clause)


def rules(text: str) -> tuple[Rule, ...]:
    """One rule on each line that is not empty."""
    return tuple(rule(line, number) for number, line in enumerate(text.splitlines(), 1) if line.strip())


def program(kinds: str, text: str) -> Program:
    """A program of kinds and rules, one a line."""
    return Program(vocabulary(*[line for line in kinds.splitlines() if line.strip()]), rules(text))


def _item(match: re.Match[str], place: Place) -> Condition | Tally:
    if match["how"]:
        of = Condition(match["of"], _tests(match["of_tests"], place), place)
        return Tally(
            match["how"], of, match["field"], Test("is", match["operator"], _term(match["term"]), place), place
        )
    return Condition(match["kind"], _tests(match["tests"], place), place)


def _tests(text: str, place: Place) -> tuple[Test, ...]:
    found = []
    for match in _TEST.finditer(text):
        if match["operator"]:
            found.append(Test(match["field"], match["operator"], _term(match["term"]), place))
        else:
            found.append(Test(match["field"], "=", NO_TERM, place, tuple(map(_literal, match["term"].split("|")))))
    return tuple(found)


def _term(text: str) -> Term:
    if "+" in text:
        left, right = (part.strip() for part in text.split("+"))
        return Sum(Variable(left[1:]), Variable(right[1:]) if right.startswith("$") else Constant(int(right)))
    return Variable(text.strip()[1:]) if text.strip().startswith("$") else Constant(_literal(text))


def _literal(text: str) -> Value:
    text = text.strip()
    if text in ("true", "false"):
        return text == "true"
    return int(text) if re.fullmatch(r"-?\d+", text) else text
