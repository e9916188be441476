"""A workbench for tests of the world: small task texts, and hand-built states that the predicates are asked about."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from proctor.core import EpisodeSpec
from proctor.sim import TABLE_Z, Scene, SimEnv
from proctor.sim.predicates import compile_atom
from proctor.tasks.cbddl import Atom, Span

NOOP = np.array([0, 0, 0, 0, 0, 0, -1.0])
STILL = np.zeros(7)
YARD_YAW = 0.6


def task_text(
    *,
    objects: Mapping[str, str],
    at: Mapping[str, tuple[float, ...]],
    fixtures: Mapping[str, str] | None = None,
    regions: str = "",
    init: str = "",
    goal: str = "(False)",
    cost: str = "",
    language: str = "Do nothing",
    blocks: str = "",
) -> str:
    """Return a task. ``at`` gives (x, y), (x, y, yaw) or (x_min, y_min, x_max, y_max, yaw_min, yaw_max)."""
    spots, placed = [], []
    for name, where in at.items():
        rect = where[:4] if len(where) == 6 else (where[0], where[1], where[0] + 1e-6, where[1] + 1e-6)
        yaw = where[4:] if len(where) == 6 else (where[2], where[2]) if len(where) == 3 else (0.0, 0.0)
        spots.append(
            f"({name}_spot (:target main_table) (:ranges (({' '.join(map(str, rect))})))"
            f" (:yaw_rotation (({yaw[0]} {yaw[1]}))))"
        )
        placed.append(f"(On {name} main_table_{name}_spot)")
    declared = {"main_table": "table", **(fixtures or {})}
    return f"""(define (problem Tabletop_Manipulation)
  (:domain robosuite)
  (:language {language})
  (:regions {" ".join(spots)} {regions})
  (:fixtures {" ".join(f"{n} - {c}" for n, c in declared.items())})
  (:objects {" ".join(f"{n} - {c}" for n, c in objects.items())})
  (:obj_of_interest {next(iter(objects))})
  (:init {" ".join(placed)} {init})
  (:goal {goal})
  {f"(:cost {cost})" if cost else ""}
  {blocks}
)
"""


def episode(path: Path, seed: int = 0, **more: Any) -> EpisodeSpec:
    return EpisodeSpec("test", path.stem, "L0", "", 0, seed, "Do nothing", "none", task_path=str(path), **more)


class Bench:
    """An environment with a task, states written by hand, and predicates asked by their text."""

    def __init__(self, env: SimEnv, folder: Path) -> None:
        self.env = env
        self._folder = folder
        self._count = 0

    @property
    def scene(self) -> Scene:
        return self.env.scene

    def write(self, **task: Any) -> Path:
        self._count += 1
        path = self._folder / f"task_{self._count}.cbddl"
        path.write_text(task_text(**task))
        return path

    def start(self, path: Path, seed: int = 0, **more: Any) -> Scene:
        self.env.reset(episode(path, seed, **more))
        return self.env.scene

    def build(self, seed: int = 0, **task: Any) -> Scene:
        """Write a task and reset to it."""
        return self.start(self.write(**task), seed)

    def put(self, name: str, position: Any, rotation: NDArray[np.float64] | None = None) -> None:
        """Write a movable object's pose; its origin is the middle of its foot."""
        quat = np.zeros(4)
        mujoco.mju_mat2Quat(quat, np.eye(3).ravel() if rotation is None else np.ascontiguousarray(rotation).ravel())
        joint = self.scene.data.joint(f"{name}/free")
        joint.qpos[:] = (*position, *quat)
        joint.qvel[:] = 0.0

    def stand(self, name: str, x: float, y: float, above: float = -2e-4) -> None:
        """Stand an object on the table, pressed in by a fifth of a millimetre so that it touches."""
        self.put(name, (x, y, TABLE_Z + above))

    def look(self) -> None:
        """See the state as a control step would that has just ended: what `SimEnv.step` does, with no time passing."""
        scene = self.scene
        mujoco.mj_forward(scene.model, scene.data)
        for watch in (scene.contacts, scene.forces, scene.near):
            watch.begin_step()
            watch.sample(scene.data)
        scene.lasting.update()
        scene.touches.update()

    def holds(self, text: str, compat: str = "corrected") -> bool:
        """Whether a predicate written as ``Name a b 0.1 (part part)`` is true in the state as it is."""
        condition = compile_atom(atom(text), self.scene, compat).holds
        self.look()
        return condition()

    def lasts(self, text: str, seconds: float, compat: str = "corrected") -> bool:
        """Whether a predicate is true after ``seconds`` in which nothing changed."""
        condition = compile_atom(atom(text), self.scene, compat).holds
        for _ in range(round(20 * seconds)):
            self.look()
        return condition()

    def squeeze(self, name: str) -> None:
        """Put an object between the pads and close the fingers on it."""
        scene = self.scene
        tool, _ = scene.tcp()
        self.put(name, tool - (0, 0, scene.assets[name].height_m / 2))
        scene.data.qpos[scene.finger_qpos] = 0.040
        mujoco.mj_forward(scene.model, scene.data)
        for finger in np.arange(0.040, 0.0, -2e-4):
            scene.data.qpos[scene.finger_qpos] = finger
            mujoco.mj_forward(scene.model, scene.data)
            thing = set(scene.geoms(name).tolist())
            touched = {g for pair in scene.data.contact.geom.tolist() if thing & set(pair) for g in pair}
            if all(touched & set(geoms.tolist()) for geoms in scene.finger_geoms):
                return
        raise AssertionError(f"the fingers close without touching {name}")


def atom(text: str) -> Atom:
    words = text.replace("(", " ( ").replace(")", " ) ").split()
    args: list[Any] = []
    parts: list[int | str] | None = None
    for word in words[1:]:
        if word == "(":
            parts = []
        elif word == ")":
            args.append(tuple(parts or ()))
            parts = None
        elif parts is not None:
            parts.append(int(word) if word.isdigit() else word)
        else:
            try:
                args.append(float(word))
            except ValueError:
                args.append(word)
    return Atom(words[0], tuple(args), Span("asked.cbddl", 1, 1))


def about(axis: str, degrees: float) -> NDArray[np.float64]:
    """Rotation about a world axis."""
    from scipy.spatial.transform import Rotation

    return np.asarray(Rotation.from_euler(axis, degrees, degrees=True).as_matrix())


def yard_task() -> dict[str, Any]:
    """A scene with one of everything; each test moves what it needs."""
    return {
        "objects": {
            "apple_1": "apple",
            "plate_1": "plate",
            "wine_bottle_1": "wine_bottle",
            "knife_1": "knife",
            "cereal_1": "cereal",
            "box_1": "box",
        },
        "fixtures": {"white_cabinet_1": "white_cabinet", "flat_stove_1": "flat_stove"},
        "at": {
            "flat_stove_1": (-0.3, -0.5),
            "apple_1": (-0.1, -0.45),
            "plate_1": (-0.1, -0.15),
            "wine_bottle_1": (0.1, -0.15),
            "knife_1": (0.15, -0.4),
            "cereal_1": (0.3, -0.15),
            "box_1": (0.35, 0.1),
            "white_cabinet_1": (0.0, 0.35, YARD_YAW),
        },
        "regions": """(goal_area (:target main_table) (:ranges ((-0.2 -0.5 0.0 -0.4) (0.1 -0.5 0.2 -0.4))))
                   (top_region (:target white_cabinet_1)) (middle_region (:target white_cabinet_1))
                   (top_side (:target white_cabinet_1))""",
    }
