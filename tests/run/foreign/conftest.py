from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

# An environment for tests: a number on a line, moved by a Box action in metres; told what to do by its keywords.
LINE_WORLD = """
import os, time
import gymnasium
import numpy as np
from gymnasium import spaces


class Line(gymnasium.Env):
    metadata = {"render_modes": ["rgb_array"], "render_fps": 10}

    def __init__(self, render_mode=None, crash_seed_mod=None, hang=False, tell=True, print_first=""):
        self.render_mode = render_mode
        self.crash_seed_mod, self.hang, self.tell = crash_seed_mod, hang, tell
        self.action_space = spaces.Box(np.array([-3.0, 0.0]), np.array([1.0, 10.0]), dtype=np.float64)
        self.observation_space = spaces.Dict(
            {
                "eye": spaces.Box(0, 255, (6, 6, 3), np.uint8),
                "place": spaces.Box(-np.inf, np.inf, (2,), np.float64),
                "phase": spaces.Discrete(3),
            }
        )

    def _see(self):
        eye = np.full((6, 6, 3), self.steps, np.uint8)
        return {"eye": eye, "place": self.place.copy(), "phase": self.steps % 3}

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.seed_ = seed
        self.steps, self.place = 0, self.np_random.uniform(-1, 1, 2)
        return self._see(), {}

    def step(self, action):
        assert self.action_space.contains(action), action
        self.steps += 1
        self.place = self.place + action
        if self.crash_seed_mod and self.steps == 2 and self.seed_ % 2 == self.crash_seed_mod - 1:
            print("the wheels came off", flush=True)
            os.abort()
        if self.hang and self.steps == 2:
            time.sleep(600)
        info = {"is_success": self.steps >= 4} if self.tell else {}
        info["cost"] = 2.0 if self.steps == 3 else 0.0
        return self._see(), -1.0, False, self.steps >= 6, info


gymnasium.register("Line-v0", "line_world:Line", max_episode_steps=50)
"""


@pytest.fixture
def line_world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with ``line_world.py``, which is the current one; Gymnasium is that of this very Python."""
    (tmp_path / "line_world.py").write_text(LINE_WORLD)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PROCTOR_ENV_GYMNASIUM", sys.executable)
    return tmp_path
