"""Checks of one rule: its variables, its values, its sentence and its conclusions."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterator

from facts.errors import Fault, Place, did_you_mean, nearest_name
from facts.fact import Value
from kb.language.rule import Rule, Tally, Test
from kb.language.strata import Use, bound, field_of, uses
from kb.language.terms import Constant, Sum, Term
from kb.language.texts import each, holes, misfilled, stray_brace
from kb.language.vocabulary import NUMBER_TYPES, Field, Vocabulary

MAX_CONDITIONS = 15


def unbound(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """A variable gets its value from a condition or a tally under `when` that says `field: $t`.

    Under `unless` and in what a tally counts, `field: $t` with a variable of its own means "any"; a comparison or a
    sum always needs the value. What a tally counts may use another tally's number only after it. In

        when:
          - revoke: {trick: $t, hand: $h}
        then: {penalty: {hand: $p}}

    nothing gives `$p` a value, so nobody could say whose penalty it is. What belongs to it, as `$p.hand` to a play, has
    its value with it, and what lacks with it is told once.
    """
    valued, lacking = bound(rule), set[str]()
    for use in uses(rule, vocabulary):
        owner, _, part = use.name.partition(".")
        if use.name in valued:
            if use.part == "of" and valued[use.name] >= use.item:
                mend = "put this tally after the one that gives the number"
                yield Fault(use.place, f"${use.name} is not counted yet where it is needed", mend)
        elif part or not (use.bare and use.part in ("of", "unless")):
            name = use.name if owner in valued else owner
            near = nearest_name(name, valued)
            mend = f"did you mean ${near}?" if near else f"write field: ${name} in a condition under when"
            if "." in name:
                parts = [own for parts in vocabulary.belonging.values() for own in parts]
                way = f"name ${owner} under when in a fact that has a {part}"
                mend = way if part in parts else did_you_mean(name, [f"${owner}.{own}" for own in dict.fromkeys(parts)])
            if name not in lacking:
                yield Fault(use.place, f"${name} has no value here", mend)
            lacking.add(name)


def unused(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """A variable that is used once, and not told in `because`, demands nothing: the field can be left out.

    Often it is another variable misspelt, and the rule then fires where it should not. In

        when:
          - revoke: {trick: $t, hand: $h}
          - trick: {number: $t, winner: $w}

    `$w` asks nothing of the winner.
    """
    all_uses = list(uses(rule.written or rule, vocabulary)) if rule.because else []
    times = Counter(use.name.partition(".")[0] for use in all_uses)
    shown = {name.partition(".")[0] for text in rule.because.values() for name in holes(text)}
    valued = bound(rule)
    for use in all_uses:
        if times[use.name] == 1 and use.name not in shown and (use.name in valued or use.bare) and use.part != "then":
            noun = "count or total" if use.part == "is" else "field"
            yield Fault(use.place, f"${use.name} is used nowhere else", f"leave the {noun} out, or mend the name")


def unknown_joins(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """A field declared with `?` may be compared with a value, or named once and shown: in `because`, or in a
    conclusion's field that may be unknown too.

    Two unknown values are never the same, so nothing is joined on one. With `suit: suit?` in the vocabulary,

        when:
          - revoke: {suit: $s}
          - lead: {suit: $s}

    would take two suits that nobody knows for one.
    """
    of_name: dict[str, list[Use]] = defaultdict(list)
    for use in uses(rule, vocabulary):
        of_name[use.name].append(use)
    for name, its_uses in of_name.items():
        doubtful = [use for use in its_uses if use.part != "then" and use.field and use.field.unknown]
        if not doubtful:
            continue
        first = doubtful[0]
        field = first.field.name if first.field else ""
        for use in its_uses:
            others = ((first.place, f"{field} may be unknown"),) if use is not first else ()
            if use.part == "then" and use.field and not use.field.unknown:
                problem = f"${name} may be unknown, but {use.field.name} may not"
                yield Fault(use.place, problem, f"give {use.field.name} a value that is always known", others)
            elif use.part != "then" and (use is not first or not use.bare):
                problem = f"${name} stands for {field}, which may be unknown: nothing can be joined on it"
                yield Fault(use.place, problem, "compare it with a value, or only show it", others)


def because(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """`{t}` in `because` is the value of `$t`, which must have one: from `when`, not only from `unless`.

    The sentence is told when the rule has fired, and what only stands under `unless` was not there. In

        unless:
          - exempt: {hand: $x}
        because: {en: "{x} is exempt."}

    `{x}` would have nothing to say.
    """
    told = {use.name.partition(".")[0] for use in uses(rule, vocabulary)}.difference(valued := bound(rule))
    for _, text, place in each(rule.because, rule.place):
        names = [*valued, *(name for name in holes(text) if "." in name and name.partition(".")[0] in told)]
        yield from (Fault(place, *wrong) for wrong in misfilled(text, names))


def places(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """A sentence tells the same in every language: what one names in braces, the others name too.

    In

        because: {en: "{h} revoked at trick {t}.", de: "{h} beging ein Revoke."}

    the German forgets the trick, and nobody who reads only German would know which one it was.
    """
    valued = bound(rule)
    names = {
        lang: valued.keys() & {*holes(text)}
        for lang, text, _ in each(rule.because, rule.place)
        if text.strip() and not stray_brace(text)
    }
    everything = set[str]().union(*names.values())
    for lang, _, place in each(rule.because, rule.place):
        for name in sorted(everything - names.get(lang, everything)):
            problem = f"the text in {lang} does not name {{{name}}}, as another does"
            yield Fault(place, problem, f"put {{{name}}} into it")


def conclusions(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """A conclusion gives every field of its kind.

    Facts are whole, or two of them could not be told apart. In

        then: {transfer: {trick: $t, to: $o}}

    `tricks` is missing.
    """
    for conclusion in rule.then:
        kind = vocabulary.kinds.get(conclusion.kind)
        if kind is None:
            continue
        missing = [name for name in kind.index if name not in conclusion.terms]
        misspelt = conclusion.terms.keys() - kind.index.keys()
        if missing and not misspelt:
            problem = f"{kind.name} is concluded without {', '.join(missing)}"
            yield Fault(conclusion.place, problem, f"add {', '.join(f'{name}: …' for name in missing)}")


def limits(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """A rule has at most 15 conditions, `unless` counted with `when`.

    Beyond that durable-rules fails in the middle of a ruling: reading a rule that it could not run would be worse.
    Such a rule is divided by a fact of a kind between: one rule concludes, say, `late: {trick: $t}` from the first of
    its conditions, and the other begins with `- late: {trick: $t}`.
    """
    conditions = rule.items()
    if len(conditions) > MAX_CONDITIONS:
        place = conditions[MAX_CONDITIONS].place
        problem = f"rule {rule.id} has {len(conditions)} conditions, the engine takes {MAX_CONDITIONS}"
        yield Fault(place, problem, "conclude a fact of a kind between, and divide the rule")


_ORDERED = ("<", "<=", ">", ">=")
_BEYOND = {"<": ("less than", 0), ">": ("more than", 1)}
"""What is said of it, and the end of the range beyond which there is nothing."""


def types(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """A value is of its field's type, and a variable has one type in the whole rule, so a seat is never a side.

    Only integers are added, totalled, and compared with `<` and `>`. A value of another type would never be met, and
    the rule would say nothing without anybody noticing; nor would a number out of range, as of a fourteenth trick. In

        - revoke: {trick: $t, hand: NS}

    `NS` is a side, where `hand` is a seat.
    """
    valued = bound(rule)
    for item in rule.items():
        if isinstance(item, Tally):
            yield from _tally(item, vocabulary)
        for test in item.condition.tests:
            if field := field_of(vocabulary, item.condition.kind, test.field):
                yield from _test(field, test, vocabulary, valued)
    for conclusion in rule.then:
        for name, term in conclusion.terms.items():
            if field := field_of(vocabulary, conclusion.kind, name):
                yield from _term(field, term, conclusion.place_of(name), vocabulary, valued)
    yield from _one_type_each(rule, vocabulary)


def _one_type_each(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    first: dict[str, tuple[str, Place]] = {}

    def is_itself(use: Use) -> bool:
        return use.field is not None and use.name.endswith(f".{use.field.name}")

    for use in sorted(uses(rule, vocabulary), key=is_itself, reverse=True):
        if use.type is not None:
            type_, place = first.setdefault(use.name, (use.type, use.place))
            if not _alike(type_, use.type) and "." in use.name:
                yield Fault(
                    use.place,
                    f"${use.name} is {_article(type_)}, not {_article(use.type)}",
                    f"write {_article(use.type)}",
                )
            elif not _alike(type_, use.type):
                problem = f"${use.name} is {_article(use.type)} here, but {_article(type_)} elsewhere in the rule"
                yield Fault(use.place, problem, "use two variables", ((place, f"{_article(type_)} here"),))


def belongings(rule: Rule, vocabulary: Vocabulary) -> Iterator[Fault]:
    """What the vocabulary says to belong to something belongs to it wherever they stand together, so it is one.

    A play is one hand's to one trick. Where nobody writes the hand beside `$p`, it is the player's, and a kind in which
    somebody else's stood under that name would silently get it. In

        when:
          - revoke: {play: $p, hand: $h}
          - still-to-play: {play: $p, hand: $q}

    the play would be two hands'; the second wants another field, such as `partner`.
    """
    written = rule.written or rule
    stated = [
        (item.kind, {test.field: (test.term, test.place) for test in item.tests if test.is_value})
        for item in written.wanted
    ]
    stated += [
        (then.kind, {name: (term, then.place_of(name)) for name, term in then.terms.items()}) for then in written.then
    ]
    first: dict[tuple[str, str], tuple[Term, Place]] = {}
    for kind, terms in stated:
        for owner, part in ((owner, part) for owner, parts in vocabulary.belonging.items() for part in parts):
            if owner in terms and part in terms and (name := terms[owner][0].alone):
                term, place = terms[part]
                its, there = first.setdefault((name, part), (term, place))
                if type(term) is type(its) and term != its and f"{name}.{part}" not in (term.alone, its.alone):
                    problem = f"the {part} of ${name} is {term} here, but {its} elsewhere in the rule"
                    mend = f"take the {part} out of {kind}, or if it is not that of ${name} give its field another name"
                    yield Fault(place, problem, mend, ((there, f"{its} here"),))


def _test(field: Field, test: Test, vocabulary: Vocabulary, known: Container[str]) -> Iterator[Fault]:
    if test.operator in _ORDERED and not field.is_number:
        problem = f"{test.operator} compares integers, but {field.name} is a {field.type}"
        yield Fault(test.place, problem, "write a value, a list of values, or not and a value")
        return
    if test.among:
        for value in test.among:
            yield from _term(field, Constant(value), test.place, vocabulary, known)
    else:
        yield from _term(field, test.term, test.place, vocabulary, known)
        if field.bounds and isinstance(test.term, Constant) and test.operator in _BEYOND:
            than, end = _BEYOND[test.operator]
            if test.term.value == field.bounds[end]:
                problem = f"{field.name} can never be {than} {test.term.value}"
                mend = f"compare it with another number from {field.bounds[0]} to {field.bounds[1]}"
                yield Fault(test.place, problem, mend)


def _term(
    field: Field, term: Term, place: Place, vocabulary: Vocabulary, known: Container[str] = ()
) -> Iterator[Fault]:
    """``known``: the variables of the rule, of which one may have been written without its sign."""
    if isinstance(term, Sum):
        if not field.is_number:
            yield Fault(
                place, f"a sum is an integer, but {field.name} is a {field.type}", "write a value or a variable"
            )
    elif isinstance(term, Constant) and not is_of_type(term.value, field.type, vocabulary):
        problem = f"{literal(term.value)} is not {_article(field.type)}"
        mend = f"did you mean ${term.value}?" if term.value in known else _mend(term.value, field.type, vocabulary)
        yield Fault(place, problem, mend)
    elif isinstance(term, Constant) and field.bounds and isinstance(term.value, int):
        least, most = field.bounds
        if not least <= term.value <= most:
            yield Fault(place, f"{field.name} can never be {term.value}", f"write a number from {least} to {most}")


def _tally(tally: Tally, vocabulary: Vocabulary) -> Iterator[Fault]:
    yield from _term(Field("is", "integer"), tally.number.term, tally.number.place, vocabulary)
    summed = field_of(vocabulary, tally.of.kind, tally.field or "")
    if summed and (not summed.is_number or summed.unknown):
        problem = f"{summed.name} cannot be totalled: it is a {summed.type}" + (
            " that may be unknown" if summed.unknown else ""
        )
        yield Fault(tally.place, problem, "name an integer field")


def _alike(first: str, second: str) -> bool:
    """Whether a variable may stand for both types: a number may be any time, but a trick is never a moment."""
    if first in NUMBER_TYPES and second in NUMBER_TYPES:
        return "integer" in (first, second) or (first == "trick") == (second == "trick")
    return first == second


def is_of_type(value: Value, type_: str, vocabulary: Vocabulary) -> bool:
    """Whether a literal is of the type; anything is of a type that is not known."""
    if type_ in NUMBER_TYPES:
        return isinstance(value, int) and not isinstance(value, bool)
    if type_ == "yes-no":
        return isinstance(value, bool)
    words = vocabulary.values_of(type_)
    return isinstance(value, str) and (not words or value in words)


def literal(value: Value) -> str:
    """A literal as the file writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    return f'"{value}"' if isinstance(value, str) and value.lstrip("-").isdigit() else str(value)


def _article(type_: str) -> str:
    return f"an {type_}" if type_[0] in "aeiou" else f"a {type_}"


def _mend(value: Value, type_: str, vocabulary: Vocabulary) -> str:
    mend = {
        **dict.fromkeys(NUMBER_TYPES, "write a whole number without quotes"),
        "yes-no": "write true or false",
        "card": "write suit and rank, as SA or D9",
        "text": "put it in quotes",
    }.get(type_)
    return mend or did_you_mean(literal(value), [str(word) for word in vocabulary.values_of(type_)])
