"""Each adapter with a stand-in for its model's library (see `model_fakes`): recorded shapes, never the model itself."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import model_fakes as fakes
import numpy as np
import pytest

from proctor.core import BatchPolicy, Observation, PolicySpec, require_compatible
from proctor.policies.adapters.gr00t import Gr00t
from proctor.policies.adapters.openpi import OpenPi
from proctor.policies.adapters.openvla import OpenVLA
from proctor.policies.adapters.openvla_oft import OpenVLAOFT
from proctor.policies.adapters.univla import UniVLA
from proctor.policies.adapters.vla_adapter import VLAAdapter
from proctor.policies.adapters.xiaomi_robotics_0 import XiaomiRobotics0
from proctor.run.engine import as_chunk
from proctor.sim import SimEnv

Installer = Callable[[pytest.MonkeyPatch, fakes.Recorder], None]


@dataclass(frozen=True)
class Case:
    make: Callable[..., Any]
    install: Installer
    chunk: int
    library: str
    cameras: tuple[str, ...] = ("agentview", "wrist")


CASES = {
    "openvla": Case(OpenVLA, fakes.install_openvla, 1, "transformers", ("agentview",)),
    "openvla_oft": Case(OpenVLAOFT, fakes.install_experiments, 8, "experiments.robot.openvla_utils"),
    "openpi": Case(OpenPi, fakes.install_openpi, 5, "openpi.training.config"),
    "univla": Case(UniVLA, fakes.install_openvla, 1, "torch", ("agentview",)),
    "gr00t": Case(Gr00t, fakes.install_gr00t, 8, "gr00t.data.embodiment_tags"),
    "vla_adapter": Case(VLAAdapter, fakes.install_experiments, 8, "experiments.robot.openvla_utils"),
    "xiaomi_robotics_0": Case(XiaomiRobotics0, fakes.install_xiaomi, 10, "transformers"),
}
EVERY = pytest.mark.parametrize("case", CASES.values(), ids=CASES)


@pytest.fixture
def checkpoint(tmp_path: Path) -> str:
    (tmp_path / "action_decoder.pt").touch()
    return str(tmp_path)


@pytest.fixture
def recorder() -> fakes.Recorder:
    return fakes.Recorder()


def observation(number: int, step: int = 0) -> Observation:
    """Distinct pictures and state; the upright ``agentview`` is white in its upper left quarter and dark elsewhere."""
    rng = np.random.default_rng((number, step))
    images = {camera: rng.integers(0, 40, (256, 256, 3), dtype=np.uint8) for camera in ("agentview", "wrist")}
    images["agentview"][:128, :128] = 255
    state = np.array([0.1 * number, 0.0, 1.0 + 0.01 * step, -3.1, 0.05, 0.0, 0.04, -0.04])
    return Observation(images, state, f"Pick object {number}", step)


def run(adapter: Any, sessions: list[str], steps: int, together: bool) -> list[Any]:
    """Act ``steps`` times in every session: all in one call, or each in a call of its own."""
    for number, session in enumerate(sessions):
        adapter.begin(session, f"Pick object {number}", {"seed": number})
    chunks: list[Any] = []
    for step in range(steps):
        seen = [observation(number, step) for number in range(len(sessions))]
        if together:
            chunks.extend(adapter.act_batch(sessions, seen))
        else:
            chunks.extend(adapter.act_batch([name], [one])[0] for name, one in zip(sessions, seen, strict=True))
    for session in sessions:
        adapter.end(session)
    return chunks


@EVERY
def test_spec_fits_our_environment(
    case: Case, checkpoint: str, recorder: fakes.Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    case.install(monkeypatch, recorder)
    adapter = case.make(checkpoint=checkpoint)
    spec = PolicySpec(**adapter.spec())
    require_compatible(spec, SimEnv().spec())
    assert (spec.cameras, spec.chunk, spec.image_size) == (case.cameras, case.chunk, 256)
    assert isinstance(adapter, BatchPolicy)
    assert spec.fingerprint
    assert spec.fingerprint == PolicySpec(**case.make(checkpoint=checkpoint).spec()).fingerprint


@EVERY
def test_a_batch_of_sessions_is_the_sessions_one_by_one(
    case: Case, checkpoint: str, recorder: fakes.Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    case.install(monkeypatch, recorder)
    names = ["a", "b", "c"]
    together = run(case.make(checkpoint=checkpoint), names, 3, together=True)
    alone = run(case.make(checkpoint=checkpoint), names, 3, together=False)
    for one, other in zip(together, alone, strict=True):
        assert np.allclose(one, other, atol=1e-6)
    assert len({round(float(chunk[0, 0]), 9) for chunk in together}) == 9, "sessions and steps must not share an answer"


@EVERY
def test_every_answer_is_an_action_of_ours(
    case: Case, checkpoint: str, recorder: fakes.Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    case.install(monkeypatch, recorder)
    adapter = case.make(checkpoint=checkpoint)
    spec = PolicySpec(**adapter.spec())
    for chunk in run(adapter, ["s"], 4, together=True):
        assert chunk.shape == (case.chunk, 7)
        as_chunk(chunk, spec, 0, clip=False)
        assert np.abs(chunk[:, :3]).max() <= 0.255
        assert np.abs(chunk[:, 3:6]).max() <= 0.23


@EVERY
def test_the_same_episode_again_gives_the_same_actions(
    case: Case, checkpoint: str, recorder: fakes.Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    case.install(monkeypatch, recorder)
    adapter = case.make(checkpoint=checkpoint)
    first, again = (np.concatenate(run(adapter, ["s"], 3, together=True)) for _ in range(2))
    assert np.array_equal(first, again)


@EVERY
def test_a_session_that_has_not_begun_is_refused(
    case: Case, checkpoint: str, recorder: fakes.Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    case.install(monkeypatch, recorder)
    adapter = case.make(checkpoint=checkpoint)
    run(adapter, ["s"], 1, together=True)
    with pytest.raises(RuntimeError, match="'s' was asked to act before its episode began"):
        adapter.act_batch(["s"], [observation(0)])


@EVERY
def test_a_missing_library_is_named_in_one_line(
    case: Case, checkpoint: str, recorder: fakes.Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    case.install(monkeypatch, recorder)
    monkeypatch.setitem(sys.modules, case.library, None)
    with pytest.raises(ImportError, match=rf"cannot import {case.library} .*: run this in") as caught:
        case.make(checkpoint=checkpoint)
    assert "\n" not in str(caught.value)


@EVERY
def test_a_missing_checkpoint_is_named(
    case: Case, recorder: fakes.Recorder, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    case.install(monkeypatch, recorder)
    with pytest.raises(RuntimeError, match="there is no checkpoint"):
        case.make(checkpoint=str(tmp_path / "nowhere"))


def quarters(picture: Any) -> list[bool]:
    """Which quarters are bright: upper left, upper right, lower left, lower right."""
    half = len(picture) // 2
    parts = (picture[:half, :half], picture[:half, half:], picture[half:, :half], picture[half:, half:])
    return [bool(part.mean() > 128) for part in parts]


PICTURE: dict[str, Callable[[dict[str, Any]], Any]] = {
    "openvla": lambda call: call["image"],
    "openvla_oft": lambda call: call["full_image"],
    "openpi": lambda call: call["observation/image"],
    "univla": lambda call: call["image"],
    "gr00t": lambda call: call["video"]["image"][0, 0],
    "vla_adapter": lambda call: call["full_image"],
    "xiaomi_robotics_0": lambda call: call["pictures"][0],
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize(
    ("options", "bright"),
    [
        ({}, [False, True, False, False]),
        ({"trained_on": "proctor"}, [True, False, False, False]),
        ({"mirror": False, "rotate": 180}, [False, False, False, True]),
    ],
)
def test_which_way_round_the_model_sees(
    name: str,
    options: dict[str, Any],
    bright: list[bool],
    checkpoint: str,
    recorder: fakes.Recorder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    case = CASES[name]
    case.install(monkeypatch, recorder)
    run(case.make(checkpoint=checkpoint, **options), ["s"], 1, together=True)
    assert quarters(PICTURE[name](recorder.calls[-1])) == bright


def test_openvla_is_asked_as_it_was_trained(
    checkpoint: str, recorder: fakes.Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    fakes.install_openvla(monkeypatch, recorder)
    (chunk,) = run(OpenVLA(checkpoint=checkpoint, unnorm_key="libero_spatial"), ["s"], 1, together=True)
    call = recorder.calls[-1]
    assert call["prompt"] == "In: What action should the robot take to pick object 0?\nOut:"
    assert call["image"].shape == (224, 224, 3)
    assert call["key"] == fakes.KEY
    assert chunk[0, 6] in (-1.0, 0.0, 1.0)


@pytest.mark.parametrize("make", [OpenVLA, UniVLA])
def test_statistics_of_the_fine_tuning_come_before_those_of_pre_training(
    make: Any, checkpoint: str, recorder: fakes.Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    fakes.install_openvla(monkeypatch, recorder)
    own = {"vla_arena": {"action": {"q01": [0.1] * 7, "q99": [0.1] * 7, "mask": [True] * 6 + [False]}}}
    (Path(checkpoint) / "dataset_statistics.json").write_text(json.dumps(own), encoding="utf-8")
    adapter = make(checkpoint=checkpoint)
    assert adapter.facts()["unnorm_key"] == "vla_arena"
    (chunk,) = run(adapter, ["s"], 1, together=True)
    if make is UniVLA:
        assert chunk[0, :6] == pytest.approx([0.0255] * 3 + [0.023] * 3), "q01 = q99 leaves one value"
    with pytest.raises(RuntimeError, match="one of vla_arena"):
        make(checkpoint=checkpoint, unnorm_key="libero_goal")


def test_univla_tells_the_model_its_last_latents_and_forgets_them(
    checkpoint: str, recorder: fakes.Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    fakes.install_openvla(monkeypatch, recorder)
    adapter = UniVLA(checkpoint=checkpoint)
    for _ in range(2):
        run(adapter, ["s"], 2, together=True)
    first, second, again, _ = recorder.calls
    assert "History" not in first["prompt"]
    assert again["prompt"] == first["prompt"]
    assert "? History action <ACT_" in second["prompt"]
    assert second["prompt"].count("<ACT_") == 4
    assert (first["do_sample"], first["temperature"], first["top_p"]) == (True, 0.75, 0.9)
    assert recorder.seeds[0] == recorder.seeds[2] != recorder.seeds[1]


@pytest.mark.parametrize("make", [OpenVLAOFT, VLAAdapter])
def test_models_of_the_openvla_utilities(
    make: Any, checkpoint: str, recorder: fakes.Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    fakes.install_experiments(monkeypatch, recorder)
    run(make(checkpoint=checkpoint), ["s"], 1, together=True)
    call = recorder.calls[-1]
    assert call["cfg"].unnorm_key == fakes.KEY
    assert call["cfg"].num_open_loop_steps == 8
    assert call["prompt"] == "Pick object 0"
    assert call["mini"] == (make is VLAAdapter)
    assert call["version"] == ("vla-adapter" if make is VLAAdapter else "")
    assert call["state"].shape == (8,)
    assert call["state"][3] > 0
    small = make(checkpoint=checkpoint, wrist=False, proprio=False)
    run(small, ["s"], 1, together=True)
    assert small.spec()["cameras"] == ("agentview",)
    assert recorder.calls[-1]["cfg"].num_images_in_input == 1


def test_openpi_gets_its_keys_and_executes_the_first_five(
    checkpoint: str, recorder: fakes.Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    fakes.install_openpi(monkeypatch, recorder)
    adapter = OpenPi(checkpoint=checkpoint, config="pi0_fast_libero")
    (chunk,) = run(adapter, ["s"], 1, together=True)
    call = recorder.calls[-1]
    assert adapter.spec()["name"] == "openpi-pi0_fast_libero"
    assert call["observation/image"].shape == call["observation/wrist_image"].shape == (224, 224, 3)
    assert call["observation/state"].shape == (8,)
    assert call["prompt"] == "Pick object 0"
    assert np.allclose(np.diff(chunk[:, 6]), -0.01), "the gripper is passed on as it is"
    with pytest.raises(RuntimeError, match="predicts 10 actions"):
        run(OpenPi(checkpoint=checkpoint, replan=11), ["s"], 1, together=True)
    with pytest.raises(ValueError, match="replan is 0"):
        OpenPi(checkpoint=checkpoint, replan=0)


def test_gr00t_answers_all_sessions_by_one_call(
    checkpoint: str, recorder: fakes.Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    fakes.install_gr00t(monkeypatch, recorder)
    run(Gr00t(checkpoint=checkpoint), ["a", "b", "c"], 1, together=True)
    (call,) = recorder.calls
    assert call["state"]["x"][:, 0, 0] == pytest.approx([0.0, 0.1, 0.2], abs=1e-4)
    assert call["state"]["roll"][0, 0, 0] > 0
    assert call["state"]["gripper"][0, 0] == pytest.approx([0.04, -0.04])
    assert list(call["language"].values()) == [[["Pick object 0"], ["Pick object 1"], ["Pick object 2"]]]


def test_gr00t_by_its_server_and_wrong_embodiment(
    checkpoint: str, recorder: fakes.Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    fakes.install_gr00t(monkeypatch, recorder)
    by_server = run(Gr00t(server="gpu1:5555"), ["s"], 1, together=True)
    assert np.array_equal(by_server[0], run(Gr00t(checkpoint=checkpoint), ["s"], 1, together=True)[0])
    with pytest.raises(RuntimeError, match="no embodiment 'PANDA': give one of LIBERO_PANDA, GR1"):
        Gr00t(checkpoint=checkpoint, embodiment="PANDA")


def test_xiaomi_is_told_in_its_words(
    checkpoint: str, recorder: fakes.Recorder, monkeypatch: pytest.MonkeyPatch
) -> None:
    fakes.install_xiaomi(monkeypatch, recorder)
    run(XiaomiRobotics0(checkpoint=checkpoint), ["s"], 2, together=True)
    first, second = recorder.calls
    assert "for the task:\nPick object 0. /no_cot<|im_end|>" in first["text"]
    assert first["state"][0, 0, 8:].tolist() == [0.0] * 24
    assert first["state"][0, 0, 3] > 0
    assert first["seed"] != second["seed"]
