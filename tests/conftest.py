"""Settings for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import settings

# No test measures time: a busy machine must not fail a property that holds.
settings.register_profile("proctor", deadline=None)
settings.register_profile("nightly", deadline=None, max_examples=1000)
settings.load_profile("proctor")  # `make nightly` names the other


# What loads every core by itself (LeRobot's models, Ray's workers), and control loops whose schedule is what is tested:
# it gets the machine for itself (``pytest -m quiet``). All others wait for what they expect and bear a loaded machine.
QUIET = (
    "interop/test_lerobot",
    "run/cluster/test_ray",
    "station/test_console_blind",
    "station/test_console_guard",
    "station/test_lab_loop",
    "station/test_trial_runner",
)
HERE = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what must run alone, and say what ``-n 2 --dist loadgroup`` may do beside what: files, pages of the docs."""
    for item in items:
        path = item.path.relative_to(HERE)
        if str(path).startswith(QUIET):
            item.add_marker(pytest.mark.quiet)
        elif path.name != "test_docs.py":
            item.add_marker(pytest.mark.xdist_group(str(path)))
