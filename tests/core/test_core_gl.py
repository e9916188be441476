"""The OpenGL backend: what is installed, what the user says, or none at all."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from proctor.core import _gl

SCRIPT = """
from proctor.core import _gl
_gl._LIBRARIES = {"egl": "libNoSuchThing.so.1"}
from proctor.sim import SimEnv
from proctor.core import EpisodeSpec, ProctorError
from proctor.tasks.suites import find
task = find("arena/static_obstacles")[0]
env = SimEnv()
env.reset(EpisodeSpec("s", task.id, "L0", "", 0, 0, "", "noop", task_path=str(task.path)))
env.step([0] * 7)
try:
    env.render("agentview", 32, 32)
except ProctorError as error:
    print(error)
"""


@pytest.fixture
def bare(monkeypatch):
    for name in ("MUJOCO_GL", "DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(_gl.platform, "system", lambda: "Linux")
    return monkeypatch


@pytest.mark.parametrize(
    ("libraries", "chosen"),
    [
        ({"egl": "libc.so.6", "osmesa": "libc.so.6"}, "egl"),
        ({"egl": "libNoSuchThing.so.1", "osmesa": "libc.so.6"}, "osmesa"),
        ({"egl": "libNoSuchThing.so.1", "osmesa": "libNoSuchThing.so.1"}, "off"),
    ],
)
def test_the_first_that_is_installed(bare, libraries, chosen):
    bare.setattr(_gl, "_LIBRARIES", libraries)
    _gl.choose_gl_backend()
    assert os.environ["MUJOCO_GL"] == chosen


@pytest.mark.parametrize(("name", "value"), [("MUJOCO_GL", "glfw"), ("DISPLAY", ":0")])
def test_the_user_and_a_screen_come_first(bare, name, value):
    bare.setenv(name, value)
    _gl.choose_gl_backend()
    assert os.environ.get("MUJOCO_GL", "") == ("glfw" if name == "MUJOCO_GL" else "")


def test_without_any_library_the_world_runs_and_a_picture_is_refused_in_one_line():
    clean = {k: v for k, v in os.environ.items() if k not in ("MUJOCO_GL", "DISPLAY", "PYOPENGL_PLATFORM")}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=clean, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (line,) = done.stdout.splitlines()
    assert line.startswith("cannot render (MUJOCO_GL=off)")
    assert "libegl1" in line
