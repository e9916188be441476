"""How far uniform random actions move the tool per step: robosuite under [-1, 1], ours under several scales.

python benchmarks/random_walk.py          (after `make bench`, which builds the peer's environment)

The figure behind the default scale of the ``random`` policy: root mean square of the tool's way per 50 ms.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np

PEER = Path(__file__).parents[1] / ".cache" / "peer-venv" / "bin" / "python"
EPISODES, STEPS = 8, 300
PEER_SIDE = f"""
import logging
logging.disable(logging.WARNING)
import numpy as np, robosuite
from robosuite.controllers import load_composite_controller_config as load
env = robosuite.make(
    "Lift", robots="Panda", controller_configs=load(controller="BASIC", robot="Panda"), control_freq=20,
    has_renderer=False, has_offscreen_renderer=False, use_camera_obs=False, ignore_done=True,
)
ways = []
for episode in range({EPISODES}):
    at, rng = env.reset()["robot0_eef_pos"].copy(), np.random.default_rng(episode)
    for _ in range({STEPS}):
        seen = env.step(rng.uniform(-1, 1, env.action_dim))[0]["robot0_eef_pos"].copy()
        ways.append(float(np.linalg.norm(seen - at)))
        at = seen
print(float(np.sqrt(np.mean(np.square(ways)))))
"""


def ours(scale: float) -> float:
    """Return the root mean square way per step [m] of our tool."""
    from proctor.core import EpisodeSpec
    from proctor.sim import SimEnv
    from proctor.tasks.suites import find

    (task, *_) = find("arena/static_obstacles/L1")
    env, ways = SimEnv(), []
    for episode in range(EPISODES):
        env.reset(EpisodeSpec("x", "x", "L1", "", 0, episode, "", "random", task_path=str(task.path)))
        at, rng = env.scene.tcp()[0], np.random.default_rng(episode)
        for _ in range(STEPS):
            env.step(scale * rng.uniform(-1, 1, 7))
            seen = env.scene.tcp()[0]
            ways.append(float(np.linalg.norm(seen - at)))
            at = seen
    return float(np.sqrt(np.mean(np.square(ways))))


def main() -> None:
    if PEER.exists():
        done = subprocess.run([PEER, "-c", PEER_SIDE], capture_output=True, text=True, check=True)
        print(f"robosuite, scale 1.00: {100 * float(done.stdout.split()[-1]):.2f} cm per step")
    else:
        print("robosuite is not here: run `make bench` first")
    for scale in (1.0, 0.5, 0.25):
        print(f"proctor,   scale {scale:.2f}: {100 * ours(scale):.2f} cm per step")


if __name__ == "__main__":
    main()
