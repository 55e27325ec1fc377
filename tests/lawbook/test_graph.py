"""Which clauses feed which."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.ruling import ROOT

from facts.errors import InputError
from kb.language.edition import load_edition
from kb.lawbook.book import feeds, mermaid

EDITION = load_edition(ROOT, "duplicate-2017")


def test_what_rests_on_a_clause_alone() -> None:
    alone = {(one.into, kind) for one in feeds(EDITION) if one.clause == "62D1" for kind in one.alone}
    assert ("correction", "trick-12-correction") in alone
    of_many = [one for one in feeds(EDITION) if one.clause == "64B1" and "exempt" in one.kinds]
    assert of_many and not any("exempt" in one.alone for one in of_many)


def test_what_could_not_be_drawn_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kb.lawbook.book.MOST_ARROWS", 200)
    with pytest.raises(InputError, match="more than the 200 that Mermaid draws; name a clause, such as "):
        mermaid(EDITION, None)
    assert mermaid(EDITION, "62D1")


def test_a_clause_and_what_stands_around_it() -> None:
    drawn = mermaid(EDITION, "62D1").splitlines()
    name = next(line.split("[")[0].strip() for line in drawn if '["62D1"]' in line)
    arrows = [line for line in drawn if "|" in line]
    assert arrows and all(name in line.replace("|", " ").split() for line in arrows)
    assert len(arrows) < len([*feeds(EDITION)])
    with pytest.raises(InputError, match="no clause 62Z; did you mean 62B"):
        mermaid(EDITION, "62Z")


def test_a_clause_that_a_draft_repeals_is_told_as_that() -> None:
    draft = load_edition(ROOT, Path(__file__).parents[1] / "amendments" / "claims-do-not-establish")
    with pytest.raises(InputError, match="63A3 is repealed in claims-do-not-establish"):
        mermaid(draft, "63A3")
