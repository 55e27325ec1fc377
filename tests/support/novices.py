"""A draft with a finding of its own: whoever plays his first tournament is exempt."""

from __future__ import annotations

from pathlib import Path

from kb.language.edition import load_edition
from kb.language.folders import rules_root
from kb.language.model import Edition
from support.drafts import draft

FOUND = """\
findings:
  first-tournament:
    is: yes-no
    means: {en: "it was his first tournament", de: "es war sein erstes Turnier"}
    asks:  {en: "Was it his first tournament?", de: "War es sein erstes Turnier?"}
    about: {en: "his first tournament:", de: "sein erstes Turnier:"}
    when:  {noticed: during-play}
    not-stated: {presumed: "no", says: {en: "it was not his first tournament", de: "es war nicht sein erstes Turnier"}}
    "yes": {novice: {hand: $hand}}
"""
NOVICE = """\
kinds:
  novice:
    fields: {hand: seat}
    says: {en: "it is {hand}'s first tournament", de: "es ist das erste Turnier von {hand}"}
"""
EXEMPT = """\
law: "64"
title: {en: A draft, de: Ein Entwurf}
clauses:
  64B9:
    new: true
    encoded-as: rules
    says: {en: Nothing from novices., de: Nichts von Anfängern.}
    rules:
      - when:
          - revoke: {play: $p, trick: $t, hand: $h}
          - novice: {hand: $h}
        then:
          - exempt: {play: $p, trick: $t, hand: $h}
        because: {en: "{h} plays his first tournament", de: "{h} spielt sein erstes Turnier"}
"""


def novices(folder: Path, law: str = EXEMPT) -> Edition:
    """The draft, in a folder that is not there yet."""
    made = draft(folder, law)
    (made / "table.yaml").write_text(FOUND, encoding="utf-8")
    (made / "vocabulary.yaml").write_text(NOVICE, encoding="utf-8")
    return load_edition(rules_root(), made)
