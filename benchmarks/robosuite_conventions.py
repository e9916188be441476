"""LIBERO's simulator beside ours: which way round its pictures are, how far an action moves the tool, the state.

python -m venv libero && libero/bin/pip install robosuite==1.4.0 mujoco==3.3.7 "numpy<2" termcolor numba scipy \
    pillow opencv-python-headless typing_extensions
python benchmarks/robosuite_conventions.py libero/bin/python

LIBERO is robosuite 1.4.0 with a Panda and the controller OSC_POSE at 20 Hz. Prints the figures behind the defaults of
``src/proctor/policies/adapters/_adapter.py``.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np

SETTLE, STEPS, STEADY = 10, 12, 4
AMPLITUDES = (0.25, 0.5, 1.0)
PEER_SIDE = """
import json, logging, math, os, sys
logging.disable(logging.WARNING)
os.environ.setdefault("MUJOCO_GL", "egl")
import mujoco, numpy as np, robosuite
from robosuite.controllers import load_controller_config
from robosuite.utils.transform_utils import quat2axisangle, quat2mat

home, settle, steps, steady, amplitudes = json.loads(sys.argv[1])
config = load_controller_config(default_controller="OSC_POSE")
common = dict(robots="Panda", controller_configs=config, control_freq=20, has_renderer=False, ignore_done=True,
              initialization_noise=None)
out = {"controller": {k: config[k] for k in ("input_max", "output_max", "kp", "damping_ratio", "control_delta")}}

cameras = ["agentview", "robot0_eye_in_hand"]
env = robosuite.make("Lift", has_offscreen_renderer=True, use_camera_obs=True, camera_names=cameras,
                     camera_heights=64, camera_widths=64, **common)
seen = env.reset()
model, data = env.sim.model._model, env.sim.data._data
renderer, option = mujoco.Renderer(model, 64, 64), mujoco.MjvOption()
option.geomgroup[:], option.sitegroup[:] = 0, 0
option.geomgroup[1] = 1
out["pictures"] = {}
for camera in cameras:
    renderer.update_scene(data, camera=camera, scene_option=option)
    upright, raw = renderer.render().astype(int), seen[camera + "_image"].astype(int)
    ways = {"as it comes": upright, "flipped upside down": upright[::-1], "mirrored": upright[:, ::-1],
            "turned by 180": upright[::-1, ::-1]}
    same = lambda picture: [name for name, way in ways.items() if np.array_equal(picture, way)]
    out["pictures"][camera] = {"raw": same(raw), "raw[::-1, ::-1]": same(raw[::-1, ::-1])}

env = robosuite.make("Lift", has_offscreen_renderer=False, use_camera_obs=False, **common)
robot = lambda: env.robots[0]
pose = lambda: (env.sim.data.site_xpos[robot().eef_site_id].copy(),
                env.sim.data.site_xmat[robot().eef_site_id].reshape(3, 3).copy())
share = {}
for axis in range(6):
    for amplitude in amplitudes:
        env.reset()
        action = np.zeros(7)
        action[6] = -1
        for _ in range(settle):
            env.step(action)
        action[axis] = amplitude
        moved, (at, turned) = [], pose()
        for _ in range(steps):
            env.step(action)
            to, now = pose()
            if axis < 3:
                moved.append((to - at)[axis] / (0.05 * amplitude))
            else:
                m = now @ turned.T
                vector = np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1]]) / 2
                moved.append(vector[axis - 3] / (0.5 * amplitude))
            at, turned = to, now
        share[f"{axis}:{amplitude}"] = [float(value) for value in moved]
out["share"] = share

seen = env.reset()
widths = []
for _ in range(8):
    seen = env.step(np.r_[np.zeros(6), 1.0])[0]
    widths.append(float(seen["robot0_gripper_qpos"][0]))
out["closing"] = widths
base = np.array(robot().base_pos)
env.sim.data.qpos[robot()._ref_joint_pos_indexes] = home
env.sim.forward()
seen = env._get_observations(force_update=True)
hand = quat2mat(seen["robot0_eef_quat"])
out["site_in_hand"] = (hand.T @ pose()[1]).tolist()
out["state"] = [float(v) for v in np.r_[seen["robot0_eef_pos"] - base, quat2axisangle(seen["robot0_eef_quat"])]]
print(json.dumps(out))
"""


def ours() -> list[float]:
    """Return our state at home: tool position relative to the arm's base, axis-angle."""
    from proctor.sim._control import Controller
    from proctor.sim._panda import BASE_POS
    from proctor.sim._rotation import rotvec

    controller = Controller()
    return [*(controller.position - np.array(BASE_POS)), *rotvec(controller.rotation)]


def main() -> None:
    from proctor.sim._panda import HOME_Q

    asked = json.dumps([list(HOME_Q), SETTLE, STEPS, STEADY, AMPLITUDES])
    command = [sys.argv[1], "-c", PEER_SIDE, asked]
    # The peer must not find this checkout's packages.
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    text = subprocess.run(command, check=True, capture_output=True, text=True, env=environment).stdout
    peer = json.loads(text.splitlines()[-1])
    print("controller", peer["controller"])
    for camera, found in peer["pictures"].items():
        for name, same in found.items():
            print(f"{camera}: {name} equals the upright picture {' or '.join(same) or 'in no way'}")
    for kind, axes in (("way", range(3)), ("rotation", range(3, 6))):
        for amplitude in AMPLITUDES:
            rows = np.array([peer["share"][f"{axis}:{amplitude}"] for axis in axes])
            steady = " ".join(f"{value:.3f}" for value in rows[:, -STEADY:].mean(axis=1))
            print(
                f"share of the commanded {kind} per step, action {amplitude}: first step {rows[:, 0].mean():.3f}, ",
                end="",
            )
            print(f"steady state x y z {steady}, mean {rows[:, -STEADY:].mean():.3f}")
    print("finger while closing [m]:", " ".join(f"{value:.4f}" for value in peer["closing"]))
    print("axes of the controller's site in those of the state's hand:", np.round(peer["site_in_hand"], 3).tolist())
    print("state at our home posture, theirs:", np.round(peer["state"], 4))
    print("state at our home posture, ours:  ", np.round(ours(), 4))


if __name__ == "__main__":
    main()
