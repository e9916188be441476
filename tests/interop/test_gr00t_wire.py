"""GR00T's wire with an encoder that is not ours: msgpack-numpy over real REQ and REP sockets, both ways."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
from interop_support import (
    PEERS,
    SCRIPTS,
    needs_peers,
    peer,
    peer_environment,
    proctor_serve,
    running,
    wait_for,
)

from proctor.core import EpisodeSpec, Observation
from proctor.policies import load_policy
from proctor.policies.wire import gr00t

pytestmark = needs_peers

PARTS = ["x", "y", "z", "roll", "pitch", "yaw", "gripper"]
STATEFUL = '''
import numpy as np
from proctor.core import PolicySpec

class Stateful:
    """Two actions: how often this episode asked, the prompt's number, the state's z, and a closed gripper."""
    def spec(self):
        return PolicySpec("stateful", ("agentview", "wrist"), 64, chunk=2, fingerprint="stateful-1")
    def reset(self, instruction, episode):
        self.asked = 0
    def act(self, observation):
        self.asked += 1
        actions = np.zeros((2, 7))
        actions[:, 0] = self.asked / 100
        actions[:, 1] = int(observation.instruction.split()[1]) / 10
        actions[:, 2] = observation.state[2]
        actions[:, 3] = observation.images["wrist"][0, 0, 0] / 255
        actions[:, 6] = 1.0
        return actions
'''


def values() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    return {
        "video": rng.integers(0, 255, (1, 1, 4, 5, 3), dtype=np.uint8),
        "state": rng.normal(size=(1, 1, 8)).astype(np.float32),
        "single": np.float32(1.5),
        "whole": np.int64(-3),
        "text": [["pick the apple"]],
    }


def test_the_same_bytes_as_msgpack_numpy_and_each_reads_the_other() -> None:
    ours = gr00t.encode(values())
    done = subprocess.run(
        [str(PEERS / "python"), str(SCRIPTS / "gr00t_peer.py"), "codec"],
        input=ours.hex(),
        env=peer_environment(),
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    answer = json.loads(done.stdout)
    assert answer["read"]
    assert bytes.fromhex(answer["hex"]) == ours
    back = gr00t.decode(bytes.fromhex(answer["hex"]))
    for key, value in values().items():
        np.testing.assert_array_equal(back[key], value)


def column(answer: dict[str, Any], key: str) -> Any:
    return np.array(answer[key][1])[..., 0]


def test_a_foreign_client_asks_every_endpoint(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(STATEFUL)
    with proctor_serve(tmp_path, "mine:Stateful", "--wire", "gr00t", "--token", "secret") as address:
        answers = json.loads(peer("gr00t_peer.py", "talk", address, "secret"))
    assert answers["ping"]["status"] == "ok"
    modalities = {name: value["as_json"]["modality_keys"] for name, value in answers["modalities"].items()}
    assert modalities["video"] == ["image", "wrist_image"]
    assert modalities["state"] == modalities["action"] == PARTS
    assert answers["reset"] == answers["one_info"] == {}
    assert list(answers["one"]) == PARTS
    assert all(part[0] == "float32" for part in answers["one"].values())
    # One client: the second request, in the older encoding, goes on with the episode of the first.
    np.testing.assert_allclose(column(answers["one"], "x"), [[0.01, 0.01]], atol=1e-6)
    np.testing.assert_allclose(column(answers["old"], "x"), [[0.02, 0.02]], atol=1e-6)
    # A batch of three is three episodes; the first is the one that was there.
    np.testing.assert_allclose(column(answers["three"], "x")[:, 0], [0.03, 0.01, 0.01], atol=1e-6)
    np.testing.assert_allclose(column(answers["three"], "y")[:, 0], [0.0, 0.1, 0.2], atol=1e-6)
    np.testing.assert_allclose(column(answers["three"], "z"), 0.2, atol=1e-6)
    np.testing.assert_array_equal(column(answers["three"], "gripper"), 0.0)
    picture = np.random.default_rng(3).integers(0, 255, (3, 1, 64, 64, 3), dtype=np.uint8)
    np.testing.assert_allclose(column(answers["three"], "roll")[:, 0] * 255, picture[:, 0, 0, -1, 0], atol=1e-3)
    assert "unknown" in answers["unknown"]["error"]
    assert answers["wrong"]["error"].startswith("Unauthorized")
    assert answers["kill"]["status"] == "ok"


def test_kill_is_refused_without_a_token(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(STATEFUL)
    with proctor_serve(tmp_path, "mine:Stateful", "--wire", "gr00t") as address:
        answers = json.loads(peer("gr00t_peer.py", "talk", address, ""))
    assert answers["kill"] == {"error": "'kill' is refused: it needs a server with a token"}


def test_our_client_asks_a_foreign_server(tmp_path: Path) -> None:
    port, saw = tmp_path / "port.txt", tmp_path / "saw.jsonl"
    command = [str(PEERS / "python"), str(SCRIPTS / "gr00t_peer.py"), "serve", str(port), str(saw)]
    with running(command, tmp_path, peer_environment()) as process:
        policy: Any = load_policy(f"gr00t://127.0.0.1:{wait_for(port, process)}", {"image_size": 64})
        spec = policy.spec()
        assert (spec.cameras, spec.image_size, spec.chunk) == (("agentview", "wrist"), 256, 8)
        policy.reset("pick it", EpisodeSpec("s", "t", "L0", "h", 0, 0, "pick it", "p"))
        picture = np.zeros((256, 256, 3), np.uint8)
        state = np.array([0, 0, 0, 0, 0, 0, 0.04, -0.04])
        actions = policy.act(Observation({"agentview": picture, "wrist": picture}, state, "pick it", 0))
        policy.close()
    np.testing.assert_allclose(actions[:, :6], np.repeat([[0.0255] * 3 + [0.023] * 3], 8, axis=0), atol=1e-7)
    np.testing.assert_array_equal(actions[:, 6], 1.0)
    seen = json.loads(saw.read_text())
    assert seen["shapes"]["video.image"] == seen["shapes"]["video.wrist_image"] == [1, 1, 64, 64, 3]
    assert {seen["shapes"][f"state.{part}"][2] for part in PARTS[:6]} == {1}
    assert np.allclose(seen["gripper"], [[[0.04, -0.04]]])
    assert seen["language"] == {"annotation.human.action.task_description": [["pick it"]]}
