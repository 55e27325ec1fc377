"""The command ``revoke``: one small module for each of its commands, imported only when it is called."""

from __future__ import annotations

import gc
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

from kb.cli.terminal import at_the_terminal

COMMANDS: Final = {
    "rule": "The ruling on what happened at a table.",
    "init": "A draft amendment to begin with.",
    "check": "Every fault of the rule files.",
    "test": "The cases written beside the rules.",
    "why-not": "Why a clause does not apply, and what would make it apply.",
    "what-if": "The ruling before and after a change of the facts.",
    "equity": "What double dummy gives without each revoke, card by legal card.",
    "unfold": "The ruling after every card and event.",
    "ask": "The director's questions, as few as can be, until the ruling is certain.",
    "chart": "The decision chart made from the rules, on one page.",
    "quiz": "Exercises with their answers: a sheet, slides, Moodle, Anki.",
    "compare": "Which rulings differ between two editions, and by which clause.",
    "prove": "What is claimed of a law, asked of every situation.",
    "coverage": "Each clause of an edition: how it is encoded, and which cases reach it.",
    "verify": "Saved rulings checked: every step, every word, and that nothing is missing.",
    "translate": "The texts of the rules in a further language, and how many are done.",
    "schema": "JSON Schema of the rule files, for completion while they are written.",
    "lawbook": "The readable book made from the rules.",
    "audit": "Every revoke in archives of play records, with its ruling.",
    "desk": "The director's desk: the web application.",
}
"""Each command and what it does; its module has the same name."""


class Commands(TyperGroup):
    """Finds a command's module when it is needed."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Runs the command that is named; whatever it prints is fit for a terminal."""
        return at_the_terminal(lambda: super(Commands, self).main(*args, **options))

    def list_commands(self, ctx: Any) -> list[str]:
        """The commands, in the order of the list above."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        app: typer.Typer = import_module(f"kb.cli.{cmd_name.replace('-', '_')}").app
        command = get_command(app)
        command.name, command.short_help = cmd_name, COMMANDS[cmd_name]
        return command


app = typer.Typer(
    cls=Commands,
    name="revoke",
    help="Bridge's revoke laws as executable, citable rules.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)


def _tell_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version  # noqa: PLC0415 - no ruling needs it

        print(f"revoke-kb {version('revoke-kb')}")
        raise typer.Exit


@app.callback()
def _commands(
    version: Annotated[
        bool, typer.Option("--version", callback=_tell_version, is_eager=True, help="Print the version and end.")
    ] = False,
) -> None:
    """Bridge's revoke laws as executable, citable rules."""


def main() -> None:
    """Runs the command line."""
    gc.set_threshold(50_000)  # nearly all that a command makes stays until its end: seldom look for what does not
    try:
        app(prog_name="revoke")
    finally:
        gc.freeze()  # nor look through it all once more before the process ends
