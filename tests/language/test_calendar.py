"""Which law is in force on which day and where, as the files of editions and elections say it."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.tables import shipped

from facts.dates import Span, day, span
from facts.errors import InputError, MisreadError
from facts.form import NOWHERE
from facts.incident import Incident
from facts.readers.incident_file import read_incident
from facts.readers.pbn import read_pbn
from facts.to_yaml import plain
from kb.language.calendar import Calendar, begins, by_its_day, calendar_of
from kb.language.edition import load_edition
from kb.language.folders import rules_root
from kb.language.model import EditionForm
from kb.ruling.laws import Law, of_its_day

ROOT = rules_root()
PBN = '[Board "1"]\n[Date "{}"]\n[Contract "4S"]\n[Declarer "S"]\n'


def edition(in_force: str, until: str = "") -> EditionForm:
    said = {"title": {}, "authority": "", "place": NOWHERE, "places": {}}
    return EditionForm(edition=in_force, in_force=in_force, until=until, **said)


def read(text: str) -> Incident:
    return read_incident(text, "a.yaml", shipped)


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("2017-09-25", "2017-09-25", "2017-09-25"),
        ("1912-11", "1912-11-01", "1912-11-30"),
        ("2000-02", "2000-02-01", "2000-02-29"),
        ("2000-12", "2000-12-01", "2000-12-31"),
        ("1997", "1997-01-01", "1997-12-31"),
    ],
)
def test_what_is_known_of_a_date(text: str, first: str, last: str) -> None:
    assert span(text) == Span(date.fromisoformat(first), date.fromisoformat(last))


@pytest.mark.parametrize("text", ["2017-9-25", "2017-02-30", "2017-13", "0000", "97", "soon", ""])
def test_no_date(text: str) -> None:
    with pytest.raises(MisreadError, match="is no date"):
        span(text)


def test_part_of_a_date_is_no_day() -> None:
    with pytest.raises(MisreadError, match="2009-05 is not a whole date; write such as 2009-05-01"):
        day("2009-05")


@given(st.lists(st.dates(), min_size=1, max_size=4, unique=True), st.dates())
def test_of_whole_dates_one_law_is_in_force_or_none_yet(first: list[date], when: date) -> None:
    editions = tuple(edition(str(one)) for one in sorted(first))
    found = Calendar(editions).perhaps(when)
    assert [one.edition for one in found] == [str(one) for one in sorted(first) if one <= when][-1:]
    assert all(Calendar(editions).in_force(one, when) for one in found)


@given(st.lists(st.integers(1900, 2100), min_size=1, max_size=4, unique=True), st.dates(date(1900, 1, 1)))
def test_where_a_year_is_known_only_its_days_are_uncertain(years: list[int], when: date) -> None:
    editions = tuple(edition(str(one)) for one in sorted(years))
    calendar = Calendar(editions)
    uncertain = when.year in years and (when.month, when.day) != (12, 31)
    assert (None in [calendar.in_force(one, when) for one in editions]) == uncertain


def test_until_is_the_last_day() -> None:
    old = edition("1912-11-01", until="1913-10-31")
    calendar, last = Calendar((old,)), date(1913, 10, 31)
    assert [calendar.in_force(old, last + timedelta(n)) for n in (0, 1)] == [True, False]


def test_the_shipped_editions_follow_each_other() -> None:
    calendar = calendar_of(ROOT)
    for game in {one.game for one in calendar.editions}:
        of_it = [one for one in calendar.editions if one.game == game]
        assert all(begins(one).last < begins(other).first for one, other in pairwise(of_it)), game
    assert calendar.jurisdictions == ("ACBL", "DBV", "EBU")


@pytest.mark.parametrize(
    ("when", "where", "law"),
    [
        ("2009-05-01", "ACBL", ("duplicate-2007", "acbl-2007")),
        ("2009-05-01", "DBV", ("duplicate-2007", "dbv-2007")),
        ("2009-05-01", "", ("duplicate-2007",)),
        ("2007-12-31", "", ("duplicate-2007",)),
        ("2007-12-31", "ACBL", ("duplicate-1997", "acbl-1997")),
        ("2017-09-24", "EBU", ("duplicate-2007", "ebu-2007")),
        ("2017-09-25", "EBU", ("duplicate-2017",)),
        ("1913-01-01", "", ("auction-1912",)),
    ],
)
def test_a_date_names_the_law_of_its_day(when: str, where: str, law: tuple[str, ...]) -> None:
    incident = read(f"date: {when}\n" + (f"jurisdiction: {where}\n" if where else ""))
    assert (incident.edition, *incident.elections) == law
    assert read(str(plain(incident))) == incident  # what is kept of it is ruled by the same law


def test_a_jurisdiction_without_a_date_has_what_it_has_chosen_now() -> None:
    assert read("jurisdiction: ACBL").elections == ()


@pytest.mark.parametrize("days", ["", "in-force: 2017-09-25\n"])
def test_a_jurisdiction_has_chosen_in_an_edition_without_days_too(tmp_path: Path, days: str) -> None:
    for name, text in {
        "duplicate-2017/edition.yaml": f"edition: duplicate-2017\n{days}clauses: [61B3]\noffers: {{61B3: [mine]}}\n",
        "elections/mine.yaml": (ROOT / "elections" / "acbl-2007.yaml").read_text("utf-8"),
    }.items():
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text(text, "utf-8")
    assert by_its_day(read("jurisdiction: ACBL"), tmp_path).elections == ("mine",)


def test_what_a_draft_offers_has_a_jurisdiction() -> None:
    law = Law(load_edition(ROOT, Path(__file__).parents[1] / "amendments" / "may-not-ask"))
    text = "jurisdiction: MINE\nedition: may-not-ask\nrevokes: [{hand: W, trick: 5}]"
    incident = read_incident(text, "a.yaml", lambda _: law.edition.table)
    assert [one.election for one in of_its_day(incident, law.edition).chosen] == ["defenders-may-not-ask"]
    with pytest.raises(InputError, match="nothing is known of a jurisdiction MINE"):
        read(text)


def test_what_a_file_names_itself_stays() -> None:
    stated = read("date: 2009-05-01\njurisdiction: ACBL\nedition: duplicate-2017")
    assert (stated.edition, stated.elections) == ("duplicate-2017", ())
    assert read("date: 2009-05-01\njurisdiction: ACBL\nelections: [dbv-2007]").elections == ("dbv-2007",)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("date: 1985-01-01", "1:7: it is not known which law was in force on 1985-01-01: dummy-whist-1900 from 1900 until 1909; "),
        ("date: 1899-01-01", "; duplicate-2017 from 2017-09-25 on; name it, as with edition: duplicate-1997"),
        ("date: 1905-06-01", "dummy-whist-1900 from 1900 until 1909; whist-1900 from 1900 until 1909; bridge-1904 from 1904 until 1909; name it"),
        ("date: 2007-06-01", "1:7: it is not known which law was in force on 2007-06-01: duplicate-1997 from 1997 on; duplicate-2007 from 2007 on; name it"),
        ("jurisdiction: ABCL", "1:15: nothing is known of a jurisdiction ABCL; leave it out, or did you mean ACBL?"),
        ("date: 2009", "1:7: 2009 is not a whole date; write such as 2009-05-01, or leave it out"),
        ("date: 2009-02-29", "there is no day 29 in that month; write such as 2009-05-01"),
    ],
)  # fmt: skip
def test_faults(text: str, told: str) -> None:
    with pytest.raises(InputError) as refused:
        read(text)
    assert told in str(refused.value)


@pytest.mark.parametrize(("tag", "known"), [("2009.05.01", date(2009, 5, 1)), ("2009.??.??", None), ("2009.02.30", None), ("", None)])  # fmt: skip
def test_the_date_of_a_record_decides_nothing(tag: str, known: date | None) -> None:
    (board,) = read_pbn(PBN.format(tag), "a.pbn")
    assert isinstance(board, Incident)
    assert (board.date, board.edition) == (known, "duplicate-2017")


def test_an_edition_that_cannot_be_read_has_no_days(tmp_path: Path) -> None:
    for name, text in {"a": "in-force: '1990'", "b": "in-force: [", "c": "in-force: not yet"}.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "edition.yaml").write_text(text)
    assert [one.edition for one in calendar_of(tmp_path).editions] == ["a"]
