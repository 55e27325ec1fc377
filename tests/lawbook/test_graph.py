"""Which clauses feed which."""

from __future__ import annotations

from support.ruling import ROOT

from kb.language.edition import load_edition
from kb.lawbook.book import feeds

EDITION = load_edition(ROOT, "duplicate-2017")


def test_what_a_clause_feeds() -> None:
    assert ("correction", "trick-12-correction") in {
        (one.into, kind) for one in feeds(EDITION) if one.clause == "62D1" for kind in one.kinds
    }
    assert any("exempt" in one.kinds for one in feeds(EDITION) if one.clause == "64B1")
