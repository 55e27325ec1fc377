"""The API: the same objects as the command line's, located faults for everything else, and never a server error."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from jsonschema import Draft202012Validator
from support.desk_pages import INCIDENT, Visitor
from typer.testing import CliRunner

from kb.cli.main import app as command

FINDING = {"hand": "W", "trick": 5, "suit": "H", "card": "S4", "won-by": "W", "later-tricks": 2, "next-trick": "led"}
STATED: dict[str, Any] = {"contract": "4S", "declarer": "S", "revokes": [FINDING]}


def said(*arguments: str) -> Any:
    made = CliRunner().invoke(command, [*arguments, "--format", "json"])
    assert made.exit_code == 0, made.output
    return json.loads(made.stdout)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "incident.yaml"
    path.write_text(INCIDENT, "utf-8")
    return str(path)


def post(visitor: Visitor, path: str, status: int = 200, **body: Any) -> Any:
    answer = visitor.client.post(path, json=body)
    assert answer.status_code == status, answer.text
    return answer.json()


@pytest.mark.thorough
@pytest.mark.parametrize("more", [{}, {"edition": "duplicate-1997"}, {"lang": "de"}, {"voice": "appeal"}])
def test_a_ruling_is_that_of_the_command_line(visitor: Visitor, file: str, more: dict[str, str]) -> None:
    ruled = post(visitor, "/api/rule", text=INCIDENT, **more)
    options = [part for key, value in more.items() for part in (f"--{key}", value)]
    assert ruled["faults"] == []
    assert [{**one, "source": file} for one in ruled["rulings"]] == [said("rule", file, *options)]


@pytest.mark.thorough
def test_an_incident_as_an_object(visitor: Visitor) -> None:
    (ruled,) = post(visitor, "/api/rule", incident=STATED)["rulings"]
    assert ruled["transfer"] == {"NS": 2, "EW": 0} and ruled["source"] == "incident"


def test_every_fault_has_its_place(visitor: Visitor) -> None:
    (fault,) = post(visitor, "/api/rule", 422, text="contract: 4S\nrevokes:\n- {hand: Q, trick: 5}\n")["faults"]
    assert (fault["file"], fault["line"], fault["column"]) == ("incident", 3, 10)
    assert fault["what"] == "'Q' cannot stand here" and "N, E, S, W" in fault["mend"]
    wrong = {**STATED, "declarer": None, "play": 1.5, "deal": {"a": [1]}}
    assert post(visitor, "/api/rule", 422, incident=wrong)["faults"]


def test_a_fault_in_an_object_is_pointed_at(visitor: Visitor) -> None:
    wrong = {**STATED, "revokes": [{**FINDING, "hand": "Q", "a~/b": 1}], "events": [{"claims": {}}]}
    told = {one["pointer"]: one["what"] for one in post(visitor, "/api/rule", 422, incident=wrong)["faults"]}
    assert told.keys() == {"/events/0/claims", "/revokes/0/hand", "/revokes/0/a~0~1b"}
    late = {**STATED, "revokes": [{**FINDING, "trick": 13}]}
    assert any(one["pointer"] == "/revokes/0/trick" for one in post(visitor, "/api/rule", 422, incident=late)["faults"])


@pytest.mark.parametrize("left_out", [(), ("won-by",), ("hand", "card"), ("trick", "later-tricks")])
def test_rulings_are_of_the_sort_that_is_described(visitor: Visitor, left_out: tuple[str, ...]) -> None:
    """Certain ones and open ones; every fault too."""
    described = visitor.client.get("/api/openapi.json").json()

    def matches(body: Any, name: str) -> None:
        schema = {"$ref": f"#/components/schemas/{name}", "components": described["components"]}
        Draft202012Validator(schema).validate(body)

    finding = {key: one for key, one in FINDING.items() if key not in left_out}
    finding |= {"player": "defender"} if "hand" in left_out else {}
    matches(post(visitor, "/api/rule", incident={**STATED, "revokes": [finding]}), "RulingsBody")
    matches(post(visitor, "/api/rule", 422, incident={"revokes": [{"hand": 1}]}), "FaultsBody")


@pytest.mark.thorough
def test_a_client_that_a_public_generator_made_rules(
    visitor: Visitor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """openapi-python-client, in an environment of its own: it wants another typer."""
    if (uv := shutil.which("uv")) is None:
        pytest.skip("needs uv")
    described, config = tmp_path / "openapi.json", tmp_path / "config.yml"
    described.write_text(visitor.client.get("/api/openapi.json").text, "utf-8")
    config.write_text("post_hooks: []\n", "utf-8")
    options = ["--path", described, "--config", config, "--meta", "none", "--output-path", tmp_path / "made_client"]
    made = [uv, "tool", "run", "openapi-python-client==0.29.1", "generate", "--fail-on-warning", *options]
    subprocess.run(made, check=True)
    monkeypatch.syspath_prepend(tmp_path)
    client, models = import_module("made_client"), import_module("made_client.models")
    rule = import_module("made_client.api.rulings.rule")
    body = models.SubmissionBody(incident=models.Incident.from_dict(STATED))
    reached = client.Client(base_url="http://localhost").set_httpx_client(visitor.client)
    (ruling,) = rule.sync(client=reached, body=body).rulings
    assert ruling.transfer.to_dict() == {"NS": 2, "EW": 0}
    assert ruling.revokes[0].status == "established" and "64A1" in ruling.cited
    wrong = models.SubmissionBody(incident=models.Incident.from_dict({"board": "1"}), text=INCIDENT)
    assert rule.sync(client=reached, body=wrong).faults


def test_the_description_can_be_read_as_a_page(visitor: Visitor) -> None:
    page = visitor.client.get("/docs")
    assert page.status_code == 200
    assert all(one in page.text for one in ("/api/rule", "won-by", "RevokeTold", "automatic-tricks"))


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"incident": STATED, "text": INCIDENT},
        {"text": INCIDENT, "lang": "xx"},
        {"text": INCIDENT, "edition": "/etc"},
        {"text": INCIDENT, "elections": ["../x", "a+b", ""]},
        {"text": INCIDENT, "more": 1},
        {"text": INCIDENT, "voice": "shout"},
        {"text": None},
        {"incident": {}},
        {"incident": {"revokes": [[]]}},
        {"incident": {"contract": "\udfff"}},
        {"text": "\ud800"},
    ],
)
def test_what_cannot_be_answered_is_told(visitor: Visitor, body: dict[str, Any]) -> None:
    answer = visitor.client.post("/api/rule", content=json.dumps(body), headers={"Content-Type": "application/json"})
    if body != {"incident": {}}:
        assert answer.status_code == 422
        told = answer.json()["faults"]
        assert all({"file", "line", "column", "what", "mend"} == set(one) - {"pointer"} for one in told)
        assert "/rules" not in answer.text.replace("the rules", "") and "/tmp" not in answer.text
    else:
        assert answer.json()["rulings"][0]["revokes"] == []


def test_what_is_no_number_is_told(visitor: Visitor) -> None:
    answer = visitor.client.post(
        "/api/rule", content='{"incident": {"board": NaN}}', headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == 422 and "NaN is no number" in answer.text


def test_what_is_said_twice_is_told(visitor: Visitor) -> None:
    body = '{"incident": {"contract": "4S", "contract": "3NT"}}'
    answer = visitor.client.post("/api/rule", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 422 and "contract" in answer.text and "says each key once" in answer.text


def test_null_says_nothing(visitor: Visitor) -> None:
    nulls = {**STATED, "board": None, "date": None, "revokes": [{**FINDING, "noticed": None}]}
    (with_nulls,), (without,) = (post(visitor, "/api/rule", incident=one)["rulings"] for one in (nulls, STATED))
    assert with_nulls == without and without["board"] is None


@pytest.mark.thorough
def test_whatever_the_description_allows_is_answered(visitor: Visitor) -> None:
    """schemathesis makes requests, good and bad ones, of the OpenAPI description."""
    schemathesis = pytest.importorskip("schemathesis")
    described = schemathesis.openapi.from_dict(visitor.client.get("/api/openapi.json").json())
    assert described.raw_schema["components"]["schemas"]["Incident"]["properties"]["revokes"]
    asked = [one.ok() for one in described.get_all_operations() if "/login" not in one.ok().path]
    assert {one.path for one in asked} == {f"/api/{name}" for name in ("rule", "logout")}
    for operation in asked:

        @given(case=operation.as_strategy())
        @settings(
            max_examples=40,
            deadline=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
            database=None,
        )
        def never_fails(case: Any) -> None:
            request = case.as_transport_kwargs()
            answer = visitor.client.request(
                case.method, case.formatted_path, params=case.query, json=request.get("json"), headers={}
            )
            assert answer.status_code < 500, answer.text

        never_fails()
