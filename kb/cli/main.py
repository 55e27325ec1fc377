"""The command ``revoke``, and its commands by those they are for."""

from __future__ import annotations

import gc
import sys
from importlib import import_module
from typing import Annotated, Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

from facts import __version__
from facts.errors import did_you_mean
from kb.cli.terminal import at_the_terminal

GROUPS: Final[dict[str, dict[str, tuple[str, str]]]] = {
    "For directors": {
        "rule": ("ruling_commands", "The ruling on what happened at a table."),
        "ask": ("ask_command", "The director's questions, as the desk asks them, until the ruling is certain."),
        "why-not": ("ruling_commands", "Why a clause does not apply, and what would make it apply."),
        "what-if": ("ruling_commands", "The ruling before and after a change of the facts."),
        "unfold": ("ruling_commands", "The ruling after every card and event."),
        "desk": ("desk_command", "The director's desk: the web application."),
    },
    "For editors of the law": {
        "init": ("editing_commands", "A draft amendment to begin with."),
        "check": ("editing_commands", "Every fault of the rule files."),
        "test": ("editing_commands", "The cases written beside the rules."),
        "coverage": ("law_commands", "Each clause of an edition: how it is encoded, and which cases reach it."),
        "compare": ("law_commands", "Which rulings differ between two editions, and by which clause."),
        "prove": ("law_commands", "What is claimed of a law, asked of every situation."),
        "lawbook": ("law_commands", "The readable book made from the rules."),
        "graph": ("law_commands", "Which clauses feed which, and what rests on one alone, as a flowchart in Mermaid."),
        "site": ("law_commands", "Flow, book, chart and exercises as a folder of files for any host."),
        "chart": ("law_commands", "The decision chart of a matter, made from the rules, on one page."),
        "translate": ("editing_commands", "The texts of the rules in a further language, and how many are done."),
        "schema": ("editing_commands", "JSON Schema of the rule files, for completion while they are written."),
    },
    "For trainers": {
        "quiz": ("law_commands", "Exercises with their answers: a sheet, slides, Moodle, Anki."),
    },
    "For programs and archives": {
        "audit": ("archive_commands", "Every revoke in archives of play records, with its ruling."),
        "mcp": ("assistant", "A server for assistants: facts read back, then ruled on. Wants the extra mcp."),
        "verify": ("archive_commands", "Saved rulings checked: every step, every word, and that nothing is missing."),
    },
}
"""For whom each command is; the module where it stands, imported only when it is called; and what it does."""
COMMANDS: Final = {name: command for group in GROUPS.values() for name, command in group.items()}
EXTRAS: Final = ("desk", "mcp")
"""Commands whose packages are installed only when asked for."""


class Commands(TyperGroup):
    """Finds a command's module when it is needed."""

    def main(self, *args: Any, **options: Any) -> Any:
        """Runs the command that is named; whatever it prints is fit for a terminal."""
        return at_the_terminal(lambda: super(Commands, self).main(*args, **options))

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """The commands by those they are for; nothing of them is loaded for it."""
        formatter.write_usage(ctx.command_path, "[-h] [-V] COMMAND ...")
        formatter.write_paragraph()
        formatter.write_text(f"{self.help} «{ctx.command_path} COMMAND -h» tells the options of one.")
        for group, commands in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(name, does) for name, (_, does) in commands.items()])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args[0] not in COMMANDS:
            raise typer.BadParameter(f"there is no command {args[0]}; {did_you_mean(args[0], COMMANDS)}")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of that name; None if there is none."""
        if cmd_name not in COMMANDS:
            return None
        name, (home, does) = cmd_name.replace("-", "_"), COMMANDS[cmd_name]
        try:
            module = import_module(f"kb.cli.{home}")
        except ModuleNotFoundError as missing:
            if cmd_name not in EXTRAS:
                raise
            from importlib.metadata import distribution  # noqa: PLC0415 - no command that is there needs it

            own = distribution("revoke-kb")
            lacking = (one.split(";")[0].strip() for one in own.requires or () if f"extra == '{cmd_name}'" in one)
            pip = "uv pip" if (own.read_text("INSTALLER") or "").strip() == "uv" else "pip"
            how = " ".join((pip, "install", *map(repr, lacking)))
            print(f"{cmd_name} needs packages of its own ({missing.name}): {how}", file=sys.stderr)
            raise typer.Exit(2) from None
        typer_app: typer.Typer | None = getattr(module, f"{name}_app", None)  # the desk has commands of its own
        if typer_app is None:
            typer_app = typer.Typer(add_completion=False)
            typer_app.command()(getattr(module, f"{name}_command"))
        command = get_command(typer_app)
        command.name, command.short_help = cmd_name, does
        return command


app = typer.Typer(
    cls=Commands,
    name="revoke",
    help="Bridge's revoke laws as executable, citable rules.",
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120},
    pretty_exceptions_enable=False,
)


@app.callback()
def _commands(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", "-V", help="Print the version and end.")] = False,
) -> None:
    """Bridge's revoke laws as executable, citable rules."""
    if version:
        print(f"revoke-kb {__version__}")
        raise typer.Exit
    if context.invoked_subcommand is None:
        print(context.get_help())
        raise typer.Exit(2)


def main() -> None:
    gc.set_threshold(50_000)  # nearly all that a command makes stays until its end: seldom look for what does not
    try:
        app(prog_name="revoke")
    finally:
        gc.freeze()  # nor look through it all once more before the process ends
