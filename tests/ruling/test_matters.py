"""Matters beside the revoke: what is found of one, what names it, and who rules on it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from support.tables import shipped

import kb
from facts.cards import PARTNER, SEATS, SIDE, Seat
from facts.errors import InputError
from facts.incident import Incident
from facts.readers.changes import all_changed
from facts.readers.incident_file import Tables, read_incident
from facts.to_yaml import as_yaml
from kb.explain.as_json import ruling_json
from kb.explain.words import Speaker, load_words
from kb.language.folders import rules_root
from kb.ruling.laws import Law, Laws
from kb.ruling.make_ruling import rule
from kb.ruling.verdict import verdict

KINDS = """\
sections:
  fallen: {en: "Cards that fell", de: "Gefallene Karten"}
words:
  reason: [traffic, sleep]
  ground: [carpet, wood]
kinds:
  late-call:
    fields: {trick: trick, hand: seat, how: reason}
    says: {en: "{hand} was late", de: "{hand} kam zu spät"}
  fallen:
    fields: {hand: seat, card: "card?", on: ground}
    says: {en: "{hand} dropped {card}", de: "{hand} ließ {card} fallen"}
  fallen-ruled:
    fields: {hand: seat, card: "card?", is: ground}
    says: {en: "{hand}'s card {card}: {is}", de: "Karte {card} von {hand}: {is}"}
    ruling: {section: fallen, shows: {seat: $hand, card: $card, is: $is}}
"""
LATE = """\
called:   {en: "A player came late", de: "Ein Spieler kam zu spät"}
found-by: late-call
named-by: [trick, hand]
findings:
  why:
    is: [traffic, sleep]
    means: {en: "why", de: "warum"}
    not-stated: {presumed: sleep, says: {en: "he overslept", de: "er hat verschlafen"}}
    states: {late-call: {trick: $trick, hand: $hand, how: $value}}
"""
DROPPED = """\
called:   {en: "A card fell", de: "Eine Karte fiel"}
found-by: fallen
named-by: [card]
findings:
  card:
    is: card
    means: {en: "the card", de: "die Karte"}
    not-stated: nothing
  floor:
    is: [carpet, wood]
    means: {en: "on what", de: "worauf"}
    not-stated: {presumed: wood, says: {en: "on wood", de: "auf Holz"}}
    states: {fallen: {hand: $hand, card: $card, on: $value}}
"""
WORDS = """\
names:
  reason: {traffic: {en: traffic, de: Verkehr}, sleep: {en: sleep, de: Schlaf}}
  ground: {carpet: {en: on the carpet, de: auf dem Teppich}, wood: {en: on wood, de: auf Holz}}
"""
LAW = """\
laws:
  "88":
    title: {en: "Cards that fall", de: "Gefallene Karten"}
    clauses:
      "88A":
        new: true
        says: {en: "A card that falls lies.", de: "Eine gefallene Karte liegt."}
        encoded-as: rules
        rules:
          - when:
              - fallen: {hand: $h, card: $c, on: $x}
            then: {fallen-ruled: {hand: $h, card: $c, is: $x}}
            because: {en: "[{c} lies|it lies].", de: "[{c} liegt|sie liegt]."}
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rules, and a draft that declares two matters more and rules on one of them."""
    root = tmp_path_factory.mktemp("matters")
    shutil.copytree(rules_root(), root / "rules")
    for name, text in {"late": LATE, "dropped": DROPPED}.items():
        (root / "draft/matters" / name).mkdir(parents=True)
        (root / "draft/matters" / name / "table.yaml").write_text(text, "utf-8")
    edition = "edition: falling\ntitle: {en: F, de: F}\nauthority: me\nin-force: '2030'\namends: duplicate-2017\n"
    (root / "draft/edition.yaml").write_text(edition, "utf-8")
    (root / "draft/law-88.yaml").write_text(LAW, "utf-8")
    (root / "draft/vocabulary.yaml").write_text(KINDS, "utf-8")
    (root / "draft/words.yaml").write_text(WORDS, "utf-8")
    return root


def _law(folder: Path) -> Law:
    return Law(folder / "draft", rules=folder / "rules", engine="quick")


def _read(folder: Path, text: str) -> Incident:
    return read_incident(text, "a", lambda _: _law(folder).edition.table)


TWO = """\
declarer: S
revokes: [{hand: W, trick: 5, won-by: W}]
irregularities:
  - {of: dropped, hand: W, card: H4, floor: carpet}
  - {of: dropped, hand: W}
  - {of: dropped, hand: W}
"""


def test_what_nobody_names_is_a_thing_of_its_own_and_its_stand_in_is_never_told(folder: Path) -> None:
    ruling = rule(_law(folder), _read(folder, TWO))
    assert [fact[2] for fact in ruling.facts("fallen")] == ["?3", "?4", "H4"]
    told = str(
        ruling_json(
            ruling, Speaker(load_words(folder / "rules", ruling.edition.vocabulary), ruling.edition.vocabulary, "en")
        )
    )
    assert "'card': 'H4', 'is': 'carpet'" in told and "?3" not in told and "?4" not in told
    presumed = [one.key for one in ruling.certainty.presumed]
    assert (2, "floor") in presumed and all(key[1] != "trick" for key in presumed)


def test_a_file_is_written_and_changed_as_it_is_read(folder: Path) -> None:
    incident = _read(folder, TWO)
    assert _read(folder, as_yaml(incident)) == incident
    alone = _read(folder, "irregularities: [{of: dropped, hand: W}]")
    tables: Tables = lambda _: _law(folder).edition.table  # noqa: E731
    for change in ("irregularity-1.floor=carpet", "floor=carpet"):
        assert all_changed(alone, [change], tables).revokes[0].said == {"floor": "carpet"}
    assert all_changed(alone, ["+irregularity:of=late,hand=N"], tables).revokes[1].of == "late"


@pytest.mark.parametrize(
    ("irregularities", "fault"),
    [
        ("{hand: W}", "1:18: of what matter this is, is not said; add of: "),
        ("{of: dropt, hand: W}", "1:23: there is no matter dropt; did you mean dropped?"),
        ("{of: late, floor: wood}", "1:29: 'floor' is no key here"),
        ("{of: dropped, card: H4}, {of: dropped, card: H4}", "1:43: this dropped is already listed"),
    ],
)
def test_faults(folder: Path, irregularities: str, fault: str) -> None:
    with pytest.raises(InputError) as caught:
        _read(folder, f"irregularities: [{irregularities}]")
    assert fault in f"{caught.value.faults[0]}"


def test_a_law_without_rules_on_a_matter_refuses_it(folder: Path) -> None:
    with pytest.raises(InputError, match="falling has no rules on late"):
        rule(_law(folder), _read(folder, "irregularities: [{of: late, hand: W}]"))


def test_a_change_of_a_matter_alone_is_seen(folder: Path) -> None:
    file = folder / "draft/matters/dropped/table.yaml"
    file.write_text(DROPPED.replace("floor:", "where:"), "utf-8")
    with pytest.raises(InputError, match="'floor' is no key here"):
        _read(folder, "irregularities: [{of: dropped, floor: carpet}]")
    file.write_text(DROPPED, "utf-8")


def test_a_reason_may_name_more_in_one_language_than_in_another(tmp_path: Path) -> None:
    root = Path(shutil.copytree(rules_root(), tmp_path / "rules"))
    file = root / "matters/lead-out-of-turn/table.yaml"
    file.write_text(file.read_text("utf-8").replace("links vom Alleinspieler", "links von {d}"), "utf-8")
    law = Law("duplicate-2017", rules=root, engine="quick")
    stated = "contract: 4S\ndeclarer: S\nirregularities: [{of: lead-out-of-turn, hand: W, trick: 1}]\n"
    with pytest.raises(InputError) as caught:
        rule(law, read_incident(stated, "a", lambda _: law.edition.table))
    assert caught.value.faults[0].because["de"] == "das erste Ausspiel ist Sache von W, links von S"


def test_a_question_of_the_board_names_none_of_several_cards_and_no_trick_is_told() -> None:
    law = kb.Law("duplicate-2017", engine="quick")
    card = "{of: exposed-card, hand: W, came: deliberate}"
    ruling = law.rule(_stated(law, f"declarer: S\nirregularities: [{card}, {card}]"))
    assert "  - Whose turn is it now?\n" in ruling.told()
    assert "'trick': 5" not in str(ruling.as_dict())


def _stated(law: kb.Law, text: str) -> Incident:
    return read_incident(text, "a", lambda _: law.edition.table)


def test_a_class_is_asked_of_no_revoke_where_the_matter_is_another() -> None:
    stated = "contract: 4S\ndeclarer: S\nirregularities: [{of: lead-out-of-turn, hand: W, trick: 3, card: D2, answer: refused}]\n"
    told = kb.Law("duplicate-2017").rule(kb.incident(stated)).told(voice="teaching")
    assert "no revoke" not in told and "1. What is ruled?" in told and "The lead out of turn:" in told


def played(on_lead: Seat, leader: Seat) -> str:
    """A trick that the hand on lead won, and two led by some hand."""
    return f"[{on_lead} CA C2 C3 C4, {leader} HA H2 H3 H4, {leader} HK H5 H6 H7]"


@pytest.mark.parametrize("edition", ["duplicate-2017", "duplicate-2007", "duplicate-1997"])
@pytest.mark.parametrize("event", [False, True], ids=["finding", "event"])
def test_an_unanswered_lead_stands_only_where_the_record_begins_with_it(edition: str, event: bool) -> None:
    law = Law(edition, engine="quick")
    for hand in SEATS:
        for on_lead in (one for one in SEATS if one != hand):
            for leader in (hand, on_lead):
                card = "HA" if leader == hand else "D9"
                told = (
                    f'events: [{{after: "1.4", led-out-of-turn: {{by: {hand}, card: {card}, why: not-yet}}}}]'
                    if event
                    else f"irregularities: [{{of: lead-out-of-turn, hand: {hand}, trick: 2, card: {card}}}]"
                )
                text = f"edition: {edition}\ncontract: 3NT\ndeclarer: S\nplay: {played(on_lead, leader)}\n{told}\n"
                leads = verdict(rule(law, read_incident(text, "f", shipped)))["parts"]["leads"]
                becomes = {one["is"] for one in leads if one.get("seat") == hand and "is" in one}
                gone = {"penalty-card"} if PARTNER[hand] == on_lead and SIDE[hand] == "EW" else {"goes-back"}
                assert becomes == ({"stands"} if leader == hand else gone), text


@pytest.mark.parametrize(
    ("auction", "finding", "told"),
    [
        (
            "1S [1H] 2H",
            "of: insufficient-bid, call: 2, replaced-by: doubled",
            "replaced-by .*: E replaced it by lowest",
        ),
        ("1S S:2S", "of: call-out-of-turn, call: 2, turn: W", "turn .*: by the auction it was the turn of E, not of S"),
        ("1S S:2S", "of: call-out-of-turn, call: 2, made: pass", "made .*: S's call out of turn was a bid"),
        ("1S 2H", "of: insufficient-bid, call: 2", "call .*: call 2 is higher than the bid before it"),
        ("1S X", "of: insufficient-bid, call: 2", "call .*: call 2 is no bid"),
        ("1S P", "of: call-out-of-turn, call: 2, turn: N", "by the auction it was E's turn to make call 2"),
        (
            "[S:1S] 1D [E:X] 2S P",
            "of: call-out-of-turn, call: 1, right: passed",
            "right .*: the opponent on S's right acted",
        ),
    ],
)
def test_what_the_auction_contradicts_is_told_at_the_finding_and_names_no_rule(
    auction: str, finding: str, told: str
) -> None:
    law, laws = Law("duplicate-2017", engine="quick"), Laws(rules_root(), "quick")
    text = f'dealer: {"E" if "1D" in auction else "N"}\nauction: "{auction}"\nirregularities: [{{{finding}}}]\n'
    with pytest.raises(InputError, match=told) as refused:
        rule(law, read_incident(text, "a.yaml", laws.table))
    assert "conclude" not in str(refused.value)


def test_what_the_auction_contradicts_is_told_at_the_finding_of_that_call() -> None:
    law, laws = Law("duplicate-2017", engine="quick"), Laws(rules_root(), "quick")
    findings = ("call: 2, replaced-by: lowest-same", "call: 4, replaced-by: doubled")
    listed = "".join(f"- {{of: insufficient-bid, {one}}}\n" for one in findings)
    text = f'dealer: N\nauction: "1S [1H] 2H [1C] 3C"\nirregularities:\n{listed}'
    with pytest.raises(InputError, match=r"^a\.yaml:5:\d+: replaced-by .* S replaced it by lowest-same") as caught:
        rule(law, read_incident(text, "a.yaml", laws.table))
    assert caught.value.faults[0].because["de"] == "S ersetzte sie durch lowest-same"
