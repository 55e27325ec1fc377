"""Settings of the whole suite."""

from __future__ import annotations

import pytest
from hypothesis import settings

settings.register_profile("revoke", deadline=None)
settings.load_profile("revoke")


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Commands store editions where the tests may."""
    pytest.MonkeyPatch().setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
