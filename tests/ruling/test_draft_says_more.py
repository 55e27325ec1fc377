"""An editor adds a fact without a line of Python: a draft with a finding, an event and clauses of its own, everywhere."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.checking import check
from support.json_schema import accepts
from support.ruling import ROOT, laws
from typer.testing import CliRunner

from facts.errors import InputError
from facts.readers.changes import all_changed
from facts.readers.incident_file import read_incident
from facts.yaml_reader import read_yaml
from kb.cli.main import app
from kb.engine.proof import proof_faults
from kb.interview.adviser import Counsel
from kb.ruling.laws import Law
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling

DRAFT = Path(__file__).parent / "first-tournament"
"""First tournament is presumed no; 64B9 exempts by it, and 64B10 by a lead that was accepted."""
TEMPO = {
    "edition.yaml": """
edition: slowly
title: {en: A draft, de: Ein Entwurf}
authority: a test
in-force: "2030"
amends: duplicate-2017
""",
    "vocabulary.yaml": """
words:
  tempo:
    slow: {en: slowly,  de: langsam}
    fast: {en: quickly, de: schnell}
kinds:
  tempo:
    fields: {trick: integer, hand: seat, how: tempo}
    says: {en: "{hand} played {how}", de: "{hand} spielte {how}"}
""",
    "table.yaml": """
findings:
  tempo:
    is: [slow, fast]
    means: {en: "how he played", de: "wie er spielte"}
    asks:  {en: "How did he play?", de: "Wie spielte er?"}
    about: {en: "he played", de: "er spielte"}
    answers:
      slow: {says: {en: "slowly", de: "langsam"}}
      fast: {says: {en: "quickly", de: "schnell"}}
    not-stated: unknown
    states: {tempo: {trick: $trick, hand: $hand, how: $value}}
""",
    "law-64.yaml": """
law: "64"
clauses:
  "64B9":
    new: true
    says: {en: "No automatic trick for who plays slowly.", de: "Kein automatischer Stich für langsames Spiel."}
    encoded-as: rules
    rules:
      - when:
          - liable: {play: $p, trick: $t, hand: $h}
          - tempo:  {trick: $t, hand: $h, how: slow}
        then: {exempt: {play: $p, trick: $t, hand: $h}}
        because: {en: "{h} played slowly to trick {t}.", de: "{h} spielte zu Stich {t} langsam."}
""",
}
"""A draft with a list of words of its own."""
ORDINARY = "contract: 4S\ndeclarer: S\nrevokes:\n  - {hand: W, trick: 5, won-by: W, later-tricks: 2}\n"
BEGINNER = ORDINARY.replace("later-tricks: 2", "later-tricks: 2, first-tournament: true")
ACCEPTED = ORDINARY + "events:\n  - lead-accepted: {by: N}\n"


def ruled(text: str, engine: Any = "quick") -> Ruling:
    """A file that names the draft."""
    incident = read_incident(f"edition: {DRAFT}\n{text}", "f", laws(engine).table)
    return rule(laws(engine).for_incident(incident), incident)


def revoke(*args: str, text: str = "") -> str:
    done = CliRunner().invoke(app, [*args], input=text)
    assert done.exit_code in {0, 3}, (done.stdout, done.stderr)  # 3: it hinges on something
    return done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize("engine", ["quick", "durable"])
def test_in_a_file(engine: str) -> None:
    plain, beginner, accepted = (ruled(text, engine) for text in (ORDINARY, BEGINNER, ACCEPTED))
    assert plain.transfer == {"NS": 2, "EW": 0}
    assert [one.key[1] for one in plain.presumed][-1] == "first-tournament"
    assert plain.presumed[-1].laws == ("64B9",)
    for ruling, law in ((beginner, "64B9"), (accepted, "64B10")):
        assert ruling.transfer == {"NS": 0, "EW": 0}
        assert [one.exempt_by for one in ruling.revokes] == [(law,)]
        assert law in ruling.cited
    assert "first-tournament" not in [one.key[1] for one in beginner.presumed]


def test_nobody_else_can_say_it() -> None:
    for text in (BEGINNER, ACCEPTED):
        with pytest.raises(InputError, match=r"'first-tournament' is no key here|there is no event lead-accepted"):
            read_incident(text, "f", laws().table)


@pytest.mark.thorough
@pytest.mark.parametrize("engine", ["quick", "durable"])
def test_on_the_command_line_under_a_file_that_names_no_law(engine: str) -> None:
    by = ("rule", "-", "--edition", str(DRAFT), "--engine", engine)
    told = revoke(*by, text=ORDINARY)
    assert "2 tricks to North–South." in told and "s first tournament. [Law 64B9]" in told
    told = revoke(*by, "--lang", "de", text=BEGINNER)
    assert "Es war das erste Turnier von West" in told and "[§ 64B9]" in told
    found = json.loads(revoke(*by, "--format", "json", text=ORDINARY))
    assert {"fact": "it was not the player's first tournament", "law": ["64B9"]} in found["presumed"]
    assert revoke(*by, "--format", "html", text=ACCEPTED).count("64B10") >= 1


@pytest.mark.thorough
def test_in_the_proof() -> None:
    ruling = ruled(BEGINNER)
    step = ruling.proof.first_step(next(iter(ruling.proof.facts("exempt"))))
    assert step is not None and step.rule.clause == "64B9"
    assert ("first-tournament", 5, "W") in step.premises
    assert [*proof_faults(ruling.proof)] == []
    assert "It was West's first tournament" in revoke(
        "rule", "-", "--edition", str(DRAFT), "--voice", "editor", text=BEGINNER
    )


@pytest.mark.thorough
def test_check_finds_no_fault_and_that_nobody_can_state_a_kind(tmp_path: Path) -> None:
    assert check(ROOT, DRAFT) == []
    assert revoke("check", str(DRAFT)) == "0 faults\n"
    draft = Path(shutil.copytree(DRAFT, tmp_path / "first-tournament"))
    table = (draft / "table.yaml").read_text("utf-8")
    for state in (
        '    "yes": {first-tournament: {trick: $trick, hand: $hand}}\n',
        "    states: {lead-accepted: {side: $by-side, at: $at}}\n",
    ):
        assert state in table
        (draft / "table.yaml").write_text(table.replace(state, ""), "utf-8")
        (fault,) = check(ROOT, draft)
        kind = "first-tournament" if "first-tournament" in state else "lead-accepted"
        assert "can never fire" in fault.what
        assert fault.mend.endswith(f"let a finding or an event of table.yaml state {kind}")


@pytest.mark.thorough
def test_in_the_schema_of_incidents(tmp_path: Path) -> None:
    def allowed(text: str, *args: str) -> bool:
        revoke("schema", "--write", str(tmp_path), *args)
        return accepts(json.loads((tmp_path / "incident.json").read_text("utf-8")), read_yaml(text, "f").plain())

    assert all(allowed(text, "--edition", str(DRAFT)) for text in (ORDINARY, BEGINNER, ACCEPTED))
    assert [allowed(text) for text in (ORDINARY, BEGINNER, ACCEPTED)] == [True, False, False]


@pytest.mark.thorough
def test_as_a_change() -> None:
    plain, tables = ruled(ORDINARY).incident, laws().table
    for changes, law in ((["first-tournament=true"], "64B9"), (["+lead-accepted:by=N"], "64B10")):
        changed = all_changed(plain, changes, tables)
        assert law in rule(laws().for_incident(changed), changed).cited
        told = revoke("what-if", "-", *changes, "--edition", str(DRAFT), text=ORDINARY)
        assert f"New: Law {law}" in told


@pytest.mark.thorough
def test_why_not() -> None:
    told = revoke("why-not", "-", "64B9", "--edition", str(DRAFT), text=ORDINARY)
    assert "It would if his first tournament: yes." in told
    assert "Lacking: North–South accepted a lead" in revoke(
        "why-not", "-", "64B10", "--edition", str(DRAFT), text=ORDINARY
    )


@pytest.mark.thorough
def test_it_is_asked() -> None:
    counsel = Counsel.of(Law(DRAFT, rules=ROOT, engine="quick"))
    asked = counsel.interview.questions["first-tournament"]
    assert (asked.asks["en"], asked.answers["yes"].says["de"]) == ("Was it his first tournament?", "ja")
    diagram, number = counsel.adviser.diagram, counsel.adviser.number["first-tournament"]
    assert number in {diagram.question[node] for node in diagram.below(diagram.mattering(counsel.adviser.whole))}
    established = counsel.universe.by_answer[number]["yes"] & counsel.universe.by_answer[0]["defender"]
    ruling = counsel.ruling(counsel.universe.answers(counsel.universe.plainest(established)))
    assert "64B9" in [law for one in ruling.revokes for law in one.exempt_by]


@pytest.mark.thorough
def test_in_the_law_book() -> None:
    book = revoke("lawbook", str(DRAFT))
    assert "64B9" in book and "No automatic trick in a player's first tournament." in book
    assert "first tournament" in book.split("64B9", 2)[2]


@pytest.mark.thorough
def test_words_of_its_own(tmp_path: Path) -> None:
    """A list of words with how each is said, and a finding that states one of them."""
    for name, text in TEMPO.items():
        (tmp_path / name).write_text(text, "utf-8")
    slow = ORDINARY.replace("later-tricks: 2", "later-tricks: 2, tempo: slow")
    assert "How did he play?" in revoke("rule", "-", "--edition", str(tmp_path), text=ORDINARY)
    told = revoke("rule", "-", "--edition", str(tmp_path), "--format", "json", "--lang", "de", text=slow)
    assert "64B9" in told and "West spielte langsam" in told
    (tmp_path / "vocabulary.yaml").write_text(TEMPO["vocabulary.yaml"].replace(",  de: langsam", ""), "utf-8")
    assert [fault.what for fault in check(ROOT, tmp_path)] == ["the text in de is missing"]


@pytest.mark.thorough
def test_what_it_changes() -> None:
    """Compared with the edition that it amends, on every situation; the new finding is one more question."""
    told = revoke("compare", "duplicate-2017", str(DRAFT))
    assert "  - 64B9: milder in " in told and "his first tournament: yes" in told
    assert "Without effect of their own on any situation or case: 64B10." in told


@pytest.mark.thorough
def test_findings_that_come_to_too_many_ways_are_told_before_they_are_laid_out(tmp_path: Path) -> None:
    """Ten that are asked only if the next trick was led, of which nothing is said."""
    said, names = "en: x, de: x", [f"told-{number}" for number in range(10)]
    finding = f"{{is: 0..12, means: {{{said}}}, asks: {{{said}}}, about: {{{said}}}, when: {{next-trick: led}}, not-stated: unknown"
    files = {
        "edition.yaml": TEMPO["edition.yaml"],
        "table.yaml": "findings:\n" + "".join(f"  as-{one}: {finding}, states: {{{one}: {{n: $value}}}}}}\n" for one in names),
        "vocabulary.yaml": "kinds:\n" + "".join(f"  {one}: {{fields: {{n: integer}}, says: {{{said}}}}}\n" for one in names),
        "law-64.yaml": f'law: "64"\nclauses:\n  "64B9":\n    new: true\n    says: {{{said}}}\n    encoded-as: rules\n    rules:\n'
        + "".join(f"      - when: [{{{one}: {{n: 20}}}}, {{revoke: {{play: $p, trick: $t, hand: $h}}}}]\n        then: {{exempt: {{play: $p, trick: $t, hand: $h}}}}\n        because: {{{said}}}\n" for one in names),
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    half = "contract: 4S\ndeclarer: S\nrevokes:\n  - {hand: W, trick: 5, suit: H, card: S4, won-by: W}\n"
    law = Law(tmp_path, (), ROOT, "quick")
    with pytest.raises(InputError, match="there are more than 2,000,000 ways of filling in what is not said"):
        rule(law, read_incident(half, "half.yaml", lambda _: law.edition.table))
