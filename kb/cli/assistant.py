"""``revoke mcp``: a server for assistants, which rules on nothing that was not read back to a person before."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, TypedDict

from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.tools import Tool
from mcp.types import ToolAnnotations
from pydantic import Field

from facts import __version__
from facts.errors import InputError, did_you_mean
from facts.readers.incident_file import read_incident
from facts.to_yaml import plain
from kb.cli.common import Boards, EditionOption, ElectionOption, LangOption, RulesOption
from kb.explain.as_text import discretion, now, why
from kb.explain.headline import headline
from kb.explain.hinge import conditions, hinge, presumed
from kb.explain.page import Line, as_text, with_law
from kb.explain.words import Speaker
from kb.language.cache import digest
from kb.ruling.ruling import Ruling
from kb.voices import case_told
from kb.why_not.what_if import difference_lines, what_if
from kb.why_not.what_if import headline_lines as both_told
from kb.why_not.why_not import answer_page as why_not_page
from kb.why_not.why_not import why_not

ABOUT = "Rulings on revokes at bridge. Call read_back first, show a person its sentences; tell only what is answered."
Facts = Annotated[str, Field(description="An incident in YAML, as docs/incident-file.md has it.", max_length=20_000)]
Confirmed = Annotated[str, Field(description="The word of read_back, once a person has agreed to its sentences.")]
ReadBack = TypedDict("ReadBack", {"law": str, "said": list[str], "taken-for-granted": list[str], "confirmed": str})
Ruled = TypedDict(
    "Ruled",
    {"law": str, "headline": str, "why": list[str], "now": list[str], "not-known": list[str], "to-judge": list[str],
     "receipt": str},
)  # fmt: skip


def mcp_command(
    edition: EditionOption = None,
    election: ElectionOption = None,
    lang: LangOption = "en",
    rules: RulesOption = None,
) -> None:
    """A server for assistants (Model Context Protocol) on standard input and output: facts read back, then rulings."""
    Server(Tools(Boards(rules, lang, None, edition, election))).run()


class Server(FastMCP):
    """Of these tools; one that gets an argument which it does not have refuses it, instead of answering without it."""

    def __init__(self, tools: Tools) -> None:
        hints = ToolAnnotations(readOnlyHint=True, openWorldHint=False)
        functions = (tools.read_back, tools.rule, tools.why_not, tools.what_if, tools.questions, tools.law)
        made = [Tool.from_function(function, annotations=hints) for function in functions]
        self.takes: dict[str, Mapping[str, Any]] = {tool.name: tool.parameters["properties"] for tool in made}
        for tool in made:
            tool.parameters["additionalProperties"] = False
        super().__init__("revoke-kb", ABOUT, log_level="CRITICAL", tools=made)
        self._mcp_server.version = __version__  # FastMCP asks for none, and gives its own

    async def call_tool(self, name: str, arguments: dict[str, Any]) -> Any:
        takes = self.takes.get(name, arguments)
        for argument in arguments.keys() - takes.keys():
            mend = f"{did_you_mean(argument, takes)}; edition and lang are options of revoke mcp"
            raise InputError.of(name, f"there is no argument {argument}", mend)
        return await super().call_tool(name, arguments)


class Tools:
    """What an assistant may ask; what goes wrong is told with its place and how to mend it."""

    def __init__(self, boards: Boards) -> None:
        self.boards = boards

    def read_back(self, facts: Facts) -> ReadBack:
        """What is understood of the facts, in sentences for a person to confirm, and what is taken for granted."""
        ruling, speaker = self._ruled(facts)
        return {
            "law": ruling.law_called(speaker.lang),
            "said": [*case_told(ruling, speaker)],
            "taken-for-granted": _lines(presumed(ruling, speaker), speaker),
            "confirmed": _word(ruling),
        }

    def rule(self, facts: Facts, confirmed: Confirmed) -> Ruled:
        """What it comes to, why, what is done now, what is not known, what the director judges, with each law."""
        ruling, speaker = self._ruled(facts, confirmed)
        return {
            "law": ruling.law_called(speaker.lang),
            "headline": headline(ruling, speaker),
            "why": _lines(why(ruling, speaker), speaker),
            "now": _lines(now(ruling, speaker), speaker),
            "not-known": _lines([*hinge(ruling, speaker, 1), *conditions(ruling, speaker)], speaker),
            "to-judge": _lines((line for part in discretion(ruling, speaker) for line in part.lines), speaker),
            "receipt": ruling.receipt,
        }

    def why_not(self, facts: Facts, confirmed: Confirmed, clause: str) -> str:
        """Why a clause does not apply, and the fewest things that would have to be otherwise."""
        ruling, speaker = self._ruled(facts, confirmed)
        ruling.edition.clause(clause)
        page = why_not_page(ruling, why_not(ruling, clause), speaker)
        return f"{ruling.law_called(speaker.lang)}\n\n{as_text(page, speaker)}"

    def what_if(self, facts: Facts, confirmed: Confirmed, changes: list[str]) -> list[str]:
        """What the ruling would be instead, with changes such as won-by=W, noticed=not-yet, edition=duplicate-2007."""
        both = what_if(self._ruled(facts, confirmed)[0], changes, self.boards.tables, self.boards.ruled)
        old, new = (self.boards.speaker(ruling).of(ruling) for ruling in (both.before, both.after))
        lines = [*both_told(both, old, new), *difference_lines(both, new)]
        return [both.after.law_called(new.lang), *_lines(lines, new)]

    def questions(self, facts: Facts, confirmed: Confirmed) -> list[str]:
        """The questions on which the ruling hinges, with what follows from each answer."""
        ruling, speaker = self._ruled(facts, confirmed)
        lines = _lines([*hinge(ruling, speaker), *conditions(ruling, speaker)], speaker)
        return [ruling.law_called(speaker.lang), *(lines or [speaker.phrase("nothing-open")])]

    def law(self, clause: str) -> str:
        """What a clause says, in our own words, and whether its text was seen or is only recalled."""
        edition, lang = self.boards.law.edition, self.boards.lang
        law_clause = edition.clause(clause)
        seen = "recalled" if law_clause.recalled else "seen"
        return f"{edition.called(lang)}, {clause}: {law_clause.says[lang]} ({seen})"

    def _ruled(self, facts: str, confirmed: str | None = None) -> tuple[Ruling, Speaker]:
        """The ruling on facts that are only read back, or that have been confirmed; InputError for any others."""
        incident = read_incident(facts, "facts", self.boards.tables)
        ruling = self.boards.ruled(self.boards.laws.under(incident, self.boards.asked, self.boards.elections))
        if confirmed not in (None, _word(ruling)):
            raise InputError.of("confirmed", "these facts were not confirmed", "call read_back, and let a person agree")
        return ruling, self.boards.speaker(ruling).of(ruling)


def _word(ruling: Ruling) -> str:
    """By which facts are confirmed: it changes with any of them, and with the law."""
    return digest([ruling.edition.id, *ruling.edition.elections, repr(plain(ruling.incident))])


def _lines(lines: Iterable[Line], speaker: Speaker) -> list[str]:
    return [text for line in lines for text in (with_law(speaker, line), *_lines(line.under, speaker))]
