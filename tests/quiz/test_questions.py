"""The benchmark's questions: their answers are what the law rules, and a script grades them."""

from __future__ import annotations

from random import Random

from support.ruling import ROOT

import kb
from bench.questions.grade import grade
from bench.questions.make import UNDECIDED, items
from kb.ruling.laws import Laws


def test_each_answer_is_what_is_ruled_and_is_graded() -> None:
    made = [*items(Laws(ROOT, "quick").of("duplicate-2017"), Random(3), 6)]
    assert [one["kind"] for one in made] == ["as it stands", "amended", "undecided"] * 2
    law = kb.Law("duplicate-2017")
    for one in made:
        ruling = law.rule(kb.incident(str(one["incident"])))
        told = "corrected" if ruling.revokes[0].status != "established" else str(sum(ruling.transfer.values()))
        as_answered = one["answer"].replace("no trick", "0").split()[0]
        if one["kind"] == "undecided":
            assert ruling.is_open and one["answer"] == UNDECIDED and one["missing"] in law.edition.table.findings
        elif one["kind"] == "amended":
            assert told != as_answered and one["amendment"]["was"] != one["amendment"]["now"]
        else:
            assert told == as_answered and one["receipt"] == ruling.receipt and tuple(one["laws"]) == ruling.cited
        assert grade(one, one) == 1 and grade(one, {"answer": "another"}) == grade(one, {}) == 0
        assert grade(one, {"answer": one["answer"]}) == (0.5 if "missing" in one else 1)
