"""Two rules that come to the same fact are told where it is counted, and no others."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from kb.language.edition import check

TINY = Path(__file__).parent / "tiny"
HEAD = """\
election: local
title: {en: x, de: x}
authority: The club
of: [code]
under: "2B"
clauses:
  "2B":
    says: {en: x, de: x}
    encoded-as: rules
    rules:
      - when: [{count: {of: {bound: {hand: $h}}, is: $n}}, {won: {hand: $h, side: $s}}]
        then: {points: {side: $s, points: $n}}
        because: {en: "{n}", de: "{n}"}
"""
RULE = """\
      - when: [%s]
        unless: {%s}
        then: {bound: {trick: %s, hand: %s}}
        because: {en: x, de: x}
"""


def told(tmp_path: Path, *rules: tuple[str, str, str, str]) -> list[str]:
    """Of rules that conclude ``bound``, where no other does."""
    shutil.copytree(TINY, tmp_path / "rules")
    text = HEAD + "".join(RULE % rule for rule in rules)
    (tmp_path / "rules" / "elections" / "local.yaml").write_text(text.replace("        unless: {}\n", ""), "utf-8")
    law = tmp_path / "rules" / "code" / "law-1.yaml"
    law.write_text(law.read_text("utf-8").replace("bound: {trick: $t, hand: $h}", "points: {side: NS, points: 1}"))
    return [fault.what for fault in check(tmp_path / "rules") if fault.check == "counts-once"]


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        (("{won: {trick: $t, hand: $h}}", "", "$t", "$h"), ("{won: {trick: $x, hand: $y}}", "", "$x", "$y"), True),
        (("{won: {trick: $t, hand: $h}}", "", "$t", "N"), ("{won: {trick: $t, hand: $h}}", "", "$t", "E"), False),
        (("{won: {trick: $t, hand: $h}}", "", "3", "$h"), ("{won: {trick: $t, hand: $h}}", "", "$t", "$h"), True),
        (("{ordered: {trick: $t, hand: $h}}, {won: {trick: $t, hand: $h}}", "", "$t", "$h"),
         ("{ordered: {trick: $t, hand: $h}}, {won: {trick: $t, hand: \"not $h\"}}", "", "$t", "$h"), False),
        (("{ordered: {hand: $h}}, {won: {trick: $t, hand: $h}}", "", "4", "$h"),
         ("{ordered: {hand: $h}}, {won: {trick: $t, hand: \"not $h\"}}", "", "4", "$h"), True),
        (("{ordered: {trick: $t, hand: $h}}, {won: {trick: $t, side: NS}}", "", "$t", "$h"),
         ("{ordered: {trick: $t, hand: $h}}, {won: {trick: $t, side: [EW]}}", "", "$t", "$h"), False),
        (("{ordered: {trick: $t, hand: $h}}, {won: {trick: $t, side: $s}}", "", "$t", "$h"),
         ("{ordered: {trick: $t, hand: $h}}, {won: {trick: $t, side: [EW]}}", "", "$t", "$h"), True),
        (("{ordered: {trick: $t, hand: $h}}, {played: {trick: $t, hand: $h, at: $a}}", "", "$t", "$h"),
         ("{ordered: {trick: $t, hand: $h}}", "played: {trick: $t, hand: $h, card: $c}", "$t", "$h"), False),
        (("{ordered: {trick: $t, hand: $h}}, {played: {trick: $t, hand: $h, at: $a}}", "", "$t", "$h"),
         ("{ordered: {trick: $t, hand: $h}}", "played: {trick: $t, hand: $h, role: defender}", "$t", "$h"), True),
    ],
)  # fmt: skip
def test_a_pair_is_told_unless_it_cannot_be(
    tmp_path: Path, one: tuple[str, str, str, str], other: tuple[str, str, str, str], alike: bool
) -> None:
    said = told(tmp_path, one, other)
    assert said == (["2B.3 concludes the same bound as 2B.2, and both count once"] if alike else [])
