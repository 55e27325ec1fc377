"""What the commands on incidents share: the law, the words, and each board of each file in turn."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from facts.errors import EngineError, Fault, InputError
from facts.incident import Incident
from facts.observe.observe import denied
from facts.readers.archives import read_file
from facts.table import Table
from kb.cli.options import language, refuse, root_of, tell
from kb.engine import EngineName
from kb.explain.say import Speaker
from kb.explain.words import load_words
from kb.language.folders import DEFAULT_EDITION
from kb.ruling.law import OF_THE_DAY, Laws, default_engine
from kb.ruling.rule import rule
from kb.ruling.ruling import Ruling


class Boards:
    """Files of boards to be ruled on under one choice of options; ends the command with status 2 if that is wrong."""

    def __init__(
        self,
        rules: Path | None,
        lang: str,
        engine: EngineName | None,
        edition: str | None = None,
        elections: Sequence[str] | None = None,
    ) -> None:
        self.laws = Laws(root_of(rules), engine_named(engine))
        self.lang = lang
        self.asked, self.elections = edition, tuple(elections or ())
        self.edition = None if edition == OF_THE_DAY else edition
        try:
            law = self.laws.of(self.edition or DEFAULT_EDITION, () if self.edition is None else self.elections)
            self.words = load_words(self.laws.root, law.edition.vocabulary)
        except InputError as error:
            raise refuse(error) from None
        language(lang, self.words, law.edition)

    def tables(self, named: str | None) -> Table:
        """What can be said under the edition asked for, or else under the one that a file names."""
        return self.laws.table(named if self.edition is None else self.edition)

    def speaker(self, ruling: Ruling) -> Speaker:
        """Says rulings of this one's edition."""
        return Speaker(self.words, ruling.edition.vocabulary, self.lang)

    def ruled(self, incident: Incident, equity: bool = False) -> Ruling:
        """The ruling, with double-dummy evidence if asked for; InputError when there can be none."""
        law = self.laws.for_incident(incident)
        if not equity:
            return rule(law, incident)
        from kb.ruling.equity import rule_with_evidence  # noqa: PLC0415 - it loads what most rulings do not need

        return rule_with_evidence(law, incident)

    def each(self, files: Sequence[str], act: Callable[[Incident], None]) -> bool:
        """Acts on every board; tells what is wrong with any, and gives whether all went well."""
        well = True
        for incident in self._incidents(files):
            try:
                if isinstance(incident, InputError):
                    raise incident
                if denied(incident):
                    tell([_denial(incident)])
                act(incident)
            except InputError as error:
                well = False
                tell(error.faults)
            except EngineError as error:
                well = False
                place = f"{incident.place}: " if isinstance(incident, Incident) else ""
                print(f"{place}{error}", file=sys.stderr)
        return well

    def _incidents(self, files: Sequence[str]) -> Iterator[Incident | InputError]:
        for file in files:
            for incident in read_file(file if file == "-" else Path(file), self.tables):
                yield incident if isinstance(incident, InputError) else self._under(incident)

    def _under(self, incident: Incident) -> Incident | InputError:
        try:
            return self.laws.under(incident, self.asked, self.elections)
        except InputError as error:
            return error


def _denial(incident: Incident) -> Fault:
    what = f"its cards deny the result of this record, {incident.tricks} tricks"
    return Fault(incident.place, what, "it is ruled on without it")


def engine_named(asked: EngineName | None) -> EngineName:
    """The engine asked for, or the default, saying on standard error when that is not durable-rules."""
    if asked is not None:
        return asked
    name, why = default_engine()
    if why:
        print(why, file=sys.stderr)
    return name
