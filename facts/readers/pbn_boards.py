"""PBN files cut into boards: tags with their values, and the text of the play section."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import IncrementalNewlineDecoder
from typing import Final

from facts.errors import Fault, Place
from facts.remembered import Remembered

_VALUE: Final = r'"[^"\\\n]*+(?:\\.[^"\\\n]*+)*+"'
_TAG: Final = re.compile(r'\[\s*+([A-Za-z]\w*+)\s*+"([^"\\\n]*+(?:\\.[^"\\\n]*+)*+)"\s*+\]')
_BETWEEN: Final = re.compile(r"\][^\[]*\[([A-Za-z]\w*) ")
_ESCAPED_LINE: Final = re.compile(r"%(?<![^\n]%).*")
_TEXT_OR_COMMENT: Final = re.compile(rf"{_VALUE}|\{{[^}}]*+(?:\}}|\Z)|;.*")
_BLANKS: Final = re.compile(r"(?<=\n)[ \t]+(?=\n)")
_LIMIT: Final = re.compile(
    r"(?<![ \t\n])\n\n[ \t\n]*+"  # begun once in each run of white space: linear in its length
    rf'(?=\[\s*(?!(?:Auction|Play|Note)\s*")[A-Za-z]\w*\s*{_VALUE}\s*\])'
)
"""Whatever went before, a board ends here: an empty line, then a tag that begins no section."""
FILLER: Final = "\x1f"
"""Stands for each character of a comment: white space between tokens, but no empty line."""

_LONG: Final = 100_000
"""Characters of a board that is looked at more carefully."""
_BEGINS_BOARD: Final = frozenset({"Event", "Board", "Deal", "Play"})
_MAY_FOLLOW_EMPTY_LINE: Final = frozenset({"Auction", "Play", "Note"})
_OF_THE_DEAL: Final = ("Board", "Dealer", "Vulnerable", "Deal")
_NAMES_DEAL: Final = frozenset({"Event", *_OF_THE_DEAL})
_READ: Final = (*_OF_THE_DEAL, "Date", "Contract", "Declarer", "Result", "Auction", "Play")


def _name_after(between: str) -> str:
    """From all that stands between the values of two tags to the name of the second; ValueError if that is more."""
    found = _BETWEEN.fullmatch(between)
    if found is None:
        raise ValueError
    return found[1]


_NAME_AFTER: Final = Remembered(_name_after)


@dataclass(slots=True)
class PbnBoard:
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
    play: str | None = None
    """What stands between the Play tag and the next."""
    auction: str | None = None
    play_start: int | None = None
    """Where the play section begins in ``text``; None: after the only Play tag."""
    faults: list[Fault] = field(default_factory=list)

    def place(self, position: int, width: int = 1) -> Place:
        """The place of a position in ``text``."""
        if position < self.start:
            return Place(self.file, self.line)
        column = position - self.text.rfind("\n", 0, position)
        return Place(self.file, self.line + self.text.count("\n", self.start, position), column, width)

    def place_in_play(self, position: int, width: int = 1) -> Place:
        """The place of a position in the play section."""
        if self.play_start is None:
            self.play_start = self.text.index("]", self.text.index('[Play "', self.start)) + 1
        return self.place(self.play_start + position, width)

    def place_of(self, tag: str) -> Place:
        """The place of a tag's value; of the board where the value is inherited."""
        found = re.compile(rf'\[\s*{tag}\s*"').search(self.text, self.start, self.end)
        value = self.tags.get(tag, "")
        if found is None or not self.text.startswith(value, found.end()):
            return self.place(self.start)
        return self.place(found.end(), max(1, len(value)))


def boards_of(text: str, file: str) -> Iterator[PbnBoard]:
    """The boards of a file, inherited tag values filled in.

    A board ends at an empty line or where a tag that begins one comes again. ``#`` takes the value of the board before,
    ``##value`` holds for all boards after it that do not say otherwise. A further table at the same board may leave out
    everything about the deal: it is that of the board before.
    """
    nearest: dict[str, str] = {}
    standing: dict[str, str] = {}
    before: PbnBoard | None = None
    inherits = '"#' in text
    for board in _cut(_blanked(text), file):
        own = board.tags.keys()
        if before is not None and "Contract" in own and own.isdisjoint(_NAMES_DEAL):
            board.tags.update({name: before.tags[name] for name in _OF_THE_DEAL if name in before.tags})
        if inherits:
            _inherit(board, nearest, standing)
        yield board
        before = board


def _inherit(board: PbnBoard, nearest: dict[str, str], standing: dict[str, str]) -> None:
    tags = board.tags
    for name in _READ:
        value = tags.get(name)
        if value is None:
            if name in standing:
                tags[name] = standing[name]
            continue
        if value.startswith("##"):
            value = tags[name] = standing[name] = value[2:]
        elif value == "#":
            value = tags[name] = nearest.get(name, "")
        nearest[name] = value


def _cut(text: str, file: str) -> Iterator[PbnBoard]:
    """The boards as they stand. An empty line before a tag that does not belong to the board is their limit."""
    start, line, counted = 0, 1, 0
    while start < len(text):
        empty_line = text.find("\n\n", start)
        limit = _limit(text, empty_line)
        end, after = limit.span() if limit else (len(text), len(text))
        line, counted = line + text.count("\n", counted, start), start
        short = empty_line in (end, -1) and end - start < _LONG
        plain = _plain(text, file, start, end, line) if short else None
        if plain is not None:
            yield plain
        else:
            yield from _cut_slowly(text, file, start, end, line)
        start = after


def _limit(text: str, empty_line: int) -> re.Match[str] | None:
    """The first limit from an empty line on."""
    while empty_line >= 0:
        if limit := _LIMIT.match(text, empty_line):
            return limit
        empty_line = text.find("\n\n", empty_line + 1)
    return None


def _plain(text: str, file: str, start: int, end: int, line: int) -> PbnBoard | None:
    """The one board between two limits, if it is nothing but whole tags, each once, with sections between."""
    block = text[start:end]
    pieces = f'"]{block}'.split('"')
    values = pieces[2::2]
    try:
        names = list(map(_NAME_AFTER.__getitem__, pieces[1:-1:2]))
    except ValueError:
        return None
    tags = dict(zip(names, values))  # noqa: B905 - where they are not as many this is no plain board
    all_values = "".join(values)
    if (
        (len(names) != len(tags) and len(names) - len(tags) != names.count("Note") - 1)
        or len(names) != len(values)
        or pieces[-1][:1] != "]"
        or "[" in pieces[-1]
        or block[:1] != "["
        or "{" in block
        or "\n" in all_values
        or ("\\" in all_values and '\\"' in block)
    ):
        return None
    play = _after(pieces, names.index("Play")) if "Play" in tags else None
    auction = _after(pieces, names.index("Auction")) if "Auction" in tags else None
    return PbnBoard(file, text, start, end, line, tags, play, auction)


def _after(pieces: list[str], tag: int) -> str:
    """What stands between a tag and the next."""
    return pieces[2 * tag + 3][1:].partition("[")[0]


def _cut_slowly(text: str, file: str, begin: int, limit: int, line: int) -> Iterator[PbnBoard]:
    """The boards between two limits, however they stand."""
    board = PbnBoard(file, text, begin, limit, line)
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
                board = PbnBoard(file, text, start, limit, board.line + text.count("\n", board.start, start))
        board.tags.setdefault(name, value)
        end, last = tag.end(), name
    _close(board, last, end, limit)
    if board.tags or board.faults:
        yield board


def _is_next(board: PbnBoard, name: str, gap: str) -> bool:
    if name in board.tags:
        return name in _BEGINS_BOARD or (name != "Note" and "\n\n" in gap)
    return name not in _MAY_FOLLOW_EMPTY_LINE and "\n\n" in gap


def _close(board: PbnBoard, tag: str, start: int, end: int) -> None:
    """Takes note of the text that stands between a tag and the next."""
    if tag == "Play" and board.play is None:
        board.play, board.play_start = board.text[start:end], start
    if tag == "Auction" and board.auction is None:
        board.auction = board.text[start:end]
    if (bracket := board.text.find("[", start, end)) >= 0:
        mend = 'write a tag as [Name "value"]'
        board.faults.append(Fault(board.place(bracket), "this is not a whole tag", mend))
    if (brace := board.text.find("{", start, end)) >= 0:
        board.faults.append(Fault(board.place(brace), "this comment is not closed", "end it with }"))


def _blanked(text: str) -> str:
    text = IncrementalNewlineDecoder(None, translate=True).decode(text, final=True).replace("\x1a", "")
    if "%" in text:
        text = _ESCAPED_LINE.sub(_fill, text)
    if "{" in text or ";" in text:
        text = _TEXT_OR_COMMENT.sub(lambda found: found[0] if found[0][0] == '"' else _fill(found), text)
    if "\n " in text or "\t" in text:
        text = _BLANKS.sub("", text)
    return text


def _fill(found: re.Match[str]) -> str:
    """The same lines and columns; an open brace stays where the comment has no end."""
    filled = "\n".join(FILLER * max(1, len(part)) for part in found[0].split("\n"))
    return "{" + filled[1:] if found[0][0] == "{" and found[0][-1] != "}" else filled
