"""A third language is added by YAML alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from support.cases import incidents, sample
from support.ruling import ROOT

from facts.yaml_reader import read_yaml
from kb.explain.page import Line, Page, as_text
from kb.explain.unfold import unfold, unfold_page
from kb.explain.words import Speaker, load_words
from kb.ruling.laws import Laws
from kb.ruling.make_ruling import rule
from kb.voices import Voice, told
from kb.why_not.why_not import answer_page as why_not_page
from kb.why_not.why_not import why_not

pytestmark = pytest.mark.thorough

MARK = "‹fr›"
NUMBERS = re.compile(r"[0-9A-Za-z]+(, [0-9A-Za-z]+)*")
"""Of laws: they have no words."""


class Quoting(yaml.SafeDumper):
    """Writes every text that is more than a word in quotes, where any sign may stand."""


Quoting.add_representer(
    str,
    lambda to, text: to.represent_scalar(
        "tag:yaml.org,2002:str", text, style='"' if re.search(r"[^\w-]", text) else None
    ),
)


def with_french(value: Any) -> Any:
    """Every sentence that is there in English and German, in French too: marked, with its places."""
    if isinstance(value, dict):
        made = {key: with_french(one) for key, one in value.items()}
        if isinstance(made.get("en"), str) and "de" in made:
            made["fr"] = f"{MARK}{made['en']}"
        return made
    return [with_french(one) for one in value] if isinstance(value, list) else value


@pytest.fixture(scope="module")
def french(tmp_path_factory: pytest.TempPathFactory) -> Laws:
    root: Path = tmp_path_factory.mktemp("rules")
    for file in [*ROOT.glob("*.yaml"), *ROOT.glob("duplicate-2017/*.yaml")]:
        data = with_french(read_yaml(file.read_text("utf-8"), str(file)).plain())
        if file.name == "vocabulary.yaml":
            data["languages"] = ["en", "de", "fr"]
        copy = root / file.relative_to(ROOT)
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(yaml.dump(data, Dumper=Quoting, allow_unicode=True, sort_keys=False, width=10_000), "utf-8")
    return Laws(root, "quick")


def speaker_of(laws: Laws) -> Speaker:
    vocabulary = laws.of("duplicate-2017").edition.vocabulary
    words = load_words(laws.root, vocabulary)
    assert words.languages == ("en", "de", "fr")
    return Speaker(words, vocabulary, "fr")


def lines(page: Page) -> list[Line]:
    waiting = [*page.lead, *(line for part in page.parts for line in part.lines)]
    return waiting + [below for line in waiting for below in line.under]


def test_every_line_is_in_the_third_language(french: Laws) -> None:
    law, speaker = french.of("duplicate-2017"), speaker_of(french)
    for name, one in sample(12, seed=31):
        if one.edition.id != "duplicate-2017" or one.edition.elections:
            continue
        ruling = rule(law, one.incident)
        for spoken in (None, Voice.TABLE, Voice.APPEAL):
            for line in lines(told(ruling, speaker, spoken)):
                assert MARK in line.text, (name, line.text)


def test_why_not_and_unfold_speak_it_too(french: Laws) -> None:
    law, speaker = french.of("duplicate-2017"), speaker_of(french)
    one = next(one for name, one in incidents() if one.play is not None and one.edition == "duplicate-2017")
    ruling = rule(law, one)
    pages = [
        unfold_page(unfold(law, one), speaker),
        why_not_page(ruling, why_not(ruling, "64B4"), speaker),
        told(ruling, speaker, Voice.TEACHING),
    ]
    for page in pages:
        for line in lines(page):
            assert MARK in line.text or NUMBERS.fullmatch(line.text), line.text
        assert "trick" in as_text(page, speaker)
