"""What is claimed of an edition, at the desk: what fails first, with an example that is ruled on; in the book, and for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from support.desk_pages import Visitor, opened
from support.drafts import EDITION
from typer.testing import CliRunner

from kb.cli.main import app
from kb.desk.guard import Settings

pytestmark = pytest.mark.thorough

CLAIMS = """\
properties:
  holding:
    says:    {en: "Nobody loses three tricks.", de: "Niemand verliert drei Stiche."}
    because: {en: "64A takes two.", de: "64A nimmt zwei."}
    laws:    ["64A1"]
    never:   [{transfer: {tricks: 3}}]
  but-for-faced:
    says:    {en: "A card that lay open is corrected.", de: "Eine offene Karte wird berichtigt."}
    because: {en: "So it was.", de: "So war es."}
    among:   {required-faced: "yes"}
    never:   [{status: {is: established}}]
    expected:
      - among:   {next-trick: "yes"}
        because: {en: "Too late.", de: "Zu spät."}
  no-need:
    says:    {en: "Two tricks never go.", de: "Nie gehen zwei Stiche."}
    because: {en: "It is meant so.", de: "So ist es gewollt."}
    laws:    ["64A1"]
    never:   [{transfer: {tricks: 2}}]
    expected:
      - among:   {won-by: revoker}
        because: {en: "He won it.", de: "Er gewann ihn."}
      - among:   {next-trick: "no"}
        because: {en: "Never.", de: "Nie."}
  broken:
    says:    {en: "No trick is ever lost.", de: "Nie geht ein Stich verloren."}
    because: {en: "This law is <mild>.", de: "Diese Regel ist <milde>."}
    laws:    ["64A1", "64A2"]
    never:   [{transfer: {}}]
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Visitor, Settings]]:
    """With an edition of which four things are claimed; two of them fail."""
    files = {"edition.yaml": EDITION.format(name="mine"), "properties.yaml": CLAIMS}
    with opened(tmp_path_factory.mktemp("claims"), {"mine": files}) as both:
        yield both


def test_what_has_to_be_mended_comes_first(desk: tuple[Visitor, Settings]) -> None:
    visitor, _ = desk
    page = visitor.go("/law/mine/claims")
    said = [
        "No trick is ever lost.",
        "Two tricks never go.",
        "A card that lay open is corrected.",
        "Nobody loses three",
    ]
    assert sorted(said, key=page.text.index) == said
    assert page.source.index('<details class="why">') < page.source.index("Nobody loses three")
    assert "Does not hold: 1" in page.text and "Does not hold in 6 of 9 situations" in page.text
    assert "It ought to hold: This law is &lt;mild&gt;." in page.source
    assert "Holds in 9 situations, but an exception is not needed:" in page.text and "nowhere: Never." in page.text
    assert "2: Too late." in page.text


def test_the_example_is_ruled_on(desk: tuple[Visitor, Settings]) -> None:
    visitor, _ = desk
    page = visitor.go("/law/mine/claims")
    assert "A draft: 1 trick to declarer's side." in page.text
    ruling = visitor.go(next(link for link in page.links if link.startswith("/ruling")))
    assert ruling.status == 200 and "One trick to declarer's side" in ruling.text and "A draft" in ruling.text


def test_in_german(desk: tuple[Visitor, Settings]) -> None:
    visitor, _ = desk
    page = visitor.go("/law/mine/claims", lang="de")
    visitor.go("/", lang="en")
    assert "Gilt nicht in 6 von 9 Situationen" in page.text and "Zum Beispiel: nichts Ungewöhnliches" in page.text
    assert "nothing unusual" not in page.text


def test_the_book_tells_it_at_each_clause(desk: tuple[Visitor, Settings]) -> None:
    visitor, _ = desk
    entries = {entry.split('"')[0]: entry for entry in visitor.go("/law/mine/whole").source.split('<article id="')}
    assert '(broken): <span class="fails">does not hold in 6 of 9 situations</span>' in entries["64A2"]
    assert "(holding): <span>holds in 9 situations</span>" in entries["64A1"]
    assert "(holding)" not in entries["64A2"] and "Claimed of it" not in entries["64B1"]


@pytest.mark.parametrize("lang", ["en", "de"])
def test_programs_are_told_as_by_the_command_line(desk: tuple[Visitor, Settings], lang: str) -> None:
    visitor, settings = desk
    answer = visitor.client.get("/api/prove", params={"edition": "mine", "lang": lang})
    folder = "mine"
    made = CliRunner().invoke(
        app, ["prove", folder, "--format", "json", "--lang", lang, "--rules", str(settings.rules)]
    )
    assert made.exit_code == 1, made.output
    assert answer.json() == json.loads(made.stdout.replace(f"{settings.rules}/", ""))


def test_of_shipped_editions(desk: tuple[Visitor, Settings]) -> None:
    visitor, _ = desk
    assert "/law/duplicate-2017/claims" in visitor.go("/law").links
    page = visitor.go("/law/duplicate-2007+dbv-2007/claims")
    assert page.status == 200 and "Nothing yet." in page.text, "nothing is claimed under the short interview"
    assert visitor.go("/law/nothing/claims").status == 422
    assert visitor.client.get("/api/prove", params={"edition": "../x"}).status_code == 422
