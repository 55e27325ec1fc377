"""PBN files cut into boards: tags with their values, and the text of the play section."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from facts.errors import Fault, Place

_TAG: Final = re.compile(r'\[\s*([A-Za-z]\w*)\s*"((?:[^"\\\n]|\\.){0,4000})"\s*\]')
_ESCAPED_LINE: Final = re.compile(r"^%.*", re.MULTILINE)
_TEXT_OR_COMMENT: Final = re.compile(r'"(?:[^"\\\n]|\\.){0,4000}"|\{[^}]*(?:\}|\Z)|;.*')
_EMPTY_LINE: Final = re.compile(r"\n[ \t]*\n")
FILLER: Final = "\x1f"
"""Stands for each character of a comment: white space between tokens, but no empty line."""

_BEGINS_BOARD: Final = frozenset({"Event", "Board", "Deal", "Play"})
_MAY_FOLLOW_EMPTY_LINE: Final = frozenset({"Auction", "Play", "Note"})
_OF_THE_DEAL: Final = ("Board", "Dealer", "Vulnerable", "Deal")


@dataclass(slots=True)
class RawBoard:
    """A board as it stands in the file."""

    file: str
    text: str
    """The whole file, comments blanked."""
    start: int
    line: int
    """Line of the first tag."""
    tags: dict[str, str] = field(default_factory=dict)
    """Name -> value; of a tag given twice the first counts."""
    at: dict[str, int] = field(default_factory=dict)
    """Name -> where the value begins in ``text``."""
    play: tuple[int, int] | None = None
    """Where the play section begins and ends in ``text``."""
    faults: list[Fault] = field(default_factory=list)

    def place(self, position: int, width: int = 1) -> Place:
        """The place of a position in ``text``."""
        if position < self.start:
            return Place(self.file, self.line)
        column = position - self.text.rfind("\n", 0, position)
        return Place(self.file, self.line + self.text.count("\n", self.start, position), column, width)

    def place_of(self, tag: str) -> Place:
        """The place of a tag's value."""
        return self.place(self.at.get(tag, self.start), max(1, len(self.tags.get(tag, ""))))


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
        for name, value in board.tags.items() if inherits else ():
            if value.startswith("##"):
                board.tags[name] = standing[name] = value[2:]
            elif value == "#":
                board.tags[name] = nearest.get(name, "")
        nearest.update(board.tags)
        for name, value in standing.items():
            board.tags.setdefault(name, value)
        if before is not None and "Contract" in board.at and not board.at.keys() & {"Event", *_OF_THE_DEAL}:
            board.tags.update({name: before.tags[name] for name in _OF_THE_DEAL if name in before.tags})
        yield board
        before = board


def _cut(text: str, file: str) -> Iterator[RawBoard]:
    """The boards as they stand."""
    board = RawBoard(file, text, 0, 1)
    end, last = 0, ""
    for tag in _TAG.finditer(text):
        start = tag.start()
        name, value = tag.groups()
        if start - end > 1 or name in board.tags:
            _close(board, last, end, start)
            if not board.tags or _is_next(board, name, text[end:start]):
                if board.tags or board.faults:
                    yield board
                board = RawBoard(file, text, start, board.line + text.count("\n", board.start, start))
        if name not in board.tags:
            board.tags[name] = value
            board.at[name] = tag.start(2)
        end, last = tag.end(), name
    _close(board, last, end, len(text))
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
