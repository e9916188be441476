"""Does rendering work? A tiny frame is really drawn, in a process of its own: a broken GL may kill its process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass

from ._finding import DoctorFinding

_TIMEOUT_S = 60
# A red ball before a black sky: the middle pixel must be red, so a blank frame does not pass.
_PROBE = """
import mujoco
model = mujoco.MjModel.from_xml_string(
    '<mujoco><worldbody><light pos="0 0 3"/><geom type="sphere" size="1" rgba="1 0 0 1"/>'
    '<camera name="c" pos="0 0 4"/></worldbody></mujoco>')
data = mujoco.MjData(model)
mujoco.mj_forward(model, data)
renderer = mujoco.Renderer(model, 32, 32)
renderer.update_scene(data, camera="c")
red, green, blue = (int(v) for v in renderer.render()[16, 16])
try:
    from OpenGL import GL
    name = GL.glGetString(GL.GL_RENDERER).decode()
except Exception:
    name = "renderer unknown"
renderer.close()
assert red > 60 and green < red // 2 and blue < red // 2, f"drew {red, green, blue} where red was due"
print(name)
"""


@dataclass(frozen=True, slots=True)
class Probe:
    """Outcome of one back end: ``detail`` names the renderer, or the last line of what went wrong."""

    backend: str
    works: bool
    detail: str


def probe(backend: str) -> Probe:
    """Draw one frame under ``MUJOCO_GL=backend``; an empty name leaves the choice to MuJoCo."""
    environment = {key: value for key, value in os.environ.items() if key not in {"MUJOCO_GL", "PYOPENGL_PLATFORM"}}
    if backend:
        environment["MUJOCO_GL"] = backend
    try:
        done = subprocess.run(
            [sys.executable, "-c", _PROBE], env=environment, capture_output=True, text=True, timeout=_TIMEOUT_S
        )
    except subprocess.TimeoutExpired:
        return Probe(backend, False, f"no frame within {_TIMEOUT_S} s")
    lines = (done.stdout if done.returncode == 0 else done.stderr).strip().splitlines()
    return Probe(backend, done.returncode == 0, lines[-1] if lines else f"ended with code {done.returncode}")


def check_gl(try_backend: Callable[[str], Probe] = probe, chosen: str | None = None) -> DoctorFinding:
    """Try the back end that is set, then EGL, then OSMesa; the first that draws decides what to say."""
    current = os.environ.get("MUJOCO_GL", "") if chosen is None else chosen
    first = try_backend(current) if current else None
    if first is not None and first.works:
        return DoctorFinding("ok", "gl", f"MUJOCO_GL={current} draws, {first.detail}")
    for backend in ("egl", "osmesa"):
        if backend == current:
            continue
        other = try_backend(backend)
        if not other.works:
            continue
        if first is None and backend == "egl":
            # Nothing is set and EGL works: that is what Proctor chooses by itself.
            return DoctorFinding("ok", "gl", f"egl draws, {other.detail}")
        text = f"MUJOCO_GL={current} does not draw ({first.detail})" if first else "egl does not draw, osmesa does"
        return DoctorFinding("problem" if first else "warning", "gl", text, f"run: export MUJOCO_GL={backend}")
    text = f"no back end draws{f' ({first.detail})' if first else ''}"
    return DoctorFinding("problem", "gl", text, "run: sudo apt-get install libegl1 libgl1-mesa-dri libosmesa6")
