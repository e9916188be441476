"""PyPI's openpi-client 0.1.2 against our codec, our resizing and ``proctor serve --wire openpi``."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.request
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from interop_support import PEERS, SCRIPTS, needs_peers, peer, peer_environment, proctor_serve

from proctor.core import EpisodeSpec, Observation, named_seed
from proctor.policies import RandomPolicy
from proctor.policies.wire import openpi, oriented, resize_with_pad

pytestmark = needs_peers

CHUNKS = '''
import numpy as np
from proctor.core import PolicySpec

class Chunks:
    """Actions that say which request, which place in the chunk, and what the picture's first corner was."""
    def spec(self):
        return PolicySpec("chunks", ("agentview", "wrist"), 224, chunk=5, fingerprint="chunks-1")
    def reset(self, instruction, episode):
        self.asked = 0
    def act(self, observation):
        self.asked += 1
        actions = np.zeros((5, 7))
        actions[:, 0] = self.asked / 100
        actions[:, 1] = np.arange(5) / 10
        actions[:, 2:5] = observation.images["agentview"][0, 0] / 255
        actions[:, 5] = observation.state[7]
        actions[:, 6] = -1 if observation.instruction == "put the bowl on the plate" else 1
        return actions
'''


def values() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    return {
        "picture": rng.integers(0, 255, (5, 4, 3), dtype=np.uint8),
        "state": rng.normal(size=8),
        "single": np.float32(1.5),
        "flag": np.bool_(True),
        "whole": np.int64(-3),
        "none": np.zeros((0, 7), np.float32),
        "point": np.array(2.0),
        "prompt": "pick the apple",
        "nested": {"list": [1, 2.5, None], "array": np.arange(6, dtype=np.int16).reshape(2, 3)},
    }


def test_the_same_bytes_as_its_codec_and_each_reads_the_other() -> None:
    ours = openpi.encode(values())
    command = [str(PEERS / "python"), str(SCRIPTS / "openpi_peer.py"), "pack"]
    done = subprocess.run(
        command, input=ours.hex(), env=peer_environment(), capture_output=True, text=True, check=True, timeout=120
    )
    answer = json.loads(done.stdout)
    assert answer["read"]
    assert bytes.fromhex(answer["hex"]) == ours
    back = openpi.decode(bytes.fromhex(answer["hex"]))
    np.testing.assert_array_equal(back["nested"]["array"], values()["nested"]["array"])


def test_the_same_pixels_as_its_resizing(tmp_path: Path) -> None:
    peer("openpi_peer.py", "resize", str(tmp_path / "pictures.npz"))
    with np.load(tmp_path / "pictures.npz") as data:
        for number in range(6):
            np.testing.assert_array_equal(resize_with_pad(data[f"in{number}"], 224), data[f"out{number}"])


def test_random_is_served_to_it(tmp_path: Path) -> None:
    with proctor_serve(tmp_path, "random", "--wire", "openpi") as address:
        host, _, port = address.rpartition(":")
        with urllib.request.urlopen(f"http://{address}/healthz", timeout=30) as page:
            assert (page.status, page.read()) == (200, b"OK\n")
        answer = json.loads(peer("openpi_peer.py", "talk", host, port, "", "1", "5"))
        error = json.loads(peer("openpi_peer.py", "fail", host, port))
    assert answer["metadata"]["proctor"]["name"] == "random"
    assert all(timing["infer_ms"] >= 0 and timing["batch"] == 1 for timing in answer["timings"])
    local = RandomPolicy()
    episode = EpisodeSpec("openpi", "t", "", "", 0, named_seed(0, "openpi", 0), "t", "random")
    local.reset("t", episode)
    expected = [local.act(Observation({}, np.zeros(8), "t", step)).tolist() for step in range(5)]
    np.testing.assert_array_equal(answer["actions"], expected)
    assert error == "Error in inference server:\n'observation/state' is missing (sent: prompt)"


def test_its_broker_executes_our_chunks_and_the_policy_sees_upright_pictures(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CHUNKS)
    with proctor_serve(tmp_path, "mine:Chunks", "--wire", "openpi", "--token", "secret") as address:
        host, _, port = address.rpartition(":")
        answer = json.loads(peer("openpi_peer.py", "talk", host, port, "secret", "5", "11"))
        with pytest.raises(AssertionError, match="401"):
            peer("openpi_peer.py", "talk", host, port, "", "5", "1")
    actions = np.array(answer["actions"])
    np.testing.assert_allclose(actions[:, 0], [0.01] * 5 + [0.02] * 5 + [0.03])
    np.testing.assert_allclose(actions[:, 1], [0.0, 0.1, 0.2, 0.3, 0.4, 0.0, 0.1, 0.2, 0.3, 0.4, 0.0])
    np.testing.assert_allclose(actions[:, 5:], [[0.7, -1.0]] * 11)
    # What robosuite renders has its last row on top; upright, its corner (0, 0) is the client's last row, first column.
    rng = np.random.default_rng(2)
    frames = [rng.integers(0, 255, (256, 256, 3), dtype=np.uint8) for _ in range(11)]
    sent = resize_with_pad(np.ascontiguousarray(frames[0][::-1, ::-1]), 224)
    np.testing.assert_allclose(actions[0, 2:5] * 255, oriented(sent, "mirror")[0, 0], atol=1e-4)
    upright = resize_with_pad(np.ascontiguousarray(frames[0][::-1]), 224)
    assert np.abs(actions[0, 2:5] * 255 - upright[0, 0]).max() <= 2


def test_several_of_them_at_once(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CHUNKS)
    with proctor_serve(tmp_path, "mine:Chunks", "--wire", "openpi") as address:
        host, _, port = address.rpartition(":")
        command = [str(PEERS / "python"), str(SCRIPTS / "openpi_peer.py"), "talk", host, port, "", "5", "20"]
        clients = [
            subprocess.Popen(command, env=peer_environment(), stdout=subprocess.PIPE, stderr=sys.stderr, text=True)
            for _ in range(3)
        ]
        answers = [json.loads(client.communicate(timeout=120)[0])["actions"] for client in clients]
    assert answers[0] == answers[1] == answers[2]
