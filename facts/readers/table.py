"""Reading ``table.yaml``: every fault in it at once, each with its place.

What a draft declares is laid over what the shipped file does: findings and events of its own come last, one of the same
name takes the place of the other, and what it calls impossible comes in addition.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, get_args

from facts.errors import Fault
from facts.form import keys_of
from facts.readers.bare_values import unknown
from facts.readers.form import read_form
from facts.readers.table_forms import (
    EventForm,
    FindingForm,
    PresumedForm,
    SaidForm,
    States,
    TableForm,
    TemplateForm,
    Texts,
    YesOrNo,
)
from facts.table import (
    EventKind,
    FindingKind,
    Follows,
    Formula,
    Impossible,
    SaidInStory,
    Table,
    Template,
    Type,
    ValueSaid,
    written,
)
from facts.yaml_nodes import Node

_SAME: Final = (
    "means",
    "place",
    "asks",
    "asks_of",
    "about",
    "each",
    "help",
    "finds_out",
    "when",
    "beside",
    "instead_of",
    "told_by",
    "known",
    "if_",
)
"""What a finding has just as the file states it."""


def read_table(nodes: Iterable[Node], vocabularies: Iterable[Node], faults: list[Fault]) -> Table:
    """The declarations of these files, the first of them the shipped one; faults are added."""
    findings: dict[str, FindingKind] = {}
    events: dict[str, EventKind] = {}
    yes_no: dict[YesOrNo, Texts] = {}
    of_a_trick: dict[str, int] = {}
    of_a_board: dict[str, int] = {}
    impossible: list[Impossible] = []
    parts: tuple[str, ...] = ()
    for node in nodes:
        form: TableForm = read_form(TableForm, node, faults)
        yes_no |= form.yes_no
        of_a_trick |= form.moments.get("of-a-trick", {})
        of_a_board |= form.moments.get("of-a-board", {})
        findings |= {name: _finding(name, one, yes_no, faults) for name, one in form.findings.items()}
        events |= {name: _event(name, one) for name, one in form.events.items()}
        impossible += [Impossible(**vars(one)) for one in form.impossible]
        parts = form.parts or parts
    kinds = (kind for one in vocabularies for kind in _entries(one, "kinds").items())
    fields = {kind: tuple(_entries(one, "fields")) for kind, one in kinds}
    return Table(findings, events, of_a_trick, of_a_board, tuple(impossible), fields, parts)


def _entries(node: Node, key: str) -> dict[str, Node]:
    """What stands under a key, if there is any."""
    return node.entries[key].entries if key in node.entries else {}


def _finding(id_: str, form: FindingForm, yes_no: Mapping[YesOrNo, Texts], faults: list[Fault]) -> FindingKind:
    kind = form.is_
    return FindingKind(
        id_,
        kind,
        **{key: stated for key, stated in vars(form).items() if key in _SAME},
        **_unsaid(form.not_stated, kind),
        answers=_answers(form, yes_no),
        tells={name: SaidInStory(one.says, one.also, one.of) for name, one in form.tells.items()},
        follows=tuple(Follows(_meant(one.is_, kind), one.when, one.stated) for one in form.follows),
        record=form.record or "",
        before=_meant(form.before, kind),
        states=_templates(form.states),
        by_value=_by_value(form, faults),
    )


def _answers(form: FindingForm, yes_no: Mapping[YesOrNo, Texts]) -> dict[str, ValueSaid]:
    """Those of a finding; of one that is yes or no and names none, those of all of them."""
    if form.answers or form.is_.name != "yes-no":
        return {name: ValueSaid(name, _values(name, one, form.is_), one.says) for name, one in form.answers.items()}
    return {word: ValueSaid(word, (word == "yes",), yes_no[word]) for word in get_args(YesOrNo) if word in yes_no}


def _values(name: str, form: SaidForm, kind: Type) -> tuple[Any, ...]:
    if isinstance(form.is_, Type):
        return (form.is_,)
    return tuple(_meant(one, kind) for one in ((name,) if form.is_ is None else form.is_))


def _unsaid(form: PresumedForm | str, kind: Type) -> dict[str, Any]:
    """What it means if nobody says it."""
    if not isinstance(form, PresumedForm):
        return {"not_stated": form}
    return {
        "not_stated": "presumed",
        "presumed": _meant(form.presumed, kind),
        "presumed_says": form.says,
        "yields": form.yields,
        "unless": form.unless,
    }


def _meant(value: Any, kind: Type) -> Any:
    """A value as a finding of the type has it: yes and no are true and false there, and words are text."""
    if isinstance(value, tuple):
        return tuple(_meant(one, kind) for one in value)
    if value is None or isinstance(value, Formula):
        return value
    if kind.name == "yes-no":
        return {"yes": True, "no": False}.get(value, value)
    return written(value) if kind.name == "words" else value


def _by_value(form: FindingForm, faults: list[Fault]) -> dict[str, tuple[Template, ...]]:
    """What values state that have a key of their own."""
    kind = form.is_
    own = (*kind.words, *(get_args(YesOrNo) if kind.name == "yes-no" else ()), *filter(str.isdecimal, form.rest))
    if kind.name:
        faults += unknown(form.rest.places, (*keys_of(FindingForm), *own))
    return {
        word: _templates(read_form(States, form.rest[word], faults)) for word in dict.fromkeys(own) if word in form.rest
    }


def _templates(forms: Iterable[TemplateForm]) -> tuple[Template, ...]:
    return tuple(one for form in forms for one in _of_each_kind(form))


def _of_each_kind(form: TemplateForm) -> Iterable[Template]:
    given, less = (form.if_, None) if isinstance(form.if_, str | None) else (None, form.if_)
    for kind, fields in form.rest.items():
        yield Template(kind, tuple(fields.items()), form.place, given, form.unless, less)


def _event(id_: str, form: EventForm) -> EventKind:
    return EventKind(id_, **{**vars(form), "states": _templates(form.states)})
