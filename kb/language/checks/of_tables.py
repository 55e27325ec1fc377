"""Checks of what a table declares: its names, the facts that it states, its values, and its texts in every language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any, Final

from facts.cards import SEATS, SUITS, Card
from facts.errors import Fault, Faults, Place, did_you_mean
from facts.observe import TOLD
from facts.table import NAME_SUFFIXES, FindingKind, FindingValues, Formula, Table, Template, Type, spelled
from facts.templates import evaluated, known_names
from kb.language.belonging import rule_of
from kb.language.checks.of_rules import because, is_of_type, literal, types, unbound, unused
from kb.language.model import Edition
from kb.language.vocabulary import Vocabulary

Samples = Mapping[str, tuple[Any, ...]]
"""Names, each with values enough to tell whether it fits."""
_VALUES: Final[Samples] = {
    "seat": SEATS,
    "side": ("NS", "EW"),
    "suit": SUITS,
    "card": (Card.of("S", 14),),
    "yes-no": (False, True),
    "number": (1,),
}
_CLOSED: Final = frozenset({"seat", "side", "suit", "yes-no", "number", "words"})
"""Types of which it can be told whether a value is one of theirs."""
_OF_A_FINDING: Final[Samples] = {
    "hand": ("N",),
    "declarer": ("S",),
    **dict.fromkeys(("trick", "play", "number", "nth"), (1,)),
}
_OF_AN_EVENT: Final[Samples] = {
    "declarer": ("S",),
    **dict.fromkeys(("at", "last-trick", "going-on", "next-of-player", "tricks-left", "until", "answered"), (1,)),
}
OF_THE_REST: Final = (
    "trick",
    "later-revoke",
    "play-over",
    "noticed-after-play",
    "noticed-on-that-trick",
    "record-stops",
)
"""What conditions may name beside findings."""


def table_names(table: Table, vocabulary: Vocabulary) -> Iterator[Fault]:
    """What a finding or a condition of table.yaml refers to is declared: findings, events and moments; and the kind of
    fact by which a matter is found is one of the vocabulary.

    A name that nothing bears would never be answered, so

        late-lead:
          when: {next-trik: led}

    would leave `late-lead` for ever unasked.
    """
    faults = Faults()
    moments, findings = ("revoked", *table.of_a_trick, "noticed", "finished"), (*table.findings, *OF_THE_REST)
    conditions = [(ruled_out.when, ruled_out.place) for ruled_out in table.impossible]
    for place in [one.place for one in table.findings.values()][:1]:  # nothing else has one that names the matter
        faults.demand("kind of fact", table.found_by, place, vocabulary.kinds)
        for name in table.named_by:
            faults.demand("finding", name, place, ("hand", "call", *findings))
    for finding in table.findings.values():
        conditions += [(when, finding.place) for when in _conditions_of(finding)]
        faults.demand("moment", finding.known, finding.place, moments)
        for name in finding.told_by:
            faults.demand("event", name, finding.place, table.events)
    for name, place in ((name, place) for when, place in conditions for name in when):
        faults.demand("finding", name, place, findings)
    yield from faults


def _conditions_of(finding: FindingKind) -> tuple[FindingValues, ...]:
    """Every condition on findings that its declaration names."""
    return *finding.when, finding.presumption.unless, *(follows.when for follows in finding.follows)


def table_facts(table: Table, vocabulary: Vocabulary) -> Iterator[Fault]:
    """What a finding states are facts of the vocabulary with all their fields, by names that are known and with values
    of the fields' types.

    Half a fact, or one with a value of another type, would be met by no condition. Where `ordered` has the fields
    `trick` and `hand`, a finding with

        states: {ordered: {trick: $trick}}

    lacks the `hand`.
    """
    of_findings = {name: _values(finding.type) for name, finding in table.findings.items()}
    for finding in table.findings.values():
        values: dict[str, list[Any]] = {word: [] for word in ("", *finding.by_value)}
        for value in _values(finding.type):
            values[spelled(value) if spelled(value) in finding.by_value else ""].append(value)
        for word, templates in {"": finding.states, **finding.by_value}.items():
            samples = tuple(values[word]) or (_VALUES["number"] if word else ())
            yield from _stated(templates, {**of_findings, **_OF_A_FINDING, "value": samples}, table, vocabulary)


def events(edition: Edition) -> Iterator[Fault]:
    """What an event refers to is declared, and what it states are facts as those of a finding are.

    Where `ordered` has the fields `trick` and `hand`,

        states: {ordered: {trick: $trick}}

    lacks the `hand`.
    """
    table, faults = edition.table, Faults()
    for event in table.events.values():
        for name in (*event.answers, event.settled_by or ""):
            faults.demand("event", name, event.place, table.events)
        faults.demand("moment", event.ends_play or "", event.place, table.of_a_board)
        fields = [(name, event.place) for name in event.one_of]
        fields += [(name, template.place) for template in event.states for name in template.unless]
        for name, place in fields:
            faults.demand("field", name, place, event.fields)
        of_event: dict[str, tuple[Any, ...]] = {name: _values(kind) for name, (kind, _) in event.fields.items()}
        for name in [name for name, (kind, _) in event.fields.items() if kind.name == "revoke"]:
            del of_event[name]
            of_event |= {f"{name}-hand": SEATS, f"{name}-trick": (1,)}
        faults += _stated(event.states, {**_OF_AN_EVENT, **of_event}, table, edition.vocabulary)
    yield from faults


def _stated(templates: Iterable[Template], samples: Samples, table: Table, vocabulary: Vocabulary) -> Iterator[Fault]:
    """Facts that could not be, given the values that names may have."""
    for template in templates:
        kind = vocabulary.kinds.get(template.kind)
        if kind is None:
            mend = did_you_mean(template.kind, vocabulary.kinds)
            yield Fault(template.place, f"there is no kind of fact {template.kind}", mend)
            continue
        terms = template.terms
        for name in sorted(terms.keys() ^ kind.index.keys()):
            problem = f"{template.kind} has no field {name}" if name in terms else f"{template.kind} lacks {name}"
            yield Fault(template.place, problem, f"its fields are {', '.join(kind.index)}")
        strange = [name for name in sorted(template.names) if not known_names(name, {*samples}, table)]
        for name in strange:
            yield Fault(template.place, f"nothing is called ${name}", did_you_mean(name, sorted(samples)))
        for name, term in terms.items() if not strange else ():
            field = kind.field_named(name) if name in kind.index else None
            if field is None or (term is None and field.unknown):
                continue
            values = _found(term, samples, table) if isinstance(term, Formula) else [term]
            wrong = [value for value in values if not is_of_type(value, field.type, vocabulary)]
            if wrong:
                value = "none" if wrong[0] is None else literal(wrong[0])
                problem = f"{template.kind} would have {value} as {name}, which is no {field.type}"
                yield Fault(template.place, problem, "state a value of that type")


def impossible(table: Table, vocabulary: Vocabulary) -> Iterator[Fault]:
    """What is impossible by facts is written as the conditions of a rule, and checked as one.

    Its `because` may name what the facts give a value, and the types of its variables agree. In

        impossible:
          - facts: [ordered: {trick: $t, hand: $t}]

    `$t` is a trick and a seat.
    """
    for ruled_out in table.impossible:
        rule = rule_of(ruled_out, vocabulary, faults := Faults())
        yield from faults
        if ruled_out.facts is not None and not faults:
            for check in (types, unbound, unused, because):
                yield from check(rule, vocabulary)


def finding_values(table: Table, _: Vocabulary) -> Iterator[Fault]:
    """A value that is presumed, answered or named in a condition is one that the finding may have.

    A value that it never has would be asked for, or waited for, in vain. With `is: [no, led, played]`,

        next-trick:
          presumed: leed

    presumes what cannot be.
    """
    findings = table.findings
    conditions = [(ruled_out.when, ruled_out.place) for ruled_out in table.impossible]
    for finding in findings.values():
        conditions += [(when, finding.place) for when in _conditions_of(finding)]
        named_values = [follows.is_ for follows in finding.follows]
        named_values += [finding.presumed] if finding.presumed is not None else []
        named_values += [finding.before] if finding.before is not None else []
        named_values += [value for answer in finding.answers.values() for value in answer.values]
        yield from _unfit(finding.id, named_values, finding.type, finding.place)
        names = frozenset[str]().union(*(limit.names for limit in (finding.type.least, finding.type.most) if limit))
        for name in sorted(names - {"trick"}):
            yield Fault(finding.place, f"a range cannot depend on ${name}", "write numbers, or $trick")
    for when, place in conditions:
        for name in when.keys() & findings.keys():
            answers = {TOLD, *findings[name].answers}
            plain = [value for value in when[name] if not isinstance(value, str) or value not in answers]
            yield from _unfit(name, plain, findings[name].type, place)


def _unfit(name: str, values: Iterable[Any], kind: Type, place: Place) -> Iterator[Fault]:
    allowed = [spelled(value) for value in _values(kind)]
    for value in (single for entry in values for single in (entry if isinstance(entry, tuple) else [entry])):
        if value is None or isinstance(value, Formula | Type) or spelled(value) in allowed or kind.name not in _CLOSED:
            continue
        if kind.name != "number" or not isinstance(value, int) or isinstance(value, bool):
            mend = "write a number" if kind.name == "number" else did_you_mean(spelled(value), allowed)
            yield Fault(place, f"{name} is never {spelled(value)}", mend)


def _found(term: Formula, samples: Samples, table: Table) -> list[Any]:
    """What a term may come to; nothing where that cannot be told."""
    bases = {next((name.removesuffix(end) for end in NAME_SUFFIXES if name.endswith(end)), name) for name in term.names}
    varied = [name for name in samples if name in bases | term.names]
    fixed = {name: samples[name][0] for name in ("hand", "declarer", "trick") if samples.get(name)}
    results = []
    for values in product(*(samples[name] for name in varied)):
        try:
            results.append(evaluated(term, {**fixed, **dict(zip(varied, values, strict=True))}, table))
        except (KeyError, TypeError):
            results.append(f"${' '.join(sorted(term.names))}")
    return [result for result in results if result is not None]


def _values(kind: Type) -> tuple[Any, ...]:
    return kind.words if kind.name == "words" else _VALUES.get(kind.name, ())
