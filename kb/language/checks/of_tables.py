"""Checks of what a table declares: the names in it, and the facts that it states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from facts.errors import Fault
from facts.observe.observe import OBSERVED
from facts.observe.statements import known_names
from facts.suggestions import did_you_mean
from facts.table import FindingKind, Names, Table, Template
from kb.language.checks.of_rules import because, unbound, unused
from kb.language.checks.of_values import types
from kb.language.checks.registry import of_its_table
from kb.language.faults import Faults
from kb.language.model import Edition, Rule
from kb.language.rule import RuleReader
from kb.language.vocabulary import Vocabulary

OF_AN_EVENT: Final = ("at", "last-trick", "going-on", "tricks-left", "answered")
OF_A_FINDING: Final = ("value", "nth", "number", "trick", "play")
OF_THE_REST: Final = ("trick", "later-revoke", "play-over", "noticed-after-play", "record-stops")
"""What conditions may name beside findings."""


@of_its_table("table-names")
def table_names(edition: Edition) -> Iterator[Fault]:
    """What a finding, an event or a condition of table.yaml refers to is declared: findings, events and moments.

    A name that nothing bears would never be answered, so

        late-lead:
          when: {next-trik: led}

    would leave `late-lead` for ever unasked.
    """
    table = edition.table
    for finding in table.findings.values():
        yield from _finding(finding, table)
    for event in table.events.values():
        for name in (*event.answers, *((event.settled_by,) if event.settled_by else ())):
            if name not in table.events:
                yield Fault(event.place, f"there is no event {name}", did_you_mean(name, table.events))
    for one in table.impossible:
        yield from _named(one.when, one, table)


def _finding(finding: FindingKind, table: Table) -> Iterator[Fault]:
    for when in (*finding.when, finding.unless, *(follows.when for follows in finding.follows)):
        yield from _named(when, finding, table)
    for name in finding.told_by:
        if name not in table.events:
            yield Fault(finding.place, f"there is no event {name}", did_you_mean(name, table.events))
    if finding.known != "revoked" and finding.known not in {*table.of_a_trick, "noticed", "finished"}:
        yield Fault(finding.place, f"there is no moment {finding.known}", did_you_mean(finding.known, table.of_a_trick))


def _named(when: Names, of: FindingKind | object, table: Table) -> Iterator[Fault]:
    for name in when:
        if name not in table.findings and name not in OF_THE_REST:
            place = getattr(of, "place")  # noqa: B009 - of either class
            yield Fault(place, f"there is no finding {name}", did_you_mean(name, table.findings))


@of_its_table("table-facts")
def table_facts(edition: Edition) -> Iterator[Fault]:
    """What a finding or an event states are facts of the vocabulary with all their fields, by names that are known.

    Half a fact would be met by no condition. Where `ordered` has the fields `trick` and `hand`, an event with

        states: {ordered: {trick: $trick}}

    lacks the `hand`.
    """
    table, vocabulary = edition.table, edition.vocabulary
    for finding in table.findings.values():
        for templates in (finding.states, *finding.by_value.values()):
            yield from _templates(templates, {*OF_A_FINDING, *table.findings}, table, vocabulary)
    for event in table.events.values():
        fields = {f"{name}{suffix}" for name in event.fields for suffix in ("", "-hand", "-trick")}
        yield from _templates(event.states, {*OF_AN_EVENT, *fields}, table, vocabulary)


def _templates(
    templates: tuple[Template, ...], names: set[str], table: Table, vocabulary: Vocabulary
) -> Iterator[Fault]:
    for template in templates:
        kind = vocabulary.kinds.get(template.kind)
        if kind is None:
            mend = did_you_mean(template.kind, vocabulary.kinds)
            yield Fault(template.place, f"there is no kind of fact {template.kind}", mend)
            continue
        given, wanted = {name for name, _ in template.terms}, set(kind.index)
        for name in sorted(given ^ wanted):
            what = f"{template.kind} has no field {name}" if name in given else f"{template.kind} lacks {name}"
            yield Fault(template.place, what, f"its fields are {', '.join(kind.index)}")
        for name in sorted(template.names):
            if not known_names(name, names, table):
                yield Fault(template.place, f"nothing is called ${name}", did_you_mean(name, sorted(names)))


@of_its_table("impossible")
def impossible(edition: Edition) -> Iterator[Fault]:
    """What is impossible by facts is written as the conditions of a rule, and checked as one.

    Its `because` may name what the facts give a value, and the types of its variables agree. In

        impossible:
          - facts: [ordered: {trick: $t, hand: $t}]

    `$t` is a trick and a seat.
    """
    for one in edition.table.impossible:
        reader = RuleReader(edition.vocabulary, Faults())
        when, unless = tuple(reader.when(one.facts)), tuple(reader.unless(one.unless))
        yield from reader.faults
        if one.facts is not None and not [*reader.faults]:
            rule = Rule("this", "", when, unless, (), one.because, one.place)
            for check in (types, unbound, unused, because):
                yield from check(rule, edition.vocabulary)


@of_its_table("unstated")
def unstated(edition: Edition) -> Iterator[Fault]:
    """A kind of fact that is not for rules alone is stated by somebody: a finding, an event, the play, or a rule.

    With `stated-by: incident` in the vocabulary and no finding or event of table.yaml that states it, a kind such as

        dummy-exposed: {fields: {hand: seat}, stated-by: incident}

    could never be true, and no rule that reads it would fire.
    """
    table = edition.table
    templates = [event.states for event in table.events.values()]
    for finding in table.findings.values():
        templates += [finding.states, *finding.by_value.values()]
    stated = {one.kind for some in templates for one in some}
    concluded = {then.kind for rule in edition.rules for then in rule.then}
    for name, kind in edition.vocabulary.kinds.items():
        if kind.stated_by != "rules" and name not in stated | OBSERVED.keys() | concluded:
            mend = "let a finding or an event of table.yaml state it, or take it away"
            yield Fault(kind.place, f"nobody can state {name}", mend)
