"""One environment for all tests of a module: compiled scenes and the controller are shared, episodes are not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray

from proctor.sim import SimEnv  # isort: skip (chooses the OpenGL backend, so it must come before MuJoCo)
import mujoco
from world_bench import Bench, yard_task
from world_lamps import TERMINAL, Lamps

from proctor.sim import _expressions as expressions
from proctor.sim.predicates import Compiled


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    env = SimEnv()
    yield Bench(env, tmp_path_factory.mktemp("tasks"))
    env.close()


@pytest.fixture
def lamps(monkeypatch: pytest.MonkeyPatch) -> Lamps:
    lamps = Lamps()

    def compile_lamp(atom, scene, compat):  # type: ignore[no-untyped-def]
        name = atom.args[0]
        kind = "terminal" if name in TERMINAL else "instantaneous"
        return Compiled(name, kind, lambda: name in lamps.on)

    monkeypatch.setattr(expressions, "compile_atom", compile_lamp)
    return lamps


@pytest.fixture(scope="module")
def settled_yard(bench: Bench) -> Bench:
    """A scene with one of everything."""
    bench.build(**yard_task())
    return bench


@pytest.fixture(scope="module")
def yard_qpos(settled_yard: Bench) -> NDArray[np.float64]:
    """The yard as it was after settling."""
    return settled_yard.scene.data.qpos.copy()


@pytest.fixture
def yard(settled_yard: Bench, yard_qpos: NDArray[np.float64]) -> Bench:
    """The yard, in every test as it was after settling."""
    scene = settled_yard.scene
    scene.data.qpos[:] = yard_qpos
    scene.data.qvel[:] = 0
    mujoco.mj_forward(scene.model, scene.data)
    return settled_yard
