"""How fast a scene with water is, and how much slower it would be with ordinary balls, in one run.

    python benchmarks/spill_speed.py

A bowl on the table with the robot beside it, filled with 0, 22 and 44 balls. Ours: point masses on three slides,
contacts without friction. The obvious way: free joints, contacts with friction (condim 3). Both models are stepped in
turn from the same state, 50 ms of physics at a time; figures are medians of processor time, which other work on the
machine hardly touches. The last column is a whole control step of the environment, with controller, monitor and spill
count.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from proctor.core import EpisodeSpec
from proctor.sim import Scene, SimEnv
from proctor.sim import _scene as builder

import mujoco  # isort: skip (after the world, which chooses the OpenGL backend)

SUBSTEPS = 25
BALLS = (0, 22, 44)


def task_with(balls: int) -> str:
    """Return a task with so many balls in a bowl."""
    names = [f"ball_{i}" for i in range(balls)]
    inside = " ".join(f"(On {name} bowl_1)" for name in names)
    return f"""(define (problem Tabletop_Manipulation) (:domain robosuite) (:language Wait)
      (:regions (here (:target main_table) (:ranges ((-0.1 0.1 -0.1 0.1)))))
      (:fixtures main_table - table)
      (:objects bowl_1 - porcelain_bowl {" ".join(names)} {"- water_ball" if names else ""})
      (:obj_of_interest bowl_1) (:init (On bowl_1 main_table_here) {inside}) (:goal (Fall bowl_1)))"""


def ordinary(scene: Scene) -> tuple[mujoco.MjModel, mujoco.MjData]:
    """Return the scene with balls of free joints and friction, in the same state."""
    twin = Scene(scene.task, scene.instance_set)
    for name in scene.particles:
        twin.assets[name] = replace(twin.assets[name], particle=False)
    model = builder._compile(twin)
    data = mujoco.MjData(model)
    for name in scene.particles:
        geom = model.geom(f"{name}/body/0").id
        model.geom_condim[geom], model.geom_friction[geom] = 3, (0.2, 0.005, 0.0001)
        data.joint(f"{name}/free").qpos[:] = (*scene.origin(name), 1, 0, 0, 0)
    for joint in range(scene.model.njnt):
        name = scene.model.joint(joint).name
        if name.rpartition("/")[0] not in scene.particles:
            data.joint(name).qpos[:] = scene.data.joint(name).qpos
    data.ctrl[:] = scene.data.ctrl
    return model, data


def cpu_s(work: Callable[[], object]) -> float:
    """Return the processor time of some work."""
    start = time.process_time()
    work()
    return time.process_time() - start


def measure(balls: int, rounds: int) -> tuple[float, float, float]:
    """Return 50 ms of physics our way and the obvious way, and a whole control step, in seconds."""
    env = SimEnv()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "bowl.cbddl"
        path.write_text(task_with(balls))
        env.reset(EpisodeSpec("bench", "bowl", "L0", "", 0, 0, "Wait", "none", task_path=str(path)))
    scene = env.scene
    model, data = ordinary(scene)
    still = np.zeros(7)
    ours, theirs, whole = [], [], []
    for _ in range(rounds):
        ours.append(cpu_s(lambda: mujoco.mj_step(scene.model, scene.data, SUBSTEPS)))
        theirs.append(cpu_s(lambda: mujoco.mj_step(model, data, SUBSTEPS)))
        whole.append(cpu_s(lambda: env.step(still)))
    env.close()
    return statistics.median(ours), statistics.median(theirs), statistics.median(whole)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=40, help="control steps of each kind")
    rounds = parser.parse_args().rounds
    print("| balls | physics, slides [ms] | physics, free [ms] | ratio | control step [ms] | steps per second |")
    print("|---|---|---|---|---|---|")
    for balls in BALLS:
        ours, theirs, whole = measure(balls, rounds)
        print(
            f"| {balls} | {1e3 * ours:.2f} | {1e3 * theirs:.2f} | {theirs / ours:.1f} "
            f"| {1e3 * whole:.2f} | {1 / whole:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
