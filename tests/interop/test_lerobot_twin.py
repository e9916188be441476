"""LeRobot's own, unmodified SO101Follower on the twin: it connects, calibrates, reconnects, follows, agrees with us.

Runs in LeRobot's virtual environment, as another process.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from proctor.station.arm import (
    DEGREES_PER_TICK,
    JOINTS,
    JointVector,
    So101Arm,
    Unit,
    load_calibration,
    registers,
    to_ticks,
)
from proctor.station.twin import Operator, Twin

ROOT = Path(__file__).parents[2]
VENV = Path(os.environ.get("PROCTOR_LEROBOT_VENV", ROOT / ".venv-lerobot"))
SCRIPT = Path(__file__).with_name("lerobot_follower.py")
PATIENCE_S = 300.0
ZERO_PROMPT = "middle of its range of motion and press ENTER"
SWEEP_PROMPT = "Press ENTER to stop"

pytestmark = pytest.mark.skipif(
    not (VENV / "bin" / "python").exists(),
    reason=f"LeRobot's environment {VENV} is missing: run `make lerobot`, or set PROCTOR_LEROBOT_VENV",
)


class Follower:
    """LeRobot's process: what it prints, and what is said to it."""

    def __init__(self, port: str, folder: Path, mode: str) -> None:
        self._process = subprocess.Popen(
            [VENV / "bin" / "python", "-u", SCRIPT, port, folder, mode],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": ""},
        )
        self._text = ""
        self._ended = False
        self._read = 0
        self._came = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        while data := os.read(self._process.stdout.fileno(), 65536):
            with self._came:
                self._text += data.decode(errors="replace")
                self._came.notify_all()
        with self._came:
            self._text += "\n>>> null\n"
            self._ended = True
            self._came.notify_all()

    def expect(self, text: str) -> None:
        """Wait until ``text`` has been printed, after what was expected before."""
        with self._came:
            self._came.wait_for(lambda: self._ended or text in self._text[self._read :], PATIENCE_S)
            assert text in self._text[self._read :], self._text[-9000:]
            self._read = self._text.index(text, self._read) + len(text)

    def first_of(self, *texts: str) -> str:
        """Wait until one of ``texts`` has been printed; return the one that came first and go on behind it."""
        with self._came:
            self._came.wait_for(
                lambda: self._ended or any(text in self._text[self._read :] for text in texts), PATIENCE_S
            )
            rest = self._text[self._read :]
            places = {rest.index(text): text for text in texts if text in rest}
            assert places, self._text[-9000:]
            first = min(places)
            self._read += first + len(places[first])
        return places[first]

    def says(self, text: str) -> bool:
        """Whether ``text`` has been printed and not yet been taken notice of."""
        with self._came:
            return text in self._text[self._read :]

    def answer(self) -> Any:
        self.expect(">>> ")
        return self.value()

    def value(self) -> Any:
        """Return what stands behind the mark of an answer."""
        with self._came:
            assert self._came.wait_for(lambda: "\n" in self._text[self._read :], PATIENCE_S)
            end = self._text.index("\n", self._read)
            line, self._read = self._text[self._read : end], end
        value = json.loads(line)
        assert value is not None, self._text[-9000:]
        return value

    def say(self, text: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{text}\n".encode())
        self._process.stdin.flush()

    def ask(self, **request: Any) -> Any:
        self.say(json.dumps(request))
        return self.answer()

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _wait(condition: Any) -> None:
    limit = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.01)


@pytest.fixture(scope="module", params=["degrees", "range"])
def bench(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """A twin whose arm LeRobot has calibrated with a scripted person, and LeRobot connected for the second time."""
    mode = request.param
    folder = tmp_path_factory.mktemp(f"calibration-{mode}")
    with Twin(seed=11 if mode == "degrees" else 12) as twin:
        with Operator(twin) as operator:
            follower = Follower(twin.port, folder, mode)
            try:
                # The first answer is lost: LeRobot gives up, and is started over.
                twin.faults.drop_next = 1
                assert follower.answer() == {"calibration": []}
                # Where LeRobot lost an answer it is started over and asks again, whatever it had asked before.
                while (said := follower.first_of(ZERO_PROMPT, SWEEP_PROMPT, ">>> ")) != ">>> ":
                    if said == ZERO_PROMPT:
                        _wait(lambda: operator.at_zero)
                        before = operator.sweeps
                    else:
                        _wait(lambda before=before: operator.sweeps > before or follower.says(ZERO_PROMPT))
                        if follower.says(ZERO_PROMPT):
                            continue
                    follower.say("")
                first = follower.value()
                second = follower.answer()
            except BaseException:
                follower.close()
                raise
        unit = Unit.LEROBOT_DEGREES if mode == "degrees" else Unit.LEROBOT_RANGE
        file = folder / "twin.json"
        try:
            yield {"twin": twin, "follower": follower, "unit": unit, "file": file, "states": (first, second)}
        finally:
            follower.close()


def test_it_calibrates_and_reconnects_without_a_prompt(bench: dict[str, Any]) -> None:
    assert bench["states"] == ({"connected": True, "calibrated": True},) * 2


def test_its_file_is_ours_byte_for_byte_and_holds_the_truth(bench: dict[str, Any]) -> None:
    calibration = load_calibration(bench["file"])
    assert calibration.to_json().encode() == bench["file"].read_bytes()
    truth = bench["twin"].true_calibration()
    for joint in JOINTS:
        assert calibration[joint].homing_offset == truth[joint].homing_offset
        assert abs(calibration[joint].range_min - truth[joint].range_min) <= 1
        assert abs(calibration[joint].range_max - truth[joint].range_max) <= 1


def test_it_follows_a_hundred_commands_that_mean_the_same_to_us(bench: dict[str, Any]) -> None:
    twin, follower, unit = bench["twin"], bench["follower"], bench["unit"]
    calibration = load_calibration(bench["file"])
    largest = 0
    action: dict[str, float] = {}
    for step in range(100):
        phase = step / 99
        action = {joint: 20 * np.sin(2 * np.pi * phase + i) * phase for i, joint in enumerate(JOINTS)}
        action["gripper"] = 40 + 30 * phase
        goal = follower.ask(do="action", action={f"{joint}.pos": value for joint, value in action.items()})
        ours = to_ticks(JointVector.of(action, unit), calibration)
        largest = max(largest, *(abs(goal[joint] - ours[joint]) for joint in JOINTS))
        time.sleep(1 / 60)
    assert largest <= 1
    wanted = to_ticks(JointVector.of(action, unit), calibration)

    def off_deg() -> float:
        ticks = {j: s.get(registers.PRESENT_POSITION) for j, s in zip(JOINTS, twin.servos, strict=True)}
        return max(abs(ticks[joint] - wanted[joint]) for joint in JOINTS) * DEGREES_PER_TICK

    def arrived() -> bool:
        follower.ask(do="observe")
        return off_deg() < 0.5

    _wait(arrived)


def test_every_position_reads_the_same(bench: dict[str, Any]) -> None:
    """Forty poses set by hand: what LeRobot observes, and what our driver reads of the same servos in that unit."""
    twin, follower, unit = bench["twin"], bench["follower"], bench["unit"]
    calibration = load_calibration(bench["file"])
    rng = np.random.default_rng(5)
    follower.ask(do="torque", on=False)
    for _ in range(40):
        # Above the floor, so that nothing pushes a joint between the two readings.
        pose = {joint: float(rng.uniform(*twin.joint_range_deg(joint))) for joint in JOINTS}
        pose["shoulder_lift"] = float(rng.uniform(-90, 0))
        pose["elbow_flex"] = float(rng.uniform(-60, 60))
        twin.hand(pose)
        theirs = JointVector.of(follower.ask(do="observe"), unit)
        bench_ticks = {j: s.get(registers.PRESENT_POSITION) for j, s in zip(JOINTS, twin.servos, strict=True)}
        assert _apart(theirs, bench_ticks, calibration) <= 1


def _apart(vector: JointVector, ticks: dict[str, int], calibration: Any) -> int:
    # A reading outside the sweep is clipped by LeRobot's ranges; the sweep's end is then the right answer.
    ours = to_ticks(vector, calibration)
    return max(
        abs(ours[joint] - min(max(ticks[joint], values.range_min), values.range_max))
        for joint, values in calibration.items()
    )


def test_our_driver_takes_over_with_its_file(bench: dict[str, Any]) -> None:
    """LeRobot is limp and idle; our driver reads the same pose, and finds the file to be this arm's."""
    twin, follower, unit = bench["twin"], bench["follower"], bench["unit"]
    twin.hand({"shoulder_pan": 33.3, "shoulder_lift": -40.0, "elbow_flex": 12.5, "wrist_flex": 20.0, "gripper": 30.0})
    theirs = JointVector.of(follower.ask(do="observe"), unit)
    with So101Arm.connect(twin.port, load_calibration(bench["file"])) as arm:
        ours = arm.position(unit)
        ticks = arm.ticks()
        true = arm.position(Unit.TRUE_DEGREES).named()
    assert _apart(theirs, ticks, arm.calibration) <= 1
    assert np.allclose(ours.values, theirs.values, atol=0.2)
    assert true["shoulder_pan"] == pytest.approx(33.3, abs=2 * DEGREES_PER_TICK)
