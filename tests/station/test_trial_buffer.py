"""What decides which action is carried out when, without a clock: chunks, checks, and the speed limit behind them."""

from __future__ import annotations

import itertools
from concurrent.futures import wait
from types import SimpleNamespace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from proctor.core import EpisodeSpec, Observation, PolicySpec, SpecMismatchError
from proctor.station.arm import (
    DEGREES_PER_TICK,
    JOINTS,
    Bus,
    Calibration,
    ControlLoop,
    JointCalibration,
    Limits,
    So101Arm,
    Telemetry,
    Unit,
)
from proctor.station.camera import Frame
from proctor.station.trial import (
    BadActionError,
    ChunkBuffer,
    Flight,
    PolicyProcess,
    StationCameras,
    checked,
    control_mode,
    require_fit,
    squared,
    station_env_spec,
    without_bars,
)

SPEC = PolicySpec("p", (), 64, 6, 6, "joint_true_degrees_so101", 30.0, 10)


@given(st.integers(1, 20), st.floats(0, 2), st.lists(st.floats(0.001, 0.3), min_size=1, max_size=60))
def test_actions_come_in_order_on_time_and_once(length: int, late_s: float, waits: list[float]) -> None:
    buffer = ChunkBuffer(10.0)
    chunk = np.arange(length, dtype=float)[:, None] * np.ones(6)
    buffer.put(chunk, 100, 5.0 - late_s, 5.0)
    now, taken = 5.0, []
    for pause in [0.0, *waits]:
        now += pause
        if (due := buffer.take(now)) is not None:
            assert due.time_s <= now < due.time_s + 0.1 + 1e-9 or due.action[0] == length - 1
            assert due.step == 100 + due.action[0]
            taken.append(due.action[0])
    skipped = min(int(late_s * 10 + 1e-9), length - 1)
    assert taken[0] == skipped
    assert taken == sorted(set(taken))
    assert (buffer.left_s(now) == 0) == (taken[-1] == length - 1)


def test_the_newer_chunk_takes_over() -> None:
    buffer = ChunkBuffer(10.0)
    buffer.put(np.zeros((10, 6)), 0, 0.0, 0.0)
    buffer.put(np.ones((10, 6)), 5, 0.5, 0.52)
    taken = buffer.take(0.52)
    assert taken is not None
    assert taken.action[0] == 1
    assert taken.step == 5


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (np.full(6, np.nan), "NaN"),
        (np.array([0, 0, 0, 0, 0, np.inf]), "infinity"),
        (np.zeros(7), "shape"),
        (np.zeros((11, 6)), "shape"),
        (np.zeros((0, 6)), "shape"),
        ("fold", "not numbers"),
        (None, "shape|numbers|NaN"),
    ],
)
def test_what_is_no_action_is_refused(value: Any, what: str) -> None:
    with pytest.raises(BadActionError, match=what):
        checked(value, SPEC)


def test_one_action_is_a_chunk_of_one() -> None:
    assert checked([1, 2, 3, 4, 5, 6], SPEC).shape == (1, 6)


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"control_mode": control_mode(Unit.LEROBOT_DEGREES)}, "joint_lerobot_degrees_so101.*joint_true_degrees_so101"),
        ({"action_dim": 7}, "action_dim=7"),
        ({"state_dim": 8}, "state_dim=8"),
        ({"cameras": ("front",)}, "front"),
        ({"control_hz": 200.0}, "50 Hz"),
    ],
)
def test_a_policy_that_does_not_fit_is_refused_and_both_sides_are_named(change: dict[str, Any], what: str) -> None:
    values = {
        "cameras": ("top",),
        "state_dim": 6,
        "action_dim": 6,
        "control_mode": SPEC.control_mode,
        "control_hz": 30.0,
    }
    require_fit(PolicySpec("p", **values), ("top", "wrist"), Unit.TRUE_DEGREES, 50.0)
    with pytest.raises(SpecMismatchError, match=what):
        require_fit(PolicySpec("p", **{**values, **change}), ("top", "wrist"), Unit.TRUE_DEGREES, 50.0)


def test_the_unit_is_part_of_what_the_station_offers() -> None:
    modes = {station_env_spec(("top",), unit, 30.0).control_mode for unit in Unit}
    assert len(modes) == len(Unit)


@pytest.mark.parametrize(("height", "width", "side"), [(48, 64, 64), (36, 64, 32), (64, 48, 100), (50, 50, 50)])
def test_pictures_become_squares_without_losing_their_proportions(height: int, width: int, side: int) -> None:
    picture = np.full((height, width, 3), 200, np.uint8)
    (out,) = squared({"top": Frame(picture, 0.0)}, ["top"], side).values()
    assert out.shape == (side, side, 3)
    inside = without_bars(out)
    assert (inside == 200).all()
    assert max(inside.shape[:2]) == side
    assert inside.shape[0] / inside.shape[1] == pytest.approx(height / width, rel=0.03)


class Mad:
    """A hundred random actions per answer."""

    def __init__(self) -> None:
        self.rng = np.random.default_rng(11)

    def spec(self) -> PolicySpec:
        return PolicySpec("mad", (), 64, 6, 6, "joint_true_degrees_so101", 50.0, 100)

    def reset(self, instruction: str, episode: EpisodeSpec) -> None: ...

    def act(self, observation: Observation) -> Any:
        return self.rng.normal(0, 300, (100, 6)) * self.rng.choice([0.01, 1, 1e6], (100, 1))


def test_ten_thousand_random_outputs_never_exceed_the_commanded_speed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The flight and the control loop as they are, turn by turn on a made-up clock that also stumbles."""
    clock = SimpleNamespace(now=1000.0, monotonic=lambda: clock.now)
    monkeypatch.setattr("proctor.station.arm._loop.time", clock)
    monkeypatch.setattr("proctor.station.trial._flight.time", clock)
    sweep = {joint: JointCalibration(number, 0, 0, 900, 3200) for number, joint in enumerate(JOINTS, 1)}
    limits = Limits.uniform(90.0)
    loop = ControlLoop(So101Arm(cast(Bus, None), Calibration(sweep, "made up"), limits), hz=50.0)
    ticks = dict.fromkeys(JOINTS, 2047)
    loop._command, loop._command_s, loop._goal, loop._telemetry = dict(ticks), clock.now, dict(ticks), reading(ticks)
    mind = PolicyProcess(Mad())
    flight = Flight(loop, StationCameras([], 30.0), mind, "go", Unit.TRUE_DEGREES)
    flight.tally.began_s = clock.now
    rng = np.random.default_rng(4)
    commands = [(clock.now, dict(ticks))]
    while flight.tally.actions < 10_000:
        if flight._asked is not None:
            wait([flight._asked])
        flight._exchange(clock.now)
        if (due := flight._buffer.take(clock.now)) is not None:
            flight._submit(due.action, due.step)
        command = loop._next(reading(commands[-1][1]))
        commands.append((clock.now, command))
        clock.now += float(rng.choice([0.02, 0.02, 0.021, 0.2, 0.001]))
    mind.close()
    travelled = dict.fromkeys(JOINTS, 0.0)
    for (t0, before), (t1, after) in itertools.pairwise(commands):
        for joint in JOINTS:
            step = abs(after[joint] - before[joint]) * DEGREES_PER_TICK
            assert step <= 90.0 * (t1 - t0) + 1e-9 or (t1 == t0 and step <= 90.0 * 0.02)
            assert 900 <= after[joint] <= 3200
            travelled[joint] += step
    assert min(travelled.values()) > 1000.0


def reading(ticks: dict[str, int]) -> Telemetry:
    zeros = dict.fromkeys(JOINTS, 0)
    return Telemetry(0.0, dict(ticks), zeros, dict.fromkeys(JOINTS, 0.0), dict.fromkeys(JOINTS, 12.0), zeros,
                     dict.fromkeys(JOINTS, 0.0), zeros)  # fmt: skip
