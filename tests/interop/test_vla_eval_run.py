"""``vla-eval run --no-docker`` (0.8.0) examines a policy of ours behind ``proctor serve --wire vla-eval``."""

from __future__ import annotations

import json
import subprocess
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from interop_support import PEERS, needs_peers, peer_environment, proctor_serve

pytestmark = needs_peers

WALKER = '''
import json
import numpy as np
from proctor.core import PolicySpec

class Walker:
    """Walks where it is told to. Keeps what it saw, to show that pictures and states arrived."""
    def spec(self):
        return PolicySpec("walker", ("agentview", "wrist"), 64, chunk=4, fingerprint="walker-1")
    def reset(self, instruction, episode):
        self.ahead = "ahead" in instruction
    def act(self, observation):
        if "fail" in observation.instruction:
            raise RuntimeError("the policy broke")
        corner = observation.images["wrist"][0, 0].tolist()
        with open("saw.jsonl", "a") as file:
            file.write(json.dumps([observation.step, corner, observation.state.tolist()]) + "\\n")
        actions = np.zeros((4, 7))
        actions[:, 0] = 0.1 if self.ahead else 0.0
        return actions
'''
CONFIG = """
output_dir: {out}
benchmarks:
  - benchmark: vla_eval_benchmark:Walk
    episodes_per_task: 2
"""


def evaluate(folder: Path, address: str, query: str = "") -> subprocess.CompletedProcess[str]:
    (folder / "config.yaml").write_text(CONFIG.format(out=folder / "out"))
    command = [
        str(PEERS / "vla-eval"),
        "run",
        "--no-docker",
        "-c",
        "config.yaml",
        "--server-url",
        f"ws://{address}{query}",
    ]
    return subprocess.run(
        command, cwd=folder, env=peer_environment(), capture_output=True, text=True, timeout=180, check=False
    )


@pytest.mark.parametrize("token", ["", "secret"])
def test_episodes_succeed_where_our_actions_say_so(tmp_path: Path, token: str) -> None:
    (tmp_path / "mine.py").write_text(WALKER)
    with proctor_serve(tmp_path, "mine:Walker", "--wire", "vla-eval", "--token", token) as address:
        done = evaluate(tmp_path, address, f"/?token={token}" if token else "")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "Spec validation passed" in done.stdout + done.stderr
    result = json.loads((tmp_path / "out" / "Walk_aggregate.json").read_text())
    tasks = {task["task"]: task for task in result["tasks"]}
    assert tasks["walk ahead"]["mean_success"] == 1.0
    assert tasks["stay where you are"]["mean_success"] == 0.0
    # 0.5 is reached with five steps of 0.1; a standing robot uses all twelve.
    assert [e["steps"] for e in tasks["walk ahead"]["episodes"]] == [5, 5]
    assert [e["steps"] for e in tasks["stay where you are"]["episodes"]] == [12, 12]
    # Chunks of four: asked at steps 0 and 4 of the short episodes, 0, 4 and 8 of the long ones.
    saw = [json.loads(line) for line in (tmp_path / "saw.jsonl").read_text().splitlines()]
    assert [step for step, _, _ in saw] == [0, 4] * 2 + [0, 4, 8] * 2
    assert saw[1][1] == [40, 40, 40]
    assert saw[1][2] == pytest.approx([0.4, 0, 0, 0, 0, 0, 0.04, -0.04])


def test_health_and_config(tmp_path: Path) -> None:
    with proctor_serve(tmp_path, "noop", "--wire", "vla-eval") as address:
        with urllib.request.urlopen(f"http://{address}/health", timeout=30) as page:
            assert (page.status, json.loads(page.read())) == (200, {"status": "ok"})
        with urllib.request.urlopen(f"http://{address}/config", timeout=30) as page:
            assert json.loads(page.read()) == {"applied": {}, "config": {}}
        with pytest.raises(urllib.error.HTTPError, match="422"):
            urllib.request.urlopen(f"http://{address}/config?max_batch_size=8", timeout=30)


def test_without_the_token_it_cannot_connect(tmp_path: Path) -> None:
    with (
        proctor_serve(tmp_path, "noop", "--wire", "vla-eval", "--token", "secret") as address,
        pytest.raises(urllib.error.HTTPError, match="401"),
    ):
        urllib.request.urlopen(f"http://{address}/", timeout=30)
