"""A table with fruit by hand, and an agent's episode on it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from proctor.core import EpisodeSpec
from proctor.sim import SimEnv

# The chat server of the client's tests.
sys.path.insert(0, str(Path(__file__).parents[2] / "core" / "chat"))

TABLE = """(define (problem Tabletop_Manipulation)
  (:domain robosuite)
  (:language {instruction})
  (:regions
    (a (:target main_table) (:ranges ((-0.20 0.16 -0.18 0.18))))
    (b (:target main_table) (:ranges ((-0.20 -0.01 -0.18 0.01))))
    (c (:target main_table) (:ranges ((-0.20 -0.18 -0.18 -0.16))))
    (p (:target main_table) (:ranges ((-0.02 -0.01 0.00 0.01)))))
  (:fixtures main_table - table)
  (:objects fruit_1 fruit_2 fruit_3 - fruit plate_1 - serving_plate)
  (:looks (fruit_1 (seed 1) (kind "lemon")) (fruit_2 (seed 2) (kind "peach")) (fruit_3 (seed 3) (kind "orange")))
  (:obj_of_interest fruit_1 plate_1)
  (:init (On fruit_1 main_table_a) (On fruit_2 main_table_b) (On fruit_3 main_table_c) (On plate_1 main_table_p))
  (:goal (Placed {goal} plate_1))
  {plan})
"""


@pytest.fixture(scope="session")
def table_task(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., EpisodeSpec]:
    """Return a function that writes a task file and returns an episode of it."""
    folder: Path = tmp_path_factory.mktemp("agents")

    def write(instruction: str, goal: str, plan: str = "", max_steps: int = 300) -> EpisodeSpec:
        text = TABLE.format(instruction=instruction, goal=goal, plan=plan)
        path = folder / f"task_{abs(hash(text))}.cbddl"
        path.write_text(text, encoding="utf-8")
        return EpisodeSpec(
            "hand", path.stem, "L0", "", 0, 5, instruction, "agent", task_path=str(path), max_steps=max_steps
        )

    return write


@pytest.fixture(scope="session")
def world() -> Iterator[SimEnv]:
    env = SimEnv()
    yield env
    env.close()
