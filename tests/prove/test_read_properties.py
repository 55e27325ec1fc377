"""What an edition takes over of what is claimed of the one it amends, and what it may not say."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.drafts import draft

from facts.errors import RulesError
from kb.language.edition import load_edition
from kb.language.folders import rules_root
from kb.prove.prove import Proving

DROPPED = "properties: {dummys-revoke-is-free: {dropped: true}}"
NEVER_THERE = "properties: {dummy-revoke-is-free: {dropped: true}}"
NAME_TAKEN = "kinds: {due: {play: play}}"


def drafted(folder: Path, properties: str) -> Proving:
    return Proving(rules_root(), load_edition(rules_root(), draft(folder / "my-draft", "laws: {}\n", properties)))


@pytest.mark.thorough
def test_what_is_dropped_is_no_longer_claimed(tmp_path: Path) -> None:
    claimed = drafted(tmp_path, DROPPED).claimed.properties
    assert "dummys-revoke-is-free" not in claimed
    assert "the-twelfth-trick-is-free" in claimed


@pytest.mark.parametrize(
    ("properties", "told"),
    [
        (NEVER_THERE, "there is no dummy-revoke-is-free before, to be dropped; did you mean dummys-revoke-is-free"),
        (NAME_TAKEN, "there is a kind due already; give this one another name"),
    ],
)
def test_what_it_may_not_say(properties: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(RulesError, match=told):
        drafted(tmp_path, properties)
