"""A trial as a Rerun recording, written and verified with the real package in an environment of its own.

The recording holds every row of telemetry and every picture: Rerun's own command counts them.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from proctor.core import EpisodeSpec, Observation, PolicySpec
from proctor.station.arm import Bus, So101Arm
from proctor.station.camera import TwinCamera
from proctor.station.export import ExportError, export_rerun, frame_times, load_rollouts
from proctor.station.trial import Runner, Trial
from proctor.station.twin import Twin

ROOT = Path(__file__).parents[2]
VENV = Path(os.environ.get("PROCTOR_RERUN_VENV", ROOT / ".venv-rerun"))
WRITE = """
import sys
from pathlib import Path
from proctor.station.export import export_rerun, load_rollouts
export_rerun(load_rollouts(Path(sys.argv[1]))[0], Path(sys.argv[2]))
"""


class Still:
    """Holds."""

    def spec(self) -> PolicySpec:
        return PolicySpec("still", (), 64, 6, 6, "joint_true_degrees_so101", 30.0, 30)

    def reset(self, instruction: str, episode: EpisodeSpec) -> None: ...

    def act(self, observation: Observation) -> np.ndarray:
        return np.repeat(observation.state[None], 30, axis=0)


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("session")
    with Twin(seed=9) as twin:
        numbers = twin.calibrate()
        with Runner(
            lambda: So101Arm(Bus.open(twin.port, timeout_s=2.0), numbers),
            [TwinCamera(twin, "top", 96)],
            lambda _: Still(),
            folder / "trials",
            silent_s=8.0,
            camera_hz=8.0,
            fps=8.0,
        ) as runner:
            runner.start(Trial("t1", "a", "hold still", time_cap_s=0.6))
            assert runner.wait(60.0) is not None
    return folder


@pytest.mark.skipif(
    not (VENV / "bin" / "rerun").exists(),
    reason=f"{VENV} is missing: make a virtual environment with rerun-sdk there, or set PROCTOR_RERUN_VENV",
)
def test_rerun_verifies_and_counts_the_recording(session: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    out = tmp_path / "t1.rrd"
    done = subprocess.run(
        [VENV / "bin" / "python", "-c", WRITE, session, out],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    verified = subprocess.run([VENV / "bin/rerun", "rrd", "verify", out], capture_output=True, text=True, check=False)
    assert verified.returncode == 0, verified.stderr
    (rollout,) = load_rollouts(session)
    stats = subprocess.run([VENV / "bin/rerun", "rrd", "stats", out], capture_output=True, text=True, check=True)
    rows = next(line for line in stats.stdout.splitlines() if line.startswith("num_rows ="))
    counted = int(rows.partition("=")[2].replace(" ", "").replace("\u202f", "").replace("\u2009", ""))
    telemetry, pictures = len(rollout.telemetry["time_s"]), len(frame_times(rollout.folder)["top"])
    # Six joints with three curves each, the film's frames, and a few rows about the recording itself.
    assert 18 * telemetry + pictures <= counted <= 18 * telemetry + pictures + 10


@pytest.mark.skipif("rerun" in sys.modules, reason="Rerun is loaded")
def test_without_rerun_one_line_says_what_to_install(
    session: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "rerun", None)
    with pytest.raises(ExportError, match="pip install"):
        export_rerun(load_rollouts(session)[0], tmp_path / "t1.rrd")
