"""Editions put together: amendments, repeals, elections, drafts, and what is said when a name is not known."""

from __future__ import annotations

import pickle
import re
import shutil
from pathlib import Path

import pytest
from support.checking import check

from facts.errors import RulesError
from kb.language.edition import load_edition
from kb.language.folders import edition_ids, elections, laid_together, rules_root
from kb.language.rule import Condition, Tally
from kb.language.terms import NO_TERM, Constant, Sum, Variable

TINY = Path(__file__).parent / "tiny"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return Path(shutil.copytree(TINY, tmp_path / "rules"))


def refusal(root: Path, edition: str | Path, *elected: str) -> str:
    with pytest.raises(RulesError) as caught:
        load_edition(root, edition, elected)
    return str(caught.value).replace(f"{root}/", "")


def test_a_code_of_its_own() -> None:
    code = load_edition(TINY, "code")
    assert (code.id, code.authority, code.in_force, code.amends) == ("code", "The club", "2000", None)
    assert code.title == {"en": "A code", "de": "Ein Gesetz"}
    assert list(code.clauses) == ["1A", "2A", "2B", "help"]
    assert [(c.law, c.encoded_as, c.recalled) for c in code.clauses.values()] == [
        ("1", "rules", False),
        ("2", "rules", False),
        ("2", "director", True),
        ("", "definition", False),
    ]
    assert code.laws["2"] == {"en": "Second", "de": "Zweitens"}
    assert code.clauses["2B"].notes[0].says["de"] == "Ein Zweifel"
    assert [rule.id for rule in code.rules] == ["1A.1", "2A.1", "help.1"]
    assert code.offers == {"2B": ("local",)}
    assert code.vocabulary.kinds["won"].one_per == ("trick",)
    assert [*code.table.findings, *code.table.events] == ["bound", "ordered"]
    assert code.vocabulary.kinds["points"].cites
    assert not code.vocabulary.kinds["won"].cites


def test_what_a_rule_holds() -> None:
    rule = load_edition(TINY, "code").clauses["2A"].rules[0]
    ordered, played, won = rule.when
    assert isinstance(ordered, Condition) and isinstance(played, Condition) and isinstance(won, Condition)
    assert [(t.field, t.operator, t.term) for t in ordered.tests] == [("hand", "=", Variable("h"))]
    assert [(t.field, t.operator, t.term, t.among) for t in won.tests] == [
        ("trick", "=", Variable("t"), ()),
        ("hand", "!=", Variable("h"), ()),
        ("side", "=", NO_TERM, ("NS", "EW")),
    ]
    assert (won.tests[1].place.line, won.tests[1].place.column, won.tests[1].place.width) == (12, 40, 8)
    assert rule.then[0].terms == {"side": Variable("s"), "points": Constant(1)}
    assert rule.because["de"] == "{h} war gebunden"
    assert rule.place.line == 9


def test_an_amendment_replaces_repeals_and_adds() -> None:
    later = load_edition(TINY, "later")
    assert list(later.clauses) == ["1A", "1AA", "2A", "2B"]
    assert later.clauses["1A"].says["en"] == "New"
    assert later.clauses["1AA"].reason["de"] == "Zu schwer"
    assert later.laws == load_edition(TINY, "code").laws
    assert (later.amends, later.lineage, later.offers) == ("code", ("later", "code"), {})


def test_an_election_replaces_its_clause() -> None:
    elected = load_edition(TINY, "code", ["local", "local"])
    assert elected.elections == ("local",)
    assert list(elected.clauses) == ["1A", "2A", "2B", "help"]
    rule = elected.clauses["2B"].rules[0]
    count, _, total = rule.when
    assert isinstance(count, Tally) and isinstance(total, Tally)
    assert (count.how, count.field, count.number.operator, count.number.term) == ("count", None, "=", Variable("n"))
    assert (total.how, total.field, total.number.operator, total.number.term) == ("total", "trick", ">", Constant(3))
    assert [conclusion.terms["side"] for conclusion in rule.then] == [Variable("s"), Constant("NS")]
    assert load_edition(TINY, "code").clauses["2B"].rules == ()


def test_a_draft_in_a_folder_of_the_editors_own(tmp_path: Path) -> None:
    draft = tmp_path / "draft"
    draft.mkdir()
    head = 'edition: draft\ntitle: {en: D, de: E}\nauthority: Me\nin-force: "2030"\namends: later\n'
    (draft / "edition.yaml").write_text(head)
    (draft / "change.yaml").write_text('law: "2"\nclauses:\n  "2A": {repealed: true}\n')
    edition = load_edition(TINY, draft)
    assert list(edition.clauses) == ["1A", "1AA", "2B"]
    assert edition.lineage == ("draft", "later", "code")
    assert load_edition(TINY, str(draft)).clauses.keys() == edition.clauses.keys()
    assert check(TINY, draft) == []
    (draft / "edition.yaml").write_text(head.replace("edition: draft", "edition: code"))
    assert [fault.what for fault in check(TINY, draft)] == ["code is the name of another edition"]


def test_a_draft_says_more(tmp_path: Path) -> None:
    """Its own kinds, findings and events beside those of the edition that it amends, and instead of them."""
    draft = tmp_path / "draft"
    draft.mkdir()
    (draft / "edition.yaml").write_text(
        'edition: draft\ntitle: {en: D, de: E}\nauthority: Me\nin-force: "2030"\namends: later\n'
    )
    (draft / "vocabulary.yaml").write_text(
        "words: {how: [loudly, softly]}\nkinds: {said: {fields: {how: how, by: seat}, says: {en: x, de: x}}}\n"
    )
    (draft / "table.yaml").write_text(
        "findings:\n"
        "  bound: {is: yes-no, means: {en: other, de: anders}, not-stated: nothing}\n"
        '  loud: {is: yes-no, means: {en: a, de: b}, not-stated: unknown, "yes": {said: {how: loudly, by: $hand}}}\n'
        "events:\n"
        "  whispered: {fields: {by: seat}, means: {en: a, de: b}, states: {said: {how: softly, by: $by}}}\n"
        "impossible:\n"
        "  - {when: {loud: 'yes', trick: [1]}, because: {en: x, de: x}}\n"
    )
    edition, base = load_edition(TINY, draft), load_edition(TINY, "later")
    assert check(TINY, draft) == []
    assert [*edition.table.findings] == ["bound", "loud"]
    assert edition.table.findings["bound"].means["en"] == "other"
    assert [*edition.table.events] == ["ordered", "whispered"]
    assert len(edition.table.impossible) == len(base.table.impossible) + 1
    assert edition.table.of_a_trick == base.table.of_a_trick
    assert edition.table.fields["said"] == ("how", "by")
    assert edition.vocabulary.kinds.keys() - base.vocabulary.kinds.keys() == {"said"}
    assert edition.vocabulary.words["how"] == ("loudly", "softly")
    assert "loud" not in base.table.findings


def test_what_is_wrong_with_what_a_draft_says(tmp_path: Path) -> None:
    draft = tmp_path / "draft"
    draft.mkdir()
    (draft / "edition.yaml").write_text(
        'edition: draft\ntitle: {en: D, de: E}\nauthority: Me\nin-force: "2030"\namends: later\n'
    )
    (draft / "table.yaml").write_text("findings:\n  loud: {is: yes, means: {en: a, de: b}, not-stated: unknown}\n")
    assert "table.yaml:2:14: yes is no type" in "".join(map(str, check(TINY, draft)))


def test_a_new_clause_stands_where_the_book_would_print_it(root: Path) -> None:
    clause = "{new: true, says: {en: x, de: x}, encoded-as: procedure}"
    (root / "later" / "more.yaml").write_text(
        f'laws:\n  "2": {{clauses: {{"2A10": {clause}, "2A9": {clause}, "2C": {clause}}}}}\n'
        f'  "10": {{title: {{en: x, de: x}}, clauses: {{"10A": {clause}}}}}\n'
    )
    assert list(load_edition(root, "later").clauses) == ["1A", "1AA", "2A", "2A9", "2A10", "2B", "2C", "10A"]


def test_an_edition_may_be_named_by_its_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(TINY.parent)
    assert load_edition(TINY, "tiny/later").id == load_edition(Path("tiny"), TINY / "later").id == "later"


def test_names_that_are_not_known() -> None:
    assert refusal(TINY, "coed").endswith("there is no edition coed; did you mean code?")
    assert refusal(TINY, "code", "locl").endswith("code does not offer the election locl; did you mean local?")
    assert (
        refusal(TINY, "later", "local")
        == "later/edition.yaml:1:10: later does not offer the election local; leave it out: it offers none"
    )


def test_a_folder_that_is_no_edition(tmp_path: Path, root: Path) -> None:
    assert refusal(root, tmp_path).endswith("the folder holds no edition.yaml; write one: edition, title, amends, …")
    assert refusal(tmp_path, "code").endswith("there is no edition code; none is known")


def test_a_file_that_cannot_be_read_is_one_fault_and_hides_no_other(root: Path) -> None:
    (root / "code" / "law-1.yaml").write_bytes(b"law: \xff")
    (root / "code" / "law-2.yaml").write_text((root / "code" / "law-2.yaml").read_text().replace("$t + 1", "$u"))
    faults = [str(fault).replace(f"{root}/", "") for fault in check(root)]
    assert faults == [
        "code/law-1.yaml:1:6: the byte 0xff is not UTF-8; save the file as UTF-8 text",
        "code/law-2.yaml:28:33: $u has no value here; write field: $u in a condition under when",
    ]


def test_of_a_misnamed_file_nothing_is_told_that_it_may_hold(root: Path) -> None:
    law = root / "code" / "law-2.yaml"
    law.rename(law.with_suffix(".YAML"))
    assert [(fault.what, fault.mend) for fault in check(root, "code")] == [
        ("the file is not read", "call it law-2.yaml")
    ]
    with pytest.raises(RulesError, match=r"law-2.YAML:1:1: the file is not read"):
        load_edition(root, "code")  # or it would be ruled without it


def test_files_that_nothing_reads(root: Path) -> None:
    (root / "code" / "law-3.yml").write_text("x")
    (root / "code" / "measures.yaml").write_text("parts: {}")
    (root / "draft").mkdir()
    (root / "draft" / "law-3.yaml").write_text("x")
    assert [fault.what for fault in check(root)] == [
        "the file is not read",
        "the file is not read",
        "the folder holds no edition.yaml",
    ]


def _with_french(line: str) -> str:
    """A line whose texts are in French too; a sentence names there what it names in English."""
    named = " ".join(dict.fromkeys(re.findall(r"\{\w+\}", line))) if "because" in line else ""
    return line.replace(" de: ", f' fr: "Bon {named}", de: ')


def test_a_third_language_needs_nothing_but_yaml(root: Path) -> None:
    for file in root.rglob("*.yaml"):
        text = file.read_text().replace("languages: [en, de]", "languages: [en, de, fr]")
        file.write_text("\n".join(_with_french(line) for line in text.split("\n")))
    assert check(root) == []
    assert load_edition(root, "code").rules[0].because["fr"].startswith("Bon")


def test_loading_refuses_what_check_finds(root: Path) -> None:
    law = root / "code" / "law-1.yaml"
    law.write_text(law.read_text().replace("bound: {trick: $t", "bound: {trick: $u"))
    assert "$u has no value here" in refusal(root, "code")
    assert "later/" not in refusal(root, "code")


def test_editions_survive_pickling() -> None:
    code = load_edition(TINY, "code", ["local"])
    assert pickle.loads(pickle.dumps(code)).rules == code.rules


def test_what_there_is() -> None:
    assert edition_ids(TINY) == ("code", "later")
    assert [*elections(TINY)] == ["local"]
    assert (rules_root() / "vocabulary.yaml").is_file()


def test_a_sum() -> None:
    rule = load_edition(TINY, "code").clauses["help"].rules[0]
    assert rule.then[0].terms["trick"] == Sum(Variable("t"), Constant(1))


def test_a_condition_that_is_laid_over_another_stands_in_its_place(tmp_path: Path) -> None:
    below, over = tmp_path / "below.yaml", tmp_path / "over.yaml"
    below.write_text("questions: {won-by: {help: who, when: {next-trick: played}}}")
    over.write_text("questions: {won-by: {when: {hand: declarer}}}")
    laid = laid_together([below, over], levels=5).plain()
    assert laid == {"questions": {"won-by": {"help": "who", "when": {"hand": "declarer"}}}}
