"""What an edition declares can be given to the desk, changed, kept and told, like anything that is shipped."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.desk_pages import INCIDENT, Visitor, opened
from support.drafts import EDITION
from support.ruling import laws, ruled, speaker_of

from kb.desk.statements import changed, supposed

FILES = {
    "edition.yaml": EDITION.format(name="novices"),
    "vocabulary.yaml": """\
kinds:
  novice:
    fields: {hand: seat}
    says: {en: "it is {hand}'s first tournament", de: "es ist das erste Turnier von {hand}"}
  lead-accepted:
    fields: {side: side, at: integer}
    says: {en: "{side} accepted a lead out of turn", de: "{side} nahmen ein Ausspiel außer der Reihe an"}
""",
    "table.yaml": """\
findings:
  first-tournament:
    is: yes-no
    means: {en: "it was his first tournament; asked in clubs", de: "es war sein erstes Turnier; im Klub gefragt"}
    asks:  {en: "Was it his first tournament?", de: "War es sein erstes Turnier?"}
    about: {en: "his first tournament:", de: "sein erstes Turnier:"}
    not-stated: {presumed: "no", says: {en: "it was not his first tournament", de: "es war nicht sein erstes Turnier"}}
    "yes": {novice: {hand: $hand}}
events:
  lead-accepted:
    fields: {by: seat, card: "card?"}
    means: {en: "a lead out of turn is accepted", de: "ein Ausspiel außer der Reihe wird angenommen"}
    says: {en: "{by} accepts the lead[ of {card}]", de: "{by} nimmt das Ausspiel[ {card}] an"}
    states: {lead-accepted: {side: $by-side, at: $at}}
""",
    "law.yaml": """\
law: "64"
title: {en: A draft, de: Ein Entwurf}
clauses:
  64B9:
    new: true
    encoded-as: rules
    says: {en: Nothing from novices., de: Nichts von Anfängern.}
    rules:
      - when:
          - revoke: {play: $p, trick: $t, hand: $h}
          - novice: {hand: $h}
        unless:
          - lead-accepted: {}
        then:
          - exempt: {play: $p, trick: $t, hand: $h}
        because: {en: "{h} plays his first tournament", de: "{h} spielt sein erstes Turnier"}
""",
}
STATED = INCIDENT.replace("next-trick: led", "next-trick: led, first-tournament: true")
ACCEPTED = f"{STATED}events:\n- lead-accepted: {{by: N, card: C4}}\n"


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """At a desk with that edition."""
    with opened(tmp_path_factory.mktemp("declared"), {"novices": FILES}) as (one, _):
        yield one


@pytest.mark.thorough
@pytest.mark.parametrize("law", ["", "novices"])
def test_it_can_be_given_under_the_draft_alone(visitor: Visitor, law: str) -> None:
    text = STATED if law else f"edition: novices\n{STATED}"
    page = visitor.go("/ruling", f=visitor.rule(text, law))
    assert "No trick goes over" in page.text and "Law 64B9" in page.text
    wrong = visitor.send(visitor.go("/record"), "/record", text=STATED)
    assert wrong.status == 422 and "'first-tournament' is no key here" in wrong.text


@pytest.mark.thorough
def test_it_can_be_changed_by_a_tap(visitor: Visitor) -> None:
    page = visitor.go("/what-if", f=visitor.rule(INCIDENT, "novices"))
    assert "It was his first tournament no" in page.text, "as it is presumed; what files are told is left out"
    page = visitor.go(next(link for link in page.links if "first-tournament%3Dtrue" in link))
    assert "It was his first tournament: yes" in page.text and "New: Law 64B9" in page.text
    page = visitor.go(next(link for link in page.links if link.startswith("/ruling")))
    page = visitor.go("/what-if", f=visitor.at.partition("f=")[2])
    assert any(link.endswith("first-tournament%3D") for link in page.links), "what is stated can be forgotten"


@pytest.mark.thorough
def test_its_event_is_told_and_can_be_dropped(visitor: Visitor) -> None:
    word = visitor.rule(ACCEPTED, "novices")
    assert "Two tricks to North–South" in visitor.go("/ruling", f=word).text
    page = visitor.go("/what-if", f=word)
    assert "North accepts the lead of ♣4" in page.text
    page = visitor.go(next(link for link in page.links if link.endswith("event-1%3D")))
    assert "New: Law 64B9" in page.text
    assert "North accepts the lead" not in visitor.go("/what-if", f=visitor.rule(STATED, "novices")).text


@pytest.mark.thorough
def test_it_can_be_kept_and_corrected(visitor: Visitor) -> None:
    visitor.send(visitor.go("/keep", f=visitor.rule(STATED, "novices")), "/keep")
    at = visitor.at.partition("?")[0]
    assert "The rules have changed since" not in visitor.go(f"{at}/appeal").text
    page = visitor.send(visitor.go(f"{at}/correct"), f"{at}/correct", incident=ACCEPTED)
    assert "Two tricks to North–South" in page.text


@pytest.mark.thorough
def test_programs_can_give_it(visitor: Visitor) -> None:
    body = {"text": STATED, "edition": "novices"}
    ruled_ = visitor.client.post("/api/rule", json=body).json()["rulings"][0]
    assert ruled_["revokes"][0]["exempt-by"] == ["64B9"]
    incident = {"edition": "novices", "revokes": [{"player": "defender", "first-tournament": True}]}
    assert visitor.client.post("/api/rule", json={"incident": incident}).status_code == 200


def test_facts_are_stated_presumed_or_unknown() -> None:
    found = {"player": "defender", "won-by": "opponent", "next-trick": "played", "faced": False}
    ruling = ruled({"revokes": [found], "tricks": 9, "declarer": "S"})
    of = {one.label: one for _, some in supposed(ruling, speaker_of()) for one in some}
    told = {name: (one.now, one.stated) for name, one in of.items()}
    assert told["Whose card was the wrong one?"] == ("the offender", True)
    assert told["On which trick was it?"] == ("not known", False)
    assert told["Whose card won the trick"] == ("an opponent's card", True)
    assert told["The card played in error already lay face up"] == ("no", True)
    assert told["Who claimed or conceded"] == ("no", False)
    assert told["Declarer's tricks at the table"] == ("9", True)
    forget = {name: one.ways[-1][1] for name, one in of.items() if one.stated}
    assert forget["Whose card won the trick"] == ("revoke-1.won-by=",)
    assert "Later win" not in "".join(told), "what the law does not look at is not offered"
    seats = of["Whose card was the wrong one?"].ways
    assert ("West", ("revoke-1.player=", "revoke-1.hand=W")) in seats


def test_what_was_changed_is_told() -> None:
    found = {"hand": "W", "trick": 5, "won-by": "W", "next-trick": "played", "later-tricks": 2}
    before, after = (ruled({"revokes": [{**found, "won-by": one}], "declarer": "S"}) for one in ("W", "opponent"))
    assert changed(before, after, speaker_of()) == ["Whose card won the trick: an opponent's card"]
    assert changed(before, before, speaker_of()) == []


def test_every_sentence_of_an_event_can_be_told() -> None:
    table = laws().of("duplicate-2017").edition.table
    assert all(kind.says.keys() == {"en", "de"} for kind in table.events.values())
