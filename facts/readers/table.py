"""Reading ``table.yaml``: every fault in it at once, each with its place.

What a draft declares is laid over what the shipped file does: findings and events of its own come last, one of the same
name takes the place of the other, and what it calls impossible comes in addition.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from facts.errors import Fault
from facts.suggestions import did_you_mean
from facts.table import (
    BESIDE,
    NOTHING,
    UNKNOWN,
    EventKind,
    FindingKind,
    Follows,
    Formula,
    Impossible,
    Names,
    Table,
    Template,
    Term,
    Texts,
    Type,
    ValueSaid,
)
from facts.yaml_nodes import Mapping as MappingNode
from facts.yaml_nodes import Node, Scalar, Sequence

TYPES: Final = ("seat", "side", "suit", "card", "yes-no", "revoke")
YES_NO: Final = ("no", "yes")
_TOP: Final = ("moments", "yes-no", "findings", "events", "impossible")
_FINDING: Final = (
    *("is", "means", "asks", "about", "help", "answers", "when", "not-stated", "beside", "instead-of", "record"),
    *("told-by", "follows", "known", "before", "states"),
)
_EVENT: Final = ("fields", "means", "one-of", "answers", "ends-play", "settled-by", "says", "states")
_IMPOSSIBLE: Final = ("when", "stated", "not-stated", "facts", "unless", "because")
_NOT_STATED: Final = ("presumed", "others", "yields", "unless", "says")
_CONDITIONS: Final = ("if", "unless")
_RANGE: Final = re.compile(r"(.+?)\.\.(.+)")


def read_table(nodes: Iterable[Node], vocabularies: Iterable[Node], faults: list[Fault]) -> Table:
    """The declarations of these files, the first of them the shipped one; faults are added."""
    reader = _Reader(faults)
    for node in nodes:
        reader.file(node)
    fields = {
        kind: tuple(_entries(_entries(one).get("fields")))
        for vocabulary in vocabularies
        for kind, one in _entries(_entries(vocabulary).get("kinds")).items()
    }
    return Table(reader.findings, reader.events, *reader.moments, tuple(reader.impossible), fields)


class _Reader:
    def __init__(self, faults: list[Fault]) -> None:
        self.faults = faults
        self.yes_no: dict[str, Texts] = {}
        self.findings: dict[str, FindingKind] = {}
        self.events: dict[str, EventKind] = {}
        self.moments: tuple[dict[str, int], dict[str, int]] = ({}, {})
        self.impossible: list[Impossible] = []

    def file(self, node: Node) -> None:
        self.keys(node, _TOP)
        at = _entries(node)
        self.yes_no |= {word: self.texts(one) for word, one in _entries(at.get("yes-no")).items()}
        moments = _entries(at.get("moments"))
        for known, key in zip(self.moments, ("of-a-trick", "of-a-board"), strict=True):
            known |= {name: _number(one) for name, one in _entries(moments.get(key)).items()}
        for id_, one in _entries(at.get("findings")).items():
            self.findings[id_] = self.finding(id_, one)
        for id_, one in _entries(at.get("events")).items():
            self.events[id_] = self.event(id_, one)
        self.impossible += map(self.cannot_be, _items(at.get("impossible")))

    def finding(self, id_: str, node: Node) -> FindingKind:
        at = _entries(node)
        kind = self.type(at.get("is"), node)
        own = dict.fromkeys((*kind.words, *(YES_NO if kind.name == "yes-no" else ()), *filter(str.isdigit, at)))
        if kind.name in (*TYPES, "words", "number") or not at:
            self.keys(node, (*_FINDING, *own))
        beside = at.get("beside")
        return FindingKind(
            id_,
            kind,
            place=node.place,
            **self.spoken(at),
            answers=self.answers(at.get("answers"), kind),
            when=tuple(self.names(one) for one in _items(at.get("when")) or _one(at.get("when"))),
            **self.not_stated(at.get("not-stated"), kind, node),
            instead_of=_bare(at.get("instead-of")) if "instead-of" in at else None,
            beside=self.among(beside, BESIDE, node) if beside else None,
            follows=tuple(self.follow(one, kind) for one in _items(at.get("follows"))),
            record=str(_bare(at.get("record"), "")),
            told_by=tuple(str(_bare(one)) for one in _items(at.get("told-by"))),
            known=str(_bare(at.get("known"), "revoked")),
            before=self.value(at["before"], kind) if "before" in at else None,
            states=self.templates(at.get("states")),
            by_value={word: self.templates(at[word]) for word in own if word in at},
        )

    def spoken(self, at: Mapping[str, Node]) -> dict[str, Any]:
        """What is said of it."""
        return {key: self.texts(at.get(key)) for key in ("means", "asks", "about", "help")}

    def not_stated(self, node: Node | None, kind: Type, parent: Node) -> dict[str, Any]:
        """What it means if nobody says it."""
        if not isinstance(node, MappingNode):
            return {"not_stated": self.among(node, (UNKNOWN, NOTHING), parent)}
        self.keys(node, _NOT_STATED)
        at = node.entries
        if "presumed" not in at:
            self.fault(node, "this says not what is presumed", "write presumed: with a value")
        return {
            "not_stated": "presumed",
            "presumed": self.value(at.get("presumed"), kind),
            "presumed_says": self.texts(at.get("says")),
            "others": tuple(self.value(one, kind) for one in _items(at.get("others"))),
            "yields": _bare(at.get("yields")) is True,
            "unless": self.names(at.get("unless")),
        }

    def event(self, id_: str, node: Node) -> EventKind:
        at = _entries(node)
        self.keys(node, _EVENT)
        return EventKind(
            id_,
            self.texts(at.get("means")),
            node.place,
            {name: self.field(one) for name, one in _entries(at.get("fields")).items()},
            tuple(str(_bare(one)) for one in _items(at.get("one-of"))),
            tuple(str(_bare(one)) for one in _items(at.get("answers"))),
            "ends-play" in at and _bare(at["ends-play"]) is True,
            str(_bare(at["settled-by"])) if "settled-by" in at else None,
            self.texts(at.get("says")),
            self.templates(at.get("states")),
        )

    def field(self, node: Node) -> tuple[Type, bool]:
        text = str(_bare(node))
        whole = text.removesuffix("?")
        if whole.startswith("["):
            return Type("words", tuple(word.strip() for word in whole.strip("[]").split(","))), whole == text
        return self.type(Scalar(whole, node.place), node), whole == text

    def cannot_be(self, node: Node) -> Impossible:
        at = _entries(node)
        self.keys(node, _IMPOSSIBLE)
        return Impossible(
            self.texts(at.get("because")),
            node.place,
            self.names(at.get("when")),
            self.stated(at.get("stated")),
            tuple(str(_bare(one)) for one in _items(at.get("not-stated"))),
            at.get("facts"),
            at.get("unless"),
        )

    def type(self, node: Node | None, parent: Node) -> Type:
        if isinstance(node, Sequence):
            words = tuple(_word(one) for one in node.items)
            if len(words) == 1 and words[0] in TYPES:
                return Type(words[0], many=True)
            return Type("words", words)
        text = str(_bare(node, ""))
        if found := _RANGE.fullmatch(text):
            return Type("number", least=self.sum(found[1], parent), most=self.sum(found[2], parent))
        if text not in TYPES:
            mend = f"write one of {', '.join(TYPES)}, a list of words, or a range such as 0..12"
            self.fault(node or parent, f"{text or 'this'} is no type", mend)
        return Type(text)

    def answer(self, id_: str, node: Node, kind: Type) -> ValueSaid:
        at = _entries(node)
        self.keys(node, ("is", "says"))
        given = at.get("is")
        if given is None:
            values: tuple[Any, ...] = (self.value(Scalar(id_, node.place), kind),)
        elif isinstance(given, Sequence):
            values = tuple(self.value(one, kind) for one in given.items)
        else:
            values = (self.type(given, node),)
        return ValueSaid(id_, values, self.texts(at.get("says")))

    def answers(self, node: Node | None, kind: Type) -> dict[str, ValueSaid]:
        """Those of a finding; of one that is yes or no and names none, those of all of them."""
        own = {name: self.answer(name, one, kind) for name, one in _entries(node).items()}
        if own or kind.name != "yes-no":
            return own
        return {word: ValueSaid(word, (word == "yes",), self.yes_no[word]) for word in YES_NO if word in self.yes_no}

    def follow(self, node: Node, kind: Type) -> Follows:
        at = _entries(node)
        self.keys(node, ("is", "when", "stated"))
        return Follows(self.value(at.get("is"), kind), self.names(at.get("when")), self.stated(at.get("stated")))

    def stated(self, node: Node | None) -> tuple[str | Names, ...]:
        return tuple(
            self.names(one) if isinstance(one, MappingNode) else str(_bare(one)) for one in _items(node) or _one(node)
        )

    def names(self, node: Node | None) -> Names:
        return {
            name: tuple(self.value(item, None) for item in _items(one) or _one(one))
            for name, one in _entries(node).items()
        }

    def value(self, node: Node | None, kind: Type | None) -> Any:
        """A value as it is meant; names become sums."""
        if isinstance(node, Sequence):
            return tuple(self.value(one, kind) for one in node.items)
        bare = _bare(node)
        if isinstance(bare, str) and "$" in bare:
            return self.sum(bare, node)
        if kind is not None and kind.name == "yes-no":
            return {"yes": True, "no": False}.get(str(bare), bare)
        return _word(node) if kind is not None and kind.name == "words" else bare

    def templates(self, node: Node | None) -> tuple[Template, ...]:
        return tuple(one for part in _items(node) or _one(node) for one in self.template(part))

    def template(self, node: Node) -> Iterator[Template]:
        at = _entries(node)
        condition = str(_bare(at.get("if"), ""))
        parts = condition.split(" < ")
        less = (self.sum(parts[0], node), self.sum(parts[1], node)) if len(parts) == 2 else None
        lacking = tuple(str(_bare(one)) for one in _items(at.get("unless")) or _one(at.get("unless")))
        for kind, fields in at.items():
            if kind not in _CONDITIONS:
                terms = tuple((name, self.term(one)) for name, one in _entries(fields).items())
                given = condition if condition and less is None else None
                yield Template(kind, terms, node.place, given, lacking, less)

    def term(self, node: Node) -> Term:
        bare = _bare(node)
        if isinstance(bare, str) and "$" in bare:
            return self.sum(bare, node)
        return None if bare == "none" else bare

    def sum(self, text: str, node: Node | None) -> Formula:
        products: list[tuple[int, tuple[str | int, ...]]] = []
        sign = 1
        for part in re.split(r" ([+-]) ", text.strip()):
            if part in ("+", "-"):
                sign = 1 if part == "+" else -1
                continue
            factors = tuple(int(one) if one.isdigit() else one for one in part.split(" * "))
            if not all(isinstance(one, int) or re.fullmatch(r"\$[a-z][a-z-]*", one) for one in factors):
                self.fault(node, f"{text} is no sum of numbers and names", "write such as 13 - $trick")
                factors = (0,)
            products.append((sign, factors))
        return Formula(tuple(products))

    def texts(self, node: Node | None) -> Texts:
        return {lang: str(_bare(one)) for lang, one in _entries(node).items()}

    def keys(self, node: Node, known: Iterable[str]) -> None:
        if not isinstance(node, MappingNode):
            self.fault(node, "keys with their values belong here", "write name: value lines")
            return
        for key, place in node.keys.items():
            if key not in known:
                self.faults.append(Fault(place, f"{key} is no key here", did_you_mean(key, known)))

    def among(self, node: Node | None, known: tuple[str, ...], parent: Node) -> str:
        text = str(_bare(node, ""))
        if text not in known:
            self.fault(
                node or parent,
                f"{text or 'this'} says not what it means if nobody says it",
                "write unknown, nothing, or {presumed: …, says: …}",
            )
        return text

    def fault(self, node: Node | None, what: str, mend: str) -> None:
        if node is not None:
            self.faults.append(Fault(node.place, what, mend))


def _entries(node: Node | None) -> Mapping[str, Node]:
    return node.entries if isinstance(node, MappingNode) else {}


def _items(node: Node | None) -> tuple[Node, ...]:
    return node.items if isinstance(node, Sequence) else ()


def _one(node: Node | None) -> tuple[Node, ...]:
    return () if node is None or isinstance(node, Sequence) else (node,)


def _bare(node: Node | None, default: Any = None) -> Any:
    return node.value if isinstance(node, Scalar) else default


def _word(node: Node | None) -> str:
    bare = _bare(node, "")
    return ("yes" if bare else "no") if isinstance(bare, bool) else str(bare)


def _number(node: Node) -> int:
    bare = _bare(node, 0)
    return bare if isinstance(bare, int) else 0
