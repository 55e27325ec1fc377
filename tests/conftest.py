"""Settings of the whole suite."""

from hypothesis import settings

settings.register_profile("revoke", deadline=None)
settings.load_profile("revoke")
