"""Small tasks with movers, and an environment reset to them."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import numpy as np

from proctor.core import EpisodeSpec, Event
from proctor.sim import SimEnv

STILL = np.zeros(7)


class Workshop:
    """Writes small tasks and resets the environment to them."""

    def __init__(self, env: SimEnv, folder: Path) -> None:
        self.env, self.folder, self.count = env, folder, itertools.count()

    def write(
        self, at: dict[str, tuple[float, float]], motions: dict[str, str], cost: str = "", init: str = ""
    ) -> Path:
        """``at`` gives each object (its category and a number) a point; ``init`` may place more objects on others."""
        names = [*at, *re.findall(r"\(On (\w+)", init)]
        spots = [f"({n} (:target main_table) (:ranges (({x} {y} {x + 1e-6} {y + 1e-6}))))" for n, (x, y) in at.items()]
        path = self.folder / f"{next(self.count)}.cbddl"
        path.write_text(
            f"""(define (problem Movers) (:domain robosuite) (:language Wait) (:regions {" ".join(spots)})
            (:fixtures main_table - table) (:objects {" ".join(f"{n} - {n.rsplit('_', 1)[0]}" for n in names)})
            (:moving_objects {" ".join(f"({name} {motion})" for name, motion in motions.items())})
            (:init {" ".join(f"(On {n} main_table_{n})" for n in at)} {init}) (:goal (False))
            {f"(:cost {cost})" if cost else ""})"""
        )
        return path

    def start(self, path: Path, **more: Any) -> None:
        self.env.reset(EpisodeSpec("t", path.stem, "L0", "", 0, 3, "Wait", "none", task_path=str(path), **more))

    def pose(self, name: str) -> np.ndarray:
        return np.array(self.env.scene.data.joint(f"{name}/free").qpos)

    def run(self, steps: int) -> list[Event]:
        return [event for _ in range(steps) for event in self.env.step(STILL).events]
