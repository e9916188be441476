from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from proctor.run.plan import Plan, PlanTask

# Where the small environments and policies are that tests of the engine and of clusters run.
HERE = Path(__file__).parent / "engine"
sys.path.insert(0, str(HERE))


@pytest.fixture(autouse=True)
def _workers_find_point_world(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(HERE), prepend=os.pathsep)


@pytest.fixture
def make_plan():
    def make(episodes: int = 4, *, tasks: int = 3, policy: str = "point_world:GoPolicy", **more) -> Plan:
        refs = tuple(
            PlanTask(f"pt/L{i % 2}/reach_{i}@v1", "pt", f"L{i % 2}", f"hash{i}", f"Reach {i}", 60, f"/none/{i}.cbddl")
            for i in range(tasks)
        )
        return Plan(refs, episodes, more.pop("seed", 7), policy, **more)

    return make
