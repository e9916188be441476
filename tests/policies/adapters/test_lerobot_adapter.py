"""What the LeRobot adapters decide before any model is there. The models themselves: tests/interop/test_lerobot.py."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from proctor.core import named_seed
from proctor.policies.adapters import adapter_classes, adapter_source
from proctor.policies.adapters._lerobot import (
    actions_returned,
    checkpoint_folder,
    folder_hash,
    match_cameras,
    noise_seed,
)
from proctor.policies.adapters._so101 import BENCH_CAMERA_NAMES, UNITS, checkpoint_unit, without_padding
from proctor.station.arm import JOINTS, Calibration, JointCalibration, Unit, UnitRecord, save_unit

LIBERO = ["observation.images.image", "observation.images.wrist_image"]
FILES = ("config.json", "model.safetensors", "policy_preprocessor.json", "policy_postprocessor.json")


@pytest.mark.parametrize("wrist", ["image2", "wrist_image", "wrist", "camera2"])
def test_usual_camera_names_need_no_argument(wrist: str) -> None:
    features = ["observation.images.image", f"observation.images.{wrist}", "observation.images.empty_camera_0"]
    assert match_cameras("", features) == {"agentview": features[0], "wrist": features[1]}


@pytest.mark.parametrize("given", ["side=left,wrist=right", {"side": "left", "wrist": "observation.images.right"}])
def test_cameras_may_be_named(given: object) -> None:
    features = ["observation.images.left", "observation.images.right"]
    assert match_cameras(given, features) == {"side": features[0], "wrist": features[1]}


@pytest.mark.parametrize(
    ("given", "features", "line"),
    [
        ("", ["observation.images.laptop"], "which camera shows observation.images.laptop"),
        ("", ["observation.images.image", "observation.images.top"], "which camera shows observation.images.top"),
        ("agentview=image,side=third", LIBERO, "has no observation.images.third; it sees observation.images.image"),
    ],
)
def test_a_camera_is_never_guessed(given: str, features: list[str], line: str) -> None:
    with pytest.raises(RuntimeError, match=line):
        match_cameras(given, features)


def test_how_many_actions_are_returned() -> None:
    one_look = SimpleNamespace(n_obs_steps=1, chunk_size=50, n_action_steps=10)
    assert (actions_returned(one_look, 0), actions_returned(one_look, 50)) == (10, 50)
    with pytest.raises(RuntimeError, match="actions=51: the checkpoint predicts 50"):
        actions_returned(one_look, 51)
    history = SimpleNamespace(n_obs_steps=2, horizon=16, n_action_steps=8)
    assert actions_returned(history, 0) == 8
    ensembled = SimpleNamespace(n_obs_steps=1, chunk_size=50, n_action_steps=1, temporal_ensemble_coeff=0.01)
    assert actions_returned(ensembled, 0) == 1


@pytest.mark.parametrize("missing", FILES)
def test_an_incomplete_checkpoint_is_named(tmp_path: Path, missing: str) -> None:
    for name in FILES:
        (tmp_path / name).write_text(name)
    assert checkpoint_folder(str(tmp_path)) == tmp_path
    (tmp_path / missing).unlink()
    with pytest.raises(RuntimeError, match=f"no LeRobot checkpoint: it has no {missing}"):
        checkpoint_folder(str(tmp_path))


def test_the_hash_is_of_contents_and_names(tmp_path: Path) -> None:
    def written(name: str, text: str) -> str:
        folder = tmp_path / f"{name}{text}"
        folder.mkdir()
        (folder / name).write_text(text)
        return folder_hash(folder)

    pairs = [("a.json", "1"), ("a.json", "2"), ("b.json", "1"), ("a.safetensors", "1")]
    assert len({written(*pair) for pair in pairs}) == len(pairs)


@pytest.mark.parametrize(("episode", "own"), [(0, 0), (5, 0), (2**63 + 11, 3)])
def test_noise_is_the_episodes_policy_stream(episode: int, own: int) -> None:
    assert noise_seed(episode, own) == named_seed(episode, "policy", own) >> 1


@pytest.mark.parametrize(
    ("name", "served"), [("act", "ACT"), ("diffusion", "Diffusion"), ("smolvla", "SmolVLA"), ("xvla", "XVLA")]
)
def test_an_adapter_joins_into_one_file_that_loads_without_us(name: str, served: str, tmp_path: Path) -> None:
    assert adapter_classes(name) == [served]
    source = "from __future__ import annotations\n" + adapter_source(name)
    ast.parse(source, feature_version=(3, 10))
    (tmp_path / "joined.py").write_text(source)
    check = (
        f"import sys, joined; joined.{served}; "
        "assert not {name.split('.')[0] for name in sys.modules} & {'proctor', 'torch', 'lerobot'}"
    )
    subprocess.run([sys.executable, "-c", check], cwd=tmp_path, check=True)


def test_outside_lerobots_environment_one_line_says_so(tmp_path: Path) -> None:
    pytest.importorskip("zmq")
    command = [
        "serve",
        "proctor.policies.adapters.smolvla:SmolVLA",
        "--port",
        "0",
        "--policy-arg",
        f"checkpoint={tmp_path}",
    ]
    done = subprocess.run([sys.executable, "-m", "proctor", *command], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    missing = "lerobot" if importlib.util.find_spec("torch") else "torch"
    assert f"cannot import {missing}" in done.stderr
    assert "make lerobot" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_unit_of_a_checkpoint_is_said_beside_it_or_refused(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match="does not say their unit"):
        checkpoint_unit(tmp_path, "")
    with pytest.raises(RuntimeError, match="no unit 'degrees'"):
        checkpoint_unit(tmp_path, "degrees")
    assert {checkpoint_unit(tmp_path, unit) for unit in UNITS} == set(Unit) - {Unit.TICKS}
    arm = Calibration({joint: JointCalibration(i, 0, 0, 700, 3400) for i, joint in enumerate(JOINTS, 1)})
    save_unit(tmp_path, UnitRecord.of(Unit.LEROBOT_RANGE, arm))
    assert checkpoint_unit(tmp_path, "") == checkpoint_unit(tmp_path, "lerobot_range") == "lerobot_range"
    with pytest.raises(RuntimeError, match="says lerobot_range"):
        checkpoint_unit(tmp_path, "lerobot_degrees")
    (tmp_path / "joint_unit.json").write_text("[]")
    with pytest.raises(RuntimeError, match="does not say a unit"):
        checkpoint_unit(tmp_path, "")


@pytest.mark.parametrize(("height", "width"), [(48, 64), (64, 48), (64, 64)])
def test_bars_are_cut_and_pixels_stay(height: int, width: int) -> None:
    from proctor.station.trial._cameras import _square

    picture = np.random.default_rng(0).integers(0, 256, (height, width, 3), dtype=np.uint8)
    assert (without_padding(_square(picture, 64), height, width) == picture).all()
    assert without_padding(_square(picture, 32), height, width).shape == picture.shape


def test_the_benchs_cameras_have_their_usual_names() -> None:
    features = ["observation.images.top", "observation.images.wrist"]
    assert match_cameras("", features, BENCH_CAMERA_NAMES) == {"top": features[0], "wrist": features[1]}
    with pytest.raises(RuntimeError, match="camera_names=top=NAME,wrist=NAME"):
        match_cameras("", ["observation.images.laptop"], BENCH_CAMERA_NAMES)
