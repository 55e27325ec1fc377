"""Settings of the whole suite."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

settings.register_profile("revoke", deadline=None)
settings.load_profile("revoke")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Editions are stored where the tests may, once for all workers."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if "PYTEST_XDIST_WORKER" in os.environ else own
    pytest.MonkeyPatch().setenv("XDG_CACHE_HOME", str(shared / "cache"))
