"""LIBERO through ``hf-libero``, without torch.

Conventions of the policies that were trained on it: state [tool position 3, axis-angle 3, fingers 2], ten steps of rest
before the policy sees anything, success at any step, step limits by suite. Episode ``i`` begins in start state ``i``
modulo 50 of the files that come with the package. Pictures are upright, as every environment's; what those policies saw
is the mirrored one, and the adapters and clients mirror it.
"""

from __future__ import annotations

import hashlib
import importlib
import importlib.metadata
import importlib.util
import io
import math
import os
import pickle
import platform
import re
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

# Control steps by suite: a little above the longest demonstration (as published with openpi's and OpenVLA's scripts).
MAX_STEPS = {
    "libero_spatial": 220,
    "libero_object": 280,
    "libero_goal": 300,
    "libero_10": 520,
    "libero_90": 400,
}
CAMERAS = {"agentview": "agentview", "wrist": "robot0_eye_in_hand"}
ARGUMENTS = ("assets", "init_states")
ASSETS_HUB = "lerobot/libero-assets"
DEFAULT_ASSETS = Path.home() / ".cache" / "libero" / "assets"
REST = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0])
REST_STEPS = 10
PROBE_STEPS = 50
SEED = 7
STARTS = 50


class Side:
    """One task at a time; another task builds another environment."""

    def __init__(self) -> None:
        found = importlib.util.find_spec("libero")
        if found is None or not found.submodule_search_locations:
            raise SystemExit("the package hf-libero is not in this environment: run `proctor env install libero`")
        self.root = Path(next(iter(found.submodule_search_locations))) / "libero"
        self.args: dict[str, Any] = {}
        self.env: Any = None
        self.name = ""
        self.seen: Any = None

    def versions(self) -> dict[str, str]:
        """Return what decides the behaviour."""
        packages = ("hf-libero", "robosuite", "bddl", "mujoco", "numpy")
        found = {package: importlib.metadata.version(package) for package in packages}
        return {"python": platform.python_version(), **found}

    def tasks(self, selector: str) -> list[dict[str, Any]]:
        """Return the tasks of a suite, one task by name or number, or all."""
        suite, _, task = selector.partition("/")
        table = self._table()
        if suite and suite not in table:
            raise SystemExit(f"LIBERO has no suite {suite!r}: there are {', '.join(table)}")
        chosen = [(name, each) for name in ([suite] if suite else table) for each in table[name]]
        if task:
            chosen = [(suite, table[suite][int(task)])] if task.isdigit() and int(task) < len(table[suite]) else []
            chosen = chosen or [(suite, each) for each in table[suite] if each == task]
        if not chosen:
            raise SystemExit(f"{suite} has no task {task!r}: give its number from 0 to {len(table[suite]) - 1} or name")
        return [
            {
                "task": f"{name}/{each}",
                "suite": name,
                "instruction": instruction(each),
                "max_steps": MAX_STEPS[name],
                "starts": STARTS,
            }
            for name, each in chosen
        ]

    def open(self, task: str, args: dict[str, Any]) -> dict[str, Any]:
        """Check arguments and assets; the environment itself is built with the first episode."""
        for name in args:
            if name not in ARGUMENTS:
                raise SystemExit(f"unknown --env-arg {name!r} for LIBERO (there are {', '.join(ARGUMENTS)})")
        self.args = args
        assets = self._assets()
        if not (assets / "scenes").is_dir():
            raise SystemExit(missing(assets))
        self._configure(assets)
        return {
            "name": "libero",
            "cameras": list(CAMERAS),
            "state_dim": 8,
            "action_dim": 7,
            "control_mode": "delta_eef_axis_angle_gripper",
            "control_hz": 20.0,
            "rules": {"assets": fingerprint(assets), "init_states": "files" if self._from_file() else "drawn"},
        }

    def reset(self, task: str, seed: int, episode: int) -> None:
        """Build the task's world, put it into its start state and let it rest for ten steps."""
        self._start(task, seed, episode)
        for _ in range(REST_STEPS):
            self.seen, *_ = self.env.step(REST)

    def state(self) -> Any:
        """Return tool position (m), axis-angle (rad) and fingers (m)."""
        seen = self.seen
        turn = axis_angle(seen["robot0_eef_quat"])
        return np.concatenate([seen["robot0_eef_pos"], turn, seen["robot0_gripper_qpos"]])

    def picture(self, camera: str, size: int) -> Any:
        """Return an upright picture: robosuite's rows come in OpenGL's order, the lowest first."""
        if camera not in CAMERAS:
            raise SystemExit(f"LIBERO has no camera {camera!r}: there are {', '.join(CAMERAS)}")
        image = self.env.sim.render(camera_name=CAMERAS[camera], width=size, height=size)
        return np.ascontiguousarray(image[::-1])

    def judge(self, returned: float) -> bool:
        """Success is told step by step, never by the sum of rewards."""
        return False

    def step(self, action: Any) -> dict[str, Any]:
        """Advance once; LIBERO says ``done`` when the goal holds."""
        self.seen, reward, done, _ = self.env.step(np.asarray(action, np.float64))
        return {"reward": float(reward), "success": bool(done), "cost": None, "ended": bool(done)}

    def probe(self, task: str, episode: int, args: dict[str, Any]) -> dict[str, Any]:
        """Rest for 2.5 s from the start state: how far did each object move (m), and is the goal true already?"""
        self.open(task, dict(args))
        self._start(task, SEED, episode)
        data, bodies = self.env.sim.data, self.env.env.obj_body_id
        before = {name: np.array(data.body_xpos[body]) for name, body in bodies.items()}
        for _ in range(PROBE_STEPS):
            self.seen, _, done, _ = self.env.step(REST)
        moved = {name: float(np.linalg.norm(data.body_xpos[body] - before[name])) for name, body in bodies.items()}
        return {"moved_m": moved, "goal": bool(done), "seconds": PROBE_STEPS / 20.0}

    # -- inside -------------------------------------------------------------------------------------------------------
    def _assets(self) -> Path:
        given = self.args.get("assets")
        if given:
            return Path(str(given)).expanduser()
        beside = self.root / "assets"
        return beside if beside.is_dir() else DEFAULT_ASSETS

    def _from_file(self) -> bool:
        given = self.args.get("init_states", True)
        if not isinstance(given, bool):
            raise SystemExit(f"--env-arg init_states={given}: true (from the files) or false (drawn from the seed)")
        return given

    def _configure(self, assets: Path) -> None:
        """Tell LIBERO where everything is; without a file it would ask on the terminal and write into the home."""
        folder = Path(tempfile.mkdtemp(prefix="proctor-libero-"))
        paths = {
            "benchmark_root": self.root,
            "bddl_files": self.root / "bddl_files",
            "init_states": self.root / "init_files",
            "datasets": folder,
            "assets": assets,
        }
        lines = [f"{key}: {str(path)!r}\n" for key, path in paths.items()]
        (folder / "config.yaml").write_text("".join(lines), encoding="utf-8")
        os.environ["LIBERO_CONFIG_PATH"] = str(folder)
        importlib.import_module("libero.libero")._assets_path_cache = str(assets)  # type: ignore[attr-defined]

    def _start(self, task: str, seed: int, episode: int) -> None:
        if task != self.name:
            self.close()
            self.env = self._build(task)
            self.name = task
        suite, _, name = task.partition("/")
        fixed = self._from_file()
        self.env.seed(SEED if fixed else seed % 2**32)
        self.seen = self.env.reset()
        if fixed:
            states = read_states(self.root / "init_files" / suite / f"{name}.pruned_init")
            self.seen = self.env.set_init_state(states[episode % len(states)])

    def _build(self, task: str) -> Any:
        path = self.root / "bddl_files" / f"{task}.bddl"
        if not path.is_file():
            raise SystemExit(f"LIBERO has no task {task!r}")
        envs = importlib.import_module("libero.libero.envs")
        try:
            # Frames are drawn when they are asked for, not at every step.
            return envs.OffScreenRenderEnv(bddl_file_name=str(path), use_camera_obs=False, ignore_done=True)
        except FileNotFoundError as error:
            raise SystemExit(missing(self._assets(), str(error.filename))) from error

    def close(self) -> None:
        if self.env is not None:
            self.env.close()
        self.env, self.name = None, ""

    def _table(self) -> dict[str, list[str]]:
        """Return the suites' task names, from the package's own table, loaded without the torch beside it."""
        path = self.root / "benchmark" / "libero_suite_task_map.py"
        spec = importlib.util.spec_from_file_location("libero_suite_task_map", path)
        assert spec is not None
        assert spec.loader is not None
        module: Any = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module
        spec.loader.exec_module(module)
        return {suite: list(module.libero_task_map[suite]) for suite in MAX_STEPS}


def instruction(name: str) -> str:
    """Return a task's instruction: its name after ``..._SCENE3_``, with spaces. Policies were trained on this text."""
    return re.sub(r"^[A-Z_0-9]*SCENE\d+_", "", name).replace("_", " ")


def missing(folder: Path, file: str = "") -> str:
    """Say what is to be downloaded and where it belongs."""
    what = f"LIBERO's file {file} is missing" if file else f"LIBERO's objects and scenes are not in {folder}"
    return (
        f"{what}: they come apart from the package; run `hf download {ASSETS_HUB} --repo-type dataset --local-dir "
        f"{folder}` where the Hugging Face Hub can be reached, or name their folder with --env-arg assets=FOLDER"
    )


def fingerprint(folder: Path) -> str:
    """Return 12 digits of SHA-256 over names and sizes of all files."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    text = "".join(f"{path.relative_to(folder).as_posix()} {path.stat().st_size}\n" for path in files)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def axis_angle(quat_xyzw: Any) -> Any:
    """Return the rotation vector of a unit quaternion, its angle in [0, 2 pi] as LIBERO's policies know it."""
    cosine = min(max(float(quat_xyzw[3]), -1.0), 1.0)
    sine = math.sqrt(1.0 - cosine * cosine)
    if math.isclose(sine, 0.0):
        return np.zeros(3)
    return np.asarray(quat_xyzw[:3], np.float64) * (2.0 * math.acos(cosine) / sine)


class _ArraysOnly(pickle.Unpickler):
    """Reads an array from a pickle and nothing else: no other name in it is looked up."""

    ALLOWED = frozenset(
        {
            ("numpy.core.multiarray", "_reconstruct"),
            ("numpy._core.multiarray", "_reconstruct"),
            ("numpy", "ndarray"),
            ("numpy", "dtype"),
            ("_codecs", "encode"),
        }
    )

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in self.ALLOWED:
            raise pickle.UnpicklingError(f"a file of start states asks for {module}.{name}")
        return super().find_class(module, name)


def read_states(path: Path) -> Any:
    """Return the start states [50, size] of a file that torch wrote, without torch."""
    with zipfile.ZipFile(path) as archive:
        inside = next(name for name in archive.namelist() if name.endswith("data.pkl"))
        return np.asarray(_ArraysOnly(io.BytesIO(archive.read(inside))).load(), np.float64)
