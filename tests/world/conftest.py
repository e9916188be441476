"""One environment for all tests of a module: compiled scenes and the controller are shared, episodes are not."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from proctor.world import SimEnv  # isort: skip (chooses the OpenGL backend, so it must come before MuJoCo)
from world_bench import Bench


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    env = SimEnv()
    yield Bench(env, tmp_path_factory.mktemp("tasks"))
    env.close()
