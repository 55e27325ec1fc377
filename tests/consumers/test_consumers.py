"""What leaves the house, opened in the programs that read it: `.ci/everything consumers` installs them and names the folder."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from support import browser as chromium
from support.desk import settings_in
from support.ruling import ROOT
from typer.testing import CliRunner

from kb.cli.main import app
from kb.desk.app import create_app
from kb.language.folders import MUTANTS, edition_ids

FOLDER = os.environ.get("REVOKE_CONSUMERS")
pytestmark = pytest.mark.skipif(not FOLDER, reason="REVOKE_CONSUMERS names no folder with the consumers")

PAGES = (
    "/",
    "/record",
    "/register",
    "/law/duplicate-2017",
    "/law/duplicate-2017/chart",
    "/law/duplicate-2017/options",
    "/class",
    "/docs",
    "/?of=lead-out-of-turn",
    "/ask?of=insufficient-bid",
    "/ruling?revoke=W&declarer=S",
)
DRAW = """
mermaid.initialize({ startOnLoad: false });
return mermaid.render("drawn", arguments[0]).then(({ svg }) => {
  document.querySelector("main").innerHTML = svg;
  const labels = [...document.querySelectorAll(".node .nodeLabel")];
  return [labels.map((one) => one.textContent), labels.filter((one) => one.offsetWidth > one.closest("foreignObject").width.baseVal.value + 1).length];
});
"""
USE = """
import type { paths } from "./api";
type Rule = paths["/api/rule"]["post"];
const revoke = { hand: "W", trick: 5, suit: "H", card: "S4", "won-by": "W", "later-tricks": 2, "next-trick": "led" } as const;
const asked: Rule["requestBody"]["content"]["application/json"] = {
  incident: { contract: "4S", declarer: "S", revokes: [revoke] },
};
export const ask = () => JSON.stringify(asked);
export const tricks = (told: Rule["responses"][200]["content"]["application/json"]) => told.rulings[0].transfer.NS + 1;
"""


def revoke(*words: object) -> str:
    done = CliRunner().invoke(app, [*map(str, words)])
    assert done.exit_code == 0, done.output
    return done.stdout


def saved(file: Path, *words: object) -> Path:
    file.write_text(revoke(*words), "utf-8")
    return file


def by_node(what: str, *files: Path | str) -> Any:
    modules, script = Path(str(FOLDER), "node_modules").resolve(), Path(__file__).with_name("read.mjs")
    done = subprocess.run(
        ["node", script, modules, what, *files], check=True, capture_output=True, cwd=ROOT.parent, timeout=600
    )
    return json.loads(done.stdout)


def by_python(text: str, *files: Path) -> Any:
    python = Path(str(FOLDER), "python", "bin", "python")
    done = subprocess.run([python, "-c", text, *files], check=True, capture_output=True, timeout=600)
    return json.loads(done.stdout)


@pytest.mark.parametrize("lang", ["en", "de"])
def test_anki_keeps_the_answers_and_makes_no_tags(tmp_path: Path, lang: str) -> None:
    file = saved(tmp_path / "a.txt", "quiz", "--questions", 6, "--seed", 1, "--format", "anki", "--lang", lang)
    read = """
import json, sys
from anki.collection import Collection, ImportCsvRequest
col = Collection(sys.argv[1] + ".anki2")
col.import_csv(ImportCsvRequest(path=sys.argv[1], metadata=col.get_csv_metadata(sys.argv[1], None)))
print(json.dumps([[*col.get_note(one).fields, col.get_note(one).tags] for one in col.find_notes("")]))
"""
    notes = by_python(read, file)
    assert len(notes) == 6 and all(front and back and not tags for front, back, tags in notes)


def test_moodle_has_multiple_choice_even_of_one(tmp_path: Path) -> None:
    seeds = (1, 4, 9, 11)
    files = [
        saved(tmp_path / f"{n}.gift", "quiz", "--questions", 1, "--seed", n, "--level", "hard", "--format", "gift")
        for n in seeds
    ]
    assert by_node("gift", *files) == [[["MC", 3]]] * len(seeds)


def test_an_editor_marks_nothing_in_the_rules_and_in_a_draft_just_begun(tmp_path: Path) -> None:
    rules = tmp_path / "rules"
    subprocess.run(["cp", "-r", ROOT, rules], check=True)
    words = ("init", tmp_path / "mine", "--rules", rules, "--amends", "duplicate-2017", "50E2", "47E1", "64A1")
    drafted = [Path(line) for line in revoke(*words).splitlines() if line.endswith(".yaml")]
    files = [one for one in sorted(rules.rglob("*.yaml")) if one.name != MUTANTS]
    told = by_node("yaml", *files, *drafted)
    assert len(told) == len(files) + len(drafted) and not {file: said for file, said in told.items() if said}


def test_check_jsonschema_takes_every_rule_file() -> None:
    by_schema: dict[str, list[Path]] = {}
    for file in (one for one in ROOT.rglob("*.yaml") if one.name != MUTANTS):
        by_schema.setdefault(file.read_text("utf-8").split("\n", 1)[0].rpartition("/")[2], []).append(file)
    check = Path(str(FOLDER), "python", "bin", "check-jsonschema")
    for schema, files in by_schema.items():
        subprocess.run([check, "--schemafile", str(ROOT / ".schema" / schema), *map(str, files)], check=True)


def test_ajv_takes_a_flow_and_the_rules(tmp_path: Path) -> None:
    revoke("site", tmp_path / "site", "whist-1900")
    assert by_node("ajv", ROOT.parent / "docs" / "flow.schema.json", tmp_path / "site" / "whist-1900.json") == [[]]
    for schema in sorted((ROOT / ".schema").glob("*.json")):
        by_node("ajv", schema)


def test_a_program_in_typescript_is_compiled_against_the_api(tmp_path: Path) -> None:
    (tmp_path / "api.json").write_text(json.dumps(create_app(settings_in(tmp_path)).openapi()), "utf-8")
    modules = Path(str(FOLDER), "node_modules").resolve()

    def node(program: str, *words: str) -> int:
        return subprocess.run(["node", str(modules / program), *words], check=False, cwd=tmp_path).returncode

    assert node("openapi-typescript/bin/cli.js", "api.json", "-o", "api.d.ts") == 0
    for text, fits in ((USE, True), (USE.replace(".transfer", ".transfers"), False)):
        (tmp_path / "use.ts").write_text(text, "utf-8")
        assert (node("typescript/bin/tsc", "--strict", "--noEmit", "use.ts") == 0) is fits


def test_the_checker_of_the_w3c_finds_no_error(tmp_path: Path) -> None:
    client = TestClient(create_app(settings_in(tmp_path)), base_url="http://localhost")
    html = ("--format", "html")
    texts = [client.get(path).text for path in PAGES]
    texts += [revoke("rule", ROOT.parent / "examples" / "revoke.yaml", *html, "--lang", "de")]
    texts += [
        revoke("chart", "duplicate-2017"),
        revoke("chart", "duplicate-2017", "exposed-card", "--lang", "de"),
        revoke("quiz", "--questions", 3),
        revoke("lawbook", "whist-1900", *html),
    ]
    texts += [revoke("compare", "bridge-1904", "bridge-1907-us", *html)]
    files = [tmp_path / f"{number}.html" for number, _ in enumerate(texts)]
    for file, text in zip(files, texts, strict=True):
        file.write_text(text, "utf-8")
    jar = Path(str(FOLDER), "node_modules", "vnu-jar", "build", "dist", "vnu.jar")
    command = ["java", "-jar", jar, "--errors-only", "--stdout", *files]
    told = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    assert not told, told


@pytest.mark.skipif(not chromium.AVAILABLE, reason="chromium and chromedriver are not installed")
def test_mermaid_draws_every_graph_and_chart_with_all_their_text(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text(f"<script src='{FOLDER}/node_modules/mermaid/dist/mermaid.min.js'></script><main></main>", "utf-8")
    texts = [revoke("graph", one) for one in edition_ids(ROOT) if not one.startswith("duplicate")]
    texts += [revoke("graph", "duplicate-2017", clause) for clause in ("64A1", "27B1a", "53A")]
    charts = [("duplicate-2017", "revoke"), ("duplicate-2017", "lead-out-of-turn"), ("whist-1900", "revoke")]
    texts += [revoke("chart", *one, "--format", "mermaid", "--lang", "de") for one in charts]
    with chromium.browser() as window:
        window.open(page)
        for text in texts:
            boxes = [re.sub("<br/>", "", one) for one in re.findall(r'^  \w+\["(.*)"\]', text, re.MULTILINE)]
            drawn, narrow = window.js(DRAW, text)
            assert sorted(drawn) == sorted(boxes)
            assert narrow == 0, "a text is wider than its box"


def test_the_npm_client_of_mcp() -> None:
    told = by_node("mcp", sys.executable)
    assert told["version"] == version("revoke-kb") and told["law"].startswith("Laws of Duplicate Bridge 2017, 64A1: ")
    assert told["odd"][0] and "there is no argument lang" in told["odd"][1]


def test_data_tools_read_an_audit_whole(tmp_path: Path) -> None:
    deal = "N:K74.J6.T543.Q432 962.Q8.AKQJ96.A7 JT8.AK9752..T986 AQ53.T43.872.KJ5"
    head = f'[Deal "{deal}"]\n[Declarer "E"]\n[Contract "3NT"]\n[Play "S"]\nH7 H3 HJ HQ\n'
    boards = (f'[Board "{n}"]\n{head}C6 D2 {card} DA\n*\n' for n, card in enumerate(("D3", "C2"), 1))
    (tmp_path / "a.pbn").write_text("\n".join(boards), "utf-8")
    file = saved(tmp_path / "a.jsonl", "audit", tmp_path / "a.pbn", "--format", "jsonl")
    read = """
import duckdb, json, polars, sys
rows = duckdb.sql(f"select entry, unnest(revokes).hand from read_json_auto('{sys.argv[1]}')").fetchall()
print(json.dumps([polars.read_ndjson(sys.argv[1]).height, rows]))
"""
    assert by_python(read, file) == [2, [["ruling", "N"]]]


def test_msgfmt_takes_a_translation_just_begun(tmp_path: Path) -> None:
    subprocess.run(["cp", "-r", ROOT, tmp_path / "rules"], check=True)
    revoke("translate", "fr", "--rules", tmp_path / "rules")
    (file,) = (tmp_path / "rules").rglob("fr.po")
    subprocess.run(["msgfmt", "-c", "-o", os.devnull, file], check=True)
