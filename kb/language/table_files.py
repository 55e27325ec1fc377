"""Reading ``table.yaml``: every fault in it at once, each with its place.

What a draft declares is laid over what the shipped file does: findings and events of its own come last, one of the same
name takes the place of the other, and what it calls impossible comes in addition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, get_args

from facts.errors import Faults, InputError, RulesError
from facts.form import Texts, form_of, keys_of, no_entries, unknown
from facts.table import (
    REVOKE,
    FindingKind,
    Formula,
    MomentsOf,
    Presumption,
    Table,
    Template,
    Type,
    ValueSaid,
    YesOrNo,
    read_states,
    spelled,
)
from facts.yaml_reader import Mapping as MappingNode
from facts.yaml_reader import Node, Scalar, read_text, read_yaml
from facts.yaml_reader import Sequence as SequenceNode
from kb.language.calendar import dated
from kb.language.folders import MATTERS, TABLE, VOCABULARY, matter_folder

NOTHING_DECLARED: Final = Table()


def load_table(folders: Sequence[Path]) -> Table:
    """What can be said by the files of these folders, each laid over those before it; RulesError with every fault."""
    faults = Faults()
    table = table_of(folders, faults)
    if faults:
        raise RulesError(sorted(faults))
    return table


def table_of(folders: Sequence[Path], faults: Faults, translated: Callable[[Node], Node] | None = None) -> Table:
    """The same as far as it can be read; faults are added. ``translated`` gives its texts in more languages."""
    vocabularies = _nodes(folders, VOCABULARY, faults)
    lists: dict[str, list[str]] = {}
    for name, words in (pair for node in vocabularies for pair in _entries(node, "words").items()):
        lists.setdefault(name, []).extend([*words.entries] or [str(word.plain()) for word in words.items])
    of_its_day = partial(dated, folders=tuple(folders))

    def read(of: str, over: Table) -> Table:
        nodes = _nodes([matter_folder(folder, of) for folder in folders], TABLE, faults)
        more = nodes if translated is None else [*map(translated, nodes)]
        for path in ("findings", "", "is"), ("events", "", "fields", ""):
            more = [_with_lists(node, lists, path) for node in more]
        table = replace(read_table(more, vocabularies, faults, over), of=of, of_its_day=of_its_day)
        return table if of == REVOKE else replace(table, matters={of: table})

    table = read(REVOKE, NOTHING_DECLARED)
    bare = replace(table, findings={}, impossible=(), called={}, found_by="", named_by=())
    matters = sorted({one.name for folder in folders for one in (folder / MATTERS).glob("*") if one.is_dir()})
    return replace(table, matters={of: read(of, bare) for of in matters})


def _nodes(folders: Sequence[Path], name: str, faults: Faults) -> list[Node]:
    nodes: list[Node] = []
    for file in (folder / name for folder in folders):
        if file.is_file():
            try:
                nodes.append(read_yaml(read_text(file), str(file)))
            except InputError as error:
                faults += error.faults
    return nodes


def read_table(
    nodes: Iterable[Node], vocabularies: Iterable[Node], faults: Faults, table: Table = NOTHING_DECLARED
) -> Table:
    """The declarations of these files, the first of them the shipped one, over those of ``table``; faults are added."""
    for node in nodes:
        declared: Table = form_of(Table).read(node, faults)
        yes_no = {**table.yes_no, **declared.yes_no}
        table = Table(
            {unit: {**table.moments.get(unit, {}), **declared.moments.get(unit, {})} for unit in get_args(MomentsOf)},
            yes_no,
            {**table.findings, **{name: _finding(kind, yes_no, faults) for name, kind in declared.findings.items()}},
            {**table.events, **declared.events},
            (*table.impossible, *declared.impossible),
            declared.parts or table.parts,
            called=declared.called or table.called,
            found_by=declared.found_by or table.found_by,
            named_by=declared.named_by or table.named_by,
        )
    kinds = (kind for node in vocabularies for kind in _entries(node, "kinds").items())
    fields = {kind: tuple(_entries(form, "fields")) for kind, form in kinds}
    return replace(table, fields=fields)


def _with_lists(node: Node, lists: Mapping[str, Sequence[str]], path: Sequence[str]) -> Node:
    """A part of a file in which types, at the path, whose empty keys are any, are the lists of words that they name."""
    if path and isinstance(node, MappingNode):
        entries = node.entries.items()
        return replace(
            node, entries={k: _with_lists(v, lists, path[1:]) if path[0] in ("", k) else v for k, v in entries}
        )
    name = str(node.plain())
    if path or name.removesuffix("?") not in lists:
        return node
    words = lists[name.removesuffix("?")]
    if name.endswith("?"):
        return Scalar(f"[{', '.join(words)}]?", node.place)
    return SequenceNode(tuple(Scalar(word, node.place) for word in words), node.place)


def _entries(node: Node, key: str) -> dict[str, Node]:
    """What stands under a key, if there is any."""
    return node.entries[key].entries if key in node.entries else {}


def _finding(finding: FindingKind, yes_no: Mapping[YesOrNo, Texts], faults: Faults) -> FindingKind:
    """A finding as it is read, with its values as those of its type; one that is yes or no, and names no answers, has
    those of all of them."""
    kind, answers, unsaid = finding.type, finding.answers, finding.not_stated
    if bool(finding.asks) != bool(finding.about):
        faults.add(finding.place, "asks and about belong together", "write both of them, or neither")
    if kind.name == "yes-no" and not answers:
        answers = {word: ValueSaid(word, yes_no[word]) for word in get_args(YesOrNo) if word in yes_no}
    if isinstance(unsaid, Presumption):
        unsaid = replace(unsaid, presumed=_meant(unsaid.presumed, kind))
    words = (*kind.words, *(get_args(YesOrNo) if kind.name == "yes-no" else ()), *filter(str.isdecimal, finding.rest))
    if kind.name:
        faults += unknown(finding.rest.places, (*keys_of(FindingKind), *words))
    by_value: dict[str, tuple[Template, ...]] = {
        word: read_states(finding.rest[word], faults) for word in dict.fromkeys(words) if word in finding.rest
    }
    return replace(
        finding,
        answers={name: replace(answer, is_=_meant_by(answer, kind)) for name, answer in answers.items()},
        not_stated=unsaid,
        follows=tuple(replace(follows, is_=_meant(follows.is_, kind)) for follows in finding.follows),
        before=_meant(finding.before, kind),
        rest=no_entries(),
        by_value=by_value,
    )


def _meant_by(answer: ValueSaid, kind: Type) -> tuple[Any, ...]:
    if isinstance(answer.is_, Type):
        return (answer.is_,)
    return tuple(_meant(value, kind) for value in ((answer.id,) if answer.is_ is None else answer.is_))


def _meant(value: Any, kind: Type) -> Any:
    """A value as a finding of the type has it: yes and no are true and false there, and words are text."""
    if isinstance(value, tuple):
        return tuple(_meant(part, kind) for part in value)
    if value is None or isinstance(value, Formula):
        return value
    if kind.name == "yes-no":
        return {"yes": True, "no": False}.get(value, value)
    return spelled(value) if kind.name == "words" else value
