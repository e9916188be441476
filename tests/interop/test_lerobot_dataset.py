"""LeRobot 0.4.4 itself loads what we export: films and PNG, joints, tasks, statistics. In its own environment."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

from proctor.core import EpisodeSpec, Observation, PolicySpec
from proctor.station.arm import JOINTS, Bus, So101Arm
from proctor.station.camera import TwinCamera
from proctor.station.export import export_lerobot, load_rollouts
from proctor.station.trial import Runner, Trial
from proctor.station.twin import SceneObject, Twin

ROOT = Path(__file__).parents[2]
VENV = Path(os.environ.get("PROCTOR_LEROBOT_VENV", ROOT / ".venv-lerobot"))
SCRIPT = Path(__file__).with_name("lerobot_dataset.py")
PATIENCE_S = 300.0

pytestmark = pytest.mark.skipif(
    not (VENV / "bin" / "python").exists(),
    reason=f"LeRobot's environment {VENV} is missing: run `make lerobot`, or set PROCTOR_LEROBOT_VENV",
)


class Nod:
    """Moves the wrist."""

    def spec(self) -> PolicySpec:
        return PolicySpec("nod", (), 64, 6, 6, "joint_true_degrees_so101", 30.0, 30)

    def reset(self, instruction: str, episode: EpisodeSpec) -> None: ...

    def act(self, observation: Observation) -> Any:
        out = np.repeat(observation.state[None], 30, axis=0)
        out[:, 0] = 20 * np.sin((observation.step + np.arange(30)) / 15)
        return out


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("session")
    with Twin(seed=8, objects=[SceneObject("block", 0.05, -0.1)]) as twin:
        numbers = twin.calibrate()
        cameras = [TwinCamera(twin, "top", 160), TwinCamera(twin, "wrist", 96)]
        for camera in cameras:
            camera.read()  # the first picture takes longest
        with Runner(
            lambda: So101Arm(Bus.open(twin.port, timeout_s=2.0), numbers),
            cameras,
            lambda _: Nod(),
            folder / "trials",
            silent_s=8.0,
            camera_hz=10.0,
            fps=10.0,
        ) as runner:
            for name, words in (("t1", "nod"), ("t2", "nod twice"), ("t3", "nod")):
                runner.start(Trial(name, "a", words, time_cap_s=1.0))
                result = runner.wait(60.0)
                assert result is not None
                assert result.status == "completed", result.fault
    return folder


@pytest.mark.parametrize("pictures", ["video", "image"])
def test_lerobot_loads_the_export(session: Path, tmp_path: Path, pictures: Any) -> None:
    rollouts = load_rollouts(session)
    frames = export_lerobot(rollouts, tmp_path / "data", pictures=pictures)
    starts = np.cumsum([0, *(end - first for first, end in (rollout.span() for rollout in rollouts))])
    asked = [0, int(starts[1]), int(starts[2]) + 2, frames - 1]
    found = ask(tmp_path / "data", asked)
    assert (found["episodes"], found["frames"], found["fps"], found["robot"]) == (3, frames, 10, "so101_follower")
    assert found["tasks"] == ["nod", "nod twice"]
    assert found["names"] == [f"{joint}.pos" for joint in JOINTS]
    assert found["cameras"] == ["observation.images.top", "observation.images.wrist"]
    assert found["video_keys"] == (found["cameras"] if pictures == "video" else [])
    assert {"mean", "std", "min", "max", "count", "q01", "q99"} <= set(found["stats"]["observation.images.top"])
    assert found["batch"] == [4, 6]
    table = pq.read_table(tmp_path / "data/data/chunk-000/file-000.parquet").to_pylist()
    for index, item in zip(asked, found["items"], strict=True):
        assert item["action"] == pytest.approx(table[index]["action"], abs=1e-5)
        assert item["state"] == pytest.approx(table[index]["observation.state"], abs=1e-5)
        episode = item["episode"]
        assert episode == int(np.searchsorted(starts, index, side="right")) - 1
        assert item["task"] == rollouts[episode].meta["instruction"]
        first = rollouts[episode].span()[0]
        for camera in ("top", "wrist"):
            (source,) = rollouts[episode].pictures(camera, first + index - int(starts[episode]), 1)
            theirs = item["pictures"][f"observation.images.{camera}"]
            assert theirs["shape"] == [3, *source.shape[:2]]
            apart = np.abs(np.array(theirs["pixels"]) - source[::16, ::16].astype(int)).mean()
            assert apart < (6.0 if pictures == "video" else 0.51)


def ask(folder: Path, indices: list[int]) -> dict[str, Any]:
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": "", "HF_HUB_OFFLINE": "1"}
    environment["HF_HOME"] = str(folder.parent / "hf")
    done = subprocess.run(
        [VENV / "bin" / "python", SCRIPT, folder, json.dumps(indices)],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    line = next(line for line in done.stdout.splitlines() if line.startswith(">>> "))
    out: dict[str, Any] = json.loads(line[4:])
    return out
