"""``table.yaml``: how declarations are read, what a value states, and every fault in one with its place."""

from __future__ import annotations

import copy
from pathlib import Path
from random import Random
from typing import Any

import pytest
import yaml
from support.tables import shipped_table

from facts.cards import SEATS, SIDE, Card
from facts.errors import Faults, RulesError
from facts.table import Follows, Formula, Table, Template, Type, ValueSaid, spelled
from facts.templates import evaluated, facts_of, known_names, of_each, variables
from facts.yaml_reader import read_yaml
from kb.language.folders import rules_root
from kb.language.table_files import load_table, read_table

VOCABULARY = """\
kinds:
  won: {fields: {trick: integer, hand: seat, side: side}}
  asked: {fields: {by: seat, at: integer}}
  came: {fields: {hand: seat, nth: integer, card: card, suit: suit}}
"""
MOMENTS = "moments: {of-a-trick: {begins: 1, late: 900}, of-a-board: {after-play: 20050}}\n"


def read(*texts: str) -> tuple[Table, list[str]]:
    """What the texts declare, one laid over the other, and the faults of them."""
    faults = Faults()
    nodes = [read_yaml(text, "table.yaml") for text in (MOMENTS, *texts)]
    table = read_table(nodes, [read_yaml(VOCABULARY, "vocabulary.yaml")], faults)
    return table, [str(fault).removeprefix("table.yaml:") for fault in sorted(faults)]


def table(*texts: str) -> Table:
    found, faults = read(*texts)
    assert faults == []
    return found


def template(states: str) -> tuple[Template, ...]:
    text = f"findings:\n  one: {{is: seat, means: {{en: a}}, not-stated: unknown, states: {states}}}\n"
    return table(text).findings["one"].states


def test_every_key_of_a_finding() -> None:
    text = """\
findings:
  one:
    is: [soon, late, never]
    means: {en: m, de: M}
    asks: {en: q, de: Q}
    about: {en: a, de: A}
    help: {en: h, de: H}
    answers:
      soon: {says: {en: s, de: S}}
      at-last: {is: [late, never], says: {en: l, de: L}}
    when: [{two: "no", trick: [12]}, {trick: [1, 2]}]
    not-stated: {presumed: soon, yields: true, unless: {trick: [12]}, says: {en: p, de: P}}
    beside: earlier
    follows: [{is: late, when: {two: "yes"}, stated: [tricks, {two: "yes"}]}]
    record: may-lack
    told-by: [rang]
    known: begins
    before: never
    states: {won: {trick: $trick, hand: $hand, side: $side}}
    never: {}
    late: [{asked: {by: $hand, at: $late}}, {won: {trick: 1, hand: N, side: NS}}]
"""
    one = table(text).findings["one"]
    assert one.type == Type("words", ("soon", "late", "never"))
    assert (one.means, one.asks, one.about, one.help) == (
        {"en": "m", "de": "M"},
        {"en": "q", "de": "Q"},
        {"en": "a", "de": "A"},
        {"en": "h", "de": "H"},
    )
    assert one.answers == {
        "soon": ValueSaid("soon", {"en": "s", "de": "S"}, ("soon",)),
        "at-last": ValueSaid("at-last", {"en": "l", "de": "L"}, ("late", "never")),
    }
    assert one.when == ({"two": ("no",), "trick": (12,)}, {"trick": (1, 2)})
    assert (one.presumed, one.presumption.yields) == ("soon", True)
    assert (one.presumption.unless, one.presumption.says, one.beside) == (
        {"trick": (12,)},
        {"en": "p", "de": "P"},
        "earlier",
    )
    assert one.follows == (Follows("late", ("tricks", {"two": ("yes",)}), {"two": ("yes",)}),)
    assert (one.record, one.told_by, one.known, one.before) == ("may-lack", ("rang",), "begins", "never")
    assert [len(one.templates(value)) for value in one.type.words] == [1, 2, 0]
    assert str(one.place) == "table.yaml:3:5"


def test_what_is_left_out_of_a_finding() -> None:
    one = table("findings: {one: {is: seat, means: {en: m}, not-stated: unknown}}").findings["one"]
    assert one.asks == one.about == one.help == one.answers == one.presumption.unless == one.by_value == {}
    assert one.when == one.follows == one.told_by == one.states == ()
    assert (one.not_stated, one.beside, one.known, one.record, one.before) == ("unknown", None, "revoked", None, None)
    assert not one.presumption.yields


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("seat", Type("seat")),
        ("yes-no", Type("yes-no")),
        ("[seat]", Type("seat", many=True)),
        ('["no", led, 3]', Type("words", ("no", "led", "3"))),
        ("[no, yes]", Type("words", ("no", "yes"))),
        ("0..12", Type("number", least=Formula(((1, (0,)),)), most=Formula(((1, (12,)),)))),
        ("0..13 - $trick", Type("number", least=Formula(((1, (0,)),)), most=Formula(((1, (13,)), (-1, ("$trick",)))))),
    ],
)
def test_types(text: str, type_: Type) -> None:
    one = table(f"findings: {{one: {{is: {text}, means: {{en: m}}, not-stated: unknown}}}}").findings["one"]
    assert one.type == type_


def test_values_of_yes_and_no_are_true_and_false() -> None:
    yes_no = 'yes-no: {"no": {en: nope}, "yes": {en: yep}}\n'
    one = """\
findings:
  one:
    is: yes-no
    means: {en: m}
    not-stated: {presumed: "no", says: {en: s}}
    "yes": {won: {trick: 1, hand: N, side: NS}}
"""
    found = table(yes_no, one).findings["one"]
    assert found.presumed is False
    assert found.answers == {
        "no": ValueSaid("no", {"en": "nope"}, (False,)),
        "yes": ValueSaid("yes", {"en": "yep"}, (True,)),
    }
    assert [len(found.templates(value)) for value in (False, True)] == [0, 1]
    assert (spelled(True), spelled(False), spelled(3), spelled("led")) == ("yes", "no", "3", "led")


def test_every_key_of_an_event() -> None:
    text = """\
events:
  rang:
    fields: {by: seat, tricks: "0..13?", how: "[loud, soft]", at: revoke?}
    one-of: [tricks, at]
    means: {en: m}
    says: {en: s}
    answers: [called]
    ends-play: after-play
    settled-by: hung-up
    states:
      - asked: {by: $by, at: $at}
      - {unless: how, asked: {by: S, at: 1}}
      - {if: $tricks < $tricks-left, asked: {by: E, at: 1}}
"""
    rang = table(text).events["rang"]
    assert [(name, type_.name, needed) for name, (type_, needed) in rang.fields.items()] == [
        ("by", "seat", True),
        ("tricks", "number", False),
        ("how", "words", True),
        ("at", "revoke", False),
    ]
    assert rang.fields["how"][0].words == ("loud", "soft")
    assert (rang.one_of, rang.answers, rang.ends_play, rang.settled_by) == (
        ("tricks", "at"),
        ("called",),
        "after-play",
        "hung-up",
    )
    assert (rang.means, rang.says) == ({"en": "m"}, {"en": "s"})

    def stated(**given: Any) -> list[Any]:
        return [fact[1] for fact in facts_of(rang.states, {"by": "W", "at": 5, **given}, table(text))]

    assert stated(how="loud") == ["W"]
    assert stated() == ["W", "S"]
    assert stated(tricks=2, **{"tricks-left": 3}) == ["W", "S", "E"]
    assert stated(tricks=3, **{"tricks-left": 3}) == ["W", "S"]


def test_what_is_impossible() -> None:
    text = """\
impossible:
  - when: {one: [led, "no"], trick: [13]}
    stated: [tricks, {one: led}]
    because: {en: b}
  - facts: [{won: {hand: $h}}]
    because: {en: "{h}"}
"""
    first, second = table(text).impossible
    assert first.when == {"one": ("led", "no"), "trick": (13,)}
    assert first.stated == ("tricks", {"one": ("led",)})
    assert first.facts is None and second.facts is not None
    assert str(second.place) == "table.yaml:5:5"


def test_what_a_draft_declares_is_laid_over_the_rest() -> None:
    first = "findings: {a: {is: seat, means: {en: a}, not-stated: unknown}, b: {is: seat, means: {en: b}, not-stated: unknown}}"
    more = """\
moments: {of-a-trick: {late: 901, later: 950}}
findings:
  c: {is: seat, means: {en: c}, not-stated: unknown}
  a: {is: suit, means: {en: other}, not-stated: nothing}
impossible:
  - {when: {a: S}, because: {en: x}}
"""
    both = table(first, more)
    assert [*both.findings] == ["a", "b", "c"]
    assert (both.findings["a"].type.name, both.findings["a"].not_stated) == ("suit", "nothing")
    assert both.of_a_trick == {"begins": 1, "late": 901, "later": 950}
    assert len(both.impossible) == 1 and not table(first).impossible


NAMES = {"hand": "W", "trick": 5, "declarer": "S", "number": 0, "value": "E", "play": 5110, "won-by": "S"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("$hand", "W"),
        ("$left", "N"),
        ("$partner", "E"),
        ("$right", "S"),
        ("$side", "EW"),
        ("$other-side", "NS"),
        ("$declarer", "S"),
        ("$dummy", "N"),
        ("$declaring", "NS"),
        ("$defending", "EW"),
        ("$value", "E"),
        ("$value-side", "EW"),
        ("$value-own", 1),
        ("$won-by-own", 0),
        ("$trick + 1", 6),
        ("13 - $trick - $number", 8),
        ("$trick * 2 + 3 * $trick", 25),
        ("$begins", 5001),
        ("$noticed", None),
        ("$after-play + 1", 20051),
        ("$nobody", None),
        ("$play + $nth", None),
        ("N", "N"),
        ("none", None),
    ],
)
def test_what_a_name_or_a_sum_stands_for(text: str, value: Any) -> None:
    (one,) = template(f"{{won: {{hand: {text}}}}}")
    assert evaluated(one.terms["hand"], NAMES, shipped_table()) == value


@pytest.mark.parametrize(("noticed", "moment"), [("during-play", 5 * 1000 + 1500), ("after-play", 20050), (None, 6500)])
def test_a_finding_whose_values_are_moments_stands_for_one(noticed: str | None, moment: int) -> None:
    """For what is presumed of it, where it is not stated."""
    (one,) = template("{won: {hand: $noticed}}")
    assert evaluated(one.terms["hand"], {**NAMES, "noticed": noticed}, shipped_table()) == moment


def test_what_a_card_and_a_hand_tell() -> None:
    (one,) = template("{came: {hand: $by, nth: $value-rank, card: $value, suit: $value-suit}}")
    given = {"by": "N", "value": Card.from_text("HT")}
    assert list(facts_of((one,), given, table())) == [("came", "N", 10, "HT", "H")]


def test_a_fact_that_names_what_is_not_stated_is_left_out() -> None:
    two = template("[{won: {trick: $trick, hand: $partner, side: none}}, {asked: {by: $dummy, at: 1}}]")
    assert list(facts_of(two, {"trick": 3, "hand": "N"}, table())) == [("won", 3, "S", None)]


def test_a_list_states_each_hand_of_it_clockwise_from_the_revoke() -> None:
    (one,) = template("{asked: {by: $value, at: $nth}}")
    each = [fact for given in of_each(("S", "N"), {"hand": "W"}) for fact in facts_of((one,), given, table())]
    assert each == [("asked", "N", 1), ("asked", "S", 2)]


def test_what_names_depend_on() -> None:
    shipped = shipped_table()
    assert variables("left", shipped) == {"hand"} and variables("won-by-own", shipped) == {"won-by", "hand"}
    assert variables("dummy", shipped) == {"declarer"} and variables("play", shipped) == {"hand", "trick"}
    assert variables("noticed", shipped) == {"noticed", "trick"} and variables("went-on", shipped) == {"trick"}
    assert known_names("left", (), shipped) and known_names("won-by-side", {"won-by"}, shipped)
    assert not known_names("lefty", (), shipped) and not known_names("side-side", (), shipped)


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("x: 1", ["1:1: 'x' is no key here; write one of moments, yes-no, findings, events, impossible, parts, called, found-by, named-by"]),
        ("[x]", ["1:1: a list cannot stand here; write keys with their values"]),
        (
            "findings: {one: {is: sat, means: {en: a}, not-stated: unknown}}",
            [
                "1:22: sat is no type; write one of seat, side, suit, card, yes-no, revoke, a list of words, "
                "or a range such as 0..12"
            ],
        ),
        (
            "findings: {one: {is: seat, mean: {en: a}, not-stated: unknown}}",
            ["1:17: means is missing; add means: with its value", "1:28: 'mean' is no key here; did you mean means?"],
        ),
        (
            "findings: {one: {is: [a, b], means: {en: a}, not-stated: unknown, c: {}}}",
            ["1:67: 'c' is no key here; write one of is, means, not-stated, asks, asks-of, about, each, help, finds-out, "
                "answers, tells, if, when, once, beside, "
            "instead-of, follows, record, told-by, known, …"],
        ),
        (
            "findings: {one: {is: seat, means: {en: a}}}",
            ["1:17: not-stated is missing; add not-stated: with its value"],
        ),
        (
            "findings: {one: {is: seat, means: {en: a}, not-stated: known}}",
            ["1:56: 'known' cannot stand here; did you mean unknown?"],
        ),
        (
            "findings: {one: {is: seat, means: {en: a}, not-stated: {says: {en: b}}}}",
            ["1:56: presumed is missing; add presumed: with its value"],
        ),
        (
            "findings: {one: {is: 0..12 - x, means: {en: a}, not-stated: unknown}}",
            ["1:22: 12 - x is no sum of numbers and names; write such as 13 - $trick"],
        ),
        (
            "findings: {one: {is: seat, means: {en: a}, not-stated: unknown, states: {won: {trick: $Trick + 1}}}}",
            ["1:87: $Trick + 1 is no sum of numbers and names; write such as 13 - $trick"],
        ),
        (
            "findings: {one: {is: seat, means: {en: a}, not-stated: unknown, answers: {a: {if: N}}}}",
            ["1:78: says is missing; add says: with its value", "1:79: 'if' is no key here; write one of says, is, says-of"],
        ),
        (
            "findings: {one: {is: seat, means: {en: a}, not-stated: unknown, follows: [{of: N}]}}",
            [
                "1:75: is is missing; add is: with its value",
                "1:75: stated is missing; add stated: with its value",
                "1:76: 'of' is no key here; write one of is, stated, when",
            ],
        ),
        ("events: {rang: {means: {en: a}, field: {}}}", ["1:33: 'field' is no key here; did you mean fields?"]),
        (
            "events: {rang: {fields: {by: sit}, means: {en: a}}}",
            [
                "1:30: sit is no type; write one of seat, side, suit, card, yes-no, revoke, a list of words, "
                "or a range such as 0..12"
            ],
        ),
        ("impossible: [{because: {en: a}, whn: {}}]", ["1:33: 'whn' is no key here; did you mean when?"]),
        ("impossible: [{}]", ["1:14: because is missing; add because: with its value"]),
        ("moments: {of-a-trick: {begins: soon}}", ["1:32: 'soon' cannot stand here; write a whole number without quotes"]),
        ('yes-no: {"maybe": {en: a}}', ["1:10: 'maybe' is no key here; write one of no, yes"]),
        ("findings: [x]", ["1:11: a list cannot stand here; write keys with their values"]),
        *(
            (f"findings: {{one: {{is: seat, means: {{en: a}}, not-stated: unknown, {wrong}}}}}", [f"1:{fault}"])
            for wrong, fault in (
                ("record: 5", "73: 5 cannot stand here; write one of may-lack, may-stop, may-hide"),
                ("known: [x]", "72: a list cannot stand here; write text"),
                ("beside: some", "73: 'some' cannot stand here; write one of another, earlier, none-of-theirs"),
                ("help: {en: 5}", "76: 5 is not text; put it in quotes"),
                ("told-by: x", "74: 'x' cannot stand here; write a list"),
                ("before: {a: b}", "73: a mapping cannot stand here; write a value"),
                ("states: {won: x}", "79: 'x' cannot stand here; write keys with their values"),
                ("states: {won: {hand: []}}", "86: a list cannot stand here; write a value"),
                ("'1': {if: [x], won: {}}", "75: a list cannot stand here; write text"),
                ("answers: {a: {says: {}, is: {}}}", "93: this is no type; write one of seat, side, suit, card, yes-no, revoke, a list of words, or a range such as 0..12"),
            )
        ),
    ],
)  # fmt: skip
def test_faults(text: str, faults: list[str]) -> None:
    assert read(text)[1] == faults


def test_all_faults_of_a_file_are_told_at_once_in_the_order_of_lines(tmp_path: Path) -> None:
    (tmp_path / "vocabulary.yaml").write_text(VOCABULARY)
    (tmp_path / "table.yaml").write_text("events: {rang: {field: {}}}\nfindings: {one: {is: x, means: {en: a}}}\n")
    with pytest.raises(RulesError) as caught:
        load_table([tmp_path])
    assert [fault.place.line for fault in caught.value.faults] == [1, 1, 2, 2]
    (tmp_path / "table.yaml").write_text("events: {")
    with pytest.raises(RulesError, match=r"table\.yaml:"):
        load_table([tmp_path])
    assert not load_table([tmp_path / "nothing"]).findings


def test_the_shipped_table() -> None:
    """What the contract lists is there, and means what it says if it is not stated."""
    found = shipped_table()
    assert [*found.findings] == [
        *(
            "suit",
            "same-suit",
            "card",
            "failed-to",
            "faced",
            "required-faced",
            "won-by",
            "next-trick",
            "others-next-trick",
            "claim",
            "after-claim",
            "noticed",
        ),
        *("next-board-call-by", "asked-by", "dummy-lost-rights", "played-after", "led-on", "partner-to-play"),
        *("later-tricks", "later-win-playable", "repeats", "other-side-revoked"),
        *("other-revoke-stands", "equity-tricks"),
    ]
    by_not_stated = {
        how: {
            name
            for name, one in found.findings.items()
            if how == ("presumed" if one.presumed is not None else one.not_stated)
        }
        for how in ("unknown", "presumed", "nothing")
    }
    assert by_not_stated["unknown"] == {
        *("suit", "same-suit", "won-by", "later-tricks", "later-win-playable", "next-trick", "next-board-call-by"),
        *("others-next-trick", "played-after", "partner-to-play"),
    }
    assert by_not_stated["nothing"] == {"card", "after-claim", "led-on", "equity-tricks"}
    presumed = {name: found.findings[name].presumed for name in by_not_stated["presumed"]}
    assert presumed == {
        "failed-to": "follow-suit",
        **dict.fromkeys(("faced", "required-faced", "dummy-lost-rights"), False),
        "claim": "none",
        "asked-by": "nobody",
        "other-side-revoked": "no",
        "other-revoke-stands": True,
        "repeats": 0,
        "noticed": "during-play",
    }
    assert {name for name, one in found.findings.items() if one.presumption.yields} == {
        "noticed",
        "claim",
        "other-side-revoked",
    }


def test_every_value_of_every_finding_states_facts_of_the_vocabulary() -> None:
    found = shipped_table()
    samples = {
        "seat": SEATS,
        "side": ("NS", "EW"),
        "suit": ("S",),
        "card": (Card.from_text("S2"),),
        "yes-no": (False, True),
        "number": (0, 1),
    }
    for kind in found.findings.values():
        for value in samples.get(kind.type.name, kind.type.words):
            for hand in SEATS:
                given = {**NAMES, "hand": hand, "value": value, kind.id: value, "nth": 1, "noticed": "during-play"}
                for fact in facts_of(kind.templates(value), given, found):
                    assert len(fact) == len(found.fields[str(fact[0])]) + 1
                    assert None not in fact or fact[0] == "played"
                    if "side" in found.fields[str(fact[0])] and "hand" in found.fields[str(fact[0])]:
                        at = found.fields[str(fact[0])].index
                        assert fact[at("side") + 1] == SIDE[fact[at("hand") + 1]]


ODD = [None, [], {}, "x", "$x", 5, True, "no", ["x"], {"x": "y"}, "0..$x", "$trick + ", "3..1", -1, "seat"]


@pytest.mark.thorough
def test_whatever_stands_in_a_table_it_is_read_or_refused_with_a_place(tmp_path: Path) -> None:
    """The shipped declarations, each time with a part of them taken out, or something odd in its place."""
    random = Random(7)
    whole = read_yaml((rules_root() / "table.yaml").read_text("utf-8"), "t").plain()
    vocabulary = read_yaml((rules_root() / "vocabulary.yaml").read_text("utf-8"), "v")
    for _ in range(150):
        faults = Faults()
        text = yaml.safe_dump(spoilt(whole, random), allow_unicode=True, sort_keys=False)
        read_table([read_yaml(text, "t")], [vocabulary], faults)
        assert all(fault.mend and fault.place.file == "t" for fault in faults)


def spoilt(whole: Any, random: Random) -> Any:
    """A copy in which one part is missing or odd."""
    copied = copy.deepcopy(whole)
    *path, last = random.choice([one for one in parts(copied) if one])
    at = copied
    for step in path:
        at = at[step]
    if random.random() < 0.3:
        del at[last]
    else:
        at[last] = random.choice(ODD)
    return copied


def parts(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(found for step, one in inner for found in parts(one, (*path, step)))]
