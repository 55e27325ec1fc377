"""``revoke verify``: whether saved rulings say what the law says of their facts, all of it and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final, Literal

import typer

from facts.errors import Fault, InputError, Place
from kb.cli.options import FORM, RulesOption, refuse, root_of, tell
from kb.verify.document import lines
from kb.verify.verify import Verified, Verifier, verified_json

app = typer.Typer(add_completion=False)
MOST_FAULTS: Final = 20
"""So many faults of one ruling are told one by one."""


@app.command()
def command(
    files: Annotated[
        list[str],
        typer.Argument(help="What «revoke rule --format json» printed; - for standard input.", metavar="RULING..."),
    ],
    edition: Annotated[
        str | None, typer.Option("--edition", help="A draft's folder, for rulings that were given by it.")
    ] = None,
    form: Annotated[Literal["text", "json"], FORM] = "text",
    rules: RulesOption = None,
) -> None:
    """Saved rulings checked by a program that shares no engine with those that gave them."""
    well = True
    for one in verified(files, root_of(rules), edition):
        well = well and one.holds
        if form == "json":
            print(json.dumps(verified_json(one), ensure_ascii=False))
        elif one.holds:
            print(_told(one).replace("\n", "\\n"))
    raise typer.Exit(int(not well))


def verified(files: Sequence[str], root: Path, draft: str | None = None) -> Iterator[Verified]:
    """What comes of checking each ruling of each file; whatever does not hold is told on standard error at once."""
    try:
        verifier = Verifier(root, () if draft is None else (draft,))
    except InputError as error:
        raise refuse(error) from None
    for file in files:
        try:
            for place, text in _some(file):
                one = verifier.verify(text, place)
                _tell(one.faults)
                yield one
        except InputError as error:
            _tell(error.faults)
            yield Verified(error.faults[0].place, error.faults, None)


def _some(file: str) -> Iterator[tuple[Place, bytes]]:
    """Its lines; InputError where there is none, since nothing holds of nothing."""
    found = None
    for found in lines(file):
        yield found
    if found is None:
        raise InputError.of(file, "there is no ruling in it", "give what «revoke rule --format json» printed")


def _told(one: Verified) -> str:
    """«saved.json:1: board 7, duplicate-2017: holds (8 steps, 21 facts, 1 situation)»."""
    assert one.ruling is not None
    board, edition = one.ruling.incident.board, "+".join((one.ruling.edition.id, *one.ruling.edition.elections))
    count = one.looked_at
    seen = [_number(count[name], name) for name in ("steps", "facts", "situations")]
    if count["evidence"]:
        seen.append(f"double dummy on {_number(count['evidence'], 'revokes')} taken as stated")
    named = f"{one.place.file}:{one.place.line}: {'' if board is None else f'board {board}, '}{edition}"
    return f"{named}: holds ({', '.join(seen)})"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what.removesuffix('s') if count == 1 else what}"


def _tell(faults: Sequence[Fault]) -> None:
    tell(faults[:MOST_FAULTS])
    if len(faults) > MOST_FAULTS:
        tell([replace(faults[0], what=f"and {len(faults) - MOST_FAULTS} more things do not hold")])
