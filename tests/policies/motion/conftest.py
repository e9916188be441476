"""One environment with the yard, settled, for all tests of a module."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proctor.sim import Scene, SimEnv  # isort: skip (chooses the OpenGL backend, so it must come before MuJoCo)
import motion_yard


@pytest.fixture(scope="module")
def env(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimEnv]:
    made = SimEnv()
    motion_yard.start(made, tmp_path_factory.mktemp("yard"))
    yield made
    made.close()


@pytest.fixture
def scene(env: SimEnv) -> Scene:
    return env.scene
