"""What an audit finds, how it is told, and what it refuses."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.archive import board_mistyped, board_with, write_archive
from support.pbn_writer import write_pbn
from support.ruling import ROOT
from typer.testing import CliRunner, Result

import kb
from facts.errors import EngineError
from facts.play import PlayRecord
from facts.readers.archives import units
from kb.audit.auditor import Job, audit_units
from kb.cli.main import app


def audit(*args: str | Path, stdin: str | None = None) -> Result:
    return CliRunner().invoke(app, ["audit", *map(str, args)], input=stdin, env={"COLUMNS": "200"})


def json_of(*args: str | Path, stdin: str | None = None) -> list[dict[str, Any]]:
    return [json.loads(line) for line in audit(*args, "--format", "jsonl", stdin=stdin).stdout.splitlines()]


@pytest.fixture
def mixed(tmp_path: Path) -> Path:
    """A file with one board of each sort."""
    chance = Random(5)
    boards = [
        board_with(0, 1, chance),
        board_with(1, 2, chance),
        board_with(2, 3, chance),
        board_mistyped(4, chance),
        board_with(0, 5, chance),
    ]
    file = tmp_path / "mixed.pbn"
    file.write_text(write_pbn(boards) + '\n[Board "6"]\n[Deal "N:AA... - - -"]\n[Play "N"]\nSA\n*\n')
    return file


def test_revokes_slips_and_faults_are_told_apart_with_their_places(mixed: Path) -> None:
    *entries, summary = json_of(mixed)
    assert [(one["entry"], one["board"]) for one in entries] == [
        ("ruling", "2"),
        ("transcription-fault", "3"),
        ("transcription-fault", "4"),
        ("not-ruled", None),
    ]
    lines = mixed.read_text().splitlines()
    for entry in entries[:3]:
        assert entry["source"] == str(mixed)
        assert f'[Board "{entry["board"]}"]' in lines[entry["line"] - 1 : entry["line"] + 4]
    assert [slip["kind"] for slip in entries[1]["slips"]] == ["several-hands-fail"]
    assert len(entries[1]["not-followed"]) >= 2
    assert {slip["kind"] for slip in entries[2]["slips"]} <= {"card-not-held", "card-played-twice"}
    assert entries[3]["faults"][0].startswith(f"{mixed}:")
    assert (summary["boards"], summary["with-revoke"], summary["transcription-faults"]) == (6, 1, 2)


def test_a_result_that_the_cards_deny_costs_no_board_its_ruling(tmp_path: Path) -> None:
    board = board_with(1, 1, Random(5))
    assert board.play is not None
    record = tmp_path / "denied.pbn"
    record.write_text(write_pbn([replace(board, play=PlayRecord(board.play.tricks[:12]), tricks=0)]))
    ruling, slip, summary = json_of(record)
    assert ruling["entry"] == "ruling" and "tricks-at-table" not in ruling["result"]
    assert [one["kind"] for one in slip["slips"]] == ["result-denied"] and summary["not-ruled"] == 0
    told = CliRunner().invoke(app, ["rule", str(record)])
    assert told.exit_code in (0, 3) and "its cards deny the result of this record, 0 tricks" in told.stderr


@pytest.mark.thorough
def test_the_ruling_is_the_one_that_revoke_rule_gives(mixed: Path) -> None:
    ruled = next(one for one in json_of(mixed) if one["entry"] == "ruling")
    told = CliRunner().invoke(app, ["rule", "--format", "json", "--engine", "quick", str(mixed)]).stdout.splitlines()
    whole = next(one for one in map(json.loads, told) if one["board"] == "2")
    for key in ("revokes", "transfer", "result", "cited", "receipt"):
        assert ruled[key] == whole[key]


@pytest.mark.thorough
def test_the_exit_status_tells_of_boards_that_could_not_be_ruled_on(mixed: Path, tmp_path: Path) -> None:
    assert audit(mixed).exit_code == 1
    assert audit(write_archive(tmp_path / "good", 1)).exit_code == 0
    assert audit(tmp_path / "nowhere").exit_code == 1


def test_a_link_that_leads_nowhere_hides_nothing_beside_it(mixed: Path) -> None:
    circle = mixed.with_name("circle.pbn")
    circle.symlink_to(circle.name)
    *before, _ = json_of(mixed)
    told, *others, _ = json_of(mixed.parent)
    assert told["entry"] == "not-ruled" and "symbolic links" in told["faults"][0] and others == before


@pytest.mark.thorough
def test_each_form_tells_the_same(mixed: Path) -> None:
    ruled = next(one for one in json_of(mixed) if one["entry"] == "ruling")
    table = audit(mixed).stdout
    page = audit(mixed, "--format", "html").stdout
    assert ruled["text"] in table and ruled["text"] in page.replace("\u2060", "")
    for heading in ("Revokes", "Slips of transcription", "Boards that could not be ruled on"):
        assert f"{heading}:" in table and f">{heading}</h2>" in page
    assert "Boards with a revoke: 1; revokes: 1." in table


@pytest.mark.thorough
def test_another_language(mixed: Path) -> None:
    assert "Übertragungsfehler" in audit(mixed, "--lang", "de").stdout
    refused = audit(mixed, "--lang", "tlh")
    assert refused.exit_code == 2
    assert "write one of en, de" in refused.stderr


def test_a_page_shows_what_stands_in_a_record_as_text(tmp_path: Path) -> None:
    file = tmp_path / "f.pbn"
    file.write_text(write_pbn([board_with(1, 1, Random(1))]).replace('[Board "1"]', '[Board "<b>[red]"]'))
    assert "<b>" not in audit(file, "--format", "html").stdout
    assert "<b>[red]" in audit(file).stdout


def test_a_card_played_twice_is_a_slip_though_everyone_followed_suit(tmp_path: Path) -> None:
    deal = "N:QJ74.K83.AQ5.K62 63.QJ94.T973.Q98 AKT95.A72.K6.A53 82.T65.J842.JT74"
    tags = f'[Board "1"]\n[Deal "{deal}"]\n[Declarer "S"]\n[Contract "4S"]\n[Play "W"]\n'
    (tmp_path / "twice.pbn").write_text(f"{tags}CJ C2 C8 C3\nCJ C6 C9 C5\n*\n")
    entry, _ = json_of(tmp_path / "twice.pbn")
    assert (entry["entry"], [slip["kind"] for slip in entry["slips"]]) == ("transcription-fault", ["card-played-twice"])


def test_unmarked_bids_and_calls_that_cannot_have_been_are_slips_and_calls_that_the_tags_deny_are_left_out(
    tmp_path: Path,
) -> None:
    boards = ("1S 1H AP", "1S ^I 1H AP", "1S - 2H AP", "1S ^S 2H AP", "1S 2S AP")
    tags = '[Event "?"]\n[Dealer "N"]\n[Contract "{}"]\n[Auction "N"]\n{}\n\n'
    made = ("1H", "1H", "2H", "2H", "3NT")
    (tmp_path / "a.pbn").write_text("".join(map(tags.format, made, boards)), "utf-8")
    *entries, numbers = json_of(tmp_path)
    assert [(one["entry"], one["number"]) for one in entries] == [
        ("transcription-fault", 1),
        ("transcription-fault", 3),
        ("left-out", 5),
    ]
    assert [one["slips"] for one in entries[:2]] == [
        [{"kind": "bid-not-higher", "trick": None, "hands": ["E"], "card": None, "call": "1H"}],
        [{"kind": "call-out-of-turn", "trick": None, "hands": ["S"], "card": None, "call": "2H"}],
    ]
    assert entries[2]["what"] == "by the calls the contract is 2S, not 3NT" and numbers["transcription-faults"] == 2
    assert "a.pbn, bid not higher, " in audit(tmp_path).stdout


def test_what_is_left_out_is_listed_and_a_mark_that_the_cards_deny(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("nothing", "utf-8")
    deal = "N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 JT8.AK9752..T986 AQ53.T43.872.KJ5"
    text = f'[Event x]\n[Board "1"]\n[Deal "{deal}"]\n[Declarer "E"]\n[Contract "3NT"]\n[Play "S"]\nH7 ^R H3 HJ HQ\n*'
    (tmp_path / "b.pbn").write_text(text, "utf-8")
    *entries, numbers = json_of(tmp_path)
    told = [(one["entry"], Path(one["source"]).name, one["line"]) for one in entries]
    assert told == [("left-out", "a.txt", None), ("left-out", "b.pbn", 1), ("transcription-fault", "b.pbn", 1)]
    assert [one["kind"] for one in entries[-1]["slips"]] == ["mark-denied"]
    assert (numbers["files"], numbers["left-out"], numbers["revokes-found"]) == (1, 2, 0)


def test_rule_and_audit_say_the_same_of_a_slip(tmp_path: Path) -> None:
    deal = "N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 JT8.AK9752..T986 AQ53.T43.872.KJ5"
    section = "H7 H3 HJ HQ\nC6 D2 SA DA\n*"
    (tmp_path / "b.pbn").write_text(
        f'[Deal "{deal}"]\n[Declarer "E"]\n[Contract "3NT"]\n[Play "S"]\n{section}', "utf-8"
    )
    entry, _ = json_of(tmp_path)
    assert [slip["kind"] for slip in entry["slips"]] == ["card-not-held"]
    (board,) = kb.read(tmp_path / "b.pbn")
    ruling = kb.Law("duplicate-2017").rule(board)
    assert [one["kind"] for one in ruling.as_dict()["irregular"]] == ["card-not-held"]
    assert "may be a slip" in ruling.told().splitlines()[2]


def test_what_a_director_states_is_ruled_on(tmp_path: Path) -> None:
    """Several hands are no slip where a director says so."""
    file = tmp_path / "found.yaml"
    file.write_text(
        "declarer: S\nrevokes:\n  - {hand: W, trick: 5, won-by: W, next-trick: led}\n  - {hand: N, trick: 6}\n"
    )
    (entry, summary) = json_of(file)
    assert [(one["hand"], one["trick"]) for one in entry["revokes"]] == [("W", 5), ("N", 6)]
    assert summary["played"] == 1


@pytest.mark.thorough
def test_by_another_edition(tmp_path: Path) -> None:
    folder = write_archive(tmp_path / "a", 2)
    entries = json_of(folder, "--edition", "duplicate-1997")
    assert {one["edition"] for one in entries if one["entry"] == "ruling"} == {"duplicate-1997"}
    assert audit(folder, "--edition", "duplicate-1066").exit_code == 2


def test_standard_input_is_audited_too(tmp_path: Path) -> None:
    entries = json_of("-", write_archive(tmp_path / "a", 1), stdin=write_pbn([board_with(1, 7, Random(3))]))
    assert [(one["source"] == "standard input", one["entry"]) for one in entries[:-1]] == [
        (True, "ruling"),
        (False, "ruling"),
    ]


def test_a_worker_with_other_rules_does_not_work(mixed: Path) -> None:
    with pytest.raises(EngineError, match="give all workers the same"):
        audit_units(Job(ROOT), "0123456789abcdef", list(units([mixed])))
