"""PBN files cut into boards: tags with their values, and the text of the play section."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from facts.errors import Fault, Place

_VALUE: Final = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
_TAG: Final = re.compile(r'\[\s*+([A-Za-z]\w*+)\s*+"([^"\\\n]*+(?:\\.[^"\\\n]*+)*+)"\s*+\]')
_ESCAPED_LINE: Final = re.compile(r"%(?<![^\n]%).*")
_TEXT_OR_COMMENT: Final = re.compile(rf"{_VALUE}|\{{[^}}]*+(?:\}}|\Z)|;.*")
_EMPTY_LINE: Final = re.compile(r"\n[ \t]*\n")
_LIMIT: Final = re.compile(
    r"\n(?<![ \t\n]\n)[ \t]*+\n[ \t\n]*+"  # begun once in each run of white space: linear in its length
    rf'(?=\[\s*(?!(?:Auction|Play|Note)\s*")[A-Za-z]\w*\s*{_VALUE}\s*\])'
)
"""Whatever went before, a board ends here: an empty line, then a tag that begins no section."""
FILLER: Final = "\x1f"
"""Stands for each character of a comment: white space between tokens, but no empty line."""

_BEGINS_BOARD: Final = frozenset({"Event", "Board", "Deal", "Play"})
_MAY_FOLLOW_EMPTY_LINE: Final = frozenset({"Auction", "Play", "Note"})
_OF_THE_DEAL: Final = ("Board", "Dealer", "Vulnerable", "Deal")
_NAMES_DEAL: Final = frozenset({"Event", *_OF_THE_DEAL})


@dataclass(slots=True)
class RawBoard:
    """A board as it stands in the file."""

    file: str
    text: str
    """The whole file, comments blanked."""
    start: int
    end: int
    line: int
    """Line of the first tag."""
    tags: dict[str, str] = field(default_factory=dict)
    """Name -> value; of a tag given twice the first counts."""
    play: tuple[int, int] | None = None
    """Where the play section begins and ends in ``text``."""
    auction: tuple[int, int] | None = None
    faults: list[Fault] = field(default_factory=list)

    def place(self, position: int, width: int = 1) -> Place:
        """The place of a position in ``text``."""
        if position < self.start:
            return Place(self.file, self.line)
        column = position - self.text.rfind("\n", 0, position)
        return Place(self.file, self.line + self.text.count("\n", self.start, position), column, width)

    def place_of(self, tag: str) -> Place:
        """The place of a tag's value; of the board where the value is inherited."""
        found = re.compile(rf'\[\s*{tag}\s*"').search(self.text, self.start, self.end)
        value = self.tags.get(tag, "")
        if found is None or not self.text.startswith(value, found.end()):
            return self.place(self.start)
        return self.place(found.end(), max(1, len(value)))


def boards_of(text: str, file: str) -> Iterator[RawBoard]:
    """The boards of a file, inherited tag values filled in.

    A board ends at an empty line or where a tag that begins one comes again. ``#`` takes the value of the board before,
    ``##value`` holds for all boards after it that do not say otherwise. A further table at the same board may leave out
    everything about the deal: it is that of the board before.
    """
    nearest: dict[str, str] = {}
    standing: dict[str, str] = {}
    before: RawBoard | None = None
    inherits = '"#' in text
    for board in _cut(_blanked(text), file):
        own = board.tags.keys()
        if before is not None and "Contract" in own and own.isdisjoint(_NAMES_DEAL):
            board.tags = {name: before.tags[name] for name in _OF_THE_DEAL if name in before.tags} | board.tags
        if inherits:
            _inherit(board, nearest, standing)
        yield board
        before = board


def _inherit(board: RawBoard, nearest: dict[str, str], standing: dict[str, str]) -> None:
    for name, value in board.tags.items():
        if value.startswith("##"):
            board.tags[name] = standing[name] = value[2:]
        elif value == "#":
            board.tags[name] = nearest.get(name, "")
    nearest.update(board.tags)
    for name, value in standing.items():
        board.tags.setdefault(name, value)


def _cut(text: str, file: str) -> Iterator[RawBoard]:
    """The boards as they stand. An empty line before a tag that does not belong to the board is their limit."""
    start, line, counted = 0, 1, 0
    while start < len(text):
        limit = _LIMIT.search(text, start)
        end = limit.start() if limit else len(text)
        line, counted = line + text.count("\n", counted, start), start
        plain = _plain(text, file, start, end, line)
        yield from (plain,) if plain is not None else _cut_slowly(text, file, start, end, line)
        start = limit.end() if limit else end


def _plain(text: str, file: str, start: int, end: int, line: int) -> RawBoard | None:
    """The one board between two limits, if it is nothing but whole tags, each once, with sections between."""
    found = _TAG.findall(text, start, end)
    tags = dict(found)
    if (
        not len(tags) == len(found) == text.count("[", start, end)
        or text[start : start + 1] != "["
        or text.find("{", start, end) >= 0
        or _EMPTY_LINE.search(text, start, end)
    ):
        return None
    board = RawBoard(file, text, start, end, line, tags)
    board.play = _section(text, "[Play ", start, end) if "Play" in tags else None
    board.auction = _section(text, "[Auction ", start, end) if "Auction" in tags else None
    return None if ("Play" in tags and board.play is None) else board


def _section(text: str, tag: str, start: int, end: int) -> tuple[int, int] | None:
    """Where a section begins and ends; None where its tag is written in an unusual way."""
    at = text.find(tag, start, end)
    if at < 0:
        return None
    begins = text.find("]", at, end) + 1
    ends = text.find("[", begins, end)
    return begins, ends if ends >= 0 else end


def _cut_slowly(text: str, file: str, begin: int, limit: int, line: int) -> Iterator[RawBoard]:
    """The boards between two limits, however they stand."""
    board = RawBoard(file, text, begin, limit, line)
    end, last = begin, ""
    for tag in _TAG.finditer(text, begin, limit):
        start = tag.start()
        name, value = tag.groups()
        if start - end > 1 or name in board.tags:
            _close(board, last, end, start)
            if not board.tags or _is_next(board, name, text[end:start]):
                board.end = start
                if board.tags or board.faults:
                    yield board
                board = RawBoard(file, text, start, limit, board.line + text.count("\n", board.start, start))
        board.tags.setdefault(name, value)
        end, last = tag.end(), name
    _close(board, last, end, limit)
    if board.tags or board.faults:
        yield board


def _is_next(board: RawBoard, name: str, gap: str) -> bool:
    if name in board.tags:
        return name in _BEGINS_BOARD or (name != "Note" and _EMPTY_LINE.search(gap) is not None)
    return name not in _MAY_FOLLOW_EMPTY_LINE and _EMPTY_LINE.search(gap) is not None


def _close(board: RawBoard, tag: str, start: int, end: int) -> None:
    """Takes note of the text that stands between a tag and the next."""
    if tag == "Play" and board.play is None:
        board.play = (start, end)
    if tag == "Auction" and board.auction is None:
        board.auction = (start, end)
    if (bracket := board.text.find("[", start, end)) >= 0:
        mend = 'write a tag as [Name "value"]'
        board.faults.append(Fault(board.place(bracket), "this is not a whole tag", mend))
    if (brace := board.text.find("{", start, end)) >= 0:
        board.faults.append(Fault(board.place(brace), "this comment is not closed", "end it with }"))


def _blanked(text: str) -> str:
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x1a", "")
    if "%" in text:
        text = _ESCAPED_LINE.sub(_fill, text)
    if "{" in text or ";" in text:
        text = _TEXT_OR_COMMENT.sub(lambda found: found[0] if found[0][0] == '"' else _fill(found), text)
    return text


def _fill(found: re.Match[str]) -> str:
    """The same lines and columns; an open brace stays where the comment has no end."""
    filled = "\n".join(FILLER * max(1, len(part)) for part in found[0].split("\n"))
    return "{" + filled[1:] if found[0][0] == "{" and found[0][-1] != "}" else filled
