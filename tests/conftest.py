"""Settings for all tests."""

from __future__ import annotations

from hypothesis import settings

# No test measures time: a busy machine must not fail a property that holds.
settings.register_profile("proctor", deadline=None)
settings.load_profile("proctor")
