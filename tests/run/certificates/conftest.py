"""The workbench of the world's tests serves the certificates as well."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from proctor.sim import SimEnv  # isort: skip (chooses the OpenGL backend, so it must come before MuJoCo)

sys.path.insert(0, str(Path(__file__).parents[2] / "sim"))

from world_bench import Bench


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    env = SimEnv()
    yield Bench(env, tmp_path_factory.mktemp("tasks"))
    env.close()
