"""Programs and directors give saved rulings and are told which hold; forged ones never do, and nothing keeps the desk long."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from support.desk_pages import INCIDENT, Visitor, opened
from support.drafts import EDITION

from kb.desk import desk as desk_module
from kb.desk.guard import Settings
from kb.desk.worked_out import MOST_SAVED

FORGED: dict[str, tuple[tuple[str | int, ...], Any]] = {
    "one trick less": (("transfer", "NS"), 1),
    "another card": (("revokes", 0, "card"), "S5"),
    "a law left out": (("cited", 0), "64B1"),
    "a word of the text": (("text",), "no trick."),
    "a step of the proof": (("proof", "steps", 0), {}),
    "another incident": (("record", "incident", "revokes", 0, "later-tricks"), 0),
    "another rule": (("record", "rules", "64A1.1"), "0"),
}


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Visitor, Settings]]:
    """With another edition."""
    with opened(tmp_path_factory.mktemp("verifying"), {"mine": {"edition.yaml": EDITION.format(name="mine")}}) as both:
        yield both


@pytest.fixture(scope="module")
def saved(desk: tuple[Visitor, Settings]) -> dict[str, Any]:
    """A ruling as the desk gives it to programs."""
    return ruled(desk[0])


def ruled(visitor: Visitor, **more: str) -> dict[str, Any]:
    answer: dict[str, Any] = visitor.client.post("/api/rule", json={"text": INCIDENT, **more}).json()["rulings"][0]
    return answer


def verified(visitor: Visitor, **body: Any) -> Any:
    answer = visitor.client.post("/api/verify", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.thorough
@pytest.mark.parametrize(
    "more", [{}, {"lang": "de", "voice": "appeal"}, {"edition": "duplicate-1997"}, {"edition": "mine"}]
)
def test_what_the_desk_rules_holds(desk: tuple[Visitor, Settings], more: dict[str, str]) -> None:
    visitor, _ = desk
    given = ruled(visitor, **more)
    answer = verified(visitor, rulings=[given])
    assert answer["holds"], answer
    (one,) = answer["rulings"]
    assert (one["file"], one["line"], one["board"], one["faults"]) == ("rulings", 1, "12", [])
    assert one["edition"] == more.get("edition", "duplicate-2017") and one["looked-at"]["steps"] > 5


@pytest.mark.thorough
@pytest.mark.parametrize("change", FORGED)
def test_what_was_altered_does_not(desk: tuple[Visitor, Settings], saved: dict[str, Any], change: str) -> None:
    *path, last = FORGED[change][0]
    forged = copy.deepcopy(saved)
    part: Any = forged
    for key in path:
        part = part[key]
    assert part[last] != FORGED[change][1]
    part[last] = FORGED[change][1]
    answer = verified(desk[0], rulings=[saved, forged])
    assert [one["holds"] for one in answer["rulings"]] == [True, False] and not answer["holds"]
    for fault in answer["rulings"][1]["faults"]:
        assert (fault["file"], fault["line"]) == ("rulings", 2) and fault["what"] and fault["mend"]
        assert str(desk[1].rules) not in fault["what"]


def test_lines_of_a_file(desk: tuple[Visitor, Settings], saved: dict[str, Any]) -> None:
    text = f'{json.dumps(saved)}\n\n[1\n{{"a": 1, "a": 2}}\n{json.dumps({**saved, "cited": []})}'
    answer = verified(desk[0], text=text)
    assert [(one["file"], one["line"], one["holds"]) for one in answer["rulings"]] == [
        ("text", 1, True),
        ("text", 3, False),
        ("text", 4, False),
        ("text", 5, False),
    ]


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"rulings": [], "text": ""},
        {"rulings": []},
        {"text": " \n"},
        {"rulings": [1]},
        {"rulings": [{}] * (MOST_SAVED + 1)},
        {"text": "1\n" * 201},
    ],
)
def test_what_is_refused(desk: tuple[Visitor, Settings], body: dict[str, Any]) -> None:
    answer = desk[0].client.post("/api/verify", json=body)
    assert answer.status_code == 422 and answer.json()["faults"]


def test_it_ends(desk: tuple[Visitor, Settings], saved: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_module, "CHECKING", 0.001)
    answer = desk[0].client.post("/api/verify", json={"rulings": [saved] * 20})
    assert answer.status_code == 422 and "give less at a time" in answer.text


def test_a_key_said_twice_is_refused(desk: tuple[Visitor, Settings], saved: dict[str, Any]) -> None:
    body = json.dumps({"rulings": [saved]}).replace('"edition":', '"edition": "duplicate-1997", "edition":', 1)
    answer = desk[0].client.post("/api/verify", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 422 and "'edition' is said twice" in answer.text


PAGE = "/law/verify"


@pytest.mark.parametrize(
    ("lang", "holds", "fails", "looked_at"),
    [
        ("en", "The ruling holds.", "This does not follow:", "situations looked at: 1."),
        ("de", "Die Entscheidung stimmt.", "Das folgt nicht:", "betrachtete Situationen: 1."),
    ],
)
def test_on_a_page(
    desk: tuple[Visitor, Settings], saved: dict[str, Any], lang: str, holds: str, fails: str, looked_at: str
) -> None:
    visitor, _ = desk
    page = visitor.go(PAGE, lang=lang)
    honest = visitor.send(page, PAGE, text=json.dumps(saved))
    assert holds in honest.text and looked_at in honest.text and fails not in honest.text
    forged = visitor.send(page, PAGE, text=f"\n{json.dumps({**saved, 'transfer': {'NS': 3, 'EW': 0}})}")
    visitor.client.cookies.delete("lang")
    assert fails in forged.text and "transfer: NS" in forged.text and holds not in forged.text
    assert f"{'Zeile' if lang == 'de' else 'Line'} 2" in forged.text


@pytest.mark.thorough
def test_a_file_on_the_page(desk: tuple[Visitor, Settings], saved: dict[str, Any]) -> None:
    visitor, _ = desk
    assert PAGE in visitor.go("/law").links
    fields = dict[str, str]()
    sent = visitor.client.post(
        PAGE, data=fields, files={"file": ("saved.json", json.dumps(saved).encode() + b"\n\xff")}
    )
    assert sent.text.count("The ruling holds.") == 1 and "this is not UTF-8" in sent.text


@pytest.mark.parametrize("text", [" ", "1\n" * (MOST_SAVED + 1)])
def test_the_page_refuses_what_programs_are_refused(desk: tuple[Visitor, Settings], text: str) -> None:
    page = desk[0].send(desk[0].go(PAGE), PAGE, text=text)
    assert page.status == 422 and page.form(PAGE)["text"].strip() == text.strip()
