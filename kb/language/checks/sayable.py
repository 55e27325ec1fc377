"""What a table declares, held against the vocabulary."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from facts.errors import Fault
from facts.observe.observe import OBSERVED
from facts.observe.statements import known_names
from facts.suggestions import did_you_mean
from facts.table import FindingKind, Names, Table, Template
from kb.language.faults import Faults
from kb.language.model import Edition, Vocabulary
from kb.language.rule import RuleReader

OF_AN_EVENT: Final = ("at", "last-trick", "going-on", "tricks-left", "answered")
OF_A_FINDING: Final = ("value", "nth", "number", "trick", "play")
OF_THE_REST: Final = ("trick", "later-revoke", "play-over", "noticed-after-play", "record-stops")
"""What conditions may name beside findings."""


def check(edition: Edition) -> Iterator[Fault]:
    """Templates state facts of the vocabulary with all their fields, by names that are known; conditions name findings;
    and a kind that rules do not conclude is stated by somebody.
    """
    table, vocabulary = edition.table, edition.vocabulary
    for finding in table.findings.values():
        yield from _finding(finding, table, vocabulary)
    for event in table.events.values():
        fields = {f"{name}{suffix}" for name in event.fields for suffix in ("", "-hand", "-trick")}
        yield from _templates(event.states, {*OF_AN_EVENT, *fields}, table, vocabulary)
        for name in (*event.answers, *((event.settled_by,) if event.settled_by else ())):
            if name not in table.events:
                yield Fault(event.place, f"there is no event {name}", did_you_mean(name, table.events))
    for one in table.impossible:
        yield from _named(one.when, one, table)
        reader = RuleReader(vocabulary, Faults())
        list(reader.when(one.facts))
        list(reader.unless(one.unless))
        yield from reader.faults
    yield from _nobodys(edition)


def _finding(finding: FindingKind, table: Table, vocabulary: Vocabulary) -> Iterator[Fault]:
    for templates in (finding.states, *finding.by_value.values()):
        yield from _templates(templates, {*OF_A_FINDING, *table.findings}, table, vocabulary)
    for when in (*finding.when, finding.unless, *(follows.when for follows in finding.follows)):
        yield from _named(when, finding, table)
    for name in finding.told_by:
        if name not in table.events:
            yield Fault(finding.place, f"there is no event {name}", did_you_mean(name, table.events))
    if finding.record not in ("", "may-lack", "may-stop"):
        what = f"{finding.record} says not what a record tells of it"
        yield Fault(finding.place, what, "write may-lack or may-stop, or leave record out")
    if finding.known != "revoked" and finding.known not in {*table.of_a_trick, "noticed", "finished"}:
        yield Fault(finding.place, f"there is no moment {finding.known}", did_you_mean(finding.known, table.of_a_trick))


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


def _named(when: Names, of: FindingKind | object, table: Table) -> Iterator[Fault]:
    for name in when:
        if name not in table.findings and name not in OF_THE_REST:
            place = getattr(of, "place")  # noqa: B009 - of either class
            yield Fault(place, f"there is no finding {name}", did_you_mean(name, table.findings))


def _nobodys(edition: Edition) -> Iterator[Fault]:
    """Kinds that nobody can state or conclude."""
    table = edition.table
    templates = [event.states for event in table.events.values()]
    for finding in table.findings.values():
        templates += [finding.states, *finding.by_value.values()]
    stated = {one.kind for some in templates for one in some}
    concluded = {then.kind for rule in edition.rules for then in rule.then}
    for name, kind in edition.vocabulary.kinds.items():
        if kind.stated_by != "rules" and name not in stated | OBSERVED | concluded:
            mend = "let a finding or an event of table.yaml state it, or take it away"
            yield Fault(kind.place, f"nobody can state {name}", mend)
