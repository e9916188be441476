"""LIBERO: conventions without it; with it installed, the real package on stand-ins for the objects of its own.

LIBERO's objects come from the Hugging Face Hub only. Without them its physics, its looks and the success of any policy
cannot be tested; everything between ``proctor run`` and the compiled MuJoCo model can.
"""

from __future__ import annotations

import importlib.util
import io
import pickle
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from standin_libero import write_assets

from proctor.core import EpisodeSpec
from proctor.run.foreign import ForeignEnv, ForeignEnvError, list_tasks, probe, python_of


def _side() -> Any:
    path = Path(importlib.util.find_spec("proctor.run.foreign").origin).parent / "side" / "_libero.py"  # type: ignore
    spec = importlib.util.spec_from_file_location("side_libero", path)
    module = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    return module


side = _side()


def _installed() -> bool:
    try:
        return python_of("libero").exists()
    except ForeignEnvError:
        return False


needs_libero = pytest.mark.skipif(not _installed(), reason="LIBERO is not installed (proctor env install libero)")


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("open_the_middle_drawer_of_the_cabinet", "open the middle drawer of the cabinet"),
        ("KITCHEN_SCENE10_close_the_top_drawer_of_the_cabinet", "close the top drawer of the cabinet"),
        ("LIVING_ROOM_SCENE2_put_both_the_cream_cheese_box", "put both the cream cheese box"),
        ("STUDY_SCENE1_pick_up_the_book", "pick up the book"),
    ],
)
def test_instructions_are_read_from_names(name: str, text: str) -> None:
    assert side.instruction(name) == text


def test_axis_angle_is_the_rotation_of_the_quaternion() -> None:
    rng = np.random.default_rng(1)
    for quat in rng.normal(size=(50, 4)):
        unit = quat / np.linalg.norm(quat)
        turned = Rotation.from_rotvec(side.axis_angle(unit)).as_matrix()
        assert turned == pytest.approx(Rotation.from_quat(unit).as_matrix(), abs=1e-7)
    assert side.axis_angle(np.array([0, 0, 0, 1.0])).tolist() == [0, 0, 0]


def test_start_states_are_read_and_nothing_else_is_executed(tmp_path: Path) -> None:
    def archive(name: str, value: Any) -> Path:
        with zipfile.ZipFile(tmp_path / name, "w") as file:
            file.writestr("archive/data.pkl", pickle.dumps(value, protocol=2))
        return tmp_path / name

    states = np.arange(12.0).reshape(3, 4)
    assert np.array_equal(side.read_states(archive("good", states)), states)
    with pytest.raises(pickle.UnpicklingError, match="asks for"):
        side.read_states(archive("bad", io.BytesIO))


def test_the_message_names_what_to_download_and_where_to_put_it() -> None:
    text = side.missing(Path("/data/libero"))
    assert "hf download lerobot/libero-assets --repo-type dataset --local-dir /data/libero" in text
    assert "--env-arg assets=FOLDER" in text
    assert "\n" not in text


@needs_libero
def test_the_tasks_are_those_of_the_package() -> None:
    tasks = list_tasks("libero")
    assert len(tasks) == len({task.id for task in tasks}) == 130
    limits = {task.suite: task.max_steps for task in tasks}
    assert limits == {f"libero/{suite}": steps for suite, steps in side.MAX_STEPS.items()}
    assert all(task.instruction and "SCENE" not in task.instruction for task in tasks)
    (fifth,) = list_tasks("libero/libero_spatial/5")
    assert fifth == [task for task in tasks if task.suite == "libero/libero_spatial"][5]
    for wrong, part in (("libero/libero_spacial", "no suite"), ("libero/libero_goal/99", "number from 0 to 9")):
        with pytest.raises(ForeignEnvError, match=part):
            list_tasks(wrong)


@needs_libero
def test_without_assets_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(ForeignEnvError, match="hf download lerobot/libero-assets"):
        ForeignEnv("libero", "libero_object/x", assets=str(tmp_path))


@pytest.fixture(scope="module")
def standin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_assets(tmp_path_factory.mktemp("libero") / "assets")


@pytest.fixture(scope="module")
def soup(standin: Path) -> Iterator[tuple[ForeignEnv, EpisodeSpec]]:
    (task,) = list_tasks("libero/libero_object/0")
    env = ForeignEnv("libero", task.id.partition("/")[2], assets=str(standin))
    yield env, EpisodeSpec(task.suite, task.id, "L0", task.task_hash, 3, 1, task.instruction, "noop", max_steps=280)
    env.close()


@needs_libero
def test_the_real_package_runs_with_the_real_start_states(soup: Any) -> None:
    env, spec = soup
    assert env.spec().fingerprint["mujoco"].startswith("3.3.")
    assert env.spec().fingerprint["robosuite"] == "1.4.0"
    env.reset(spec)
    before = env.observe(("agentview", "wrist"), 64)
    assert {name: image.shape for name, image in before.images.items()} == {
        "agentview": (64, 64, 3),
        "wrist": (64, 64, 3),
    }
    assert before.images["agentview"].std() > 5
    for _ in range(5):
        result = env.step(np.array([1.0, 0, 0, 0, 0, 0, -1.0]))
    assert (result.success, result.ended) == (False, False)
    after = env.observe((), 64)
    assert after.state[0] - before.state[0] > 0.01, "the tool moves in x"
    assert after.step == 5
    first = env.finish().trajectory_hash
    env.reset(spec)
    assert np.array_equal(env.observe((), 64).state, before.state)
    for _ in range(5):
        env.step(np.array([1.0, 0, 0, 0, 0, 0, -1.0]))
    assert env.finish().trajectory_hash == first


@needs_libero
def test_a_scene_that_is_not_there_is_named(soup: Any) -> None:
    env, spec = soup
    (other,) = list_tasks("libero/libero_spatial/0")
    away = EpisodeSpec(other.suite, other.id, "L0", other.task_hash, 0, 1, other.instruction, "noop", max_steps=5)
    with pytest.raises(ForeignEnvError, match=r"libero_tabletop_base_style\.xml is missing.*hf download"):
        env.reset(away)
    env.reset(spec)


@needs_libero
def test_the_settle_probe_reports_every_object(standin: Path) -> None:
    (report,) = probe(
        "libero/libero_object/pick_up_the_alphabet_soup_and_place_it_in_the_basket", 1, assets=str(standin)
    )
    assert len(report["moved_m"]) == 7
    assert all(0 <= metres < 1 for metres in report["moved_m"].values())
    assert report["goal"] in (True, False)
