"""Settings of the whole suite."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from hypothesis import settings

# The same commit gives the same answer; with REVOKE_ALL, chance is let in.
settings.register_profile("revoke", deadline=None, derandomize="REVOKE_ALL" not in os.environ)
settings.load_profile("revoke")


WHOLLY_THOROUGH = re.compile(r"^pytestmark = (?:\[[^]]*\b)?pytest\.mark\.thorough\b", re.MULTILINE)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A file whose tests are all thorough is not even imported where none of these is asked for."""
    if config.option.markexpr != "not thorough" or not collection_path.name.startswith("test_"):
        return None
    return bool(WHOLLY_THOROUGH.search(collection_path.read_text("utf-8"))) or None


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Editions are stored where the tests may, once for all workers."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    pytest.MonkeyPatch().setenv("XDG_CACHE_HOME", str(shared / "cache"))
