"""A model server of vla-eval 0.8.0 examined by us: whole episodes in a stub world and in the real one; its faults."""

from __future__ import annotations

import contextlib
import json
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from interop_support import PEERS, SCRIPTS, needs_peers, peer_environment, running, wait_for
from numpy.typing import NDArray

from proctor.core import EnvSpec, EpisodeSpec, Observation, Outcome, ProctorError, SpecMismatchError, Step
from proctor.policies import load_policy
from proctor.policies.wire import oriented
from proctor.results import read_episodes
from proctor.run.engine import run_episode

pytestmark = needs_peers

# The corridor is no robot: its motion needs no conversion from LIBERO's.
AS_SENT: dict[str, Any] = {"motion_scale": 1.0, "examined_in": "libero"}


class Corridor:
    """A world in which moving 0.6 along x is success; the picture's first pixel says how many steps were made."""

    def __init__(self, text: str = "walk") -> None:
        self.text = text
        self.x, self.steps, self.actions = 0.0, 0, np.zeros((0, 7))

    def spec(self) -> EnvSpec:
        return EnvSpec("corridor", ("agentview", "wrist"))

    def reset(self, episode: EpisodeSpec) -> None:
        self.x, self.steps, self.actions = 0.0, 0, np.zeros((0, 7))

    def observe(self, cameras: Sequence[str], image_size: int) -> Observation:
        picture = np.zeros((image_size, image_size, 3), np.uint8)
        picture[0, 0], picture[0, -1] = self.steps, 200
        state = np.array([self.x, 0, 0, 0, 0, 0, 0.04, -0.04])
        return Observation(dict.fromkeys(cameras, picture), state, self.text, self.steps)

    def step(self, action: NDArray[np.float64]) -> Step:
        self.x += float(action[0])
        self.steps += 1
        self.actions = np.vstack([self.actions, action])
        return Step(self.x >= 0.55, 0.0)

    def finish(self) -> Outcome:
        return Outcome(self.x >= 0.55, None, self.steps, self.steps / 20, 0.0, (), (), "")

    def close(self) -> None:
        pass


def episode(number: int, text: str = "walk") -> EpisodeSpec:
    return EpisodeSpec("suite", "task", "L0", "hash", number, number, text, "vla-eval", max_steps=20)


@contextlib.contextmanager
def server(folder: Path, **options: Any) -> Iterator[str]:
    """Run the real model server and yield its URL."""
    port = folder / "port.txt"
    command = [str(PEERS / "python"), str(SCRIPTS / "vla_eval_server.py"), str(port), str(folder / "saw.jsonl")]
    with running([*command, json.dumps(options)], folder, peer_environment()) as process:
        yield f"vla-eval://127.0.0.1:{wait_for(port, process)}"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Path]]:
    """One server for the tests that need nothing special of it."""
    folder = tmp_path_factory.mktemp("vla_eval")
    with server(folder) as url:
        yield url, folder


def saw(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "saw.jsonl").read_text().splitlines()]


def test_whole_episodes(shared: tuple[str, Path]) -> None:
    url, folder = shared
    world = Corridor()
    policy: Any = load_policy(url, AS_SENT)
    spec = policy.spec()
    assert (spec.cameras, spec.image_size, spec.chunk) == (("agentview", "wrist"), 256, 1)
    rows = [run_episode(world, policy, episode(number), policy_spec=spec) for number in range(2)]
    policy.close()
    # The server counts 0, 0.1, 0.2 and begins again: 0.55 is passed by the sixth action, in both episodes.
    assert [(row.status, row.outcome.success, row.outcome.steps) for row in rows] == [("completed", True, 6)] * 2
    np.testing.assert_allclose(world.actions[:, 0], [0, 0.1, 0.2, 0, 0.1, 0.2], atol=1e-7)
    np.testing.assert_array_equal(world.actions[:, 6], 1.0)
    predictions = saw(folder)[-4:]
    assert [line["step"] for line in predictions] == [0, 3, 0, 3]
    assert len({line["episode"] for line in predictions}) == 2
    mirrored = oriented(world.observe(["agentview"], 256).images["agentview"], "mirror")[0, 0].tolist()
    assert predictions[0]["images"] == {c: [[256, 256, 3], "uint8", mirrored] for c in ("agentview", "wrist")}
    assert predictions[1]["states"][0] == pytest.approx(0.3)
    assert predictions[1]["task"] == "walk"


def test_its_gripper_declaration_is_believed(tmp_path: Path) -> None:
    world = Corridor()
    with server(tmp_path, gripper="negative") as url:
        policy = load_policy(url, AS_SENT)
        assert run_episode(world, policy, episode(0)).outcome.success
    np.testing.assert_array_equal(world.actions[:, 6], -1.0)


def test_conventions_that_do_not_fit_are_refused_where_vla_eval_warns(tmp_path: Path) -> None:
    with (
        server(tmp_path, euler=True) as url,
        pytest.raises(SpecMismatchError, match=r"rotation as 'euler_xyz'.*axis_angle"),
    ):
        load_policy(url).spec()


def test_a_gripper_of_unknown_polarity_must_be_said(tmp_path: Path) -> None:
    with server(tmp_path, gripper="01") as url:
        with pytest.raises(SpecMismatchError, match=r"'continuous_01'.*gripper=close_01"):
            load_policy(url).spec()
        assert load_policy(url, {"gripper": "close_01"}).spec().action_dim == 7


@pytest.mark.parametrize(
    ("task", "says"),
    [
        ("raise", r"observation_failed: ValueError: the model broke"),
        ("nan", r"NaN or infinity"),
        ("six", r"shape \[6\], expected \[H, 7\]"),
    ],
)
def test_its_faults_are_policy_errors(shared: tuple[str, Path], task: str, says: str) -> None:
    url, _ = shared
    policy: Any = load_policy(url, {**AS_SENT, "timeout": 30})
    row = run_episode(Corridor(task), policy, episode(0, task))
    assert (row.status, row.outcome.success) == ("policy_error", None)
    assert url in row.error
    assert "\n" not in row.error
    assert re.search(says, row.error), row.error
    # The next episode is none the worse for it.
    assert run_episode(Corridor(), policy, episode(1)).outcome.success
    policy.close()


def wait_until_refused(url: str) -> None:
    """Return once nothing listens any more: the socket of a process that is just dying may still accept."""
    host, _, port = url.rpartition("/")[2].partition(":")
    deadline = time.monotonic() + 60.0
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex((host, int(port))):
                return
        time.sleep(0.05)
    raise AssertionError(f"{url} still accepts connections")


def test_a_server_that_dies_and_stays_dead(tmp_path: Path) -> None:
    with server(tmp_path) as url:
        policy = load_policy(url, {**AS_SENT, "timeout": 30})
        finished = run_episode(Corridor(), policy, episode(0))
        lost = run_episode(Corridor("die"), policy, episode(1, "die"))
        wait_until_refused(url)
        after = run_episode(Corridor(), policy, episode(2))
    assert (finished.status, lost.status, after.status) == ("completed", "policy_error", "policy_error")
    assert "closed the connection" in lost.error
    assert "cannot be reached" in after.error
    with pytest.raises(ProctorError, match=r"cannot be reached"):
        load_policy(url).spec()


def test_proctor_run_in_the_real_world(shared: tuple[str, Path], tmp_path: Path) -> None:
    url, folder = shared
    before = len(saw(folder)) if (folder / "saw.jsonl").exists() else 0
    command = [sys.executable, "-m", "proctor", "run", "arena/static_obstacles", "--levels", "L0", "--limit", "2"]
    limits = ["--max-steps", "8", "--workers", "1", "--out", str(tmp_path / "run")]
    done = subprocess.run(
        [*command, "--policy", url, *limits], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    rows = read_episodes(tmp_path / "run")
    assert [(row.status, row.outcome.steps) for row in rows] == [("completed", 8)] * 2
    predictions = saw(folder)[before:]
    assert [line["step"] for line in predictions] == [0, 3, 6] * 2
    assert {line["task"] for line in predictions} == {row.language.sent for row in rows}
    assert all(shape == [256, 256, 3] for line in predictions for shape, _, _ in line["images"].values())
