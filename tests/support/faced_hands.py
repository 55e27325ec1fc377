"""A small amendment in a folder of its own, for what is done with editions and their cases."""

from __future__ import annotations

from pathlib import Path

EDITION = """\
edition: faced-hands
title: {en: "Faced hands", de: "Offene Hände"}
authority: nobody
in-force: "not yet"
amends: duplicate-2017
"""
LAW = """\
law: "64"
clauses:
  "64B3":
    says: {en: "No automatic trick for a card that lay open.", de: "Kein automatischer Stich für eine offene Karte."}
    encoded-as: rules
    rules:
      - when:
          - liable:         {play: $p, trick: $t, hand: $h}
          - required-faced: {trick: $t, hand: $h}
        then: {exempt: {play: $p, trick: $t, hand: $h}}
        because: {en: "{h}'s card lay open at trick {t}.", de: "Die Karte von {h} lag in Stich {t} offen."}
"""
CASE = """\
id: open-card
source: made for a test
title: An open card
incident:
  contract: 4S
  declarer: S
  revokes:
    - {hand: W, trick: 5, suit: H, card: C4, required-faced: true, won-by: S, later-tricks: 2, next-trick: played}
expect:
  - edition: faced-hands
    transfer: {NS: 0, EW: 0}
    cited: ["64B3"]
why: It lay open.
"""
HIDDEN = (
    CASE.replace("open-card", "hidden-card")
    .replace("required-faced: true, ", "")
    .replace('transfer: {NS: 0, EW: 0}\n    cited: ["64B3"]', 'transfer: {NS: 1, EW: 0}\n    not-cited: ["64B3"]')
)
"""The same with the card hidden: one trick goes."""


def write_draft(folder: Path, *cases: str) -> Path:
    """The amendment with these cases, in ``folder``."""
    (folder / "cases").mkdir(parents=True)
    (folder / "edition.yaml").write_text(EDITION, encoding="utf-8")
    (folder / "law-64.yaml").write_text(LAW, encoding="utf-8")
    for number, case in enumerate(cases):
        (folder / "cases" / f"{number}.yaml").write_text(case, encoding="utf-8")
    return folder
