"""Further languages of the rules: what is translated is said so, what is not is said in English."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.checking import check
from typer.testing import CliRunner

from kb.cli.main import app
from kb.explain.words import load_words
from kb.language.edition import load_edition
from kb.language.folders import rules_root
from kb.language.texts import fill, holes, stray_brace, with_plurals

ROOT = rules_root()
EXAMPLE = Path(__file__).parents[2] / "examples" / "revoke.yaml"
WON = "{h} won trick {t} himself: it goes to {o}."
POLISH = "n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2"
HEAD = 'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=2; plural=n > 1;\\n"\n\n'
FRENCH = f"""{HEAD}#. 64A1 rules 1 because
#: duplicate-2017/law-64.yaml
msgid "{WON}"
msgstr "{{h}} a fait la levée {{t}} : elle va à {{o}}."

msgid "{{hand}} led or played a card"
msgstr ""

msgid "Reasons"
msgstr "Motifs"
"""


@pytest.fixture
def draft(tmp_path: Path) -> Path:
    folder = tmp_path / "french"
    (folder / "translations").mkdir(parents=True)
    title = '{en: "2017 in French", de: "2017 auf Französisch"}'
    edition = f'edition: french\ntitle: {title}\nauthority: a test\nin-force: "not yet"\namends: duplicate-2017\n'
    (folder / "edition.yaml").write_text(edition, "utf-8")
    (folder / "translations" / "fr.po").write_text(FRENCH, "utf-8")
    return folder


def entry(english: str, said: str, german: str = "", mark: str = "") -> str:
    context = f'msgctxt "{german}"\n' if german else ""
    return f'{mark}{context}msgid "{english}"\nmsgstr "{said}"\n\n'


def translated(draft: Path, text: str, language: str = "fr") -> None:
    (draft / "translations" / f"{language}.po").write_text(text, "utf-8")


@pytest.mark.thorough
def test_a_draft_in_french_in_part_is_whole_and_rules(draft: Path) -> None:
    assert check(ROOT, draft) == []
    done = CliRunner().invoke(app, ["rule", str(EXAMPLE), "--edition", str(draft), "--lang", "fr"])
    assert done.exit_code == 0, done.output
    assert "West a fait la levée 5 : elle va à North–South. [Law 64A1]" in done.stdout
    assert "Motifs:" in done.stdout
    assert "West's side (East–West) also won a later trick" in done.stdout, "not translated: in English"
    assert done.stderr.count("What is not translated yet is in English.") == 1


@pytest.mark.thorough
@pytest.mark.parametrize(
    "command",
    [
        ["rule", EXAMPLE, "--voice", "table"],
        ["rule", EXAMPLE, "--voice", "teaching"],
        ["rule", EXAMPLE, "--format", "html"],
        ["why-not", EXAMPLE, "64B4"],
        ["what-if", EXAMPLE, "faced=true"],
        ["unfold", EXAMPLE],
        ["ask"],
    ],
    ids=lambda command: " ".join(map(str, command[:1] + command[2:])),
)
def test_every_command_speaks_a_language_of_which_much_is_missing(draft: Path, command: list[object]) -> None:
    words = [*map(str, command), "--edition", str(draft), "--lang", "fr"]
    done = CliRunner().invoke(app, words, input="" if command == ["ask"] else None)
    assert isinstance(done.exception, SystemExit | None), done.exception
    assert "What is not translated yet is in English." in done.stderr


@pytest.mark.thorough
def test_what_the_document_shows_is_a_translation(draft: Path) -> None:
    page = (ROOT.parent / "docs" / "editing-the-law.md").read_text("utf-8").partition("## 8.")[2]
    translated(draft, page.partition("```text\n")[2].partition("```")[0])
    assert check(ROOT, draft) == []
    found = load_edition(ROOT, draft).vocabulary.translations.of((WON, ""), "fr")
    assert found is not None
    assert found.startswith("{h} a fait lui-même")
    assert POLISH in page


@pytest.mark.thorough
def test_law_and_words_have_the_language_and_no_other_law_has(draft: Path) -> None:
    edition = load_edition(ROOT, draft)
    assert edition.vocabulary.all_languages == ("en", "de", "fr")
    assert load_words(ROOT, edition.vocabulary).languages == ("en", "de", "fr")
    assert edition.table.findings["faced"].means["fr"] == edition.table.findings["faced"].means["en"]
    assert load_edition(ROOT, "duplicate-2017").vocabulary.all_languages == ("en", "de")


@pytest.mark.thorough
def test_a_draft_of_the_draft_speaks_it_too_and_may_say_it_otherwise(draft: Path) -> None:
    below = draft.parent / "below"
    (below / "translations").mkdir(parents=True)
    text = (draft / "edition.yaml").read_text("utf-8")
    text = text.replace("edition: french", "edition: below").replace("duplicate-2017", "../french")
    (below / "edition.yaml").write_text(text, "utf-8")
    (below / "translations" / "fr.po").write_text(entry("Reasons", "Raisons"), "utf-8")
    vocabulary = load_edition(ROOT, below).vocabulary
    words = load_words(ROOT, vocabulary)
    assert words.phrase("reasons", "fr") == "Raisons"
    assert vocabulary.translations.of((WON, ""), "fr") is not None


@pytest.mark.thorough
def test_spaces_around_a_text_are_those_of_the_english(draft: Path) -> None:
    translated(draft, entry("or", "ou") + entry("({score} for North–South)", "({score})"))
    words = load_words(ROOT, load_edition(ROOT, draft).vocabulary)
    assert (words.phrase("book-or", "fr"), words.phrase("score", "fr", score="+50")) == (" ou ", " (+50)")


def test_what_is_alike_in_english_is_told_apart_by_the_german(draft: Path) -> None:
    translated(draft, entry("to", "à", "an") + entry("to", "jusqu’à", "zu"))
    known = load_edition(ROOT, draft).vocabulary.translations
    assert [known.of(("to", german), "fr") for german in ("an", "zu", "bis")] == ["à", "jusqu’à", "à"]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("english", "said", "what"),
    [
        ("{h} leads", "{k} entame", "nothing fills {k}"),
        ("{h} leads {c}", "{h} entame", "does not name {c}"),
        ("{h} leads", "{h entame {h}", "a brace or a bracket"),
        ("{n|trick|tricks}", "{n|levée}", "1 forms of a word go with a number, and its rule has 2"),
    ],
)
def test_what_is_wrong_with_a_translation_is_told_where_it_stands(
    draft: Path, english: str, said: str, what: str
) -> None:
    translated(draft, HEAD + entry("a", "b") + entry(english, said))
    found = check(ROOT, draft)
    assert [fault.place.line for fault in found if what in fault.what] == [8]
    assert {Path(fault.place.file).name for fault in found} == {"fr.po"}


def test_what_is_no_file_of_translations_is_told_in_its_line(draft: Path) -> None:
    translated(draft, HEAD + entry("a", "b") + "nonsense\n")
    (fault,) = check(ROOT, draft)
    assert (fault.what, fault.place.line) == ("this is no file of translations", 8)


@pytest.mark.thorough
def test_what_was_of_another_text_and_what_is_empty_is_not_looked_at(draft: Path) -> None:
    translated(draft, HEAD + entry(WON, "{k} a gagné", mark="#, fuzzy\n") + entry("{h} leads", ""))
    assert check(ROOT, draft) == []
    assert load_edition(ROOT, draft).vocabulary.translations.of((WON, ""), "fr") is None


@pytest.mark.thorough
def test_a_complete_language_is_no_translation_and_stays_complete(draft: Path) -> None:
    translated(draft, HEAD, "de")
    assert [fault.what for fault in check(ROOT, draft)] == ["every text is given in de where it stands"]
    (draft / "translations" / "de.po").unlink()
    text = (draft / "edition.yaml").read_text("utf-8").replace(', de: "2017 auf Französisch"', ', fr: "2017"')
    (draft / "edition.yaml").write_text(text, "utf-8")
    assert [fault.what for fault in check(ROOT, draft)] == ["the text in de is missing", "unknown language fr"]


def test_a_language_has_as_many_forms_of_a_word_as_it_has(draft: Path) -> None:
    text = with_plurals("{n|lewa|lewy|lew|żadna lewa} dla {s}", POLISH)
    assert holes(text) == ["n", "s"]
    assert not stray_brace(text)
    said = [fill(text, {"n": number, "s": "NS"}) for number in ("0", "1", "2", "5", "12", "at least 22", "1 121")]
    assert [one.removesuffix(" dla NS") for one in said] == [
        *("żadna lewa", "1 lewa", "2 lewy", "5 lew", "12 lew", "at least 22 lewy", "1 121 lew"),
    ]
    assert fill(with_plurals("{n|枚}", "0"), {"n": "3"}) == "3 枚"
    head = HEAD.replace("nplurals=2; plural=n > 1", f"nplurals=3; plural={POLISH}")
    translated(draft, head + entry("{n|trick|tricks}", "{n|lewa|lewy}"), "pl")
    assert [fault.what for fault in check(ROOT, draft)] == ["2 forms of a word go with a number, and its rule has 3"]


@pytest.mark.parametrize("rule", ["n !", "import os", "n % 0"])
def test_a_rule_for_forms_that_is_none_is_told(draft: Path, rule: str) -> None:
    translated(draft, HEAD.replace("n > 1", rule))
    assert [fault.what for fault in check(ROOT, draft)] == [f"{rule} is no rule for the forms of words"]
