"""Our side: the environment that `proctor run` uses, on a scene of arena/static_obstacles."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

from crowd import crowd
from proctor import __version__
from proctor.core import EpisodeSpec
from proctor.sim import SimEnv
from proctor.tasks.cbddl import read_task
from proctor.tasks.suites import find
from side import serve, timed

CAMERAS = ("agentview", "wrist")
LEVEL = "arena/static_obstacles/L1"
_RNG = np.random.default_rng(0)
_ENV = SimEnv()
_FOLDER = Path(tempfile.mkdtemp(prefix="proctor-bench-"))


def _spec(path: Path, seed: int) -> EpisodeSpec:
    task = read_task(path)
    return EpisodeSpec(
        suite="bench", task=path.stem, level="L1", task_hash=task.text_hash, episode=seed, seed=seed,
        instruction=task.language, policy="bench", task_path=str(path),
    )  # fmt: skip


def _paths() -> list[Path]:
    return [ref.path for ref in find(LEVEL)]


def _crowd_path(objects: int) -> Path:
    path = _FOLDER / f"crowd_{objects}.cbddl"
    if not path.exists():
        path.write_text(crowd(objects), encoding="utf-8")
    return path


def about() -> dict[str, Any]:
    """Say what is measured."""
    _ENV.reset(_spec(_paths()[0], 0))
    return {"name": f"proctor {__version__} {LEVEL}", "mujoco": mujoco.__version__, "nv": int(_ENV.scene.model.nv)}


def steps(n: int, cameras: bool, objects: int = 0) -> dict[str, Any]:
    """Time ``n`` control steps of small random actions, each with its observation; ``objects`` asks for a crowd."""
    _ENV.reset(_spec(_crowd_path(objects) if objects else _paths()[0], 0))
    actions = 0.2 * _RNG.uniform(-1, 1, (n + 5, 7))
    wanted = CAMERAS if cameras else ()

    def run(part: Any) -> None:
        for action in part:
            _ENV.step(action)
            _ENV.observe(wanted, 256)

    run(actions[:5])
    return timed(lambda: run(actions[5:]), n)


def resets(n: int, first: int) -> dict[str, Any]:
    """Time ``n`` resets of one task with new seeds from ``first`` on: what a run does from episode to episode."""
    specs = [_spec(_paths()[0], first + i) for i in range(n)]
    return timed(lambda: [_ENV.reset(spec) for spec in specs], n)


def first_reset() -> dict[str, Any]:
    """Time a reset in an environment that has compiled nothing yet."""
    env, spec = SimEnv(), _spec(_paths()[0], 0)
    result = timed(lambda: env.reset(spec), 1)
    env.close()
    return result


if __name__ == "__main__":
    serve({"about": about, "steps": steps, "resets": resets, "first_reset": first_reset})
