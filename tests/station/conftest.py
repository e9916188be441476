"""One twin for all tests of a module: building the station takes longer than most tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proctor.station.arm import Bus, So101Arm
from proctor.station.twin import Twin, TwinFaults


@pytest.fixture(scope="module")
def running_twin() -> Iterator[Twin]:
    with Twin(seed=7) as running:
        running.calibrate()
        yield running


@pytest.fixture
def twin(running_twin: Twin) -> Iterator[Twin]:
    """The module's twin without faults, limp, plugged in."""
    fresh = TwinFaults()
    for name in ("drop", "corrupt", "latency_s", "drop_next", "corrupt_next"):
        setattr(running_twin.faults, name, getattr(fresh, name))
    for found in (running_twin.faults.overload, running_twin.faults.dead, running_twin.faults.cameras):
        found.clear()
    running_twin.plug()
    running_twin.power_cycle()
    return running_twin


@pytest.fixture
def arm(twin: Twin) -> Iterator[So101Arm]:
    """Our driver on the twin, with patience for a loaded machine."""
    bus = Bus.open(twin.port, timeout_s=2.0)
    with So101Arm(bus, twin.true_calibration()) as connected:
        yield connected
