"""What docs/architecture.md promises: a format, a voice and a check are a file or two, and nothing else breaks."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.house import House

pytestmark = pytest.mark.thorough

SHORT = '''\
"""Boards on one line each: ``! 4S S W 5 H S4``, contract, declarer, then hand, trick, suit and card of a revoke."""

from __future__ import annotations

from collections.abc import Iterator

from facts.errors import Fault, InputError, Place
from facts.incident import Incident
from facts.readers.incident_file import read_incident


def read_short(text: str, file: str) -> Iterator[Incident | InputError]:
    """Each line in turn; one that cannot be read is an InputError and loses no other."""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            _, contract, declarer, hand, trick, suit, card = line.split()
        except ValueError:
            yield InputError([Fault(Place(file, number), "this is no board", "write ! 4S S W 5 H S4")])
            continue
        found = f"{{hand: {hand}, trick: {trick}, suit: {suit}, card: {card}, won-by: {hand}, later-tricks: 2}}"
        yield read_incident(f"contract: {contract}\\ndeclarer: {declarer}\\nrevokes: [{found}]\\n", file)
'''
FORMAT = '    Format("short", (".short",), re.compile(rb"\\A!"), read_short),\n'
IMPORT = "from facts.readers.short import read_short\n"
DESK_TAKES_IT = """\
import pytest

from support.desk_pages import Visitor
from desk.conftest import visitor

BOARD = "! 4S S W 5 H S4"


def test_typed_sent_and_kept(visitor: Visitor) -> None:
    word = visitor.rule(BOARD)
    assert "Two tricks to North–South" in visitor.go("/ruling", f=word).text
    kept = visitor.send(visitor.go("/keep", f=word), "/keep", note="by line")
    assert BOARD in kept.text
    ruled = visitor.client.post("/api/rule", json={"text": BOARD}).json()["rulings"]
    assert ruled[0]["transfer"] == {"NS": 2, "EW": 0}
    assert ".short" in visitor.go("/record").source
"""


def test_a_file_format_is_a_reader_and_an_entry(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.new("facts/readers/short.py", SHORT)
    house.insert("facts/readers/archives.py", IMPORT, before="from facts.readers.lin import")
    house.insert("facts/readers/archives.py", FORMAT, before='    Format("pbn"')
    assert len(house.touched) == 2

    record = tmp_path / "a.short"
    record.write_text("! 4S S W 5 H S4\n! 4S S E 4 H S5\n")
    unnamed = tmp_path / "a"
    unnamed.write_text("! 4S S W 5 H S4\n")
    assert house.revoke("rule", str(record)).count("Receipt") == 2
    assert "2 tricks to North–South" in house.revoke("rule", str(unnamed))
    assert '"board"' in house.revoke("audit", str(tmp_path / "a.short"), "--format", "jsonl")

    house.new("tests/desk/test_short.py", DESK_TAKES_IT)
    house.test("tests/desk/test_short.py", "tests/facts/test_read_files.py")


NOTE = '''\
"""The ruling for a note on the score: its headline and nothing else."""

from __future__ import annotations

from kb.explain.headline import headline
from kb.explain.page import Line, Page
from kb.explain.words import Speaker
from kb.ruling.ruling import Ruling


def note(ruling: Ruling, speaker: Speaker) -> Page:
    """One line."""
    return Page("", (Line(f"NB: {headline(ruling, speaker)}"),))
'''
NOTE_IMPORT = "from kb.note import note\n"
DESK_OFFERS_IT = """\
from support.desk_pages import INCIDENT, Visitor
from desk.conftest import visitor


def test_offered_and_heard(visitor: Visitor) -> None:
    page = visitor.go("/explain", f=visitor.rule(INCIDENT), voice="note")
    assert "on the score" in page.text and "NB: " in page.text
    ruled = visitor.client.post("/api/rule", json={"text": INCIDENT, "voice": "note"}).json()["rulings"]
    assert ruled[0]["text"].startswith("NB: ")
"""


def test_a_voice_is_a_file_and_an_entry_and_its_name(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.new("kb/note.py", NOTE)
    house.insert("kb/voices.py", NOTE_IMPORT, before="from kb.why_not.what_if")
    house.insert("kb/voices.py", '    NOTE = "note"\n', before="\n\nPAGES: Final")
    house.insert("kb/voices.py", "Voice.NOTE: note, ", before="None: page_of")
    assert len(house.touched) == 2
    incident = tmp_path / "a.yaml"
    incident.write_text(
        "declarer: S\nrevokes: [{hand: W, trick: 5, suit: H, won-by: W, later-tricks: 2, next-trick: played}]\n"
    )
    assert house.revoke("rule", str(incident), "--voice", "note").startswith("NB: ")

    name = "    note:     {en: on the score, de: auf dem Zettel}\n"
    house.insert("rules/words.yaml", name, before="  month:\n")
    house.new("tests/desk/test_note.py", DESK_OFFERS_IT)
    house.test(
        "tests/desk/test_note.py", "tests/explain/test_words.py", "tests/voices", "-k", "offered or words or called"
    )


CHECK = '''\
def no_shouting(edition: Edition) -> Iterator[Fault]:
    """No clause is written in capitals only."""
    for clause in edition.clauses.values():
        if clause.says["en"].isupper():
            yield Fault(clause.place, f"{clause.ref} shouts", "write it in small letters")


'''
DRAFT = 'edition: loud\ntitle: {en: Loud, de: Laut}\nauthority: nobody\nin-force: "not yet"\namends: duplicate-2017\n'
LOUD = """\
law: "61"
clauses:
  "61A":
    says: {en: "FOLLOW SUIT", de: "BEDIENEN"}
    encoded-as: director
"""


def test_a_check_is_a_function_and_an_entry(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.insert("kb/language/checks/of_editions.py", CHECK, before="def lost_law")
    house.insert("kb/language/checks/__init__.py", "no_shouting, ", before="references\n")
    house.insert("kb/language/checks/__init__.py", "    no_shouting,\n", before="    *(relied_on, says)")
    assert len(house.touched) == 2
    draft = tmp_path / "loud"
    draft.mkdir()
    (draft / "edition.yaml").write_text(DRAFT)
    (draft / "law-61.yaml").write_text(LOUD)
    assert "61A shouts; write it in small letters" in house.revoke("check", str(draft), status=1)
    house.test("tests/language/test_faults.py", "-k", "whole_folder")
