"""Gymnasium environments behind the wire: the same numbers as without it, and what happens when one breaks."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from PIL import Image

from proctor.core import Env, EpisodeSpec
from proctor.run.foreign import ForeignEnv, ForeignEnvError, list_tasks, simulator_of

LINE = "line_world:Line-v0"


def episode(task: str, seed: int = 5, number: int = 0) -> EpisodeSpec:
    return EpisodeSpec("gymnasium", f"gymnasium/{task}", "L0", "h", number, seed, "", "random", max_steps=50)


@pytest.fixture
def opened(line_world: Path) -> Iterator[Callable[..., ForeignEnv]]:
    made: list[ForeignEnv] = []

    def make(task: str = LINE, **args: Any) -> ForeignEnv:
        made.append(ForeignEnv("gymnasium", task, **args))
        return made[-1]

    yield make
    for env in made:
        env.close()


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split(")")[1].split()[0] == "Z"
    except OSError:
        return True


def wait_for(condition: Callable[[], bool], limit_s: float = 30.0) -> bool:
    deadline = time.monotonic() + limit_s
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return False


@pytest.mark.parametrize(("task", "threshold"), [("Pendulum-v1", -1e9), ("CartPole-v1", 1e9)])
def test_the_wire_changes_no_number(opened: Any, task: str, threshold: float) -> None:
    """Step the same environment here and there, with actions mapped by hand here."""
    there, here = opened(task, success_return=threshold), gymnasium.make(task)
    assert isinstance(there, Env)
    there.reset(episode(task, seed=2**40 + 77))
    expected, _ = here.reset(seed=(2**40 + 77) % 2**31)
    rng = np.random.default_rng(0)
    total = 0.0
    for step in range(12):
        seen = there.observe((), 64)
        assert seen.step == step
        assert np.array_equal(seen.state, np.asarray(expected, np.float64))
        action = rng.uniform(-1, 1, there.spec().action_dim)
        native = int(np.argmax(action)) if task == "CartPole-v1" else (2.0 * action).astype(np.float32)
        expected, reward, *_ = here.step(native)
        total += float(reward)
        result = there.step(action)
        assert not result.success
    outcome = there.finish()
    assert outcome.steps == 12
    assert outcome.events[-1].kind == "return"
    assert outcome.events[-1].value == pytest.approx(total, rel=1e-12)
    assert outcome.success == (threshold < 0)


def test_the_spec_comes_from_the_spaces(opened: Any) -> None:
    spec = opened().spec()
    assert (spec.state_dim, spec.action_dim) == (2 + 3, 2)
    assert spec.cameras == ("eye",)
    assert spec.control_mode == "box_normalised"
    assert spec.control_hz == 10.0
    assert spec.fingerprint["gymnasium"] == gymnasium.__version__
    assert spec.fingerprint["success"] == "info"
    assert opened("CartPole-v1", success_return=475).spec().control_mode == "discrete_argmax"


def test_actions_span_the_box_and_pictures_are_shown(opened: Any) -> None:
    env = opened()
    env.reset(episode(LINE))
    start = env.observe(("eye",), 6)
    assert start.images["eye"].tolist() == np.zeros((6, 6, 3), int).tolist()
    for action, moved in (([-1, -1], [-3, 0]), ([1, 1], [1, 10]), ([0, 0], [-1, 5])):
        before = env.observe((), 6).state[3:]
        env.step(np.array(action, float))
        assert env.observe((), 6).state[3:] - before == pytest.approx(moved)
    assert env.observe(("eye",), 12).images["eye"].tolist() == np.full((12, 12, 3), 3).tolist()


def test_success_cost_and_end_are_those_of_the_environment(opened: Any) -> None:
    env = opened()
    env.reset(episode(LINE))
    results = [env.step(np.zeros(2)) for _ in range(7)]
    assert [r.success for r in results] == [False] * 3 + [True] * 4
    assert [r.ended for r in results] == [False] * 5 + [True] * 2
    assert [r.cost for r in results] == [0, 0, 2, 0, 0, 0, 0]
    outcome = env.finish()
    assert (outcome.success, outcome.success_time_s, outcome.steps) == (True, 0.4, 6)
    assert (outcome.cost_total, outcome.costs[0].first_violation_s) == (2.0, 0.3)


def test_same_seed_same_trajectory(opened: Any) -> None:
    env = opened()
    hashes = []
    for seed in (3, 3, 4):
        env.reset(episode(LINE, seed))
        env.step(np.zeros(2))
        hashes.append(env.finish().trajectory_hash)
    assert hashes[0] == hashes[1] != hashes[2]


def test_a_threshold_judges_the_whole_episode(opened: Any) -> None:
    """Rewards are -1: a threshold of -3 is passed at the first step and missed at the end."""
    for threshold, success in ((-3, False), (-6, True)):
        env = opened(success_return=threshold)
        env.reset(episode(LINE))
        for _ in range(6):
            assert not env.step(np.zeros(2)).success
        assert env.finish().success is success


@pytest.mark.parametrize(
    ("task", "args", "part"),
    [
        ("CartPole-v1", {}, r"success_return=NUMBER \(its registered reward threshold is 475\)"),
        (LINE, {"kwargs": {"tell": False}}, "does not say what success is"),
        ("CartPol-v1", {"success_return": 1}, "Did you mean"),
        ("no_such_module:X-v0", {"success_return": 1}, "no_such_module"),
        ("CartPole-v1", {"succes_return": 1}, "unknown --env-arg 'succes_return'"),
        ("CartPole-v1", {"success_return": "high"}, "must be a number"),
        (LINE, {"cameras": "front"}, "only cameras=render"),
    ],
)
def test_what_cannot_be_served_is_refused_in_one_line(opened: Any, task: str, args: dict[str, Any], part: str) -> None:
    with pytest.raises(ForeignEnvError, match=part) as caught:
        opened(task, **args)
    assert "\n" not in str(caught.value)


def test_a_promise_of_success_at_the_end_must_be_kept(opened: Any) -> None:
    env = opened(success="info", kwargs={"tell": False})
    env.reset(episode(LINE))
    for _ in range(5):
        env.step(np.zeros(2))
    with pytest.raises(ForeignEnvError, match="without info"):
        env.step(np.zeros(2))


def test_a_crash_costs_one_episode(opened: Any, capfd: pytest.CaptureFixture[str]) -> None:
    env = opened(kwargs={"crash_seed_mod": 2})
    env.reset(episode(LINE, seed=1))
    env.step(np.zeros(2))
    first = env.pid
    with pytest.raises(ForeignEnvError, match=r"gymnasium died \(signal SIGABRT\) in env_step: the wheels came off"):
        env.step(np.zeros(2))
    assert "the wheels came off" in capfd.readouterr().err
    with pytest.raises(ForeignEnvError, match="call reset"):
        env.step(np.zeros(2))
    env.reset(episode(LINE, seed=2))
    assert env.pid != first
    assert [env.step(np.zeros(2)).success for _ in range(4)] == [False, False, False, True]


def test_silence_is_ended_after_the_time_allowed(opened: Any) -> None:
    env = opened(timeout_s=60, kwargs={"hang": True})
    env.reset(episode(LINE))
    env.step(np.zeros(2))
    pid = env.pid
    assert env._simulator is not None
    # Only now: a loaded machine may take seconds to start a process, but the wait below should be short.
    env._simulator.timeout_s = 0.5
    with pytest.raises(ForeignEnvError, match=r"did not answer env_step within 0\.5 s"):
        env.step(np.zeros(2))
    assert gone(pid)


def test_the_process_ends_with_whoever_started_it(line_world: Path, tmp_path: Path) -> None:
    place = tmp_path / "t"
    place.mkdir()
    code = (
        "import os, signal, sys\n"
        "from proctor.run.foreign import ForeignEnv\n"
        f"env = ForeignEnv('gymnasium', '{LINE}')\n"
        "print(env.pid, flush=True)\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    environment = {**os.environ, "TMPDIR": str(place)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment)
    pid = int(done.stdout)
    assert wait_for(lambda: gone(pid)), "the simulator outlived its parent"
    assert not list(place.iterdir())


def test_closing_leaves_no_process_and_no_file(opened: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = tmp_path / "t"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    env = opened()
    pid = env.pid
    assert list(place.iterdir())
    assert (os.stat(next(place.iterdir())).st_mode & 0o077) == 0, "others could talk to the simulator"
    env.close()
    assert gone(pid)
    assert not list(place.iterdir())


def test_the_listing_has_ids_limits_and_a_hash_of_versions_and_meaning(line_world: Path) -> None:
    (plain,) = list_tasks(f"gymnasium/{LINE}")
    assert (plain.id, plain.suite, plain.max_steps) == (f"gymnasium/{LINE}", "gymnasium", 50)
    assert list_tasks(f"gymnasium/{LINE}", {"timeout_s": 3}) == [plain]
    assert list_tasks(f"gymnasium/{LINE}", {"success_return": 3}) != [plain]
    assert {task.id for task in list_tasks("gymnasium")} >= {"gymnasium/CartPole-v1", "gymnasium/Pendulum-v1"}
    with pytest.raises(ForeignEnvError, match="Did you mean"):
        list_tasks("gymnasium/CartPol-v1")


def test_selectors_name_a_simulator_by_their_first_part() -> None:
    assert simulator_of("gymnasium/CartPole-v1") == simulator_of("gymnasium") == "gymnasium"
    assert simulator_of("./gymnasium/x") is None
    assert simulator_of("arena/static_obstacles") is None


@pytest.mark.parametrize(("old", "new"), [((40, 60), 16), ((9, 7), 32), ((33, 33), 33), ((64, 64), 63)])
def test_pictures_are_resized_as_pillow_does(old: tuple[int, int], new: int) -> None:
    path = Path(importlib.util.find_spec("proctor.run.foreign").origin).parent / "side" / "_gymnasium.py"  # type: ignore
    spec = importlib.util.spec_from_file_location("side_gymnasium", path)
    side = importlib.util.module_from_spec(spec)  # type: ignore[arg-type]
    spec.loader.exec_module(side)  # type: ignore[union-attr]
    image = np.random.default_rng(0).integers(0, 256, (*old, 3), dtype=np.uint8)
    expected = np.asarray(Image.fromarray(image).resize((new, new), Image.Resampling.BILINEAR))
    assert np.abs(side.resized(image, new).astype(int) - expected).max() <= 1
