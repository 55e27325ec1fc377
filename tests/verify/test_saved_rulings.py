"""Saved rulings that say what follows are accepted, and what is altered is named."""

from __future__ import annotations

import copy
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.endings import needs_library
from support.forger import EDITIONS, LANGS, VOICES, Document, document
from support.ruling import ROOT, incident, law, ruled, speaker_of

from facts.errors import Fault
from kb.engine.proof import Program, Proof
from kb.ruling.laws import Laws
from kb.ruling.make_ruling import rule
from kb.ruling.with_equity import rule_with_evidence
from kb.verify.verify import Verifier
from kb.voices import Voice, saved

STATED: dict[str, Any] = {
    "contract": "4S",
    "declarer": "S",
    "revokes": [
        {"hand": "W", "trick": 5, "suit": "H", "card": "S4", "won-by": "E", "later-tricks": 1, "next-trick": "played"}
    ],
}
OPEN: dict[str, Any] = {"contract": "4S", "declarer": "S", "revokes": [{"hand": "W", "trick": 5}]}
RECORD = Path(__file__).parents[2] / "examples" / "full-record.yaml"
LATE = {
    "contract": "5DX",
    "declarer": "S",
    "deal": "S:KQT984.A32..AQJ3 J6.KQJ5.AKT432.7 532.876.Q975.K42 A7.T94.J86.T9865",
    "play": [
        *("W D2 DQ DJ CA", "N S5 SA S4 SJ", "E HT H3 HQ H8", "W HJ H6 H9 H2", "W C7 CK CT CQ", "N C4 C5 CJ H5"),
        *("S S8 S6 S2 S7", "S SQ DT S3 D6", "W D3 H7 D8 SK", "E H4 HA HK D9", "N D7 C6 ST DK", "W D4 D5 C8 C3"),
        "N C2 C9 S9 DA",
    ],
    "events": [{"after": "13.4", "attention": {"by": "S"}}],
}
"""North throws a heart on a diamond lead at trick 9, late enough for the solver in Python."""
VERIFIER = Verifier(ROOT)


def told(stated: dict[str, Any], lang: str = "en", voice: Voice | None = None) -> Document:
    return document(incident(stated), lang, voice)


def faults(told: Document, verifier: Verifier = VERIFIER) -> list[str]:
    return [fault.what for fault in verifier.verify(told).faults]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("voice", [pytest.param(one, marks=[pytest.mark.thorough] if one else []) for one in VOICES])
def test_an_honest_ruling_holds(edition: str, lang: str, voice: Voice | None) -> None:
    for stated in (STATED, OPEN):
        verified = VERIFIER.verify(told({**stated, "edition": edition}, lang, voice))
        assert verified.holds, verified.faults


def test_durable_rules_has_no_part_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("durable-rules was asked")

    rulings = [told(STATED), told(OPEN)]
    monkeypatch.setattr("kb.engine.durable.library", refuse)
    verifier = Verifier(ROOT)
    assert not [fault for one in rulings for fault in verifier.verify(one).faults]


@pytest.mark.parametrize("stated", [STATED, OPEN])
def test_a_step_that_the_engine_overlooks_is_found_by_the_definition(
    stated: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = Program.run

    def forgetful(self: Program, *given: Any) -> Proof:
        proof = run(self, *given)
        last = proof.steps[-1].fact
        return Proof(proof.program, proof.ground, [step for step in proof.firings if step[0] != last])

    monkeypatch.setattr(Program, "run", forgetful)
    made = json.loads(json.dumps(saved(rule(law(), incident(stated)), speaker_of())))
    assert any("the proof is not what the rules say" in what for what in faults(made, Verifier(ROOT)))


def test_a_number_a_law_and_a_seat_are_named_with_what_follows() -> None:
    forged = told(STATED)
    forged["revokes"][0]["automatic-tricks"] = 2
    forged["transfer"]["NS"] = True
    forged["cited"][0] = "61B"
    named = "revokes, entry 1 (hand W, trick 5, card S4)"
    assert faults(forged) == [
        f"{named}: automatic-tricks is 2, and follows as 1",
        "transfer: NS is true, and follows as 1",
        'cited, entry 1 is "61B", and follows as "61A"',
    ]


def test_a_line_of_the_text_is_named() -> None:
    forged = told(STATED)
    forged["text"] = forged["text"].replace("1 trick to North–South", "2 tricks to North–South")
    (what,) = faults(forged)
    assert what.startswith('text: line 2 says "2 tricks to North–South.", and follows as "1 trick to North–South."')


def test_a_text_in_another_language_or_voice_than_it_says() -> None:
    for forged in ({**told(STATED), "lang": "de"}, {**told(STATED), "voice": "table"}):
        assert any(what.startswith("text: line ") for what in faults(forged))


def test_a_step_left_out_made_up_or_said_otherwise() -> None:
    honest = told(STATED)
    gone, more, reworded = (copy.deepcopy(honest) for _ in range(3))
    step = gone["proof"]["steps"].pop(0)
    (what,) = faults(gone)
    assert what.startswith('proof: steps: {"rule": "61A.1"') and what.endswith("is missing")
    more["proof"]["steps"].append({**step, "rule": "64A1.1"})
    (what,) = faults(more)
    assert what.startswith('proof: steps: {"rule": "64A1.1"') and what.endswith("does not follow")
    reworded["proof"]["steps"][0]["because"] += "!"
    assert faults(reworded)[0].startswith("proof: steps, entry 1 (rule 61A.1): because is ")
    for beyond in (10**30, -1):
        moved = copy.deepcopy(honest)
        moved["proof"]["steps"][0]["concludes"] = beyond
        assert faults(moved)[0].startswith(
            f"proof: steps, entry 1 (rule 61A.1): concludes is {beyond}, and follows as "
        )


def test_steps_in_another_order() -> None:
    forged = told(STATED)
    forged["proof"]["steps"].reverse()
    assert faults(forged)


def test_a_fact_that_the_incident_does_not_show_is_named_before_what_comes_of_it() -> None:
    forged = told(STATED)
    forged["record"]["facts"] = [
        [*fact[:2], "W", fact[3]] if fact[0] == "won" else fact for fact in forged["record"]["facts"]
    ]
    assert faults(forged) == [
        'record: facts: ["won", 5, "E", "EW"] is missing',
        'record: facts: ["won", 5, "W", "EW"] does not follow',
    ]


def test_another_incident() -> None:
    forged = told(STATED)
    forged["record"]["incident"]["declarer"] = "W"
    assert any('["role", "W", "declarer"]' in what for what in faults(forged))
    forged["record"]["incident"]["declarer"] = "Q"
    assert faults(forged) == ["'Q' cannot stand here"]
    forged["record"]["incident"]["edition"] = "duplicate-1997"
    forged["record"]["incident"]["declarer"] = "S"
    assert "the ruling is by duplicate-2017" in faults(forged)[0]


def test_an_election_that_the_ruling_does_not_name() -> None:
    forged = told({**STATED, "edition": "duplicate-2007", "elections": ["dbv-2007"]})
    forged["elections"] = []
    (what,) = faults(forged)
    assert what == "the incident is to be ruled on by 'duplicate-2007+dbv-2007', and the ruling is by duplicate-2007"


def test_rules_that_have_changed_since_are_named_with_their_places(tmp_path: Path) -> None:
    root = tmp_path / "rules"
    shutil.copytree(ROOT, root)
    file = root / "duplicate-2017" / "law-64.yaml"
    file.write_text(file.read_text("utf-8").replace('tricks: "> 0"}', 'tricks: "> 1"}', 1), "utf-8")
    later = Verifier(root)
    (what,) = faults(told(STATED), later)
    assert what.startswith("rule 64A2.1 has changed (")
    assert "law-64.yaml:" in what
    assert later.verify(told(STATED)).ruling is not None  # what would be ruled today can be told


def test_an_altered_digest_and_a_rule_that_is_gone() -> None:
    forged = told(STATED)
    rules = forged["record"]["rules"]
    del rules["64A1.1"]
    rules["64Z9.1"] = rules["61A.1"]
    assert [what.split(" (")[0] for what in faults(forged)] == ["rule 64Z9.1 is gone", "rule 64A1.1 is new"]


def test_a_change_of_cards_that_does_not_stand() -> None:
    play = ["W HA H2 H3 H4", "W D2 DA D3 D4", "N D5 D6 DK S2", "W H8 H9 HT S3"]
    late = {"after": "4.1", "corrected": {"by": "W", "withdrawn": "S2", "played": "D7"}}
    honest = told({"contract": "4S", "declarer": "S", "play": play, "events": [late]})
    assert faults(honest) == []
    honest["record"]["incident"]["events"][0]["corrected"]["played"] = "D8"
    assert faults(honest)


def test_a_ruling_of_before_language_and_voice_were_said() -> None:
    old = told(STATED)
    del old["lang"], old["voice"]
    assert faults(old) == []
    german = told(STATED, "de")
    del german["lang"]
    assert faults(german)


def test_what_nobody_knows_of() -> None:
    assert faults({**told(STATED), "points-of-order": []}) == ["points-of-order does not follow from anything"]


def test_a_ruling_by_a_draft_is_checked_by_its_folder(tmp_path: Path) -> None:
    draft = Path(__file__).parents[1] / "ruling" / "first-tournament"
    laws = Laws(ROOT, "quick")
    given = rule(laws.of(draft), incident({**STATED, "edition": str(draft)}))
    made = json.loads(json.dumps(saved(given, speaker_of())))
    assert faults(made, Verifier(ROOT, [str(draft)])) == []
    assert "there is no edition" in faults(made)[0]


@needs_library
def test_double_dummy_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    ruling = rule_with_evidence(law(), incident(LATE))
    honest = json.loads(json.dumps(saved(ruling, speaker_of())))
    assert faults(honest) == []
    for change in ({"least": 13}, {"after-revoke": 12}, {"cards": []}, {"hand": []}, {"cards": 3}):
        forged = copy.deepcopy(honest)
        forged["evidence"][0].update(change)
        assert faults(forged), change
    monkeypatch.setattr("facts.equity.double_dummy_library", lambda: None)
    (fault,) = VERIFIER.verify(honest).faults
    assert "cannot be computed again" in fault.what and fault.mend == "install revoke-kb[equity]"
    del honest["evidence"]
    assert faults(honest)


def test_every_fault_has_a_place_and_says_how_to_mend_it() -> None:
    forged = {**told(STATED), "receipt": told(OPEN)["receipt"], "board": 3}
    found: tuple[Fault, ...] = VERIFIER.verify(forged).faults
    assert len(found) == 2
    assert all(fault.place.file == "ruling" and fault.mend for fault in found)


def test_what_the_durable_engine_gives_holds_too() -> None:
    made = json.loads(json.dumps(saved(ruled(OPEN, "durable"), speaker_of())))
    assert faults(made) == []
