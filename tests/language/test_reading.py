"""Properties of reading: rules come back as they were written, and no file, however odd, does more than give faults."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.checking import check

from facts.errors import Faults, RulesError
from facts.form import form_of
from facts.yaml_reader import read_yaml
from kb.language.edition import load_edition
from kb.language.rule import Condition, Rule, Tally, Test
from kb.language.terms import Constant, Sum, Term, Variable

pytestmark = pytest.mark.thorough

TINY = Path(__file__).parent / "tiny"
VOCABULARY = load_edition(TINY, "code").vocabulary
WORDS = {"seat": ["N", "E", "S", "W"], "side": ["NS", "EW"], "role": ["declarer", "defender"], "card": ["SA", "D9"]}

literals = {name: st.sampled_from(words) for name, words in WORDS.items()} | {"integer": st.integers(-20, 20)}
variables = st.sampled_from(["$a", "$b", "$trick_2"])
sums = st.builds("{} + {}".format, variables, variables | st.integers(0, 13).map(str))


def values(type_: str) -> st.SearchStrategy[Any]:
    """Whatever may stand in a condition for a field of the type."""
    comparisons = st.builds("not {}".format, literals[type_] | variables)
    if type_ == "integer":
        comparisons |= st.builds(
            "{} {}".format, st.sampled_from(["<", "<=", ">", ">="]), literals[type_] | variables | sums
        )
        comparisons |= sums
    several = st.lists(literals[type_], min_size=1, max_size=3, unique=True)
    return literals[type_] | variables | comparisons | several


@st.composite
def conditions(draw: st.DrawFn) -> dict[str, Any]:
    kind = VOCABULARY.kinds[draw(st.sampled_from(sorted(VOCABULARY.kinds)))]
    fields = draw(st.lists(st.sampled_from(kind.fields), unique=True))
    return {kind.name: {field.name: draw(values(field.type)) for field in fields}}


@st.composite
def tallies(draw: st.DrawFn) -> dict[str, Any]:
    number = draw(variables | sums | st.integers(0, 9) | st.builds("> {}".format, variables))
    tally = {"of": draw(conditions()), "is": number}
    return draw(st.sampled_from([{"count": tally}, {"total": {**tally, "field": "trick"}}]))


@st.composite
def conclusions(draw: st.DrawFn) -> dict[str, Any]:
    kind = VOCABULARY.kinds[draw(st.sampled_from(sorted(VOCABULARY.kinds)))]
    terms = {
        f.name: draw(literals[f.type] | variables | (sums if f.type == "integer" else st.nothing()))
        for f in kind.fields
    }
    return {kind.name: terms}


texts = st.text("abc {}äß'\"#:-,", min_size=1).filter(lambda text: not text.isspace())
rules = st.fixed_dictionaries(
    {
        "when": st.lists(
            conditions() | tallies().filter(lambda t: "total" not in t or "trick" in str(t)), min_size=1, max_size=4
        ),
        "unless": st.lists(conditions(), max_size=3),
        "then": st.lists(conclusions(), min_size=1, max_size=3),
        "because": st.fixed_dictionaries({"en": texts, "de": texts}),
    }
)


@given(rules)
def test_rules_come_back_as_they_were_written(written: dict[str, Any]) -> None:
    faults = Faults()
    node = read_yaml(yaml.safe_dump(written, allow_unicode=True), "f")
    faults.kinds = VOCABULARY.fields
    rule = form_of(Rule).read(node, faults).numbered("1A", 1)
    assert rule_as_written(rule) == written
    assert all("has no field trick" in fault.what for fault in faults)


def rule_as_written(rule: Rule) -> dict[str, Any]:
    return {
        "when": [tally(c) if isinstance(c, Tally) else condition(c) for c in rule.when],
        "unless": [condition(c) for c in rule.unless],
        "then": [{c.kind: {name: term(t) for name, t in c.terms.items()}} for c in rule.then],
        "because": dict(rule.because),
    }


def condition(condition: Condition) -> dict[str, Any]:
    return {condition.kind: {test.field: demand(test) for test in condition.tests}}


def tally(tally: Tally) -> dict[str, Any]:
    summed = {"field": tally.field} if tally.how == "total" else {}
    return {tally.how: {"of": condition(tally.of), "is": demand(tally.number), **summed}}


def demand(test: Test) -> Any:
    if test.among:
        return list(test.among)
    if test.operator == "=":
        return term(test.term)
    return f"{'not' if test.operator == '!=' else test.operator} {term(test.term)}"


def term(term: Term) -> Any:
    if isinstance(term, Sum):
        return f"${term.left.name} + {term.right.value if isinstance(term.right, Constant) else '$' + term.right.name}"
    return f"${term.name}" if isinstance(term, Variable) else term.value


keys = st.sampled_from(
    [
        "law",
        "title",
        "clauses",
        "laws",
        "definitions",
        "says",
        "encoded-as",
        "rules",
        "when",
        "unless",
        "then",
        "because",
        "id",
        "en",
        "de",
        "1A",
        "count",
        "total",
        "of",
        "is",
        "field",
        "ordered",
        "won",
        "points",
        "trick",
        "hand",
        "kinds",
        "fields",
        "words",
        "languages",
        "one-per",
        "ruling",
        "shows",
        "section",
        "repealed",
        "edition",
        "amends",
        "offers",
        "reason",
    ]
)
scalars = st.sampled_from(
    ["", "$t", "> $t", "not", "rules", "en", "code", "later", "seat", "integer?", "{x", True, 1, "$a + 1"]
)
anything = st.recursive(
    scalars | keys, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(keys, inner, max_size=4)
)
rules_anyhow = st.fixed_dictionaries(
    {"when": anything, "then": anything, "because": anything}, optional={"unless": anything}
)
laws = st.builds(
    lambda rules: {
        "law": "1",
        "clauses": {"1A": {"says": {"en": "x", "de": "x"}, "encoded-as": "rules", "rules": rules}},
    },
    st.lists(rules_anyhow | anything, max_size=2) | anything,
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.sampled_from(["vocabulary", "code/edition", "code/law-1", "later/law-1", "elections/local"]), anything | laws)
def test_no_file_does_more_than_give_faults(tmp_path: Path, name: str, content: Any) -> None:
    for file in TINY.rglob("*.yaml"):
        copy = tmp_path / file.relative_to(TINY)
        copy.parent.mkdir(exist_ok=True)
        copy.write_bytes(file.read_bytes())
    (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump(content))
    faults = check(tmp_path)
    assert all(fault.mend and fault.place.line >= 1 for fault in faults)
    try:
        load_edition(tmp_path, "later")
    except RulesError as error:
        assert {*error.faults} <= {*faults}
