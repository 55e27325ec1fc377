"""A draft is asked what is claimed of the law that it amends, but for what it changes, drops and adds."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
from support.claims import all_claimed, root
from support.drafts import draft

from kb.language.edition import load_edition
from kb.prove.deep import own_claims
from kb.prove.prove import Proving, Verdict

pytestmark = pytest.mark.thorough

BASE = {
    "kept": "then: {revoke: {}}",
    "changed": "at-most: {of: {revoke: {}}, is: 1}\nunless: [{round-ended: {}}]",
    "gone": "never: [{revoke: {}}]",
}


@pytest.fixture(scope="module")
def rules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = Path(shutil.copytree(root(), tmp_path_factory.mktemp("amended") / "rules"))
    (copy / "duplicate-2017" / "properties.yaml").write_text(all_claimed(BASE), encoding="utf-8")
    return copy


def verdicts(rules: Path, edition: str | Path) -> Mapping[str, Verdict]:
    proving = Proving(rules, load_edition(rules, str(edition)))
    return {one.claim.id: one for one in proving.verdicts()}


def test_what_is_changed_dropped_and_added(rules: Path, tmp_path: Path) -> None:
    own = "  changed: {at-most: {of: {revoke: {}}, is: 2}}\n  gone: {dropped: true}\n"
    mine = draft(
        tmp_path / "my-draft", "laws: {}\n", all_claimed({"added": "never: [{excused: {}}, {revoke: {}}]"}) + own
    )
    before, after = verdicts(rules, "duplicate-2017"), verdicts(rules, mine)
    assert [*before] == ["kept", "changed", "gone"]
    assert {*after} == {"kept", "changed", "added"}
    assert (before["changed"].standing, after["changed"].standing) == ("refuted", "holds")
    assert after["changed"].claim.says == before["changed"].claim.says, "what is not said again stays"
    assert before["kept"].tried == after["kept"].tried
    assert after["kept"].claim.place == before["kept"].claim.place
    assert {*own_claims(Proving(rules, load_edition(rules, str(mine))))} == {"changed", "added"}


def test_what_was_not_claimed_of_some_may_be_claimed_of_all(rules: Path, tmp_path: Path) -> None:
    mine = draft(tmp_path / "my-draft", "laws: {}\n", "properties:\n  changed: {unless: []}\n")
    before, after = (verdicts(rules, one)["changed"] for one in ("duplicate-2017", mine))
    assert after.refuted >= before.refuted > 0
    assert after.tried == before.tried


def test_without_a_file_of_its_own_a_draft_is_asked_the_same(rules: Path, tmp_path: Path) -> None:
    mine = draft(tmp_path / "my-draft", "laws: {}\n")
    before, after = verdicts(rules, "duplicate-2017"), verdicts(rules, mine)
    assert {name: (one.tried, one.refuted) for name, one in before.items()} == {
        name: (one.tried, one.refuted) for name, one in after.items()
    }


def test_another_law_is_asked_nothing_of_it(rules: Path) -> None:
    assert verdicts(rules, "auction-1912") == {}
