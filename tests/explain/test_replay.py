"""A saved ruling given again, or what has changed since."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from support.cases import sample
from support.ruling import ROOT, laws, ruled, speaker_of

from facts.errors import InputError
from kb.explain.as_json import as_json, proof_json
from kb.ruling.laws import Laws
from kb.ruling.replay import Replay, read_saved, record, replay
from kb.ruling.ruling import Ruling

STATED: dict[str, Any] = {
    "contract": "4S",
    "declarer": "S",
    "revokes": [
        {"hand": "W", "trick": 5, "suit": "H", "card": "S4", "won-by": "E", "later-tricks": 1, "next-trick": "played"}
    ],
}


def saved(ruling: Ruling) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(json.dumps({**as_json(ruling, speaker_of()), "record": record(ruling)}))
    return made


def again(data: dict[str, Any], with_laws: Laws | None = None) -> Replay:
    return replay(with_laws or laws(), next(read_saved(json.dumps(data), "saved.json")))


def test_the_same_ruling_and_proof() -> None:
    for name, ruling in [("stated", ruled(STATED)), *sample(15, seed=21)]:
        data = saved(ruling)
        replayed = again(data)
        assert replayed.changes == (), name
        assert proof_json(replayed.ruling, speaker_of())["steps"] == data["proof"]["steps"], name
        new = as_json(replayed.ruling, speaker_of())
        assert {key: new[key] for key in ("text", "receipt", "cited")} == {
            key: data[key] for key in ("text", "receipt", "cited")
        }, name


def test_a_change_of_cards_that_does_not_stand_is_so_again() -> None:
    play = ["W HA H2 H3 H4", "W D2 DA D3 D4", "N D5 D6 DK S2", "W H8 H9 HT S3"]
    late = {"after": "4.1", "corrected": {"by": "W", "withdrawn": "S2", "played": "D7"}}
    ruling = ruled({"contract": "4S", "declarer": "S", "play": play, "events": [late]})
    assert ruling.winner(3) == "W"
    assert again(saved(ruling)).changes == ()


def test_a_changed_fact_is_named() -> None:
    data = saved(ruled(STATED))
    data["record"]["facts"] = [
        [*fact[:2], "W", fact[3]] if fact[0] == "won" else fact for fact in data["record"]["facts"]
    ]
    assert again(data).changes == (
        "a fact that the incident does not show: won 5, W, EW",
        "a fact of the incident that was not there: won 5, E, EW",
    )


def test_a_changed_incident_is_named() -> None:
    data = saved(ruled(STATED))
    data["record"]["incident"]["declarer"] = "W"
    assert any("role W, declarer" in change for change in again(data).changes)


def test_a_changed_rule_is_named_with_its_place(tmp_path: Path) -> None:
    root = tmp_path / "rules"
    shutil.copytree(ROOT, root)
    file = root / "duplicate-2017" / "law-64.yaml"
    file.write_text(file.read_text("utf-8").replace('tricks: "> 0"}', 'tricks: "> 1"}', 1), "utf-8")
    changes = again(saved(ruled(STATED)), Laws(root, "python")).changes
    assert len(changes) == 1
    assert changes[0].startswith("rule 64A2.1 has changed (")
    assert "law-64.yaml:" in changes[0]


def test_an_altered_receipt_is_noticed() -> None:
    data = saved(ruled(STATED))
    data["receipt"] = "0123456789abcdef"
    assert again(data).changes[0].endswith("not 0123456789abcdef: the file was altered")


@pytest.mark.parametrize("text", ["{}", "not json", '{"source": "x"}', "[]"])
def test_what_is_no_saved_ruling_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"saved.json:1:1: this is no saved ruling"):
        list(read_saved(text, "saved.json"))
